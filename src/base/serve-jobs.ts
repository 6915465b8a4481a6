import { parentPort, type Transferable } from 'node:worker_threads'

/** Messages from a thread to its `WorkerPool`: first that it is ready, then one answer per job. */
export type FromWorker = { type: 'ready' } | { type: 'result'; value: unknown } | { type: 'failed'; reason: string }

export type JobResult<Result> = { value: Result; transfer?: readonly Transferable[] }

/** The thread side of a `WorkerPool`: calls `work` for each job in turn. */
export const serveJobs = <Job, Result>(work: (job: Job) => JobResult<Result> | Promise<JobResult<Result>>): void => {
  const port = parentPort
  if (port === null) throw new Error('this file runs as a worker thread only')
  const send = (message: FromWorker, transfer: readonly Transferable[] = []): void =>
    port.postMessage(message, transfer)
  port.on('message', async (job: Job) => {
    try {
      const { value, transfer } = await work(job)
      send({ type: 'result', value }, transfer)
    } catch (error) {
      send({ type: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
  send({ type: 'ready' })
}
