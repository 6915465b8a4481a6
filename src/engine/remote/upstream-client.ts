import type { Clock } from '../../base/clock.ts'
import type { RequestTrace } from '../../traces/request-trace.ts'
import { createCallDescription } from './call-description.ts'
import { openSending } from './sending.ts'
import { type CallLimits, UpstreamCall } from './upstream-call.ts'
import { openUpstreamConnections } from './upstream-connections.ts'
import { accessHeaders, modelPath, type UpstreamAccess } from './upstream-request.ts'
import type { UpstreamTls } from './upstream-tls.ts'
import type { LongBody } from './write-in-turns.ts'

/**
 * HTTP to one model of one upstream, on connections that stay open. Written on undici's `dispatch` with callbacks: `fetch` and web streams
 * cost several times the CPU for each chunk, `node:http` about twice as much. Redirects are not followed, and nothing is
 * decompressed.
 */
export interface UpstreamClient {
  post(path: string, body: string | LongBody, options: PostOptions): UpstreamCall
  close(): void
}

/** `stream`: events are expected, unless the response says something else. `tenant`: whose turn a long body waits for. */
type PostOptions = {
  stream: boolean
  signal: AbortSignal
  tenant: string
  headers?: Readonly<Record<string, string>>
  /** Of the request that it is for; absent if that is not traced. */
  trace?: RequestTrace | undefined
}

type ClientOptions = CallLimits &
  UpstreamAccess & {
    /** Its name at the upstream, which some addresses contain. */
    model: string
    /** Null: connects as to any web server. */
    tls: UpstreamTls | null
    clock: Clock
    /** Its name for operators, in traces. */
    upstream?: string | undefined
  }

export const openUpstreamClient = ({
  model,
  tls,
  silenceLimitMs,
  headLimitMs,
  connectLimitMs,
  clock,
  upstream,
  ...access
}: ClientOptions): UpstreamClient => {
  const { origin, pathname } = new URL(access.baseUrl)
  const connections = openUpstreamConnections({ origin, tls, connectLimitMs, clock })
  const headers = [
    ...['content-type', 'application/json'],
    ...['accept', 'application/json, text/event-stream'],
    ...['accept-encoding', 'identity'],
    ...Object.entries(accessHeaders(access)).flat(),
  ]
  const basePath = pathname.replace(/\/$/, '')
  const describe = createCallDescription({ model, upstream, ...access })
  const limits = { silenceLimitMs, headLimitMs, connectLimitMs }
  return {
    post(path, body, { stream, signal, tenant, headers: further, trace }) {
      const sending = openSending(body, tenant)
      const traced = trace?.calls(() => describe(path)) ?? null
      // Most requests have the same.
      const isSame = further === undefined && sending.headers.length === 0 && traced === null
      const request = {
        path: basePath + modelPath(access, model, path),
        method: 'POST' as const,
        headers: isSame
          ? headers
          : [...headers, ...sending.headers, ...flatEntries(further), ...flatEntries(traced?.headers)],
      }
      return new UpstreamCall({ request, sending, connections, signal, isStream: stream, limits, clock, traced })
    },
    close: () => connections.close(),
  }
}

const flatEntries = (headers: Readonly<Record<string, string>> | undefined): string[] =>
  headers === undefined ? [] : Object.entries(headers).flat()
