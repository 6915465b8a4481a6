/**
 * A thread with a connection to the database, so that queries and disk syncs never block the event loop. The one that
 * writes makes one batch of all waiting calls, with one commit. The one for searches answers call by call. It imports only
 * files of `store/`.
 */
import type { DatabaseSync } from 'node:sqlite'
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { adviceAgainstDamage, isDamage } from '../database/damage.ts'
import { openDatabase, openForSearches } from '../database/open-database.ts'
import { prepared } from '../database/prepared.ts'
import { reasonOf } from '../database/reason-of.ts'
import { type OperationName, operations } from '../operations/operations.ts'
import { doAfterCommit } from './after-commit.ts'
import type { Call, FromThread, ThreadOptions, ToThread } from './messages.ts'
import { type Job, runBatch } from './run-batch.ts'

/** Bounds how long the first call of a batch waits for the last. */
const maxBatchCalls = 1_000

const start = (port: MessagePort, options: ThreadOptions): void => {
  const send = (message: FromThread): void => port.postMessage(message)
  let db: DatabaseSync
  try {
    db = options.isForSearches ? openForSearches(options) : openDatabase(options)
  } catch (error) {
    send({ type: 'refused', reason: reasonOf(error) })
    return
  }
  const stop = (): void => {
    db.close()
    port.close()
  }
  let commits = 0
  const run = (jobs: readonly Job[]): void => {
    const { answers, committed } = runBatch(db, jobs)
    if (committed) commits += 1
    send({ type: 'answers', answers, commits })
    if (committed) doAfterCommit(db)
  }
  port.on('message', (first: unknown) => {
    const { calls, closing } = drain(port, asToThread(first))
    try {
      if (options.isForSearches) for (const call of calls) run([inSnapshot(jobOf(call))])
      else run(calls.map(jobOf))
    } catch (error) {
      if (!isDamage(error)) throw error
      send({
        type: 'damaged',
        reason: `The database ${options.file} is damaged: ${reasonOf(error)}. ${adviceAgainstDamage(options)}`,
      })
      stop()
      return
    }
    if (closing) stop()
  })
  send({ type: 'opened' })
}

const drain = (port: MessagePort, first: ToThread): { calls: Call<OperationName>[]; closing: boolean } => {
  const calls: Call<OperationName>[] = []
  let next: ToThread | undefined = first
  while (next !== undefined && next !== 'close') {
    calls.push(...next)
    next = calls.length < maxBatchCalls ? takeWaiting(port) : undefined
  }
  return { calls, closing: next === 'close' }
}

const takeWaiting = (port: MessagePort): ToThread | undefined => {
  const waiting: { message: unknown } | undefined = receiveMessageOnPort(port)
  return waiting === undefined ? undefined : asToThread(waiting.message)
}

const jobOf = <Name extends OperationName>({ id, name, args }: Call<Name>): Job => {
  const operation = operations[name]
  return { id, writes: operation.writes, run: (db) => operation.run(db, ...args) }
}

/** All queries of a search see the same moment, whatever is written meanwhile. */
const inSnapshot = ({ id, run }: Job): Job => ({
  id,
  writes: false,
  run(db) {
    prepared(db, 'BEGIN').run()
    try {
      return run(db)
    } finally {
      prepared(db, 'COMMIT').run()
    }
  },
})

/** True because only `StoreThread` has the other end of this port, and it sends nothing else. */
const asToThread = (message: unknown): ToThread => message as ToThread

/** True because only `startStoreWorker` starts this thread, and its options are typed there. */
const asThreadOptions = (data: unknown): ThreadOptions => data as ThreadOptions

if (parentPort === null) throw new Error('this file runs as a worker thread only')
start(parentPort, asThreadOptions(workerData))
