import { WorkerPool, type WorkerPoolOptions } from '../../base/worker-pool.ts'
import { WorkerPoolFailure } from '../../base/worker-pool-failure.ts'
import type { LitellmJob, LitellmOutcome } from './litellm-thread.ts'

/** The largest file takes about a second on a busy machine. */
const timeoutMs = 30_000

/**
 * Reads a `config.yaml` on a thread of its own, which ends with it: a file of a few hundred kilobytes takes as long as many tokens of
 * other requests, and few servers ever read one.
 */
export const readLitellmApart = async (
  job: LitellmJob,
  options: Partial<WorkerPoolOptions> = {},
): Promise<LitellmOutcome> => {
  const file = new URL('./litellm-thread.ts', import.meta.url)
  const pool = new WorkerPool<LitellmJob, LitellmOutcome>({ file, name: 'import', timeoutMs, ...options })
  try {
    return await pool.run(job, { tenant: '' })
  } catch (error) {
    if (error instanceof WorkerPoolFailure && isTooMuch(error)) return { problem: 'The file takes too long to read.' }
    throw error
  } finally {
    await pool.close()
  }
}

/** More time or memory than there is for it. Whatever else ends the thread is no fault of the file. */
const isTooMuch = ({ kind, message }: WorkerPoolFailure): boolean =>
  kind === 'timeout' || (kind === 'crashed' && /memory limit/.test(message))
