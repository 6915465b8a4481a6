/**
 * What the server and the engine process say to each other over Node's IPC channel. Both ends are started from the same
 * files at the same moment, so a message needs a type and no version. The process keeps nothing about a request but its
 * generation: a rendered prompt travels back as its tokens and forth again, and outlives a crash that way.
 */
import type { Conversation, EngineFeature, TokenLogprob } from '../contract.ts'
import type { FullSampling } from '../sampling.ts'
import type { StepProgress } from './decoding/decode-loop.ts'
import type { MemoryPlan } from './llama/memory-plan.ts'
import type { LoadSettings } from './load-settings.ts'

export type ToWorker =
  | { type: 'load'; settings: LoadSettings }
  | { type: 'prepare'; id: number; conversation: Conversation }
  | { type: 'generate'; id: number; tokens: Uint32Array; scope: string; sampling: FullSampling }
  /** Asks for an answer at once, whatever it is working on. */
  | { type: 'ping' }
  /** Nothing more is wanted for this id, and nothing more is sent. */
  | { type: 'cancel'; id: number }

export type Failure = { kind: 'template_refused'; reason: string } | { kind: 'engine_failed'; detail: string }

/** About one request, by the id it came with. */
export type RequestMessage =
  | { type: 'prepared'; id: number; tokens: Uint32Array }
  /** The prompt leaves no room for an answer. `counted`: as far as it was read, where that is not to its end. */
  | { type: 'too_long'; id: number; counted: number; complete: boolean }
  | { type: 'token'; id: number; token: number; bytes: Uint8Array; logprob?: TokenLogprob }
  | { type: 'end'; id: number; reason: 'stop' | 'length'; cachedTokens: number; completionTokens: number }
  | { type: 'failed'; id: number; failure: Failure }

/** What is known of the model once its weights are open. */
export type OpenedModel = {
  contextTokens: number
  vocabularyTokens: number
  features: EngineFeature[]
  memory: MemoryPlan
}

export type FromWorker =
  | { type: 'ready'; opened: OpenedModel }
  /** One line for the operator. The process waits for its end. */
  | { type: 'refused'; reason: string }
  | { type: 'log'; level: 'warn' | 'error'; text: string }
  /** `progress` is null while the model loads. */
  | { type: 'pong'; progress: StepProgress | null }
  /** All that a step of the model brought, or one other message. */
  | { type: 'requests'; messages: RequestMessage[] }
