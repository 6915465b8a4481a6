import type { ChatMessage } from '../../../engine/contract.ts'
import { mediaParts } from '../../../engine/media-parts.ts'
import { bodyHash } from '../../../replay/body-hash.ts'
import type { StoredText } from '../../../store/body-contract.ts'
import { cutText } from '../../../usage/body-writer.ts'
import { hideMedia } from '../../generation/media/hide-media.ts'
import type { FieldNeeds } from '../../generation/read-fields.ts'
import { type StoredEchoes, storedEchoesJson } from '../../stored-completions/stored-completion-json.ts'

/**
 * What later steps need of a body as it was sent, so that none of them keeps the body. It is computed where the body is
 * parsed, which for a large one is another thread: serialising megabytes of JSON again would delay every other request.
 */
export type BodyExtracts = {
  /** Approximate length of the text of all messages. */
  messagesBytes: number
  /** Number of strings in the schemas of the tools that the model is shown, names of properties included. */
  toolStrings: number
  /** Tells whether a retry sends the same body; null without an Idempotency-Key. */
  bodyHash: Uint8Array | null
  /** For the request log; null if the organisation keeps no bodies. */
  bodyCopy: StoredText | null
  /** What a stored completion repeats of its request; null without `store`. */
  storedParts: StoredParts | null
}

/** Both as JSON text. */
export type StoredParts = { messages: string; echoes: string }

/** What is known to be needed before the body is read. */
export type NeededExtracts = {
  hash: boolean
  copy: boolean
  /** The length of the context of models that the caller may use, by their names. */
  contexts?: ReadonlyMap<string, number>
} & FieldNeeds

/** `hasMedia`: if the messages are not known yet. */
type ValidatedBody = {
  messages: readonly ChatMessage[]
  calling?: { shown: readonly { parameters: unknown }[] } | null
  store: boolean
  hasMedia?: boolean
}

/** `hashed`: another endpoint than chat completions adds its name, because two of them may accept the same body. */
export const extractFromBody = (
  sent: Readonly<Record<string, unknown>>,
  { messages, calling, store, hasMedia = mediaParts(messages).length > 0 }: ValidatedBody,
  needs: Pick<NeededExtracts, 'hash' | 'copy'>,
  hashed: unknown = sent,
): BodyExtracts => {
  const toJson = hasMedia ? hideMedia : JSON.stringify
  return {
    messagesBytes: messagesBytes(messages),
    toolStrings: calling?.shown.reduce((sum, { parameters }) => sum + stringsIn(parameters), 0) ?? 0,
    bodyHash: needs.hash ? Uint8Array.from(bodyHash(hashed)) : null,
    bodyCopy: needs.copy ? cutText(toJson(sent)) : null,
    storedParts: store ? { messages: toJson(sent.messages), echoes: storedEchoesJson(echoesOf(sent)) } : null,
  }
}

/** The depth of a body was limited before. */
const stringsIn = (value: unknown): number => {
  if (typeof value === 'string') return 1
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + stringsIn(item), 0)
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, item) => sum + 1 + stringsIn(item), 0)
}

export const messagesBytes = (messages: readonly ChatMessage[]): number =>
  messages.reduce((sum, message) => sum + bytesOf(message), 0)

/** What chat templates add around a message. */
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
