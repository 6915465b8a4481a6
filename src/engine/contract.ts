/**
 * The interface between an engine and the rest of the program. The API does not know which engine answers: the embedded
 * model, an upstream server, or a script in a test. An engine produces tokens and their bytes, and the API handles text,
 * stop strings, tool calls and deltas; or it parses its answers itself and produces text, reasoning and calls.
 *
 * What goes in and out has a file for each subject in `contract/`; import it from here.
 */
import type { PauseSwitch } from '../base/pause-switch.ts'
import type { Conversation, EngineCaller } from './contract/conversation.ts'
import type { EngineEvent } from './contract/engine-event.ts'
import type { Sampling } from './contract/sampling.ts'
import type { ServedModel } from './contract/served-model.ts'
import type { ScoredPairs } from './scored-pairs.ts'

export type * from './contract/conversation.ts'
export type * from './contract/engine-event.ts'
export type * from './contract/sampling.ts'
export type * from './contract/served-model.ts'

/** Which upstreams answer a request. It is filled while the answers are generated. */
export type AnswerRoute = {
  /** Those whose output was passed on, in order. */
  upstreams: string[]
  /** Requests that were sent to upstreams. */
  attempts: number
  /** Those that failed an attempt, in order. Absent if none did. */
  failed?: string[]
  /** An upstream failed during an answer, and another continued it. */
  isContinued: boolean
  /** Of answers that came in pieces, so that their first token came before their last. Absent if all came whole. */
  timing?: AnswerTiming
}

/** On the monotonic clock of the thread: when the first of the answers was asked for and began, and when the last ended. */
export type AnswerTiming = { askedAtMs: number; firstTokenAtMs: number; endedAtMs: number }

/** A rendered and counted prompt that can be answered any number of times. */
export interface PreparedPrompt {
  /** Null if only the upstream can count. */
  readonly promptTokens: number | null
  /** Then counted with the model's tokenizer, without images and audio, if that is known. The upstream's count is billed. */
  readonly countedTokens?: number
  /** Null if the engine does not report them. */
  readonly promptTokenIds: readonly number[] | null
  /** Only for an engine that chooses between upstreams. */
  readonly route?: AnswerRoute
  /**
   * Ends with an `end` event, or throws an `ApiError`. Leaving the loop or aborting the signal frees the engine at once;
   * an aborted signal makes the loop throw the signal's reason. While `pausing` is on, an engine that `canPause` generates
   * nothing; what it generated before still follows.
   */
  generate(sampling: Sampling, signal: AbortSignal, pausing?: PauseSwitch): AsyncIterable<EngineEvent>
}

/** Texts and sequences of token ids. */
export type EmbeddingInputs = readonly (string | readonly number[])[]

/** What a model computes from without generating: texts of an embedding model, or pairs of a reranker. */
export type ModelInputs = EmbeddingInputs | ScoredPairs

/** How the inputs of an embedding model become tokens. */
export type InputOptions = {
  /** Longer ones are cut at their end; -1: to what the model accepts. By default they are refused if the model accepts less. */
  maxTokens?: number | null
  /** Without the tokens that the model requires at the start and end of a text. */
  isBare?: boolean
  /** What the request calls them, for errors; default: `input`. */
  name?: string
}

/** Counted inputs that can be embedded, or pairs that can be scored. */
export interface PreparedInputs {
  /** Of an upstream, which counts itself: as many as there can be at most. */
  readonly promptTokens: number
  /** Of each input. Only of a model that runs here. */
  readonly tokenIds?: readonly Uint32Array[]
  /** The upstream's own count, once all vectors are known. */
  countedTokens?(): number
  /** The upstream sent no count, or an impossible one, and the model's tokenizer is not known. */
  isEstimated?(): boolean
  /** Only for an engine that chooses between upstreams. */
  readonly route?: AnswerRoute
  /**
   * Vectors of length 1 in the order of the inputs, as soon as each is known (those of upstreams are as they send them); of a
   * reranker, for each pair one number: its score as the model computes it. Throws an `ApiError`. Leaving the loop or aborting the signal frees the engine at once;
   * an aborted signal makes the loop throw the signal's reason.
   */
  embed(signal: AbortSignal): AsyncIterable<Float32Array>
}

/** What token ids stand for. */
export type TokenTexts = {
  /** Special tokens are spelled out; an incomplete character becomes U+FFFD. */
  text: string
  /** Of each token, as the vocabulary spells it. */
  spellings: string[]
}

/** The tokens around every prompt, as the vocabulary spells them, and the template that writes a conversation. */
export type TokenizerInfo = {
  bosText: string | null
  eosText: string | null
  /** Every prompt begins with the first of them. */
  prependsBos: boolean
  chatTemplate: string
}

export type EngineState = 'loading' | 'ready' | 'stopped'

/**
 * A model that answers. The smallest one, which repeats the last message:
 *
 *     const echo: Engine = {
 *       model,
 *       slots: 1,
 *       state: () => 'ready',
 *       prepare: async ({ messages }) => ({
 *         promptTokens: messages.length,
 *         promptTokenIds: null,
 *         async *generate() {
 *           yield { type: 'token', id: null, bytes: Buffer.from(messages.at(-1)?.content ?? '') }
 *           yield { type: 'end', reason: 'stop', promptTokens: messages.length, cachedTokens: 0, completionTokens: 1 }
 *         },
 *       }),
 *       close: async () => {},
 *     }
 */
export interface Engine {
  readonly model: ServedModel
  /** Maximum number of concurrent answers. */
  readonly slots: number
  /** Its answers can be paused between two tokens, so that those of others go on. */
  readonly canPause?: true
  state(): EngineState
  /** Renders the chat template and counts tokens. Throws an `ApiError`, for example `engine_loading`. */
  prepare(conversation: Conversation, signal: AbortSignal): Promise<PreparedPrompt>
  /**
   * Counts the tokens of the inputs. Only engines with the feature `embeddings` or `rerank` have it; owners take turns.
   * Throws an `ApiError`.
   */
  prepareInputs?(
    inputs: ModelInputs,
    signal: AbortSignal,
    caller: EngineCaller,
    /** Only models that `cutsInputs` have them. */
    options?: InputOptions,
  ): Promise<PreparedInputs>
  /**
   * The texts of ids in its vocabulary. Only engines that know the token ids of their prompts have it; owners take
   * turns. Throws an `ApiError`.
   */
  detokenise?(ids: readonly number[], ownerId: string, signal: AbortSignal): Promise<TokenTexts>
  /** Known once the weights are loaded. Only of engines that know the token ids of their prompts. */
  readonly tokenizer?: TokenizerInfo | null
  close(): Promise<void>
}
