import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Clock } from '../base/clock.ts'
import { fullVersion } from '../base/version.ts'
import type { AttemptOutcome, DeliveryError } from './next-attempt.ts'
import { type TargetGuard, TargetRefused } from './target-guard.ts'

/** From the lookup of the name to the end of the answer. */
const attemptTimeoutMs = 15_000
/** What is read of an answer before the connection is closed. None of it is kept. */
const answerLimitBytes = 4096

type Posting = {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  guard: TargetGuard
  clock: Clock
  signal: AbortSignal
}

/** One attempt. It follows no redirect: whatever that leads to was not checked. Never rejects. */
export const postWebhook = ({ url, headers, body, guard, clock, signal }: Posting): Promise<AttemptOutcome> => {
  const target = URL.parse(url)
  if (target === null) return Promise.resolve(failure('address_not_allowed'))
  try {
    guard.requirePermitted(target)
  } catch (error) {
    return Promise.resolve(failure(errorOf(error)))
  }
  return new Promise((resolve) => {
    let request: ClientRequest | null = null
    let response: IncomingMessage | null = null
    const end = (outcome: AttemptOutcome): void => {
      cancelTimeout()
      signal.removeEventListener('abort', stop)
      resolve(outcome)
      request?.destroy()
    }
    /** What is known by then counts: an endpoint that has answered may be slow to end its answer. */
    const endEarly = (error: DeliveryError): void =>
      end(response === null ? failure(error) : outcomeOf(response.statusCode ?? 0))
    const stop = (): void => endEarly('stopped')
    const cancelTimeout = clock.after(attemptTimeoutMs, () => endEarly('timeout'))
    signal.addEventListener('abort', stop)
    const send = target.protocol === 'https:' ? httpsRequest : httpRequest
    request = send(target, {
      method: 'POST',
      agent: false,
      lookup: guard.lookup(target),
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': `helix/${fullVersion}`,
      },
    })
    request.on('error', (error) => end(failure(errorOf(error))))
    request.on('response', (answer) => {
      response = answer
      let bytes = 0
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > answerLimitBytes) endEarly('timeout')
      })
      answer.on('close', () => endEarly('unreachable'))
    })
    if (signal.aborted) stop()
    else request.end(body)
  })
}

const failure = (error: DeliveryError): AttemptOutcome => ({ status: null, error })

const outcomeOf = (status: number): AttemptOutcome => {
  if (status >= 200 && status < 300) return { status, error: null }
  if (status >= 300 && status < 400) return { status, error: 'redirect' }
  return { status, error: status === 410 ? 'gone' : 'status' }
}

const errorOf = (error: unknown): DeliveryError => {
  if (error instanceof TargetRefused) return error.reason
  const { code } = Object(error)
  if (typeof code !== 'string') return 'unreachable'
  if (/^(ENOTFOUND|EAI_)/.test(code)) return 'dns'
  if (code === 'ECONNREFUSED') return 'refused'
  return /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/.test(code) ? 'tls' : 'unreachable'
}
