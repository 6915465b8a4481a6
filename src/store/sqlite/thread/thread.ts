/**
 * A thread with a connection to the database, so that queries and disk syncs never block the event loop. The one that
 * writes makes one batch of all waiting calls, with one commit. The one for searches answers call by call. It imports only
 * files of `store/`.
 */
import { type MessagePort, parentPort, receiveMessageOnPort } from 'node:worker_threads'
import { failureReason } from '../../failure-reason.ts'
import { adviceAgainstDamage, isDamage } from '../database/damage.ts'
import { drive } from '../database/drive.ts'
import { notedDeletions } from '../database/noted-deletions.ts'
import { openDatabase, openForSearches } from '../database/open-database.ts'
import { prepared } from '../database/prepared.ts'
import { openTextEraser } from '../erasing/text-eraser.ts'
import type { Migrated } from '../migrate.ts'
import { type OperationName, operations } from '../operations/operations.ts'
import { openCommitSync } from './commit-sync.ts'
import type { Call, FromThread, ThreadOptions, ToThread } from './messages.ts'
import { type Job, type JobResult, runBatch } from './run-batch.ts'

/** Bounds how long the first call of a batch waits for the last. */
const maxBatchCalls = 1_000

const serve = (port: MessagePort): void => {
  const send = (message: FromThread): void => port.postMessage(message)
  let connection: Connection | null = null
  port.on('message', (message: unknown) => {
    const first = asToThread(message)
    if (isOpening(first)) {
      try {
        connection = openConnection(first.open, send)
      } catch (error) {
        return send({ type: 'refused', reason: failureReason(error) })
      }
      return send({ type: 'opened', migrated: connection.migrated })
    }
    const { calls, messages, closing } = drain(port, first)
    try {
      if (calls.length > 0) connection?.run(calls, messages)
    } catch (error) {
      if (!isDamage(error)) throw error
      send({ type: 'damaged', reason: connection?.describeDamage(error) ?? '' })
      connection?.close()
      return port.close()
    }
    if (!closing) return
    connection?.close()
    connection = null
    send({ type: 'closed' })
  })
}

type Connection = ReturnType<typeof openConnection>

const openConnection = (options: ThreadOptions, send: (message: FromThread) => void) => {
  let commits = 0
  let taken = 0
  const sendAnswers = (answers: JobResult[]): void => send({ type: 'answers', answers, commits, taken })
  const noteCommit = (): void => {
    commits += 1
  }
  const connection = options.isForSearches
    ? openReader(options, sendAnswers)
    : openWriter(options, sendAnswers, noteCommit)
  return {
    ...connection,
    run(calls: readonly Call<OperationName>[], messages: number): void {
      taken += messages
      connection.run(calls)
    },
    describeDamage: (error: unknown): string =>
      `The database ${options.file} is damaged: ${failureReason(error)}. ${adviceAgainstDamage(options)}`,
  }
}

type SendAnswers = (answers: JobResult[]) => void

const openReader = (options: ThreadOptions, sendAnswers: SendAnswers) => {
  const db = openForSearches(options)
  return {
    migrated: null,
    run(calls: readonly Call<OperationName>[]) {
      for (const call of calls) sendAnswers(runBatch(db, [inSnapshot(toJob(call))]).answers)
    },
    close: () => db.close(),
  }
}

const openWriter = (options: ThreadOptions, sendAnswers: SendAnswers, noteCommit: () => void) => {
  let migrated: Migrated | null = null
  const db = openDatabase(options, (done) => {
    migrated = done
  })
  const eraser = openTextEraser(db, options.file, sendAnswers)
  const sync = openCommitSync(db, options.file, options.ledgerSyncDelayMs ?? 0)
  return {
    migrated: asMigrated(migrated),
    run(calls: readonly Call<OperationName>[]) {
      const deletions = notedDeletions(db)
      const holders = new Set<number>()
      const jobs = calls.map((call) => holding(toJob(call), operations[call.name].isEvicting, holders))
      sync.prepare(calls.flatMap(({ name }) => (operations[name].writes ? [name] : [])))
      const { answers, committed } = runBatch(db, jobs)
      if (committed) noteCommit()
      if (committed) sync.noteCommit()
      const hasDeleted = committed && notedDeletions(db) > deletions
      const [held, others] = hasDeleted ? partition(answers, holders) : [[], answers]
      sendAnswers(others)
      if (others.length > 0) eraser.noteOthers()
      if (committed) eraser.noteCommit()
      if (hasDeleted) eraser.erase(held)
    },
    close() {
      try {
        sync.close()
      } finally {
        eraser.close()
      }
    },
  }
}

const partition = (answers: readonly JobResult[], holders: ReadonlySet<number>): [JobResult[], JobResult[]] => [
  answers.filter(({ id }) => holders.has(id)),
  answers.filter(({ id }) => !holders.has(id)),
]

type Opening = Extract<ToThread, { open: ThreadOptions }>
type Work = Exclude<ToThread, Opening>

const isOpening = (message: ToThread): message is Opening => typeof message === 'object' && 'open' in message

type Drained = { calls: Call<OperationName>[]; messages: number; closing: boolean }

const drain = (port: MessagePort, first: Work): Drained => {
  const calls: Call<OperationName>[] = []
  let messages = 0
  let next: Work | undefined = first
  while (next !== undefined && next !== 'close') {
    calls.push(...next)
    messages += 1
    next = calls.length < maxBatchCalls ? takeWaiting(port) : undefined
  }
  return { calls, messages, closing: next === 'close' }
}

/** A database is opened only after the last one was closed, so no other message can wait behind calls. */
const takeWaiting = (port: MessagePort): Work | undefined => {
  const waiting: { message: unknown } | undefined = receiveMessageOnPort(port)
  return waiting === undefined ? undefined : asWork(waiting.message)
}

const toJob = <Name extends OperationName>({ id, name, args }: Call<Name>): Job => {
  const operation = operations[name]
  const run: Job['run'] =
    'query' in operation ? (db) => drive(db, operation.query(...args)) : (db) => operation.run(db, ...args)
  return { id, writes: operation.writes, run }
}

/** Enters the id of a job that deleted text, whose answer waits until it is erased. */
const holding = (job: Job, isEvicting: boolean | undefined, holders: Set<number>): Job => {
  if (!job.writes || isEvicting) return job
  return {
    ...job,
    run(db) {
      const deletions = notedDeletions(db)
      const value = job.run(db)
      if (notedDeletions(db) > deletions) holders.add(job.id)
      return value
    },
  }
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

/** The compiler does not see that opening a database may have set it. */
const asMigrated = (value: Migrated | null): Migrated | null => value

/** True because only `StoreThread` has the other end of this port, and it sends nothing else. */
const asToThread = (message: unknown): ToThread => message as ToThread
const asWork = (message: unknown): Work => message as Work

if (parentPort === null) throw new Error('this file runs as a worker thread only')
serve(parentPort)
