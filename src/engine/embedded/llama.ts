/**
 * llama.cpp behind a few plain functions. The only importer of node-llama-cpp: its prompts, sessions and sampling
 * defaults stay outside, and its lines of log go where they are sent.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LlamaContextSequence, LlamaModel, SequenceEvaluateOptions, Token, TokenBias } from 'node-llama-cpp'
import type { FullSampling } from '../sampling.ts'
import { type Candidates, toCandidates } from './picking/candidates.ts'
import { createStepGate, type StepGate } from './step-gate.ts'
import { type StepProgress, watchSteps } from './step-progress.ts'
import type { Vocabulary } from './vocabulary.ts'

type LlamaSettings = { weightsPath: string; contextTokens: number; slots: number; threads: number; gpu: boolean }
export type LogLine = (level: 'warn' | 'error', text: string) => void

/** What moves the logits before any token is left out. A bias of an end token is not heeded. */
export type Shaping = Pick<FullSampling, 'logitBias' | 'repetitionPenalty' | 'frequencyPenalty' | 'presencePenalty'> & {
  /** The tokens of the answer so far, and the most it may have; the list may grow while this is in use. */
  answered: readonly number[]
  maxTokens: number
}
type Drawing = Shaping & Pick<FullSampling, 'temperature' | 'topP' | 'topK' | 'minP' | 'seed'>

/** A place in the context that holds one conversation at a time. */
export interface Sequence {
  clear(): Promise<void>
  /** Reads tokens without an answer. */
  read(tokens: readonly number[]): Promise<void>
  /** Reads tokens and goes on by itself, without an end: the caller decides where to stop. */
  continue(tokens: readonly number[], drawing: Drawing): AsyncGenerator<number, void>
  /**
   * Reads tokens and tells which are the likeliest to follow. All of them cost as much again as the reading; a few hundred
   * cost nothing, but their probabilities are shares among themselves.
   */
  likely(tokens: readonly number[], count: number | 'all', shaping: Shaping): Promise<Candidates>
  /** Takes back the last token that was read. */
  forget(): Promise<void>
}

export interface Llama {
  readonly contextTokens: number
  readonly chatTemplate: string | null
  readonly vocabulary: Vocabulary
  readonly vocabularyTokens: number
  readonly sequences: Sequence[]
  /** Whether it goes on. */
  progress(): StepProgress
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
  const { getLlama, LlamaLogLevel, TokenBias } = await import('node-llama-cpp')
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
  const { step, progress } = watchSteps(createStepGate())
  const biasOf = createBiasing(() => TokenBias.for(model))
  return {
    contextTokens,
    chatTemplate: model.fileInfo.metadata.tokenizer?.chat_template ?? null,
    vocabulary,
    vocabularyTokens: model.fileInfo.metadata.tokenizer?.ggml?.tokens?.length ?? 0,
    sequences: Array.from({ length: settings.slots }, () => openSequence(context.getSequence(), step, biasOf)),
    progress,
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

const openSequence = (sequence: LlamaContextSequence, step: StepGate, biasOf: Biasing): Sequence => ({
  clear: () => step(() => sequence.clearHistory()),
  read: (tokens) => step(() => sequence.evaluateWithoutGeneratingNewTokens(asTokens(tokens))),
  async *continue(tokens, drawing) {
    const { temperature, topP, topK, minP, seed } = drawing
    const generated = sequence.evaluate(asTokens(tokens), {
      ...{ temperature, topP, topK, minP, seed: wrapSeed(seed), yieldEogToken: true },
      ...shapingOptions(sequence, drawing, biasOf),
    })
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
  async likely(tokens, count, shaping) {
    const generated = sequence.evaluateWithMetadata(
      asTokens(tokens),
      { probabilities: true },
      {
        // Only these two leave the probabilities as they are: the likeliest wins and none is left out, or the first few.
        ...(count === 'all' ? { temperature: 0 } : { temperature: 1, topK: count, topP: 1, minP: 0, seed: 0 }),
        yieldEogToken: true,
        ...shapingOptions(sequence, shaping, biasOf),
      },
    )
    try {
      const { done, value } = await step(() => generated.next())
      if (done) throw new Error('llama.cpp told no probabilities')
      return toCandidates(value.probabilities)
    } finally {
      await generated.return()
    }
  },
  forget: () =>
    step(() => {
      const end = sequence.nextTokenIndex
      return sequence.eraseContextTokenRanges([{ start: end - 1, end }])
    }),
})

/** The repetition penalty punishes what the prompt holds too, the other two what the answer has said. */
const shapingOptions = (
  sequence: LlamaContextSequence,
  { logitBias, repetitionPenalty, frequencyPenalty, presencePenalty, answered, maxTokens }: Shaping,
  biasOf: Biasing,
): SequenceEvaluateOptions => ({
  ...(logitBias.length === 0 ? {} : { tokenBias: biasOf(logitBias) }),
  ...(repetitionPenalty === 1
    ? {}
    : {
        repeatPenalty: {
          penalty: repetitionPenalty,
          maxPunishTokens: penaltyWindowTokens,
          punishTokens: () => sequence.contextTokens.slice(-penaltyWindowTokens),
        },
      }),
  ...(frequencyPenalty === 0 && presencePenalty === 0
    ? {}
    : {
        repeatPenalty: {
          penalty: 1,
          ...{ frequencyPenalty, presencePenalty },
          maxPunishTokens: maxTokens,
          punishTokens: () => asTokens(answered),
        },
      }),
})

type Biasing = (logitBias: Shaping['logitBias']) => TokenBias

/** An answer asks with the same list at each of its tokens. */
const createBiasing = (empty: () => TokenBias): Biasing => {
  const known = new WeakMap<object, TokenBias>()
  return (logitBias) => {
    const found = known.get(logitBias)
    if (found) return found
    const made = empty()
    for (const [id, logit] of logitBias) made.set(asToken(id), { logit })
    known.set(logitBias, made)
    return made
  }
}

/** Any whole number to one of llama.cpp's seeds, the same one every time. */
const wrapSeed = (seed: number): number => ((seed % randomSeed) + randomSeed) % randomSeed

/** Token ids that came from this vocabulary, through a message or a prompt. */
const asToken = (id: number): Token => id as Token
const asTokens = (ids: readonly number[]): Token[] => ids as Token[]
