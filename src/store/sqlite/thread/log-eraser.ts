import type { DatabaseSync } from 'node:sqlite'
import { prepared } from '../database/prepared.ts'
import type { Answer } from './run-batch.ts'

/**
 * Text was deleted or overwritten. `secure_delete` overwrites it in the pages of the database, but the write-ahead log (WAL)
 * still contains the old pages, and so does the database file until the log is copied into it. The eraser does both.
 */
export interface LogEraser {
  /** Text was deleted by what is answered with these. They are sent once it is erased, or if that must wait for a reader. */
  erase(answers: Answer[]): void
  close(): void
}

/**
 * Others wait while the log is emptied, so this takes at most a twentieth of the time: deletions that come faster are erased
 * together. None of them is answered more than a second later for it.
 */
const restTimes = 19
const mostRestMs = 1_000
/** When to try again while a reader, such as a backup, or another checkpoint needs the log. Doubled each time. */
const firstRetryMs = 10
const mostRetryMs = 1_000
/** Most readers are done by then. Answers do not wait for one that takes longer, such as a backup. */
const mostHeldRetryMs = 160

export const openLogEraser = (db: DatabaseSync, send: (answers: Answer[]) => void): LogEraser => {
  let held: Answer[] = []
  let timer: NodeJS.Timeout | undefined
  let restsUntilMs = 0
  let retryMs = firstRetryMs

  const isReadForLong = (): boolean => retryMs > mostHeldRetryMs
  const sendHeld = (): void => {
    const answers = held
    held = []
    if (answers.length > 0) send(answers)
  }
  const later = (ms: number): void => {
    timer = setTimeout(attempt, ms)
  }
  const attempt = (): void => {
    timer = undefined
    const startedMs = performance.now()
    const isEmpty = emptyLog(db)
    const endedMs = performance.now()
    restsUntilMs = endedMs + Math.min(mostRestMs, restTimes * (endedMs - startedMs))
    if (isEmpty) retryMs = firstRetryMs
    else {
      later(retryMs)
      retryMs = Math.min(2 * retryMs, mostRetryMs)
    }
    if (isEmpty || isReadForLong()) sendHeld()
  }
  return {
    erase(answers) {
      held.push(...answers)
      const restMs = restsUntilMs - performance.now()
      if (isReadForLong()) sendHeld()
      else if (timer === undefined && restMs > 0) later(restMs)
      else if (timer === undefined) attempt()
    },
    /** Closing the last connection empties the log as well. */
    close() {
      const isWaiting = timer !== undefined
      clearTimeout(timer)
      if (isWaiting) attempt()
      clearTimeout(timer)
      sendHeld()
    },
  }
}

/** Call it while no transaction is open. False while there is a reader or another checkpoint: it waits for neither. */
const emptyLog = (db: DatabaseSync): boolean => {
  const timeout = prepared(db, 'PRAGMA busy_timeout').get()?.timeout
  db.exec('PRAGMA busy_timeout = 0')
  try {
    return prepared(db, 'PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0
  } catch {
    return false
  } finally {
    db.exec(`PRAGMA busy_timeout = ${Number(timeout)}`)
  }
}
