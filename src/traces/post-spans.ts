import { type ClientRequest, Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Clock } from '../base/clock.ts'
import { isRecord } from '../base/is-record.ts'
import { parseJsonText } from '../base/parse-json-text.ts'
import { fullVersion } from '../base/version.ts'

/** What became of a batch. */
export type PostOutcome =
  | { type: 'accepted'; rejectedSpans: number; message: string }
  /** The collector will not accept it later either. */
  | { type: 'refused'; reason: string }
  /** It may be sent again, at the earliest after this time if the collector names one. */
  | { type: 'failed'; reason: string; retryAfterMs: number | null }

/** Posts to one collector, on a connection that stays open. Never rejects. */
export interface SpanPost {
  post(body: string, signal: AbortSignal): Promise<PostOutcome>
  close(): void
}

type SpanPostOptions = { url: string; headers: Readonly<Record<string, string>>; clock: Clock }

/** No round number: tests look for timers by their length. */
const timeoutMs = 9_700
const answerLimitBytes = 64 * 1024
/** Those that the specification of OTLP/HTTP names. */
const retryable = new Set([429, 502, 503, 504])

export const createSpanPost = ({ url, headers, clock }: SpanPostOptions): SpanPost => {
  const target = new URL(url)
  const isEncrypted = target.protocol === 'https:'
  const agent = isEncrypted
    ? new HttpsAgent({ keepAlive: true, maxSockets: 1 })
    : new HttpAgent({ keepAlive: true, maxSockets: 1 })
  const send = isEncrypted ? httpsRequest : httpRequest
  return {
    post: (body, signal) =>
      new Promise((resolve) => {
        let request: ClientRequest | null = null
        const end = (outcome: PostOutcome, isReusable = false): void => {
          cancelTimeout()
          signal.removeEventListener('abort', stop)
          resolve(outcome)
          if (!isReusable) request?.destroy()
        }
        const stop = (): void => end(failed('the server is stopping'))
        const cancelTimeout = clock.after(timeoutMs, () => end(failed(`no answer in ${timeoutMs} ms`)))
        signal.addEventListener('abort', stop)
        if (signal.aborted) return stop()
        const own = { 'content-type': 'application/json', 'user-agent': `helix/${fullVersion}` }
        const contentLength = { 'content-length': Buffer.byteLength(body) }
        request = send(target, { method: 'POST', agent, headers: { ...headers, ...own, ...contentLength } })
        request.on('error', ({ message }) => end(failed(message)))
        request.on('response', (response) => {
          const parts: Buffer[] = []
          let bytes = 0
          response.on('data', (part: Buffer) => {
            bytes += part.length
            if (bytes > answerLimitBytes) response.destroy()
            else parts.push(part)
          })
          response.on('error', () => {})
          response.on('close', () => {
            const text = Buffer.concat(parts).toString()
            end(outcomeOf(response.statusCode ?? 0, response.headers['retry-after'], text), response.complete)
          })
        })
        request.end(body)
      }),
    close: () => agent.destroy(),
  }
}

const failed = (reason: string): PostOutcome => ({ type: 'failed', reason, retryAfterMs: null })

const outcomeOf = (status: number, retryAfter: string | undefined, text: string): PostOutcome => {
  if (status >= 200 && status < 300) return { type: 'accepted', ...readPartial(text) }
  const reason = `the collector answered ${status}`
  const seconds = Number(retryAfter ?? 'none')
  if (!retryable.has(status)) return { type: 'refused', reason }
  return { type: 'failed', reason, retryAfterMs: Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null }
}

/** A collector may accept a batch and reject some of its spans. The number is a string in JSON, as it has 64 bits. */
const readPartial = (text: string): { rejectedSpans: number; message: string } => {
  const none = { rejectedSpans: 0, message: '' }
  if (!text.startsWith('{')) return none
  try {
    const answer = parseJsonText(text)
    const partial = isRecord(answer) ? answer.partialSuccess : null
    if (!isRecord(partial)) return none
    const rejected = Number(partial.rejectedSpans ?? 0)
    const message = typeof partial.errorMessage === 'string' ? partial.errorMessage.slice(0, 200) : ''
    return { rejectedSpans: Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0, message }
  } catch {
    return none
  }
}
