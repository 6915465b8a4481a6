/**
 * A thread for one long read of the database, with its own connection: it sees one snapshot and neither waits for the
 * writes of the store thread nor blocks them. It imports only files of `store/`.
 */
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { BackupItem } from '../../backup-item.ts'
import { failureReason } from '../../failure-reason.ts'
import { verifyUsage } from '../../operations/usage/verify-usage.ts'
import { copyDatabase } from '../database/back-up.ts'
import { drive } from '../database/drive.ts'

const busyTimeoutMs = 5_000

const tasks = {
  backUp: (db: DatabaseSync, target: string, items: readonly BackupItem[]): void => copyDatabase(db, target, items),
  verifyUsage: (db: DatabaseSync) => {
    db.exec('BEGIN')
    return drive(db, verifyUsage())
  },
}

type Tasks = typeof tasks
export type BackgroundTask = {
  [Name in keyof Tasks]: {
    name: Name
    target: string
    file: string
    items: readonly BackupItem[]
  }
}[keyof Tasks]
export type BackgroundResult = { [Name in keyof Tasks]: ReturnType<Tasks[Name]> }
export type BackgroundAnswer = { ok: true; value: unknown } | { ok: false; reason: string }

const run = ({ file, name, target, items }: BackgroundTask): BackgroundAnswer => {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs })
    return { ok: true, value: tasks[name](db, target, items) }
  } catch (error) {
    return { ok: false, reason: failureReason(error) }
  } finally {
    db?.close()
  }
}

/** True because only `openBackgroundTasks` starts this thread, and its task is typed there. */
const asTask = (data: unknown): BackgroundTask => data as BackgroundTask

parentPort?.postMessage(run(asTask(workerData)))
