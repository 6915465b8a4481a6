import type { DatabaseSync } from 'node:sqlite'
import { Damage, isDamage } from '../database/damage.ts'
import { prepared } from '../database/prepared.ts'
import { reasonOf } from '../database/reason-of.ts'
import { clearLedgerCache } from '../operations/ledger/ledger-cache.ts'

export type Job = { readonly id: number; readonly writes: boolean; readonly run: (db: DatabaseSync) => unknown }
export type Answer = { id: number; ok: true; value: unknown } | { id: number; ok: false; reason: string }
type Batch = { answers: Answer[]; committed: boolean }

/**
 * Group commit: runs the jobs in their order and makes all their writes durable with one commit. A write that fails is
 * undone alone, by its savepoint. If the whole transaction is lost, so is every answer given inside it. Reads may have seen
 * what never came to be, so they are asked again: a disk that is full must not keep anybody from being told so, and who is
 * told is found by a read. Throws `Damage`, and nothing else, where the database itself is broken.
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

/** The only one needs no savepoint, which would copy every page it touches: where it fails, the whole transaction goes. */
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
