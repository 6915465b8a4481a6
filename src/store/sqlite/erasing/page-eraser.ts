import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { prepared } from '../database/prepared.ts'
import { openChangedPages } from './changed-pages.ts'
import { pageLayout, unusedSpace } from './unused-space.ts'

/**
 * `secure_delete` overwrites what is deleted. But when SQLite moves rows to another page, it leaves copies in the unused part of
 * the old one, where no later deletion finds them. The page eraser overwrites the unused parts of every page that was changed.
 *
 * It writes to the file beside SQLite. This is safe because it changes only bytes that SQLite never reads, of pages that are
 * not in the write-ahead log (WAL), while nobody else can write: see decision 55.
 */
export interface PageEraser {
  /** Call it after every commit. */
  noteCommit(): void
  /** Call it whenever the log has been emptied. */
  noteEmptyLog(): void
  /** The number of pages that were changed since the log was last emptied. */
  readonly changedPages: number
  /** Every page that was changed before the log was last emptied has been cleared. */
  readonly isDone: boolean
  /** Clears pages, those that were changed first. False if none is left. Throws while another program writes. */
  clear(maxPages: number): boolean
  /** Call it when the process has no connection any more: closing a file ends all locks that it has on it. */
  close(): void
}

export const openPageEraser = (db: DatabaseSync, file: string): PageEraser => {
  const descriptor = openSync(file, 'r+')
  const { pageBytes, usableBytes, isDistinct } = pageLayout(readHeader(descriptor))
  const changed = openChangedPages(file, pageBytes)
  const page = Buffer.alloc(pageBytes)
  const zeros = Buffer.alloc(pageBytes)
  let due = new Set<number>()
  /** The whole file was cleared up to this page, since the start or since another program has written to it. */
  let swept = 0
  let foreignVersion = versionOfOthers(db)
  /** None if they cannot be told apart. */
  const lastPage = (): number => {
    const pages = Math.floor(fstatSync(descriptor).size / pageBytes)
    return isDistinct(pages) ? pages : 0
  }

  const hasMore = (): boolean => due.size > 0 || swept < lastPage()

  /** Returns whether anything was overwritten. A page that is in the log again is due once more when that is emptied. */
  const clearPage = (number: number): boolean => {
    const offset = (number - 1) * pageBytes
    if (changed.numbers.has(number) || readSync(descriptor, page, 0, pageBytes, offset) < pageBytes) return false
    const filled = unusedSpace(page, number, usableBytes).filter(
      ({ start, end }) => page.compare(zeros, 0, end - start, start, end) !== 0,
    )
    // Not synced: what a power failure brings back is cleared by the next start.
    for (const { start, end } of filled) writeSync(descriptor, zeros, 0, end - start, offset + start)
    return filled.length > 0
  }
  function* nextPages(): Generator<number> {
    for (const number of due) {
      due.delete(number)
      yield number
    }
    for (const last = lastPage(); swept < last; ) {
      swept += 1
      yield swept
    }
  }
  const clearNext = (maxPages: number): boolean => {
    changed.note()
    const version = versionOfOthers(db)
    if (version !== foreignVersion) swept = 0
    foreignVersion = version
    let hasCleared = false
    for (const number of nextPages().take(maxPages)) hasCleared = clearPage(number) || hasCleared
    return hasCleared
  }
  return {
    noteCommit: () => changed.note(),
    noteEmptyLog() {
      const taken = changed.take()
      if (lastPage() > 0) due = due.union(taken)
    },
    get changedPages() {
      return changed.numbers.size
    },
    get isDone() {
      return due.size === 0
    },
    clear(maxPages) {
      if (!hasMore() && versionOfOthers(db) === foreignVersion) return false
      db.exec('BEGIN IMMEDIATE')
      try {
        // Otherwise SQLite would write what was overwritten once more, with the next change of the page.
        if (clearNext(maxPages)) db.exec('PRAGMA shrink_memory')
      } finally {
        db.exec('ROLLBACK')
      }
      return hasMore()
    },
    close() {
      changed.close()
      closeSync(descriptor)
    },
  }
}

const readHeader = (descriptor: number): Buffer => {
  const header = Buffer.alloc(100)
  readSync(descriptor, header, 0, header.length, 0)
  return header
}

/** Changes whenever another connection has written. Writes of this one are found in the log. */
const versionOfOthers = (db: DatabaseSync): unknown => prepared(db, 'PRAGMA data_version').get()?.data_version
