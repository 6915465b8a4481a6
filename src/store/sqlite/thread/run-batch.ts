import type { DatabaseSync } from 'node:sqlite'
import { Damage, isDamage } from '../database/damage.ts'
import { prepared } from '../database/prepared.ts'
import { reasonOf } from '../database/reason-of.ts'
import { clearLedgerCache } from '../operations/ledger/ledger-cache.ts'

export type Job = { readonly id: number; readonly writes: boolean; readonly run: (db: DatabaseSync) => unknown }
export type Answer = { id: number; ok: true; value: unknown } | { id: number; ok: false; reason: string }
type Batch = { answers: Answer[]; committed: boolean }

/**
 * Group commit: runs the jobs in order and makes all their writes durable with one commit. A write that fails is rolled
 * back alone, to its savepoint. If the whole transaction is lost, all its writes fail. Reads may have seen rows that
 * were rolled back, so they run again: a full disk must not stop requests that only read. Throws only `Damage`, if the
 * database itself is damaged.
 */
export const runBatch = (db: DatabaseSync, jobs: readonly Job[]): Batch => {
  if (!jobs.some((job) => job.writes)) return { answers: jobs.map((job) => attempt(db, job)), committed: false }
  try {
    prepared(db, 'BEGIN IMMEDIATE').run()
    const answers = jobs.map((job) => (jobs.length === 1 ? attemptAlone(db, job) : attemptInTransaction(db, job)))
    prepared(db, 'COMMIT').run()
    return { answers, committed: true }
  } catch (error) {
    refuseDamage(error)
    if (db.isTransaction) prepared(db, 'ROLLBACK').run()
    clearLedgerCache(db)
    const reason = reasonOf(error)
    const answers = jobs.map((job): Answer => (job.writes ? { id: job.id, ok: false, reason } : attempt(db, job)))
    return { answers, committed: false }
  }
}

const attempt = (db: DatabaseSync, job: Job): Answer => {
  try {
    return { id: job.id, ok: true, value: job.run(db) }
  } catch (error) {
    refuseDamage(error)
    return { id: job.id, ok: false, reason: reasonOf(error) }
  }
}

/**
 * A single job needs no savepoint, which would copy every page it touches: if it fails, the whole transaction is rolled
 * back.
 */
const attemptAlone = (db: DatabaseSync, job: Job): Answer => {
  const answer = attempt(db, job)
  if (!answer.ok) throw new Error(answer.reason)
  if (!db.isTransaction) throw new Error('the transaction was lost')
  return answer
}

const attemptInTransaction = (db: DatabaseSync, job: Job): Answer => {
  if (job.writes) prepared(db, 'SAVEPOINT job').run()
  const answer = attempt(db, job)
  // A full disk and its like make SQLite roll everything back by itself: nothing is left to return to or to commit.
  if (!db.isTransaction) throw new Error(answer.ok ? 'the transaction was lost' : answer.reason)
  if (job.writes && !answer.ok) {
    prepared(db, 'ROLLBACK TO job').run()
    clearLedgerCache(db)
  }
  if (job.writes) prepared(db, 'RELEASE job').run()
  return answer
}

const refuseDamage = (error: unknown): void => {
  if (isDamage(error)) throw new Damage(reasonOf(error), { cause: error })
}
