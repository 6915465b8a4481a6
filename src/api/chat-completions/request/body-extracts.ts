import type { ChatMessage } from '../../../engine/contract.ts'
import { mediaParts } from '../../../engine/media-parts.ts'
import { bodyHash } from '../../../replay/body-hash.ts'
import type { StoredText } from '../../../store/body-contract.ts'
import { cutText } from '../../../usage/body-writer.ts'
import { hideMedia } from '../../generation/media/hide-media.ts'
import type { FieldNeeds } from '../../generation/read-fields.ts'
import { fewestTokensPerString } from '../../generation/refuse-too-long.ts'
import { type StoredEchoes, storedEchoesJson } from '../../stored-completions/stored-completion-json.ts'

/**
 * What later steps need of a body as it was sent, so that none of them keeps the body. It is computed where the body is
 * parsed, which for a large one is another thread: serialising megabytes of JSON again would delay every other request.
 */
export type BodyExtracts = {
  /** Approximate length of the text of all messages. */
  messagesBytes: number
  /**
   * Number of strings in the tools that the model is shown, names of properties included. It is counted up to what no model has
   * room for.
   */
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
  /** Every text with more bytes is refused, whichever model is asked for. */
  maxTextBytes?: number | null
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
  needs: Pick<NeededExtracts, 'hash' | 'copy' | 'contexts'>,
  hashed: unknown = sent,
): BodyExtracts => {
  const toJson = hasMedia ? hideMedia : JSON.stringify
  return {
    messagesBytes: messagesBytes(messages),
    toolStrings: calling ? stringsIn(calling.shown, mostStrings(needs)) : 0,
    bodyHash: needs.hash ? Uint8Array.from(bodyHash(hashed)) : null,
    bodyCopy: needs.copy ? cutText(toJson(sent)) : null,
    storedParts: store ? { messages: toJson(sent.messages), echoes: storedEchoesJson(echoesOf(sent)) } : null,
  }
}

const mostStrings = ({ contexts }: Pick<NeededExtracts, 'contexts'>): number =>
  contexts === undefined ? Number.POSITIVE_INFINITY : Math.max(0, ...contexts.values()) / fewestTokensPerString

const stringsIn = (tools: readonly { parameters: unknown }[], most: number): number => {
  const pending: unknown[] = tools.map(({ parameters }) => parameters)
  let count = 0
  while (pending.length > 0 && count < most) {
    const value = pending.pop()
    if (typeof value === 'string') count += 1
    if (typeof value !== 'object' || value === null) continue
    const inner = Object.values(value)
    if (!Array.isArray(value)) count += inner.length
    for (const item of inner) pending.push(item)
  }
  return count
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
