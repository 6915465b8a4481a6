import type { ChatMessage } from '../../../engine/contract.ts'
import { mediaParts } from '../../../engine/media-parts.ts'
import { bodyHash } from '../../../replay/body-hash.ts'
import { cutText } from '../../../usage/body-writer.ts'
import { fewestTokensPerString, type WordLimit } from '../accept/refuse-too-long.ts'
import type { Calling } from './calling.ts'
import type { BodyExtracts, Prompt, RawPrompt } from './generation-request.ts'
import { hideMedia } from './media/hide-media.ts'
import type { FieldNeeds } from './read-fields.ts'

/** What is known to be needed before the body is read. */
export type NeededExtracts = {
  hash: boolean
  copy: boolean
  /** The length of the context of models that the caller may use, by their names. */
  contexts?: ReadonlyMap<string, number>
  /** How many words their prompts have at most, as far as that is known. */
  wordLimits?: ReadonlyMap<string, WordLimit>
  /** The names of models that upstreams answer: a long prompt for one of them is written where it is read. */
  upstreamModels?: ReadonlySet<string>
  /** Those that have upstreams with a Responses API, each with the tools that one of these may run. */
  responsesModels?: ReadonlyMap<string, ReadonlySet<string>>
  /** A text with more bytes is refused, whichever model is requested. */
  maxTextBytes?: number | null
} & FieldNeeds

export type SentBody = {
  sent: Readonly<Record<string, unknown>>
  /** Another endpoint than chat completions adds its name, because two of them may accept the same body. */
  hashed?: unknown
  /** If the messages are not known yet. */
  hasMedia?: boolean
}

export const extractFromBody = (
  { prompt, calling }: { prompt: Prompt; calling: Pick<Calling, 'shown'> | null },
  { sent, hashed = sent, hasMedia = hasMediaIn(prompt) }: SentBody,
  needs: Pick<NeededExtracts, 'hash' | 'copy' | 'contexts'>,
): BodyExtracts => ({
  promptBytes: promptBytes(prompt),
  toolStrings: calling === null ? 0 : stringsIn(calling.shown, maxStrings(needs)),
  bodyHash: needs.hash ? Uint8Array.from(bodyHash(hashed)) : null,
  bodyCopy: needs.copy ? cutText(hasMedia ? hideMedia(sent) : JSON.stringify(sent)) : null,
})

export const hasMediaIn = (prompt: Prompt): boolean => prompt.type === 'chat' && mediaParts(prompt.messages).length > 0

const maxStrings = ({ contexts }: Pick<NeededExtracts, 'contexts'>): number =>
  contexts === undefined ? Number.POSITIVE_INFINITY : Math.max(0, ...contexts.values()) / fewestTokensPerString

const stringsIn = (tools: readonly { parameters: unknown }[], max: number): number => {
  const pending: unknown[] = tools.map(({ parameters }) => parameters)
  let count = 0
  while (pending.length > 0 && count < max) {
    const value = pending.pop()
    if (typeof value === 'string') count += 1
    if (typeof value !== 'object' || value === null) continue
    const inner = Object.values(value)
    if (!Array.isArray(value)) count += inner.length
    for (const item of inner) pending.push(item)
  }
  return count
}

const promptBytes = (prompt: Prompt): number =>
  prompt.type === 'chat'
    ? messagesBytes(prompt.messages)
    : prompt.prompts.reduce((sum: number, one) => sum + rawBytes(one), 0)

export const messagesBytes = (messages: readonly ChatMessage[]): number =>
  messages.reduce((sum, message) => sum + messageBytes(message), 0)

/** The overhead that chat templates add to a message, and upstreams to any text. */
const frameBytes = 30
/** About as long as a token is. */
const tokenBytes = 3

const rawBytes = (prompt: RawPrompt): number =>
  frameBytes + (typeof prompt === 'string' ? Buffer.byteLength(prompt) : tokenBytes * prompt.length)

const messageBytes = ({ content, reasoning = '', toolCalls = [] }: ChatMessage): number =>
  toolCalls.reduce(
    (sum, call) => sum + frameBytes + Buffer.byteLength(call.name) + Buffer.byteLength(call.arguments),
    frameBytes + Buffer.byteLength(content) + Buffer.byteLength(reasoning),
  )
