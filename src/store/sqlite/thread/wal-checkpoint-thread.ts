/** The thread of `wal-checkpoints.ts`. Neither readers nor the thread that writes wait for it. */
import { parentPort, workerData } from 'node:worker_threads'
import { openForCheckpoints } from '../database/open-database.ts'

/**
 * The log begins again from its start only if a transaction begins when all of it has been copied. What is committed during
 * the first pass is copied by the next ones, which are short. If none of them catches up, the store thread copies the rest.
 */
const maxPasses = 4

const db = openForCheckpoints(String(workerData))
const checkpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)')

parentPort?.on('message', (message: unknown) => {
  if (message === 'close') {
    db.close()
    parentPort?.close()
    return
  }
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const { busy, log, checkpointed } = checkpoint.get() ?? {}
    if (busy !== 0 || log === checkpointed) break
  }
  parentPort?.postMessage('done')
})
