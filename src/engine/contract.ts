/**
 * The interface between an engine and the rest of the program. The API does not know which engine answers: the embedded
 * model, an upstream server, or a script in a test. An engine produces tokens and their bytes, and the API handles text,
 * stop strings, tool calls and deltas; or it parses its answers itself and produces text, reasoning and calls.
 */
import type { PlainError } from '../base/api-error.ts'
import type { PauseSwitch } from '../base/pause-switch.ts'
import type { CompiledGrammar } from '../grammar/compiled-grammar.ts'

type ChatRole = 'system' | 'user' | 'assistant' | 'tool'
/** `arguments` is the text the model wrote, JSON or not. */
export type ToolCall = { id: string; name: string; arguments: string }

/** An image, or an address that the upstream reads it from. */
export type ImageMedia = {
  type: 'image'
  /** A `data:` URL, or an address. */
  url: string
  /** Of the image itself; null of an address. */
  bytes: number | null
  detail?: string
}
/** Speech or other sound, in Base64. */
export type AudioMedia = { type: 'audio'; data: string; format: 'wav' | 'mp3'; bytes: number }
/**
 * Where the request has a part, under which type, and what is wrong with it. Reported once it is known that the model
 * accepts such parts at all.
 */
type PartOrigin = { path: string; type: string; error: PlainError | null }
export type MediaPart = (ImageMedia | AudioMedia) & { origin: PartOrigin }
export type ContentPart = { type: 'text'; text: string } | MediaPart

export type ChatMessage = {
  role: ChatRole
  /** The text, of parts too. */
  content: string
  /** Only of a message with images or audio: all of its content, in order. */
  parts?: readonly ContentPart[]
  name?: string
  /** Reasoning text; assistant messages only. */
  reasoning?: string
  /** Assistant messages only. */
  toolCalls?: readonly ToolCall[]
  /** The id of the call that is answered; tool messages only. */
  toolCallId?: string
}

/** A function the model may call. `parameters` is a JSON Schema as JSON text, or null if there are none. */
export type FunctionTool = {
  name: string
  description: string | null
  parameters: string | null
  /** The arguments must conform to the schema. */
  strict?: boolean
}

/** The format of an answer, for an engine that constrains its answers itself. `schema` is JSON text. */
export type ResponseFormat =
  | { type: 'object' }
  | { type: 'schema'; name: string; description?: string; schema: string; strict: boolean }
  | { type: 'regex'; pattern: string }
  | { type: 'choice'; choices: readonly string[] }

/** What only an engine with `parsesAnswers` is asked for; for others the API does it. */
export type AnswerOptions = {
  /** False: the answer is wanted as a whole. */
  stream: boolean
  /** Null: no function may be called. */
  calling: { callable: readonly string[]; mode: 'auto' | 'required' | 'named'; parallel: boolean } | null
  format: ResponseFormat | null
  reasoningEffort: string | null
}

/** For whom an engine works. */
export type EngineCaller = {
  /**
   * Only prompts with the same scope share cached prefixes. Otherwise the time to the first token would reveal the
   * content of other prompts.
   */
  cacheScope: string
  /** Owners take turns where work waits, so that none can hold up the others. */
  ownerId: string
}

/** Where a prompt begins like others: its text, cut if it is long, and how long it is. */
export type PromptPrefix = { kind: string; text: string; length: number }

/**
 * A long prompt as upstreams are sent it, in memory that threads share: written and estimated where its body was read, so that
 * the thread which serves all callers only passes it on, without reading a message.
 */
export type WrittenPrompt = {
  /** Members of the upstream's body as JSON; null if it has no such member. */
  json: { messages: Uint8Array; tools: Uint8Array | null; response_format: Uint8Array | null }
  /** Estimates of the prompt, should the upstream not report it, and of the most that is believed. */
  tokens: { expected: number; max: number }
  /** Of the texts of all messages. */
  characters: number
  /** The prefixes that it may share with other prompts, longest first. */
  prefixes: readonly PromptPrefix[]
  /** A message has images or audio. */
  hasMedia: boolean
  /** A message has calls, or is the result of one. */
  hasCalls: boolean
}

/** All inputs to the prompt. */
export type Conversation = EngineCaller & {
  messages: readonly ChatMessage[]
  tools: readonly FunctionTool[]
  /** Text or token ids that the model continues as they are: the template is not used, and there are no messages. */
  rawPrompt?: string | readonly number[]
  /** Of a text in `rawPrompt`: no BOS token is added in front, even if the model requires one. */
  withoutBos?: true
  /** Of `rawPrompt`: only so many of its last tokens are used. */
  maxPromptTokens?: number
  /** Additional variables for the model's chat template. */
  templateVariables: Readonly<Record<string, unknown>>
  /** `answer`: the model replies next. `continue`: it continues the last message. `none`: the template adds nothing. */
  opening: 'answer' | 'continue' | 'none'
  /** Only for an engine with `parsesAnswers`. */
  answer?: AnswerOptions
  /**
   * Only of a long prompt, for an engine with `parsesAnswers`: exactly these messages, tools and format, which then are read from
   * memory only when they are needed. A conversation with other messages leaves it out.
   */
  written?: WrittenPrompt
  /** Whether one of the `alternatives` of the model accepts the request. Only with these. */
  isAcceptedBy?(model: ServedModel): boolean
}

/** Optional engine capabilities. A request that needs a missing one is refused with an error that names it. */
export type EngineFeature =
  /** Accepts tools in the prompt and emits calls in `<tool_call>` tags. */
  | 'tools'
  /** Answers may begin with `<think>…</think>`. */
  | 'reasoning'
  /** Answers can be constrained by a grammar. */
  | 'grammar'
  | 'logprobs'
  /** Token ids are known, so bias, stop ids, a minimum length and ids in the answer work. */
  | 'token_ids'
  /** The chat template accepts variables, and an answer can continue the last message. */
  | 'template'
  /** Turns texts into vectors, and generates no text. */
  | 'embeddings'
  /** Messages may have images. */
  | 'vision'
  /** Messages may have audio. */
  | 'audio'

/** `chat`: generates text. `embedding`: turns texts into vectors. */
export type ModelKind = 'chat' | 'embedding'

export type ServedModel = {
  id: string
  /** Unix seconds. */
  created: number
  ownedBy: string
  /** Prompt and answer together; null where only the upstream knows. */
  contextTokens: number | null
  /** Exclusive upper bound of token ids; null if only the upstream knows it, or before the weights are loaded. */
  vocabularyTokens: number | null
  /** Null before the weights are loaded, because the capabilities are not known until then. */
  features: ReadonlySet<EngineFeature> | null
  /** How many numbers a vector has; only known of embedding models that are loaded. */
  vectorLength?: number
  /**
   * The engine constrains and parses its answers itself: it gets `Conversation.answer` instead of a grammar, and yields
   * text, reasoning and calls instead of tokens.
   */
  parsesAnswers?: true
  /** The optional request fields that it accepts, if that is known more precisely than by its features. */
  acceptedFields?: ReadonlySet<string>
  /** Images may be addresses, which the upstream reads. */
  acceptsImageUrls?: boolean
  /** The most prompt tokens that an image is reserved. */
  imageTokens?: number
  /**
   * The model as each of several upstreams serves it, if they accept different requests: a request needs one that accepts all
   * of it. `features` and `acceptedFields` then have what at least one accepts.
   */
  alternatives?: readonly ServedModel[]
}

/** Constrains an answer to a grammar, from its start or from the end of the first occurrence of a text. */
export type Constraint = { grammar: CompiledGrammar; after: string | null }

/** Options of a request; null selects the model's own setting. */
export type Sampling = {
  /** Maximum number of tokens in the answer; 0: the prompt is only read; null: as many as fit. */
  maxTokens: number | null
  /**
   * An upstream may answer with fewer than `maxTokens`: the caller did not choose it, or the endpoint accepts limits that no
   * model has.
   */
  mayLowerLimit?: true
  /** Minimum number of tokens before an end token is allowed. */
  minTokens: number
  /** End tokens do not end the answer. */
  ignoreEnd: boolean
  temperature: number | null
  topP: number | null
  /** 0: no limit. */
  topK: number | null
  minP: number | null
  /** Applies to prompt and answer; 1: no penalty. */
  repetitionPenalty: number | null
  /** Applies to the answer only; 0: no penalty. */
  frequencyPenalty: number
  presencePenalty: number
  /** Added to the logits of these ids. */
  logitBias: readonly (readonly [id: number, bias: number])[]
  /** 32 bits. The same seed and request give the same answer, as far as the engine can guarantee it. */
  seed: number | null
  /** Texts that end the answer. An engine may stop early at one; the API truncates the answer in any case. */
  stops: readonly string[]
  /** The only ids that may be sampled; null: any. Other ids that end an answer cannot end it either. */
  allowedIds: readonly number[] | null
  /** Ids that end the answer like an end token. */
  stopIds: readonly number[]
  /** How many of the most likely tokens to report per token; 0: only the token's own probability; null: none. */
  topLogprobs: number | null
  /** The tokens that are reported instead of the most likely ones; empty: those. Only with `topLogprobs`. */
  logprobIds: readonly number[]
  /** The same for each token of the prompt. Only for engines with known token ids. */
  promptLogprobs: number | null
  constraint: Constraint | null
  /** A text the answer must not contain. Only engines with known token ids honour it, and only without a constraint. */
  withoutText: string | null
}

/** Natural logarithms of the model's own probabilities, before bias, penalties, temperature and grammar. */
export type TokenLogprob = {
  logprob: number
  /** 0 is the most likely token. */
  rank: number
  top: { id: number; bytes: Uint8Array; logprob: number }[]
}

/** A token of a prompt. Special tokens are spelled out. `logprob` is null for the first one, which nothing precedes. */
export type PromptToken = { id: number; bytes: Uint8Array; logprob: TokenLogprob | null }

/** Token counts, available once the answer has ended normally. */
export type EngineEnd = {
  type: 'end'
  reason: 'stop' | 'length' | 'content_filter'
  promptTokens: number
  cachedTokens: number
  completionTokens: number
  /** Only if the engine counts them itself. */
  reasoningTokens?: number
  /** The token that ended the answer and is not part of it, if log probabilities of prompt and answer were requested. */
  endToken?: PromptToken
  /** Some counts are estimates because the upstream sent none, or impossible ones. */
  isEstimated?: boolean
}

/**
 * The upstream has accepted the prompt. A low estimate, unless it was counted with the model's tokenizer. Most upstreams report
 * their own count at the end; if one reports it earlier, this event is repeated.
 */
type EngineAccepted = {
  type: 'accepted'
  promptTokens: number
  /** They are no estimate: counted with the model's tokenizer, or reported before the end. */
  isCounted?: true
}

/** A part of an answer that the engine has parsed. `tokens`: how many it counts for until the end; 1 if absent. */
export type ParsedEvent =
  /** Complete characters. Text may contain reasoning in `<think>` tags, and may continue after a stop string. */
  (
    | { type: 'text'; text: string }
    | { type: 'reasoning' | 'refusal'; text: string }
    /** Calls are numbered from 0, and begin in this order. */
    | { type: 'call'; index: number; id: string; name: string }
    | { type: 'arguments'; index: number; text: string }
  ) & { tokens?: number }

export type EngineEvent =
  | EngineAccepted
  /** The next tokens of the prompt, before the answer begins. Only with `promptLogprobs`. */
  | { type: 'prompt'; tokens: readonly PromptToken[] }
  | ParsedEvent
  /** `id` is null if the engine does not report it. A token may contain part of a character. */
  | { type: 'token'; id: number | null; bytes: Uint8Array; logprob?: TokenLogprob }
  | EngineEnd

/** Which upstreams answer a request. It is filled while the answers are generated. */
export type AnswerRoute = {
  /** Those whose output was passed on, in order. */
  upstreams: string[]
  /** Requests that were sent to upstreams. */
  attempts: number
  /** An upstream failed during an answer, and another continued it. */
  isContinued: boolean
}

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

/** Counted inputs that can be embedded. */
export interface PreparedInputs {
  /** Of an upstream, which counts itself: as many as there can be at most. */
  readonly promptTokens: number
  /** The upstream's own count, once all vectors are known. */
  countedTokens?(): number
  /** Only for an engine that chooses between upstreams. */
  readonly route?: AnswerRoute
  /**
   * Vectors of length 1 in the order of the inputs, as soon as each is known. Throws an `ApiError`. Leaving the loop or
   * aborting the signal frees the engine at once; an aborted signal makes the loop throw the signal's reason.
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
   * Counts the tokens of the inputs. Only engines with the feature `embeddings` have it; owners take turns.
   * Throws an `ApiError`.
   */
  prepareInputs?(inputs: EmbeddingInputs, signal: AbortSignal, caller: EngineCaller): Promise<PreparedInputs>
  /**
   * The texts of ids in its vocabulary. Only engines that know the token ids of their prompts have it; owners take
   * turns. Throws an `ApiError`.
   */
  detokenise?(ids: readonly number[], ownerId: string, signal: AbortSignal): Promise<TokenTexts>
  /** Known once the weights are loaded. Only of engines that know the token ids of their prompts. */
  readonly tokenizer?: TokenizerInfo | null
  close(): Promise<void>
}
