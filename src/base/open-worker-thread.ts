import { type ResourceLimits, Worker } from 'node:worker_threads'
import type { WorkerChannel, WorkerEvents } from './worker-channel.ts'

type ThreadOptions = { file: URL; name: string; resourceLimits: ResourceLimits }

/** The thread does not inherit the program's flags: some, such as `--input-type`, would end it. */
const execArgv = ['--disable-warning=ExperimentalWarning']

export const openWorkerThread = (options: ThreadOptions, events: WorkerEvents): WorkerChannel => {
  const { file, name, resourceLimits } = options
  const worker = new Worker(file, { name, execArgv, resourceLimits })
  worker.on('message', events.onMessage)
  worker.on('messageerror', (error) => events.onFailure(error.message))
  worker.on('error', (error) => events.onFailure(error.message))
  worker.on('exit', () => events.onExit('the thread stopped unexpectedly'))
  return {
    post: (job, transfer) => worker.postMessage(job, transfer),
    ref: () => worker.ref(),
    unref: () => worker.unref(),
    terminate: () => void worker.terminate(),
  }
}
