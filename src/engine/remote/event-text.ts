import type { EngineEvent } from '../contract.ts'

/** The text that a part adds to the answer. Each byte of a token is one character of it. */
export const eventText = (event: EngineEvent): string => {
  if ('text' in event) return event.text
  if (event.type === 'call') return event.name
  return event.type === 'token' ? Buffer.from(event.bytes).toString('latin1') : ''
}

/** The same part with another text. Log probabilities and pieces belong to the old one. */
export const withEventText = (event: EngineEvent, text: string): EngineEvent => {
  if (event.type === 'text')
    return event.tokens === undefined ? { type: 'text', text } : { type: 'text', text, tokens: event.tokens }
  if ('text' in event) return { ...event, text }
  if (event.type === 'call') return { ...event, name: text }
  return event.type === 'token' ? { type: 'token', id: null, bytes: Buffer.from(text, 'latin1') } : event
}
