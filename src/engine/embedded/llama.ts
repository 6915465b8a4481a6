/**
 * llama.cpp behind a few plain functions. The only importer of node-llama-cpp: its prompts, sessions and sampling
 * defaults stay outside, and its lines of log go where they are sent.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LlamaContextSequence, LlamaModel, SequenceEvaluateOptions, Token } from 'node-llama-cpp'
import type { FullSampling } from '../sampling.ts'
import { createStepGate, type StepGate } from './step-gate.ts'
import type { Vocabulary } from './vocabulary.ts'

type LlamaSettings = { weightsPath: string; contextTokens: number; slots: number; threads: number; gpu: boolean }
export type LogLine = (level: 'warn' | 'error', text: string) => void

/** A place in the context that holds one conversation at a time. */
export interface Sequence {
  clear(): Promise<void>
  /** Reads tokens without an answer. */
  read(tokens: readonly number[]): Promise<void>
  /** Reads tokens and goes on by itself, without an end: the caller decides where to stop. */
  continue(tokens: readonly number[], sampling: FullSampling): AsyncGenerator<number, void>
}

export interface Llama {
  readonly contextTokens: number
  readonly chatTemplate: string | null
  readonly vocabulary: Vocabulary
  readonly sequences: Sequence[]
  close(): Promise<void>
}

/** As many tokens of all conversations together as one step may hold. */
const batchTokens = 512
/** How far back the repetition penalty looks; llama.cpp's own default. */
const penaltyWindowTokens = 64
/** This seed makes llama.cpp draw one by itself. */
const randomSeed = 0xffffffff

export const openLlama = async (settings: LlamaSettings, log: LogLine): Promise<Llama> => {
  // Half a second of a start: whoever calls has other work to begin with first.
  const { getLlama, LlamaLogLevel } = await import('node-llama-cpp')
  const llama = await getLlama({
    gpu: settings.gpu ? 'auto' : false,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    // With more threads than cores they wait for each other: fifty times slower.
    maxThreads: settings.threads,
    logLevel: LlamaLogLevel.warn,
    logger: (level, message) => log(level === LlamaLogLevel.warn ? 'warn' : 'error', message.trim()),
  })
  const model = await llama.loadModel({ modelPath: settings.weightsPath })
  const contextTokens = Math.min(settings.contextTokens, model.trainContextSize)
  const [context, vocabulary] = await Promise.all([
    model.createContext({
      sequences: settings.slots,
      contextSize: contextTokens,
      batchSize: Math.min(batchTokens, contextTokens * settings.slots),
    }),
    // The context is made on another thread; this one looks through the vocabulary meanwhile.
    nextTurn().then(() => openVocabulary(model)),
  ])
  const step = createStepGate()
  return {
    contextTokens,
    chatTemplate: model.fileInfo.metadata.tokenizer?.chat_template ?? null,
    vocabulary,
    sequences: Array.from({ length: settings.slots }, () => openSequence(context.getSequence(), step)),
    close: () => llama.dispose(),
  }
}

const openVocabulary = (model: LlamaModel): Vocabulary => {
  const { bos, bosString, eosString, shouldPrependBosToken } = model.tokens
  const entries = model.fileInfo.metadata.tokenizer?.ggml?.tokens ?? []
  const special = new Map<number, string>()
  for (const token of model.iterateAllTokens()) {
    const { control, unknown } = model.getTokenAttributes(token)
    if (control || unknown || model.isEogToken(token)) special.set(token, entries[token] ?? '')
  }
  return {
    bos: bos === null || bosString === null ? null : { id: bos, text: bosString },
    eosText: eosString,
    prependBos: shouldPrependBosToken,
    special,
    tokenise: (text, { special, continued }) =>
      model.tokenize(text, special, continued ? 'trimLeadingSpace' : undefined),
    detokenise: (ids) => model.detokenize(asTokens(ids)),
    entry: (id) => entries[id],
    endsGeneration: (id) => model.isEogToken(asToken(id)),
  }
}

const openSequence = (sequence: LlamaContextSequence, step: StepGate): Sequence => ({
  clear: () => step(() => sequence.clearHistory()),
  read: (tokens) => step(() => sequence.evaluateWithoutGeneratingNewTokens(asTokens(tokens))),
  async *continue(tokens, sampling) {
    const generated = sequence.evaluate(asTokens(tokens), evaluateOptions(sequence, sampling))
    try {
      for (;;) {
        const { done, value } = await step(() => generated.next())
        if (done) return
        yield value
      }
    } finally {
      await generated.return()
    }
  },
})

const evaluateOptions = (
  sequence: LlamaContextSequence,
  { temperature, topP, topK, minP, repetitionPenalty, seed }: FullSampling,
): SequenceEvaluateOptions => ({
  temperature,
  topP,
  topK,
  minP,
  seed: wrapSeed(seed),
  yieldEogToken: true,
  ...(repetitionPenalty === 1
    ? {}
    : {
        repeatPenalty: {
          penalty: repetitionPenalty,
          maxPunishTokens: penaltyWindowTokens,
          punishTokens: () => sequence.contextTokens.slice(-penaltyWindowTokens),
        },
      }),
})

/** Any whole number to one of llama.cpp's seeds, the same one every time. */
const wrapSeed = (seed: number): number => ((seed % randomSeed) + randomSeed) % randomSeed

/** Token ids that came from this vocabulary, through a message or a prompt. */
const asToken = (id: number): Token => id as Token
const asTokens = (ids: readonly number[]): Token[] => ids as Token[]
