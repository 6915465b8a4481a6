import type { ChatMessage } from '../../../engine/contract.ts'
import { bodyHash } from '../../../replay/body-hash.ts'
import type { KeptText } from '../../../store/body-contract.ts'
import { cutText } from '../../../usage/bodies.ts'
import type { StoredEchoes } from '../../stored-completions/stored-completion-json.ts'

/**
 * What later steps need of a body as it came. It is taken where the body is parsed, which for a large one is another thread:
 * writing megabytes of JSON again would hold up everybody.
 */
export type SentBody = {
  /** About how many bytes of text the messages are. */
  messagesBytes: number
  /** Whether a retry asks for the same; null where there is no Idempotency-Key. */
  hash: Uint8Array | null
  /** Null where the organisation has no bodies kept. */
  copy: KeptText | null
  /** Null where the completion is not stored. */
  stored: { messages: string; echoes: StoredEchoes } | null
}

/** What is known to be needed before the body was read. */
export type SentBodyNeeds = { hash: boolean; copy: boolean }

type Checked = { messages: readonly ChatMessage[]; store: boolean }

export const sentBodyOf = (
  sent: Readonly<Record<string, unknown>>,
  { messages, store }: Checked,
  needs: SentBodyNeeds,
): SentBody => ({
  messagesBytes: messages.reduce((sum, message) => sum + bytesOf(message), 0),
  hash: needs.hash ? Uint8Array.from(bodyHash(sent)) : null,
  copy: needs.copy ? cutText(JSON.stringify(sent)) : null,
  stored: store ? { messages: JSON.stringify(sent.messages), echoes: echoesOf(sent) } : null,
})

/** What templates write around a message. */
const frameBytes = 30

const bytesOf = ({ content, reasoning = '', toolCalls = [] }: ChatMessage): number =>
  toolCalls.reduce(
    (sum, call) => sum + frameBytes + Buffer.byteLength(call.name) + Buffer.byteLength(call.arguments),
    frameBytes + Buffer.byteLength(content) + Buffer.byteLength(reasoning),
  )

const echoesOf = (sent: Readonly<Record<string, unknown>>): StoredEchoes => ({
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
