/**
 * Messages between the server and the engine process over Node's IPC channel; results of steps take `results-pipe.ts`. Both
 * start from the same files at the same time, so messages have a type but no version. The process keeps no request state
 * except the generation: a rendered prompt returns to the server as tokens and is sent again, so it survives a crash.
 */
import type {
  Conversation,
  EngineFeature,
  InputOptions,
  ModelInputs,
  PromptToken,
  TokenizerInfo,
  TokenLogprob,
  TokenTexts,
} from '../contract.ts'
import type { FullSampling } from '../sampling.ts'
import type { InputRefusal } from './embedding/tokenise-inputs.ts'
import type { MemoryPlan } from './llama/memory-plan.ts'
import type { LoadSettings } from './load-settings.ts'
import type { StepProgress } from './step-progress.ts'

export type ToWorker =
  | { type: 'load'; settings: LoadSettings }
  | { type: 'prepare'; id: number; conversation: Conversation }
  | { type: 'detokenise'; id: number; ids: Uint32Array; ownerId: string }
  | { type: 'generate'; id: number; tokens: Uint32Array; scope: string; sampling: FullSampling }
  /** Of embedding models and rerankers: counts the tokens of the inputs, and sends them back. */
  | { type: 'tokenise'; id: number; inputs: ModelInputs; options: InputOptions }
  | { type: 'embed'; id: number; inputs: Uint32Array[] }
  /** Requests an immediate reply, even while the process is busy. */
  | { type: 'ping' }
  /** Cancels this id; nothing more is sent for it. */
  | { type: 'cancel'; id: number }
  /** Stops generating for this id between two tokens, until it is resumed. Tokens that were sampled before still follow. */
  | { type: 'pause' | 'resume'; id: number }

export type Failure =
  | { kind: 'template_refused'; reason: string; cpuMs: number }
  /** Too many prompts wait to be prepared. */
  | { kind: 'queue_full' }
  | { kind: 'engine_failed'; detail: string }

/** Replies to one request, identified by its id. */
export type RequestMessage =
  | { type: 'prepared'; id: number; tokens: Uint32Array }
  /** The prompt leaves no room for an answer. `counted`: tokens counted so far, if counting stopped early. */
  | { type: 'too_long'; id: number; counted: number; complete: boolean; cpuMs: number }
  | ({ type: 'detokenised'; id: number } & TokenTexts)
  /** The next tokens of the prompt with their log probabilities, if these were requested. */
  | { type: 'prompt'; id: number; tokens: PromptToken[] }
  | { type: 'token'; id: number; token: number; bytes: Uint8Array; logprob?: TokenLogprob }
  | {
      type: 'end'
      id: number
      reason: 'stop' | 'length'
      cachedTokens: number
      completionTokens: number
      endToken?: PromptToken
    }
  | { type: 'tokenised'; id: number; inputs: Uint32Array[] }
  | { type: 'input_refused'; id: number; refusal: InputRefusal }
  /** The vectors of the next inputs, one after the other. */
  | { type: 'vectors'; id: number; vectors: Float32Array; isLast: boolean }
  | { type: 'failed'; id: number; failure: Failure }

/** Model details that are known once the weights are loaded. */
export type OpenedModel = {
  /** As in `ServedModel`: the files may have been replaced since they were described. */
  weightsId?: string
  contextTokens: number
  vocabularyTokens: number
  /** As in `ServedModel`. */
  maxTokenWords?: number
  features: EngineFeature[]
  /** Of embedding models; 1 of rerankers. */
  vectorLength?: number
  /** Of models that generate text. */
  tokenizer?: TokenizerInfo
  memory: MemoryPlan
  /** The GPU that it runs on, and the library that uses it; null or absent on the CPU. */
  gpu?: string | null
  /** Why it runs on the CPU although it should use a GPU; null or absent otherwise. */
  gpuFault?: string | null
}

export type FromWorker =
  /** `processBytes`: the memory of the process, as the system counts it. */
  | { type: 'ready'; opened: OpenedModel; processBytes: number }
  /** One line for the operator. The process then waits to be ended. */
  | { type: 'refused'; reason: string }
  | { type: 'log'; level: 'warn' | 'error'; text: string }
  /** The engine uses fewer threads than configured, or more again. */
  | { type: 'threads'; threads: number }
  /** `progress` is null while the model loads. */
  | { type: 'pong'; progress: StepProgress | null; processBytes: number }
  /** All results of a model step, or one other message. */
  | { type: 'requests'; messages: RequestMessage[] }
