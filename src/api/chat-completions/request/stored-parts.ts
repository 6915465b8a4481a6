import { hideMedia } from '../../generation/request/media/hide-media.ts'
import { type StoredEchoes, storedEchoesJson } from '../stored-completion-json.ts'

/** What a stored completion repeats of its request. Both as JSON text, which is written where the body is parsed. */
export type StoredParts = { messages: string; echoes: string }

export const readStoredParts = (sent: Readonly<Record<string, unknown>>, hasMedia: boolean): StoredParts => ({
  messages: hasMedia ? hideMedia(sent.messages) : JSON.stringify(sent.messages),
  echoes: storedEchoesJson(readEchoes(sent)),
})

const readEchoes = (sent: Readonly<Record<string, unknown>>): StoredEchoes => ({
  toolChoice: sent.tool_choice,
  seed: numberOrNull(sent.seed),
  topP: numberOrNull(sent.top_p),
  temperature: numberOrNull(sent.temperature),
  presencePenalty: numberOrNull(sent.presence_penalty),
  frequencyPenalty: numberOrNull(sent.frequency_penalty),
  inputUser: typeof sent.user === 'string' ? sent.user : null,
  tools: sent.tools,
  responseFormat: sent.response_format,
})

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null)
