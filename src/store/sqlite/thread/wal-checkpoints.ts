import { Worker } from 'node:worker_threads'

/**
 * Copies the write-ahead log (WAL) into the database file on a thread of its own. SQLite would do it as part of a commit, and
 * the request of that commit, with all that come after it, would wait for some hundred pages to reach the disk.
 */
export interface WalCheckpoints {
  /** Reports the number of transactions that were committed so far. */
  readonly committed: (commits: number) => void
  close(): Promise<void>
}

/** A commit writes three pages or more; SQLite itself would wait for a thousand. */
const commitsBetween = 128
/** After a checkpoint the log begins again, and the commit that begins it is synced: seldom, if the others do not wait for that. */
const unsyncedCommitsBetween = 512

/** `ledgerDelayMs`: see `commit-sync.ts`. */
export const openWalCheckpoints = (file: string, ledgerDelayMs = 0): WalCheckpoints => {
  const leastCommits = ledgerDelayMs > 0 ? unsyncedCommitsBetween : commitsBetween
  let worker: Worker | null = null
  let exited = Promise.resolve()
  let isBusy = false
  let isClosed = false
  let covered = 0

  /** Few stores ever need the thread: the command line opens one for a single call. */
  const start = (): Worker => {
    const started = new Worker(new URL('./wal-checkpoint-thread.ts', import.meta.url), {
      name: 'store checkpoints',
      execArgv: ['--disable-warning=ExperimentalWarning'],
      workerData: file,
    })
    started.on('message', () => {
      isBusy = false
    })
    // Nothing depends on it: the store thread bounds the log by itself. It is not started again, so `isBusy` stays.
    started.on('error', () => {})
    started.unref()
    exited = new Promise((resolve) => started.once('exit', () => resolve()))
    return started
  }
  return {
    committed(commits) {
      if (isBusy || isClosed || commits - covered < leastCommits) return
      covered = commits
      isBusy = true
      worker ??= start()
      worker.postMessage('checkpoint')
    },
    async close() {
      isClosed = true
      worker?.ref()
      worker?.postMessage('close')
      await exited
    },
  }
}
