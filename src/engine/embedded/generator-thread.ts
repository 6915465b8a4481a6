import { parentPort, workerData } from 'node:worker_threads'
import type { TokenizerInfo } from '../contract.ts'
import { ModelRefused } from '../model-refused.ts'
import { Generator } from './generator.ts'
import type { MemoryPlan } from './llama/memory-plan.ts'
import type { LoadSettings } from './load-settings.ts'
import type { RequestMessage, ToWorker } from './protocol.ts'
import { writeResults } from './results-pipe.ts'
import { type SharedProgress, writeProgress } from './shared-progress.ts'

export type GeneratorThreadData = { settings: LoadSettings; progress: SharedProgress }

/** The loaded model, as far as other threads need it. */
export type LoadedModel = {
  contextTokens: number
  chatTemplate: string | null
  /** Address of the vocabulary, which all threads of the process read. */
  vocab: bigint
  vocabularyTokens: number
  frame: Omit<TokenizerInfo, 'chatTemplate'>
  memory: MemoryPlan
  gpu: string | null
  gpuFault: string | null
}

export type ToGenerator = ToWorker & { type: 'generate' | 'cancel' | 'pause' | 'resume' }
export type FromGenerator =
  | { type: 'loaded'; model: LoadedModel }
  | { type: 'refused'; reason: string }
  | { type: 'log'; level: 'warn' | 'error'; text: string }
  | { type: 'threads'; threads: number }
  /** All results of a step. */
  | { type: 'requests'; messages: RequestMessage[] }

/** The thread of `open-generator-thread.ts`. Any other failure than a refused model ends the process. */
const run = async ({ settings, progress }: GeneratorThreadData): Promise<void> => {
  const port = parentPort
  if (port === null) throw new Error('this file runs as a worker thread only')
  const send = (message: FromGenerator): void => port.postMessage(message)
  try {
    const generator = await Generator.open(settings, {
      send: (messages) => {
        if (settings.resultsDescriptor === undefined) send({ type: 'requests', messages })
        else writeResults(settings.resultsDescriptor, messages)
      },
      log: (level, text) => send({ type: 'log', level, text }),
      onThreads: (threads) => send({ type: 'threads', threads }),
      onProgress: (now) => writeProgress(progress, now),
    })
    const { contextTokens, chatTemplate, vocab, vocabularyTokens, vocabulary, memory, gpu, gpuFault } = generator.llama
    const { bos, eosText, prependBos } = vocabulary
    const frame = { bosText: bos?.text ?? null, eosText, prependsBos: prependBos }
    port.on('message', (message: ToGenerator) => {
      if (message.type === 'generate') generator.generate(message)
      else generator[message.type](message.id)
    })
    const model = { contextTokens, chatTemplate, vocab, vocabularyTokens, frame, memory, gpu, gpuFault }
    send({ type: 'loaded', model })
  } catch (error) {
    if (!(error instanceof ModelRefused)) throw error
    send({ type: 'refused', reason: error.message })
  }
}

/** Safe because only `open-generator-thread.ts` starts the thread. */
const asThreadData = (value: unknown): GeneratorThreadData => value as GeneratorThreadData

await run(asThreadData(workerData))
