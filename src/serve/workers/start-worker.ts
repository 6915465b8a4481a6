import { Worker as Thread } from 'node:worker_threads'
import { errorText } from '../../base/log.ts'
import { openTurnPort, type TurnHandlers, type TurnPort } from '../../base/turn-port.ts'
import { portOptions } from './port-options.ts'
import type { AuthorityCalls, AuthorityNotes, WorkerCalls, WorkerNotes } from './protocol.ts'
import type { WorkerData } from './worker-data.ts'

/** One worker, as its authority has it. */
export interface RunningWorker extends TurnPort<WorkerCalls, WorkerNotes> {
  /** Which part of the time since the last call it was busy; from 0 to 1. */
  busy(): number
  /** Ends it at once, as a crash would, even if its event loop hangs. */
  kill(cause?: string): Promise<void>
}

type StartOptions = {
  data: WorkerData
  handlers: TurnHandlers<AuthorityCalls, AuthorityNotes>
  /** Called once, for whatever reason it ended. */
  onEnded(cause: string): void
}

/** The thread does not inherit the program's flags: some, such as `--input-type`, would end it. */
const execArgv = ['--disable-warning=ExperimentalWarning']

export const startWorker = ({ data, handlers, onEnded }: StartOptions): RunningWorker => {
  const thread = new Thread(new URL('./worker-thread.ts', import.meta.url), {
    name: 'worker',
    execArgv,
    workerData: data,
  })
  let cause = 'it stopped unexpectedly'
  const port = openTurnPort<AuthorityCalls, AuthorityNotes, WorkerCalls, WorkerNotes>(thread, handlers, portOptions)
  thread.on('error', (error) => {
    cause = errorText(error)
  })
  thread.on('exit', () => {
    port.close(new Error(`the worker has ended: ${cause}`))
    onEnded(cause)
  })
  const { performance } = thread
  let last = performance.eventLoopUtilization()
  return {
    ...port,
    busy() {
      const now = performance.eventLoopUtilization()
      const { utilization: busy } = performance.eventLoopUtilization(now, last)
      last = now
      return Math.min(1, Math.max(0, busy))
    },
    async kill(why = cause) {
      cause = why
      await thread.terminate()
    },
  }
}
