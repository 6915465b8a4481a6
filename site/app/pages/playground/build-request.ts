import type { RequestOptions } from './check-settings.ts'
import { fillVariables, type PromptVariables } from './prompt-variables.ts'
import { saysSomething, type Turn } from './turns.ts'

type WireMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls?: readonly WireCall[] }
  | { role: 'tool'; tool_call_id: string; content: string }
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

const toMessages = (turn: Turn, variables: PromptVariables): WireMessage[] => {
  if (turn.kind === 'sent') return [{ role: 'user', content: fillVariables(turn.text, variables) }]
  if (turn.calls.length === 0) return [{ role: 'assistant', content: turn.text }]
  const tool_calls = turn.calls.map(
    ({ id, name, arguments: text }): WireCall => ({ id, type: 'function', function: { name, arguments: text } }),
  )
  return [
    { role: 'assistant', content: turn.text === '' ? null : turn.text, tool_calls },
    ...turn.calls.map(({ id, result }): WireMessage => ({ role: 'tool', tool_call_id: id, content: result })),
  ]
}
