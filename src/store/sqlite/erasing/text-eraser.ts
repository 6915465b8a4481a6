import type { DatabaseSync } from 'node:sqlite'
import { prepared } from '../database/prepared.ts'
import type { JobResult } from '../thread/run-batch.ts'
import { openPageEraser, type PageEraser } from './page-eraser.ts'

/**
 * Text was deleted or overwritten. `secure_delete` overwrites it in its page, but the write-ahead log (WAL) still contains the
 * old page, and so does the database file until the log is copied into it; and there can be copies in the unused parts of
 * other pages. The eraser empties the log, and then overwrites those parts.
 */
export interface TextEraser {
  /** Call it after every commit. */
  noteCommit(): void
  /** Calls were answered that did not have to wait: they should seldom wait for the eraser. */
  noteOthers(): void
  /** Text was deleted by what is answered with these. They are sent once it is erased, or if that must wait for a reader. */
  erase(answers: JobResult[]): void
  /** Closes the connection as well. */
  close(): void
}

/**
 * Others wait while text is erased, so if there are any, it is followed by a rest, at most a second long: it takes a fifth of the time
 * while a call waits for it, else a twentieth. Deletions that come faster are erased together.
 */
const restTimes = { awaited: 4, unawaited: 19 }
const maxRestMs = 1_000
/** When to try again while a reader, such as a backup, or another checkpoint needs the log. Doubled each time. */
const firstRetryMs = 10
const maxRetryMs = 1_000
/** Most readers are done by then. Answers do not wait for one that takes longer, such as a backup. */
const maxHeldRetryMs = 160
/** They take about 4 ms. */
const pagesAtOnce = 1_000
/** So many changed pages are cleared even if nothing is deleted: a deletion must not have to wait for all since the last one. */
const maxChangedPages = 4_000
/** Of 256 MiB. Up to here every start clears the whole file, in a fraction of a second; the rest follows while the server runs. */
const pagesAtStart = 65_536

export const openTextEraser = (db: DatabaseSync, file: string, send: (answers: JobResult[]) => void): TextEraser => {
  const pages = openPageEraser(db, file)
  let held: JobResult[] = []
  let timer: NodeJS.Timeout | undefined
  let last = { endedMs: 0, tookMs: 0 }
  let retryMs = firstRetryMs
  let hasOthers = false

  const isReadForLong = (): boolean => retryMs > maxHeldRetryMs
  const isRetrying = (): boolean => retryMs > firstRetryMs
  const sendHeld = (): void => {
    const answers = held
    held = []
    if (answers.length > 0) send(answers)
  }
  const later = (ms: number): void => {
    clearTimeout(timer)
    timer = setTimeout(attempt, ms)
  }
  const restMs = (): number => {
    const times = restTimes[held.length > 0 ? 'awaited' : 'unawaited']
    return last.endedMs + Math.min(maxRestMs, times * last.tookMs) - performance.now()
  }
  const attempt = (maxPages = pagesAtOnce): void => {
    clearTimeout(timer)
    const startedMs = performance.now()
    const outcome = withoutWaiting(db, () => eraseSome(db, pages, maxPages))
    const endedMs = performance.now()
    last = { endedMs, tookMs: endedMs - startedMs }
    hasOthers = false
    if (outcome === 'blocked') {
      later(retryMs)
      retryMs = Math.min(2 * retryMs, maxRetryMs)
    } else retryMs = firstRetryMs
    if ((outcome !== 'blocked' && pages.isDone) || isReadForLong()) sendHeld()
    if (outcome === 'more') later(restMs())
  }
  // A server that was killed may have left deleted text anywhere, and an earlier version did not clear pages.
  attempt(pagesAtStart)

  const self: TextEraser = {
    noteCommit() {
      pages.noteCommit()
      if (pages.changedPages > maxChangedPages) self.erase([])
    },
    noteOthers() {
      hasOthers = true
    },
    erase(answers) {
      held.push(...answers)
      if (isReadForLong()) return sendHeld()
      if (isRetrying()) return
      const ms = hasOthers ? restMs() : 0
      if (ms > 0) later(ms)
      else attempt()
    },
    close() {
      attempt(pagesAtStart)
      clearTimeout(timer)
      sendHeld()
      db.close()
      pages.close()
    },
  }
  return self
}

/** Call it while no transaction is open. Blocked while there is a reader, a writer or another checkpoint: it waits for none. */
const eraseSome = (db: DatabaseSync, pages: PageEraser, maxPages: number): 'done' | 'more' | 'blocked' => {
  try {
    if (prepared(db, 'PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy !== 0) return 'blocked'
    pages.noteEmptyLog()
    return pages.clear(maxPages) ? 'more' : 'done'
  } catch {
    return 'blocked'
  }
}

/** For other connections. */
const withoutWaiting = <Result>(db: DatabaseSync, work: () => Result): Result => {
  const timeout = prepared(db, 'PRAGMA busy_timeout').get()?.timeout
  db.exec('PRAGMA busy_timeout = 0')
  try {
    return work()
  } finally {
    db.exec(`PRAGMA busy_timeout = ${Number(timeout)}`)
  }
}
