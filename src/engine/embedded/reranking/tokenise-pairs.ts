import type { ScoredPairs } from '../../scored-pairs.ts'
import type { TextRole } from '../embedding/open-embedder.ts'
import {
  type InputRefusal,
  requestTokenLimit,
  type TokenisedInputs,
  tokeniseStart,
} from '../embedding/tokenise-inputs.ts'
import type { PairFormat } from './pair-format.ts'

type PairTokeniser = {
  contextTokens: number
  format: PairFormat
  tokenise(text: string, as: TextRole): Promise<Uint32Array>
}

/** What is around every document of a query. */
type Surroundings = { query: string; before: Uint32Array; after: Uint32Array; isComplete: boolean }
type Pair = { document: string; around: Surroundings }
type TokenisedPair = { tokens: Uint32Array } | { refusal: PairRefusal }
type PairRefusal = Omit<Extract<InputRefusal, { isComplete: boolean }>, 'index'>

/** Each pair as one input. Stops at the first that cannot be scored, without tokenising much more than the limits allow. */
export const tokenisePairs = async (
  pairs: ScoredPairs,
  tokeniser: PairTokeniser,
  isWanted: () => boolean,
): Promise<TokenisedInputs> => {
  const inputs: Uint32Array[] = []
  let total = 0
  let around: Surroundings | null = null
  for (const [index, document] of pairs.documents.entries()) {
    if (!isWanted()) break
    const query = pairs.queries[pairs.queries.length === 1 ? 0 : index] ?? ''
    if (around?.query !== query) around = await surround(query, tokeniser)
    const outcome = await tokenisePair({ document, around }, pairs, tokeniser)
    if ('refusal' in outcome) return { refusal: { ...outcome.refusal, index } }
    if (outcome.tokens.length === 0) return { refusal: { reason: 'empty', index } }
    total += outcome.tokens.length
    if (total > requestTokenLimit) return { refusal: { reason: 'too_many_tokens', limit: requestTokenLimit } }
    inputs.push(outcome.tokens)
  }
  return { inputs }
}

const surround = async (query: string, { format, contextTokens, tokenise }: PairTokeniser): Promise<Surroundings> => {
  if (format.type === 'tokens') {
    const { tokens, isComplete } = await tokeniseStart(query, contextTokens, (text) => tokenise(text, 'part'))
    const before = Uint32Array.from([...format.start, ...tokens, ...format.between])
    return { query, before, after: Uint32Array.from(format.end), isComplete }
  }
  const [start = '', ...rest] = format.text.split('{document}')
  const fill = async (text: string) => {
    // A query that spells a control token is kept apart from the template, so that it stays text.
    if (!format.spellsControl(query))
      return tokeniseStart(
        text.replaceAll('{query}', () => query),
        contextTokens,
        (all) => tokenise(all, 'template'),
      )
    const [first = '', ...others] = text.split('{query}')
    let tokens = await tokenise(first, 'template')
    for (const other of others) {
      const own = await tokeniseStart(query, contextTokens, (part) => tokenise(part, 'part'))
      tokens = concat(tokens, own.tokens, await tokenise(other, 'template'))
      if (!own.isComplete) return { tokens, isComplete: false }
    }
    return { tokens, isComplete: true }
  }
  const [before, after] = [await fill(start), await fill(rest.join(''))]
  const isComplete = before.isComplete && after.isComplete
  return { query, before: before.tokens, after: after.tokens, isComplete }
}

const tokenisePair = async (
  { document, around }: Pair,
  { maxDocumentTokens, maxPairTokens }: ScoredPairs,
  tokeniser: PairTokeniser,
): Promise<TokenisedPair> => {
  const { before, after } = around
  const isCutToFit = maxPairTokens !== null
  const limit = Math.min(
    tokeniser.contextTokens,
    isCutToFit && maxPairTokens > 0 ? maxPairTokens : Number.POSITIVE_INFINITY,
  )
  const aroundTokens = before.length + after.length
  const room = limit - aroundTokens
  if (!around.isComplete || room < 1)
    return { refusal: { reason: 'query_too_long', tokens: aroundTokens, isComplete: around.isComplete } }
  const maxTokens = maxDocumentTokens ?? Number.POSITIVE_INFINITY
  const own = await tokeniseStart(document, Math.min(room, maxTokens), (text) => tokeniser.tokenise(text, 'part'))
  const allowed = Math.min(own.tokens.length, maxTokens)
  if (allowed > room && !isCutToFit) {
    const isComplete = own.isComplete || allowed < own.tokens.length
    return { refusal: { reason: 'too_long', tokens: aroundTokens + allowed, isComplete } }
  }
  const used = own.tokens.subarray(0, Math.min(allowed, room))
  if (own.isComplete && used.length === own.tokens.length) {
    const tokens = await tokeniseTemplate(document, around.query, tokeniser)
    if (tokens !== null && tokens.length <= limit) return { tokens }
  }
  return { tokens: concat(before, used, after) }
}

/**
 * Of a text that fits the context, a token rarely has more characters. A query of megabytes may have few tokens all the same,
 * because many tokenizers drop white space, and would be tokenised again with each document.
 */
const maxCharsPerToken = 64

/** In one piece, where tokens may reach across the ends of query and document. Null without a template. */
const tokeniseTemplate = async (
  document: string,
  query: string,
  { format, contextTokens, tokenise }: PairTokeniser,
): Promise<Uint32Array | null> => {
  if (query.length + document.length > maxCharsPerToken * contextTokens) return null
  if (format.type !== 'template' || format.spellsControl(query) || format.spellsControl(document)) return null
  const filled = format.text.replaceAll(/\{(query|document)\}/g, (_, name) => (name === 'query' ? query : document))
  return tokenise(filled, 'template')
}

const concat = (...parts: readonly Uint32Array[]): Uint32Array => {
  const joined = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}
