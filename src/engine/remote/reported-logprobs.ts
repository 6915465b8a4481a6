import { isRecord } from '../../base/is-record.ts'
import type { EngineEvent, TokenLogprob } from '../contract.ts'

/**
 * Matches the tokens with log probabilities that an upstream reports to the text that it sends, so that each becomes a
 * token. An upstream may report a token before the character that it is part of is complete, so both wait for each other.
 */
export interface ReportedLogprobs {
  push(text: string, entries: unknown, events: EngineEvent[]): void
  /** The answer has ended: the rest of the text. Tokens without text, such as vLLM's end of a message, are left out. */
  flush(events: EngineEvent[]): void
}

type Token = { bytes: Buffer; logprob: TokenLogprob }

const maxHeldBytes = 4096
const maxHeldTokens = 4096
/** After so many texts without a token the upstream is taken to report none, and texts no longer wait. */
const maxUnreportedTexts = 8

export const createReportedLogprobs = (): ReportedLogprobs => {
  let text = Buffer.alloc(0)
  let tokens: Token[] = []
  let hasReported = false
  let unreportedTexts = 0

  /** The tokens do not match the text: the text counts. */
  const release = (events: EngineEvent[]): void => {
    if (text.length > 0) events.push({ type: 'token', id: null, bytes: text })
    text = Buffer.alloc(0)
    tokens = []
  }
  return {
    push(added, entries, events) {
      if (added !== '') {
        text = Buffer.concat([text, Buffer.from(added)])
        unreportedTexts += 1
      }
      for (const entry of Array.isArray(entries) ? entries : []) {
        const token = readToken(entry)
        if (token !== null) tokens.push(token)
      }
      hasReported ||= tokens.length > 0
      let matched = 0
      for (const token of tokens) {
        if (!startsWith(text, token.bytes)) break
        text = text.subarray(token.bytes.length)
        events.push({ type: 'token', id: null, ...token })
        matched += 1
      }
      tokens = tokens.slice(matched)
      const [next] = tokens
      const mayMatch =
        next === undefined ? hasReported || unreportedTexts <= maxUnreportedTexts : startsWith(next.bytes, text)
      if (!mayMatch || text.length > maxHeldBytes || tokens.length > maxHeldTokens) release(events)
    },
    flush: release,
  }
}

const startsWith = (bytes: Buffer, start: Buffer): boolean => bytes.subarray(0, start.length).equals(start)

const readToken = (entry: unknown): Token | null => {
  const one = readCandidate(entry)
  if (one === null || !isRecord(entry)) return null
  const top = Array.isArray(entry.top_logprobs) ? entry.top_logprobs : []
  return {
    bytes: one.bytes,
    logprob: {
      logprob: one.logprob,
      // Reported as it is: only an engine that knows the rank can tell that a token is unlikely.
      rank: 0,
      top: top.slice(0, maxTop).flatMap((likely) => readCandidate(likely) ?? []),
    },
  }
}

const maxTop = 20
const leastLogprob = -9999

const readCandidate = (entry: unknown): { id: number; bytes: Buffer; logprob: number } | null => {
  if (!isRecord(entry) || typeof entry.token !== 'string') return null
  const { token, bytes, logprob } = entry
  const isBytes = Array.isArray(bytes) && bytes.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255)
  const value = typeof logprob === 'number' && !Number.isNaN(logprob) ? logprob : leastLogprob
  return {
    id: 0,
    bytes: isBytes ? Buffer.from(bytes) : Buffer.from(token),
    logprob: Math.min(0, Math.max(leastLogprob, value)),
  }
}
