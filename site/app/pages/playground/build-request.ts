import type { Attachment } from './attachments.ts'
import type { RequestOptions } from './check-settings.ts'
import { fillVariables, type PromptVariables } from './prompt-variables.ts'
import { type SentTurn, saysSomething, type Turn } from './turns.ts'

type WireMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | readonly WirePart[] }
  | { role: 'assistant'; content: string | null; tool_calls?: readonly WireCall[] }
  | { role: 'tool'; tool_call_id: string; content: string }
type WirePart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string } }
  | { type: 'input_audio'; input_audio: { data: string; format: 'wav' | 'mp3' } }
type WireCall = { id: string; type: 'function'; function: { name: string; arguments: string } }

export type ChatRequest = RequestOptions & {
  model: string
  messages: readonly WireMessage[]
  stream: true
  stream_options: { include_usage: true }
}

type Conversation = {
  model: string
  system: string
  turns: readonly Turn[]
  options: RequestOptions
  /** Default: none. */
  variables?: PromptVariables
}

/** Exactly what is sent, and what View code shows. */
export const buildRequest = ({ model, system, turns, options, variables = {} }: Conversation): ChatRequest => ({
  model,
  messages: [
    ...(system.trim() === '' ? [] : [{ role: 'system' as const, content: fillVariables(system, variables) }]),
    ...turns.filter(saysSomething).flatMap((turn) => toMessages(turn, variables)),
  ],
  ...options,
  stream: true,
  stream_options: { include_usage: true },
})

/** Text files stand before the message, images and audio beside it. What was not kept is not sent. */
const toContent = ({ text, attachments = [] }: SentTurn, variables: PromptVariables): string | readonly WirePart[] => {
  const files = attachments.flatMap((each) => (each.kind === 'text' ? [`${each.name}:\n\n${each.text}`] : []))
  const said = fillVariables(text, variables)
  const whole = [...files, ...(said === '' ? [] : [said])].join('\n\n')
  const media = attachments.flatMap((each) => toPart(each) ?? [])
  return media.length === 0 ? whole : [...(whole === '' ? [] : [{ type: 'text' as const, text: whole }]), ...media]
}

const toPart = (attachment: Attachment): WirePart | null => {
  if (attachment.kind === 'text' || attachment.data === null) return null
  const { kind, type, data } = attachment
  if (kind === 'image') return { type: 'image_url', image_url: { url: `data:${type};base64,${data}` } }
  return { type: 'input_audio', input_audio: { data, format: type.includes('wav') ? 'wav' : 'mp3' } }
}

/** The text of a message, without images and audio. */
export const contentText = (content: string | readonly WirePart[]): string =>
  typeof content === 'string' ? content : content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')

const toMessages = (turn: Turn, variables: PromptVariables): WireMessage[] => {
  if (turn.kind === 'sent') return [{ role: 'user', content: toContent(turn, variables) }]
  if (turn.calls.length === 0) return [{ role: 'assistant', content: turn.text }]
  const tool_calls = turn.calls.map(
    ({ id, name, arguments: text }): WireCall => ({ id, type: 'function', function: { name, arguments: text } }),
  )
  return [
    { role: 'assistant', content: turn.text === '' ? null : turn.text, tool_calls },
    ...turn.calls.map(({ id, result }): WireMessage => ({ role: 'tool', tool_call_id: id, content: result })),
  ]
}
