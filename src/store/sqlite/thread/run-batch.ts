import type { DatabaseSync } from 'node:sqlite'
import { failureReason } from '../../failure-reason.ts'
import { Damage, isDamage } from '../database/damage.ts'
import { prepared } from '../database/prepared.ts'
import { clearLedgerCache } from '../operations/ledger/ledger-cache.ts'

export type Job = { readonly id: number; readonly writes: boolean; readonly run: (db: DatabaseSync) => unknown }
export type JobResult = { id: number; ok: true; value: unknown } | { id: number; ok: false; reason: string }
type Batch = { answers: JobResult[]; committed: boolean }

/**
 * Group commit: runs the jobs in order and makes all their writes durable with one commit. If a write fails, everything is
 * rolled back and run again with a savepoint for each write, so that it fails alone: savepoints cost every batch more than
 * the rare repetition. If the whole transaction is lost, all its writes fail. Reads may have seen rows that were rolled
 * back, so they run again: a full disk must not stop requests that only read. Throws only `Damage`, if the database itself
 * is damaged.
 */
export const runBatch = (db: DatabaseSync, jobs: readonly Job[]): Batch => {
  if (!jobs.some((job) => job.writes)) return { answers: jobs.map((job) => attempt(db, job)), committed: false }
  try {
    return { answers: commitAll(db, jobs, attemptTogether), committed: true }
  } catch (error) {
    rollBack(db, error)
    if (!(error instanceof WriteFailed) || jobs.length === 1) return withoutWrites(db, jobs, error)
  }
  try {
    return { answers: commitAll(db, jobs, attemptApart), committed: true }
  } catch (error) {
    rollBack(db, error)
    return withoutWrites(db, jobs, error)
  }
}

type Attempt = (db: DatabaseSync, job: Job) => JobResult

const commitAll = (db: DatabaseSync, jobs: readonly Job[], attemptOne: Attempt): JobResult[] => {
  prepared(db, 'BEGIN IMMEDIATE').run()
  const answers = jobs.map((job) => attemptOne(db, job))
  prepared(db, 'COMMIT').run()
  return answers
}

const rollBack = (db: DatabaseSync, error: unknown): void => {
  refuseDamage(error)
  if (db.isTransaction) prepared(db, 'ROLLBACK').run()
  clearLedgerCache(db)
}

const withoutWrites = (db: DatabaseSync, jobs: readonly Job[], error: unknown): Batch => {
  const reason = failureReason(error)
  const answers = jobs.map((job): JobResult => (job.writes ? { id: job.id, ok: false, reason } : attempt(db, job)))
  return { answers, committed: false }
}

const attempt = (db: DatabaseSync, job: Job): JobResult => {
  try {
    return { id: job.id, ok: true, value: job.run(db) }
  } catch (error) {
    refuseDamage(error)
    return { id: job.id, ok: false, reason: failureReason(error) }
  }
}

/** A write failed, and the transaction is still open. */
class WriteFailed extends Error {}

const attemptTogether: Attempt = (db, job) => {
  const answer = attempt(db, job)
  refuseLoss(db, answer)
  if (job.writes && !answer.ok) throw new WriteFailed(answer.reason)
  return answer
}

const attemptApart: Attempt = (db, job) => {
  if (job.writes) prepared(db, 'SAVEPOINT job').run()
  const answer = attempt(db, job)
  refuseLoss(db, answer)
  if (job.writes && !answer.ok) {
    prepared(db, 'ROLLBACK TO job').run()
    clearLedgerCache(db)
  }
  if (job.writes) prepared(db, 'RELEASE job').run()
  return answer
}

/** A full disk and its like make SQLite roll everything back by itself: nothing is left to return to or to commit. */
const refuseLoss = (db: DatabaseSync, answer: JobResult): void => {
  if (!db.isTransaction) throw new Error(answer.ok ? 'the transaction was lost' : answer.reason)
}

const refuseDamage = (error: unknown): void => {
  if (isDamage(error)) throw new Damage(failureReason(error), { cause: error })
}
