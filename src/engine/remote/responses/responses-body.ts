import { hash } from 'node:crypto'
import type { NativeItem, Sampling } from '../../contract.ts'
import { jsonPieces, type LongBody, maxLengthPerTurn, writeInTurns } from '../write-in-turns.ts'
import type { SentResponses } from './native-from-chat.ts'

type BodyOptions = {
  model: string
  fields: ReadonlySet<string>
  stream: boolean
  tenant: string
  /** For whom the conversation is, as far as prompts may share anything. */
  scope: string
  /** The text of earlier reasoning is sent back. Otherwise only what the provider has encrypted is. */
  sendsReasoning: boolean
}

/**
 * The JSON of a request to an upstream's Responses API. What Helix stores stays here: the upstream is sent the whole conversation, and
 * is asked to store nothing.
 */
export const responsesBody = (
  { input, members, isTranslated }: SentResponses,
  sampling: Sampling,
  options: BodyOptions,
): string | Promise<LongBody> => {
  const items = input.flatMap((item) => sentItem(item, options))
  const own = JSON.stringify({
    ...ownMembers(sampling, options),
    max_output_tokens: outputLimit(sampling, isTranslated) ?? undefined,
  })
  const further = Object.entries(members).filter(([name]) => isAccepted(name, options))
  const pieces = [
    ...['{"input":[', ...items.flatMap((item, index) => (index === 0 ? [item] : [',', item])), '],'],
    own.slice(1, -1),
    ...further.flatMap(([name, json]) => [
      `,${JSON.stringify(name)}:`,
      callerNames.has(name) ? scopedName(json, options) : json,
    ]),
    '}',
  ]
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  return length > maxLengthPerTurn ? writeInTurns(shortPieces(pieces), options.tenant) : pieces.join('')
}

/** The least limit that OpenAI accepts here. Chat completions may have less, and end at it anyway. */
const leastTokens = 16

/** What is sent as the limit; null: none. */
export const outputLimit = ({ maxTokens }: Pick<Sampling, 'maxTokens'>, isTranslated = false): number | null =>
  maxTokens === null ? null : Math.max(maxTokens, isTranslated ? leastTokens : 0)

const ownMembers = ({ temperature, topP, topLogprobs }: Sampling, { model, stream }: BodyOptions) => ({
  model,
  store: false,
  stream: stream || undefined,
  temperature: temperature ?? undefined,
  top_p: topP ?? undefined,
  top_logprobs: topLogprobs || undefined,
})

/** It has no effect on an upstream that does not accept it. */
const isAccepted = (name: string, { fields }: BodyOptions): boolean =>
  name !== 'reasoning' || fields.has('reasoning_effort')

/** Names that callers choose. The provider knows one account for all of them. */
const callerNames: ReadonlySet<string> = new Set(['prompt_cache_key', 'safety_identifier', 'user'])

/** Always the same within a scope, and another one in each. */
const scopedName = (json: string, { scope }: BodyOptions): string =>
  JSON.stringify(hash('sha256', JSON.stringify([scope, json]), 'base64url'))

const sentItem = ({ json, encrypted }: NativeItem, { sendsReasoning }: BodyOptions): string[] => {
  if (encrypted === undefined || sendsReasoning) return [json]
  return encrypted === null ? [] : [encrypted]
}

function* shortPieces(pieces: readonly string[]): Generator<string, void> {
  for (const piece of pieces) yield* jsonPieces(piece)
}

/** Without reasoning that another provider has encrypted. Null if there is none. */
export const withoutEncrypted = (native: SentResponses): SentResponses | null => {
  const input = native.input.filter(({ encrypted }) => typeof encrypted !== 'string')
  return input.length === native.input.length ? null : { ...native, input }
}
