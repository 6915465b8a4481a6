import { Worker } from 'node:worker_threads'
import { ModelRefused } from '../model-refused.ts'
import type { FromGenerator, GeneratorThreadData, LoadedModel, ToGenerator } from './generator-thread.ts'
import type { LogLine } from './llama/open-llama.ts'
import type { LoadSettings } from './load-settings.ts'
import type { RequestMessage } from './protocol.ts'
import { createSharedProgress, readProgress } from './shared-progress.ts'
import type { StepProgress } from './step-progress.ts'

export interface GeneratorThread {
  readonly model: LoadedModel
  generate(message: ToGenerator & { type: 'generate' }): void
  cancel(id: number): void
  pause(id: number): void
  resume(id: number): void
  progress(): StepProgress
}

export type GeneratorThreadOptions = {
  send: (messages: RequestMessage[]) => void
  log: LogLine
  onThreads: (threads: number) => void
}

/** llama.cpp's code runs on this stack, too. */
const stackSizeMb = 8

/**
 * Loads the model on a thread that computes its steps itself and samples right after them. If other threads computed, it
 * would have to be woken up twice for each token, and on a machine without idle cores the scheduler takes milliseconds
 * for that. Throws `ModelRefused`; an unexpected end of the thread ends the process.
 */
export const openGeneratorThread = (
  settings: LoadSettings,
  { send, log, onThreads }: GeneratorThreadOptions,
): Promise<GeneratorThread> => {
  const progress = createSharedProgress()
  const readNow = () => readProgress(progress)
  const { promise, resolve, reject } = Promise.withResolvers<GeneratorThread>()
  const worker = new Worker(new URL('./generator-thread.ts', import.meta.url), {
    name: 'generator',
    workerData: { settings, progress } satisfies GeneratorThreadData,
    resourceLimits: { stackSizeMb },
  })
  const post = (message: ToGenerator, transfer: ArrayBuffer[] = []): void => worker.postMessage(message, transfer)
  const generate: GeneratorThread['generate'] = (message) => {
    const { constraint: given } = message.sampling
    // Copies, because a message from the server is one piece of memory, which would otherwise be copied as a whole.
    const tokens = message.tokens.slice()
    const constraint = given && { ...given, grammar: given.grammar.slice() }
    const buffers = constraint ? [tokens.buffer, constraint.grammar.buffer] : [tokens.buffer]
    post({ ...message, tokens, sampling: { ...message.sampling, constraint } }, buffers)
  }
  const controls = {
    cancel: (id: number): void => post({ type: 'cancel', id }),
    pause: (id: number): void => post({ type: 'pause', id }),
    resume: (id: number): void => post({ type: 'resume', id }),
  }
  const receive = (message: FromGenerator): void => {
    if (message.type === 'requests') send(message.messages)
    else if (message.type === 'loaded') resolve({ model: message.model, generate, ...controls, progress: readNow })
    else if (message.type === 'refused') reject(new ModelRefused(message.reason))
    else if (message.type === 'threads') onThreads(message.threads)
    else log(message.level, message.text)
  }
  worker.on('message', receive)
  worker.on('error', (error) => {
    throw error
  })
  return promise
}
