import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { OperationName } from '../operations/operations.ts'

/**
 * Decides which commits wait for the disk. What has been committed outlasts the process in any case, and the power once it is
 * synced; syncing the write-ahead log (WAL) makes everything durable that was committed before.
 */
export interface CommitSync {
  /** Call it before each transaction, with the operations that write in it. */
  prepare(writes: readonly OperationName[]): void
  /** Call it after each commit. */
  noteCommit(): void
  close(): void
}

/** What tests replace. */
export type SyncTools = {
  fdatasync: (file: number, done: (error: unknown) => void) => void
  after: (ms: number, run: () => void) => () => void
}

/**
 * A reservation is there for a request that dies before it has a checkpoint. Those come every second and are synced, so that
 * nothing is gained if the reservation is on the disk earlier, and every request would wait for it.
 */
const reservationDelayMs = 1_000
/** Of what a request writes: its end waits for the settlement, and a running one for its checkpoints. */
const ledgerWrites: ReadonlySet<OperationName> = new Set(['reserveRequests', 'checkpointProgress', 'settleRequests'])

type Mode = 'FULL' | 'NORMAL'

/** `ledgerDelayMs`: how long after its commit what requests write may be synced; 0: its commit waits for that. */
export const openCommitSync = (
  db: DatabaseSync,
  file: string,
  ledgerDelayMs: number,
  tools: SyncTools = nodeTools,
): CommitSync => {
  let mode: Mode = 'FULL'
  let log: number | null = null
  let cancel: (() => void) | null = null
  let isSyncing = false
  /** From then on every commit waits, so that requests see the errors of the disk. */
  let hasFailed = false
  /** The disk may lack a part of the log, and what follows would not be found without it: the log has to begin anew. */
  let isLogBroken = false

  const mayWait = (name: OperationName): boolean =>
    ledgerDelayMs > 0 ? ledgerWrites.has(name) : name === 'reserveRequests'
  const openLog = (): number => {
    log ??= openSync(`${file}-wal`, 'r+')
    return log
  }
  const syncNow = (): void => {
    cancel = null
    if (isSyncing) {
      syncLater()
      return
    }
    isSyncing = true
    const done = (error: unknown): void => {
      isSyncing = false
      if (error === null) return
      hasFailed = true
      isLogBroken = true
    }
    try {
      tools.fdatasync(openLog(), done)
    } catch (error) {
      done(error)
    }
  }
  const syncLater = (): void => {
    cancel ??= tools.after(ledgerDelayMs || reservationDelayMs, syncNow)
  }
  return {
    prepare(writes) {
      if (writes.length === 0) return
      if (isLogBroken) isLogBroken = !isCopied(db)
      const wanted: Mode = !hasFailed && writes.every(mayWait) ? 'NORMAL' : 'FULL'
      if (wanted === mode) return
      // Not a prepared statement: SQLite acts on this one when it is compiled.
      db.exec(`PRAGMA synchronous = ${wanted}`)
      mode = wanted
    },
    noteCommit() {
      // One that is synced does not cancel a sync to come: if it changed nothing, SQLite has not synced either.
      if (mode === 'NORMAL') syncLater()
    },
    close() {
      cancel?.()
      try {
        if (cancel !== null) fdatasyncSync(openLog())
      } finally {
        if (log !== null) closeSync(log)
      }
    },
  }
}

/** Whether all of the log is in the database file, and synced there. */
const isCopied = (db: DatabaseSync): boolean => {
  try {
    return db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0
  } catch {
    return false
  }
}

const nodeTools: SyncTools = {
  fdatasync,
  after(ms, run) {
    const timer = setTimeout(run, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}
