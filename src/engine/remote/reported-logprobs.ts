import type { EngineEvent, TokenLogprob } from '../contract.ts'
import { isRecord } from './is-record.ts'

/**
 * Matches the tokens with log probabilities that an upstream reports to the text that it sends, so that each becomes a
 * token. An upstream may report a token before the character that it is part of is complete, so both wait for each other.
 */
export interface ReportedLogprobs {
  push(text: string, entries: unknown, events: EngineEvent[]): void
  /** The answer has ended: the rest of the text. */
  flush(events: EngineEvent[]): void
}

type Token = { bytes: Buffer; logprob: TokenLogprob }

const mostHeldBytes = 4096

export const createReportedLogprobs = (): ReportedLogprobs => {
  let text = Buffer.alloc(0)
  let tokens: Token[] = []

  /** The tokens do not match the text: the text counts. */
  const release = (events: EngineEvent[]): void => {
    if (text.length > 0) events.push({ type: 'token', id: null, bytes: text })
    text = Buffer.alloc(0)
    tokens = []
  }
  return {
    push(added, entries, events) {
      if (added !== '') text = Buffer.concat([text, Buffer.from(added)])
      for (const entry of Array.isArray(entries) ? entries : []) {
        const token = tokenOf(entry)
        if (token !== null) tokens.push(token)
      }
      const reported = Buffer.concat(tokens.map(({ bytes }) => bytes))
      if (reported.equals(text)) {
        for (const { bytes, logprob } of tokens) events.push({ type: 'token', id: null, bytes, logprob })
        text = Buffer.alloc(0)
        tokens = []
        return
      }
      const common = Math.min(reported.length, text.length)
      const mayMatch = reported.subarray(0, common).equals(text.subarray(0, common))
      if (!mayMatch || Math.max(reported.length, text.length) > mostHeldBytes) release(events)
    },
    flush: release,
  }
}

const tokenOf = (entry: unknown): Token | null => {
  const one = likelyOf(entry)
  if (one === null || !isRecord(entry)) return null
  const top = Array.isArray(entry.top_logprobs) ? entry.top_logprobs : []
  return {
    bytes: one.bytes,
    logprob: {
      logprob: one.logprob,
      // Reported as it is: only an engine that knows the rank can tell that a token is unlikely.
      rank: 0,
      top: top.slice(0, mostTop).flatMap((likely) => likelyOf(likely) ?? []),
    },
  }
}

const mostTop = 20
const leastLogprob = -9999

const likelyOf = (entry: unknown): { id: number; bytes: Buffer; logprob: number } | null => {
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
