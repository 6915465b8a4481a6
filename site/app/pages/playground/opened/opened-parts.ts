import type { Attachment } from '../attachments.ts'
import { stringOrEmpty } from '../saved-values.ts'
import type { PlaygroundSettings } from '../settings.ts'
import { newAnswer, newTurnId, type Turn } from '../turns.ts'

/** A message of a stored request, in the words of none of the endpoints. */
export type OpenedMessage =
  | { role: 'system'; text: string }
  | { role: 'user'; text: string; attachments: readonly Attachment[] }
  | { role: 'assistant'; text: string; calls: readonly OpenedCall[] }
  | { role: 'result'; callId: string; text: string }
export type OpenedCall = { id: string; name: string; arguments: string }

/** What a stored request says, whichever endpoint it was sent to. */
export type OpenedParts = {
  messages: readonly OpenedMessage[]
  settings: Partial<PlaygroundSettings>
  /** What the playground has no field for, in the words of the request. */
  leftOut: readonly string[]
}

/** The turns of a conversation. Results belong to their calls. */
export const toTurns = (messages: readonly OpenedMessage[], model: string): Turn[] => {
  const results = new Map(messages.flatMap((each) => (each.role === 'result' ? [[each.callId, each.text]] : [])))
  return messages.flatMap((message): Turn[] => {
    if (message.role === 'user') {
      const { text, attachments } = message
      return [{ kind: 'sent', id: newTurnId(), text, ...(attachments.length === 0 ? {} : { attachments }) }]
    }
    if (message.role !== 'assistant') return []
    const calls = message.calls.map((call) => ({ ...call, result: results.get(call.id) ?? '' }))
    const outcome = { kind: 'finished', reason: 'stop' } as const
    return [{ ...newAnswer({ model, isJson: false }), text: message.text, outcome, calls }]
  })
}

/** What stands in a stored body for an image or a recording: these are never stored. */
const placeholder = /^\[([\w.+/-]*), (\d+) bytes\]$/

/** A file that was not stored, by its name and size; null for one that only has an address. */
export const missingMedia = (kind: 'image' | 'audio', value: unknown): Attachment | null => {
  const [, type = '', bytes = ''] = placeholder.exec(stringOrEmpty(value)) ?? []
  return type === '' ? null : { kind, name: type, type, bytes: Number(bytes), data: null }
}

const longest = 64

/** A part of a request by its name, and by its value where that tells more. */
export const partName = (name: string, value?: unknown): string =>
  typeof value === 'string' && value !== '' ? `${name}: ${value.slice(0, longest)}` : name
