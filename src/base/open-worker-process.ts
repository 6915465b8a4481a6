import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ResourceLimits } from 'node:worker_threads'
import type { WorkerChannel, WorkerEvents } from './worker-channel.ts'

type ProcessOptions = { file: URL; env: NodeJS.ProcessEnv; resourceLimits: ResourceLimits }

export const openWorkerProcess = (options: ProcessOptions, events: WorkerEvents): WorkerChannel => {
  const { file, env, resourceLimits } = options
  const { maxOldGenerationSizeMb: memoryMb } = resourceLimits
  const child = fork(fileURLToPath(file), [], {
    env,
    execArgv: [
      '--disable-warning=ExperimentalWarning',
      ...(memoryMb === undefined ? [] : [`--max-old-space-size=${memoryMb}`]),
    ],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  child.on('message', events.onMessage)
  child.on('exit', (code, signal) => events.onExit(`the process ended with ${signal ?? `status ${code}`}`))
  child.on('error', ({ message }) => {
    events.onFailure(message)
    // A process that could not be started emits no exit.
    if (child.pid === undefined) events.onExit(message)
  })
  return {
    // Nothing is transferred: the job is copied in any case.
    post: (job) => void child.send(asMessage(job), () => {}),
    ref() {
      child.ref()
      child.channel?.ref()
    },
    unref() {
      child.unref()
      child.channel?.unref()
    },
    terminate() {
      // Keeps this process alive until the child has exited.
      child.ref()
      child.kill('SIGKILL')
    },
  }
}

/** Safe because the channel clones structures: it accepts what a thread accepts, and throws otherwise. */
const asMessage = (job: unknown): object => job as object
