/**
 * What an engine is to the rest of the program. The API never knows which one answers: the embedded model, an upstream
 * server, or a script in a test. An engine speaks in tokens and their bytes; text, stop strings, tool calls and deltas are
 * the API's.
 */
import type { PackedGrammar } from '../grammar/packed-grammar.ts'

type ChatRole = 'system' | 'user' | 'assistant' | 'tool'
/** `arguments` is the text the model wrote, JSON or not. */
export type ToolCall = { id: string; name: string; arguments: string }
export type ChatMessage = {
  role: ChatRole
  content: string
  name?: string
  /** The reasoning of an assistant's message. */
  reasoning?: string
  /** Of an assistant's message. */
  toolCalls?: readonly ToolCall[]
  /** Of a tool's message: the call it answers. */
  toolCallId?: string
}

/** A function the model may call. `parameters` is a JSON Schema; null: it takes none. */
export type FunctionTool = { name: string; description: string | null; parameters: Record<string, unknown> | null }

/** Everything the prompt is made of. */
export type Conversation = {
  messages: readonly ChatMessage[]
  tools: readonly FunctionTool[]
  /** Further variables for the model's chat template. */
  templateVariables: Readonly<Record<string, unknown>>
  /** `answer`: the model speaks next. `continue`: it goes on with the last message. `none`: the template adds nothing. */
  opening: 'answer' | 'continue' | 'none'
  /**
   * Prompts of the same scope may share what the engine has kept in memory of earlier ones. Others never do: how long the first
   * token takes would tell what they hold.
   */
  cacheScope: string
}

/** What some engines can do and others cannot. A request that needs more is refused by name. */
export type EngineFeature =
  /** Tools in the prompt, and calls in `<tool_call>` tags out of it. */
  | 'tools'
  /** Its answers begin with `<think>…</think>` where they do. */
  | 'reasoning'
  /** Answers held to a grammar. */
  | 'grammar'
  | 'logprobs'
  /** Token ids are known: bias, stop ids, a least length, ids in the answer. */
  | 'token_ids'
  /** The chat template takes variables, and an answer may continue the last message. */
  | 'template'

export type ServedModel = {
  id: string
  /** Unix seconds. */
  created: number
  ownedBy: string
  /** Prompt and answer together; null where only the upstream knows. */
  contextTokens: number | null
  /** Token ids are below it; null where only the upstream knows, or before the weights are open. */
  vocabularyTokens: number | null
  /** Null before the weights are open: until then nobody can say what would be refused. */
  features: ReadonlySet<EngineFeature> | null
}

/** Holds an answer to a grammar: from its beginning, or from behind the first occurrence of a text. */
export type Constraint = { grammar: PackedGrammar; after: string | null }

/** What a request asks for; null where it leaves the choice to the model's own settings. */
export type Sampling = {
  /** The most tokens the answer may have, at least 1; null: as many as fit. */
  maxTokens: number | null
  /** No end token before so many. */
  minTokens: number
  /** End tokens do not end the answer. */
  ignoreEnd: boolean
  temperature: number | null
  topP: number | null
  /** 0: no limit. */
  topK: number | null
  minP: number | null
  /** Over prompt and answer; 1: none. */
  repetitionPenalty: number | null
  /** Over the answer only; 0: none. */
  frequencyPenalty: number
  presencePenalty: number
  /** Added to the logits of these ids. */
  logitBias: readonly (readonly [id: number, bias: number])[]
  /** 32 bits. The same seed with the same request gives the same answer, as far as the engine can promise it. */
  seed: number | null
  /** Texts that end the answer. An engine may end by itself before one; the API cuts it off in any case. */
  stops: readonly string[]
  /** Ids that end the answer like an end token. */
  stopIds: readonly number[]
  /** How many likely tokens to report with each token; 0: only its own probability; null: none. */
  topLogprobs: number | null
  constraint: Constraint | null
  /** A text that the answer must not contain; heeded where there is no constraint, by engines that know their tokens. */
  withoutText: string | null
}

/** Natural logarithms of the model's own probabilities, before bias, penalties, temperature and grammar. */
export type TokenLogprob = {
  logprob: number
  /** Counted from 0 for the most likely token. */
  rank: number
  top: { id: number; bytes: Uint8Array; logprob: number }[]
}

/** Counts, once the answer has ended by itself. */
export type EngineEnd = {
  type: 'end'
  reason: 'stop' | 'length'
  promptTokens: number
  cachedTokens: number
  completionTokens: number
  /** Some are estimates: the upstream sent no counts, or impossible ones. */
  isEstimated?: boolean
}

/** An upstream has accepted the prompt. The exact count comes with the end at the earliest; this estimate is low. */
type EngineAccepted = { type: 'accepted'; promptTokens: number }

export type EngineEvent =
  | EngineAccepted
  /** `id` is null where the engine does not report it. A token may hold half a character. */
  | { type: 'token'; id: number | null; bytes: Uint8Array; logprob?: TokenLogprob }
  | EngineEnd

/** A prompt that was rendered and counted, and can be answered any number of times. */
export interface PreparedPrompt {
  /** Null where only the upstream can count. */
  readonly promptTokens: number | null
  /** Null where the engine does not report them. */
  readonly promptTokenIds: readonly number[] | null
  /**
   * Ends with an `end` event, or throws an `ApiError`. Leaving the loop or aborting the signal frees the engine at once;
   * an aborted signal makes the loop throw the signal's reason.
   */
  generate(sampling: Sampling, signal: AbortSignal): AsyncIterable<EngineEvent>
}

export type EngineState = 'loading' | 'ready' | 'stopped'

export interface Engine {
  readonly model: ServedModel
  /** How many answers it can work on at once. */
  readonly slots: number
  state(): EngineState
  /** Renders the chat template and counts. Throws an `ApiError`, `engine_loading` among them. */
  prepare(conversation: Conversation, signal: AbortSignal): Promise<PreparedPrompt>
  close(): Promise<void>
}
