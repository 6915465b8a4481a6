import type {
  ChatMessage,
  Conversation,
  FunctionTool,
  NativeMessages,
  NativeResponses,
  Sampling,
  WrittenPrompt,
} from '../../../engine/contract.ts'
import { messagesWithMedia } from '../../../engine/media-parts.ts'
import type { StoredText } from '../../../store/body-contract.ts'
import type { GrammarJob } from '../compile/grammar-job.ts'
import type { FormatSource, GrammarSource } from '../compile/grammar-source.ts'
import type { Calling } from './calling.ts'
import type { ReadFields } from './read-fields.ts'

/** What every endpoint translates its body into. It knows no endpoint: only `fields` says how errors name what is asked. */
export type TranslatedRequest = {
  model: string
  prompt: Prompt
  /** Number of choices, of all prompts together. */
  n: number
  stream: boolean
  /** Which tools may be called; null: none. */
  calling: Calling | null
  /** The format that the answer must have; null: any text. */
  format: AnswerFormat | null
  /** What has to be compiled before generation; null if there is nothing. */
  grammar: GrammarSource | null
  reasoningEffort: string | null
  /** Everything about tokens, their limit included; the constraint is added once it is compiled. */
  sampling: RequestSampling
  returnTokenIds: boolean
  /** The text of each raw prompt is part of the answer. */
  repeatsPrompts: boolean
  /** The answer is to be stored. */
  store: boolean
  fields: RequestFields
}

export type Prompt = ChatPrompt | RawPrompts

/** A conversation that the model answers, written by its chat template. */
export type ChatPrompt = {
  type: 'chat'
  messages: readonly ChatMessage[]
  templateVariables: Record<string, unknown>
  opening: Conversation['opening']
  /**
   * If the prompt does not fit the context, the oldest messages after this number are left out; null: the request is
   * refused.
   */
  keptFromStart: number | null
  /** Set only for a long prompt for an upstream: exactly these messages. */
  written?: WrittenPrompt
  /** Set only for a prompt for an upstream that has more than these messages can say. */
  native?: NativeMessages | NativeResponses
}

/** Raw prompts are continued without a chat template, each with an equal share of the choices. */
type RawPrompts = {
  type: 'raw'
  prompts: readonly RawPrompt[]
  /** Only so many of the last tokens of each prompt are used; null or absent: all. */
  maxTokens?: number | null
}

/** A text or token ids. */
export type RawPrompt = string | readonly number[]

/** The messages of a conversation; none for raw prompts. */
export const messagesIn = (prompt: Prompt): readonly ChatMessage[] => (prompt.type === 'chat' ? prompt.messages : [])

/** All messages if one of them may have images or audio. */
export const mediaMessagesIn = (prompt: Prompt): readonly ChatMessage[] =>
  prompt.type === 'chat' ? messagesWithMedia(prompt) : []

/** It is compiled later, off the event loop. */
export type AnswerFormat = {
  source: FormatSource
  /** For engines that constrain their answers themselves. */
  name?: string
  description?: string
}

export type RequestSampling = Omit<Sampling, 'constraint' | 'withoutText'>

/** Fields that not every model or engine supports. */
export type OptionalField =
  | 'tools'
  | 'format'
  | 'logprobs'
  | 'logitBias'
  | 'stopIds'
  | 'minTokens'
  | 'ignoreEnd'
  | 'returnTokenIds'
  | 'promptLogprobs'
  | 'emptyAnswer'
  | 'allowedIds'
  | 'logprobIds'
  | 'maxPromptTokens'
  | 'templateVariables'
  | 'continuing'
  | 'opening'
  | 'seed'
  | 'topK'
  | 'minP'
  | 'repetitionPenalty'
  | 'frequencyPenalty'
  | 'presencePenalty'

/** The path in the body of the prompt, and of those optional fields that the endpoint has. */
export type RequestFields = Readonly<{ prompt: string } & Partial<Record<OptionalField, string>>>

/** The model's own settings. */
export const defaultSampling: RequestSampling = {
  maxTokens: null,
  minTokens: 0,
  ignoreEnd: false,
  temperature: null,
  topP: null,
  topK: null,
  minP: null,
  repetitionPenalty: null,
  frequencyPenalty: 0,
  presencePenalty: 0,
  logitBias: [],
  seed: null,
  stops: [],
  allowedIds: null,
  stopIds: [],
  topLogprobs: null,
  logprobIds: [],
  promptLogprobs: null,
}

/** Clients send 64 bits, engines take 32. */
export const foldSeed = (seed: number | null | undefined): number | null =>
  typeof seed === 'number' ? Number(BigInt.asUintN(32, BigInt(seed))) : null

/** A request that asks for nothing but an answer to its prompt. */
export const plainRequest = ({
  model,
  prompt,
  fields,
}: Pick<TranslatedRequest, 'model' | 'prompt' | 'fields'>): TranslatedRequest => ({
  model,
  prompt,
  n: 1,
  stream: false,
  calling: null,
  format: null,
  grammar: null,
  reasoningEffort: null,
  sampling: defaultSampling,
  returnTokenIds: false,
  repeatsPrompts: false,
  store: false,
  fields,
})

/**
 * A valid request, with what is kept of its body. Plain data, so that it can come from another thread. Schemas are JSON text:
 * as objects, a hundred thousand properties would take the main thread tens of milliseconds to receive and to pass on.
 */
export type GenerationRequest = Omit<TranslatedRequest, 'grammar' | 'calling' | 'format'> & {
  grammar: GrammarJob | null
  calling: RequestCalling | null
  format: RequestFormat | null
  /** Set only for a long prompt for an upstream, until it is unpacked. */
  packed: PackedTexts | null
} & BodyExtracts &
  Pick<ReadFields<unknown>, 'ignoredFields'>

/**
 * What later steps need of a body as it was sent, so that none of them keeps the body. It is computed where the body is
 * parsed, which for a large one is another thread: serialising megabytes of JSON again would delay every other request.
 */
export type BodyExtracts = {
  /** Approximate length of the text of the prompt. */
  promptBytes: number
  /**
   * The number of strings in the tools that the model is shown, including names of properties; not counted beyond what
   * any model has room for.
   */
  toolStrings: number
  /** Tells whether a retry sends the same body; null without an Idempotency-Key. */
  bodyHash: Uint8Array | null
  /** For the request log; null if the organisation keeps no bodies. */
  bodyCopy: StoredText | null
}

/**
 * The long texts of a request whose prompt was written for upstreams, in memory that threads share. Nothing reads them unless
 * an answer is continued or its prompt is counted. As strings they would take the main thread milliseconds to receive, and
 * garbage collections would copy them until the answer ends.
 */
export type PackedTexts = {
  /** Of each tool that is shown. */
  tools: readonly PackedTool[]
  schema: Uint8Array | null
  grammar: Uint8Array | null
}

type PackedTool = Omit<FunctionTool, 'description' | 'parameters'> & {
  description: Uint8Array | null
  parameters: Uint8Array | null
}

/** As `Calling`. Those that may be called are known by name. */
export type RequestCalling = Omit<Calling, 'shown' | 'callable'> & {
  shown: readonly FunctionTool[]
  callable: readonly string[]
}

export type RequestFormat = Omit<AnswerFormat, 'source'> & { source: RequestFormatSource }

/** `text`: the schema as JSON; null if it was sent as a text that is not JSON. */
type RequestFormatSource =
  | Exclude<FormatSource, { type: 'schema' | 'schema_text' }>
  | { type: 'schema'; text: string | null; strict: boolean; place: string; param: string }
