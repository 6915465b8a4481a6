import { Worker } from 'node:worker_threads'
import type { DatabaseOptions } from '../database/open-database.ts'
import type { ThreadOptions, ToThread } from './messages.ts'

/** The flags of the main process are not passed to the thread: some of them, such as `--input-type`, would end it. */
const execArgv = ['--disable-warning=ExperimentalWarning']

/** Threads without a database. Starting one takes more CPU than opening a database, and tests open hundreds. */
const idle: Worker[] = []
const maxIdle = 4

export const startStoreWorker = (options: DatabaseOptions): Worker =>
  openOnWorker('store', { ...options, isForSearches: false })

export const startSearchWorker = (options: DatabaseOptions): Worker =>
  openOnWorker('store searches', { ...options, isForSearches: true })

const openOnWorker = (name: string, options: ThreadOptions): Worker => {
  const worker = idle.pop() ?? startWorker(name)
  worker.ref()
  worker.postMessage({ open: options } satisfies ToThread)
  return worker
}

const startWorker = (name: string): Worker => {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), { name, execArgv })
  worker.on('exit', () => {
    const index = idle.indexOf(worker)
    if (index !== -1) idle.splice(index, 1)
  })
  // The user of the worker reports it. Without a database, nothing can fail.
  return worker.on('error', () => {})
}

/** The worker has closed its database. From now on it does not keep the process running. */
export const keepWorker = (worker: Worker): void => {
  if (idle.length === maxIdle) return void worker.terminate()
  worker.unref()
  idle.push(worker)
}
