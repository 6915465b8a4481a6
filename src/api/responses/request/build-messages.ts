import { ApiError } from '../../../base/api-error.ts'
import type { ChatMessage, ContentPart, ToolCall } from '../../../engine/contract.ts'
import { imageMark, imagesOfResults } from '../../generation/request/result-images.ts'
import type {
  ConversationItem,
  CustomToolCall,
  FunctionCall,
  InputMedia,
  InputMessage,
  InputText,
  OutputMessage,
  ReasoningItem,
  ToolOutput,
} from '../items.ts'

type Call = FunctionCall | CustomToolCall

/**
 * The items of a conversation as the messages that the engine expects: calls belong to a message of the assistant, and their
 * outputs directly follow it. Throws if a call has no output, or an output no call.
 */
export const buildMessages = (instructions: string | null, items: readonly ConversationItem[]): ChatMessage[] => {
  const outputs = matchOutputs(items)
  const messages: ChatMessage[] = instructions === null ? [] : [{ role: 'system', content: instructions }]
  let turn = newTurn()
  const close = (): void => {
    messages.push(...messagesOfTurn(turn, outputs))
    turn = newTurn()
  }
  for (const item of items) {
    switch (item.type) {
      case 'reasoning':
        // Reasoning comes before what it led to.
        if (turn.text !== null || turn.calls.length > 0) close()
        turn.reasoning.push(reasoningText(item))
        break
      case 'function_call':
      case 'custom_tool_call':
        turn.calls.push(item)
        break
      case 'function_call_output':
      case 'custom_tool_call_output':
        // Further calls answer this output: they are a message of their own.
        close()
        break
      case 'message':
        if (item.role !== 'assistant') {
          close()
          messages.push(spokenMessage(item))
        } else {
          if (turn.text !== null || turn.calls.length > 0) close()
          turn.text = outputText(item)
        }
        break
      default:
        // What the upstream did itself: other upstreams are not asked.
        break
    }
  }
  close()
  return messages
}

const spokenMessage = ({ role, content }: InputMessage): ChatMessage => {
  const text = content.flatMap((part) => (part.type === 'input_text' ? [part.text] : [])).join('\n')
  const isText = content.every(({ type }) => type === 'input_text')
  const parts = isText ? {} : { parts: content.map(contentPart) }
  return { role: role === 'user' ? 'user' : 'system', content: text, ...parts }
}

const contentPart = (part: InputText | InputMedia): ContentPart => {
  if (part.type === 'input_text') return { type: 'text', text: part.text }
  if (part.media !== undefined) return part.media
  // A stored item: for an address everything is known, otherwise only the type and size.
  if (part.type === 'input_image' && /^https?:/.test(part.image_url)) {
    const origin = { path: 'previous_response_id', type: part.type, error: null }
    return { type: 'image', url: part.image_url, bytes: null, detail: part.detail, origin }
  }
  throw ApiError.of('media_not_stored', {}, { param: 'previous_response_id' })
}

/** What the assistant wrote between two messages of others. */
type Turn = { reasoning: string[]; text: string | null; calls: Call[] }
const newTurn = (): Turn => ({ reasoning: [], text: null, calls: [] })

const messagesOfTurn = ({ reasoning, text, calls }: Turn, outputs: ReadonlyMap<string, ToolOutput>): ChatMessage[] => {
  // Reasoning that led to nothing, as at the end of an answer that was cut off, is not shown.
  if (text === null && calls.length === 0) return []
  const said: ChatMessage = {
    role: 'assistant',
    content: text ?? '',
    ...(reasoning.length > 0 ? { reasoning: reasoning.join('\n') } : {}),
    ...(calls.length > 0 ? { toolCalls: calls.map(toToolCall) } : {}),
  }
  const results = calls.map(({ call_id }) => ({ callId: call_id, parts: outputParts(outputs.get(call_id)) }))
  const images = results.flatMap(({ parts }) => parts.filter(({ type }) => type !== 'input_text').map(contentPart))
  return [said, ...results.map(toToolMessage), ...imagesOfResults(images)]
}

const outputParts = (output: ToolOutput | undefined): readonly (InputText | InputMedia)[] =>
  typeof output?.output === 'string' ? [{ type: 'input_text', text: output.output }] : (output?.output ?? [])

const toToolCall = (call: Call): ToolCall => ({
  id: call.call_id,
  name: call.name,
  arguments: call.type === 'function_call' ? call.arguments : customArguments(call.input),
})

/** A custom tool is shown to the model as a function with one parameter. */
export const customParameter = 'input'
const customArguments = (text: string): string => JSON.stringify({ [customParameter]: text })

type Result = { callId: string; parts: readonly (InputText | InputMedia)[] }

const toToolMessage = ({ callId, parts }: Result): ChatMessage => ({
  role: 'tool',
  content: parts.map((part) => (part.type === 'input_text' ? part.text : imageMark)).join('\n'),
  toolCallId: callId,
})

const outputText = ({ content }: OutputMessage): string =>
  content.map((part) => (part.type === 'output_text' ? part.text : part.refusal)).join('\n')

const reasoningText = ({ content = [], summary }: ReasoningItem): string =>
  (content.length > 0 ? content : summary).map(({ text }) => text).join('\n')

/** The outputs by the ids of their calls. */
const matchOutputs = (items: readonly ConversationItem[]): Map<string, ToolOutput> => {
  const calls = new Map<string, Call>()
  const outputs = new Map<string, ToolOutput>()
  for (const item of items) {
    if (item.type === 'function_call' || item.type === 'custom_tool_call') calls.set(item.call_id, item)
    if (item.type !== 'function_call_output' && item.type !== 'custom_tool_call_output') continue
    const call = calls.get(item.call_id)
    if (call === undefined || `${call.type}_output` !== item.type) throw describeProblem('tool_call_not_found', item)
    outputs.set(item.call_id, item)
  }
  for (const call of calls.values())
    if (!outputs.has(call.call_id)) throw describeProblem('tool_output_not_found', call)
  return outputs
}

const describeProblem = (
  name: 'tool_call_not_found' | 'tool_output_not_found',
  { type, call_id }: Call | ToolOutput,
) => {
  const kind = type.replace(/_output$/, '').replaceAll('_', ' ')
  return ApiError.of(name, { kind, id: call_id.slice(0, 64) }, { param: 'input' })
}
