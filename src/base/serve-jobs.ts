import { parentPort, type Transferable } from 'node:worker_threads'

/** Messages to a `WorkerPool`: first that the thread or process is ready, then one answer per job. */
export type FromWorker = { type: 'ready' } | { type: 'result'; value: unknown } | { type: 'failed'; reason: string }

export type JobResult<Result> = { value: Result; transfer?: readonly Transferable[] }
type Work<Job, Result> = (job: Job) => JobResult<Result> | Promise<JobResult<Result>>
type Send = (message: FromWorker, transfer?: readonly Transferable[]) => void

/** The other side of a `WorkerPool`, on a thread or in a process: calls `work` for each job in turn. */
export const serveJobs = <Job, Result>(work: Work<Job, Result>): void => {
  const { send, onJob } = parentPort === null ? processChannel() : threadChannel(parentPort)
  onJob(async (job) => {
    try {
      const { value, transfer } = await work(asJob(job))
      send({ type: 'result', value }, transfer)
    } catch (error) {
      send({ type: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
  send({ type: 'ready' })
}

type Channel = { send: Send; onJob(listener: (job: unknown) => void): void }

const threadChannel = (port: NonNullable<typeof parentPort>): Channel => ({
  send: (message, transfer = []) => port.postMessage(message, transfer),
  onJob: (listener) => port.on('message', listener),
})

/** The process exits with its parent, and leaves signals to it: Ctrl-C reaches both. */
const processChannel = (): Channel => {
  if (process.send === undefined) throw new Error('this file runs in a worker pool only')
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  // A library may be at work on another thread, and cleaning up meanwhile is not safe.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  return {
    // The pool may disconnect at this moment.
    send: (message) => void (process.connected && process.send?.(message, undefined, undefined, () => {})),
    onJob: (listener) => process.on('message', listener),
  }
}

/** Safe because the pool of this file sends nothing else. */
const asJob = <Job>(job: unknown): Job => job as Job
