import type { PlainError } from '../../base/api-error.ts'
import type { RequestTrace } from '../../traces/request-trace.ts'
import type { ServedModel } from './served-model.ts'

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
  /** Records what other servers are asked for, if the request is traced. */
  trace?: RequestTrace
}

/** A beginning that a prompt may share with others: its text, cut if it is long, and its full length. */
export type PromptPrefix = { kind: string; text: string; length: number }

/**
 * A long prompt as upstreams are sent it, in memory that threads share: written and estimated where its body was read, so that
 * the thread which serves all callers only passes it on, without reading a message.
 */
export type WrittenPrompt = {
  /** Members of the upstream's body as JSON; null if it has no such member. */
  json: { messages: Uint8Array; tools: Uint8Array | null; response_format: Uint8Array | null }
  /** Estimates: of the prompt, if the upstream does not report its size, and of the largest size that is accepted from it. */
  tokens: { expected: number; max: number }
  /** Of the texts of all messages. */
  characters: number
  /** The prefixes that it may share with other prompts, longest first. */
  prefixes: readonly PromptPrefix[]
  /** A message has images or audio. */
  hasMedia: boolean
  /** A message has the name of its author. */
  hasNames: boolean
  /** A message has calls, or is the result of one. */
  hasCalls: boolean
}

/**
 * A prompt as it was sent in the form of the Messages API, for upstreams that have the same: with cache marks, signed reasoning and
 * what else the messages of a conversation do not have. All values are JSON text.
 */
export type NativeMessages = {
  api: 'messages'
  /** Members of the upstream's body. */
  members: Readonly<Record<string, string>>
  /** Whether and how the answer thinks; null: the upstream decides. */
  thinking: string | null
  /** At most so many of the tokens of the answer are for thinking; 0: it has no such limit. */
  thinkingBudget: number
  /** How much work the answer may take, as the API names it; null: the upstream decides. */
  effort: string | null
}

/**
 * The same for the Responses API: with the ids of items, encrypted reasoning, annotations and what tools that the upstream runs itself
 * have done.
 */
export type NativeResponses = {
  api: 'responses'
  /** The items of the whole conversation, as JSON text. */
  input: readonly NativeItem[]
  /** Further members of the upstream's body, as JSON text. */
  members: Readonly<Record<string, string>>
  /** The tools that the request needs and only the upstream can run: it goes only to one that may. Each once. */
  builtInTools: readonly string[]
}

export type NativeItem = {
  json: string
  /** Only of reasoning: the same without its text, for providers that accept no other; null if none of it is encrypted. */
  encrypted?: string | null
  /** How much of it the messages of the conversation do not have. */
  furtherBytes?: number
  /** How many images it has that the messages do not have. Their bytes are not counted. */
  images?: number
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
  /** Exactly these messages and tools, if an upstream can be sent more of them. A conversation with others leaves it out. */
  native?: NativeMessages | NativeResponses
  /** Whether one of the `alternatives` of the model accepts the request. Only with these. */
  isAcceptedBy?(model: ServedModel): boolean
}
