import type { BuiltInItemType } from '../../config/built-in-tools.ts'
import type { MediaPart } from '../../engine/contract.ts'

/**
 * The items of a conversation, as the Responses API writes them: what a request sends, what a response contains and what is
 * stored of both. Keys are in the order of the official service.
 */
type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

export type LogprobJson = {
  token: string
  logprob: number
  bytes: number[]
  top_logprobs: { token: string; logprob: number; bytes: number[] }[]
}

export type InputText = { type: 'input_text'; text: string }
/**
 * An image or audio. What is stored, and what other requests get, is its type and size; only the request that sends it has
 * the `media`.
 */
export type InputMedia = (
  | { type: 'input_image'; detail: string; file_id: null; image_url: string }
  | { type: 'input_audio'; input_audio: { data: string; format: string } }
) & { media?: MediaPart }
export type OutputText = { type: 'output_text'; annotations: Annotation[]; logprobs: LogprobJson[]; text: string }
/** Where a text comes from, as the upstream writes it. */
export type Annotation = Record<string, unknown>
export type Refusal = { type: 'refusal'; refusal: string }
export type ReasoningText = { type: 'reasoning_text'; text: string }
export type SummaryText = { type: 'summary_text'; text: string }

export type InputMessage = {
  id: string
  type: 'message'
  status: ItemStatus
  content: (InputText | InputMedia)[]
  role: 'user' | 'system' | 'developer'
}

export type OutputMessage = {
  id: string
  type: 'message'
  status: ItemStatus
  content: (OutputText | Refusal)[]
  role: 'assistant'
  /** Some models say whether the message is commentary or the final answer, and expect the value back in later requests. */
  phase?: string
}

export type ReasoningItem = {
  id: string
  type: 'reasoning'
  summary: SummaryText[]
  content?: ReasoningText[]
  encrypted_content?: string | null
  status?: ItemStatus
}

export type FunctionCall = {
  id: string
  type: 'function_call'
  status: ItemStatus
  arguments: string
  call_id: string
  name: string
}

export type CustomToolCall = {
  id: string
  type: 'custom_tool_call'
  /** Of stored input only: the official service has none in a response. */
  status?: ItemStatus
  call_id: string
  input: string
  name: string
}

export type ToolOutput = {
  id: string
  type: 'function_call_output' | 'custom_tool_call_output'
  status: ItemStatus
  call_id: string
  output: string | (InputText | InputMedia)[]
}

/** What a tool did that an upstream runs itself, as it writes it. */
export type BuiltInItem = { id: string; type: BuiltInItemType; [name: string]: unknown }

/** Refers to a stored item. */
type ItemReference = { type: 'item_reference'; id: string }

export type OutputItem = OutputMessage | ReasoningItem | FunctionCall | CustomToolCall | BuiltInItem
/** What is stored, and what the model is shown. */
export type ConversationItem = InputMessage | ToolOutput | OutputItem
export type InputItem = ConversationItem | ItemReference
