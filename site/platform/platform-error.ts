import type { LimitName } from '../../src/platform/contract/limits.ts'
import { limitNames, limitWireNames } from '../../src/store/limit-names.ts'

const limitScopes = ['key', 'organisation', 'server', 'owner', 'address'] as const

/** The limit that refused a request, and when it would admit it. */
export type RefusingLimit = {
  name: LimitName | 'refusedRequestsPerMinute' | 'bodyBytesInFlight'
  scope: (typeof limitScopes)[number]
  limit: number
  used: number
  requested: number
  resetsAt: number | null
}

/** A request to the platform that was refused or never arrived. `code` chooses the words that the reader sees. */
export class PlatformError extends Error {
  readonly status: number
  readonly code: string
  readonly param: string | null
  readonly requestId: string | null
  /** When to try again, where the server said. */
  readonly retryAfterMs: number | null
  /** The same as a moment, which does not move while the error is shown. */
  readonly retryAt: number | null
  readonly limit: RefusingLimit | null

  constructor(options: {
    status: number
    code: string
    message: string
    param?: string | null
    requestId?: string | null
    retryAfterMs?: number | null
    limit?: RefusingLimit | null
  }) {
    super(options.message)
    this.status = options.status
    this.code = options.code
    this.param = options.param ?? null
    this.requestId = options.requestId ?? null
    this.retryAfterMs = options.retryAfterMs ?? null
    this.retryAt = this.retryAfterMs === null ? null : Date.now() + this.retryAfterMs
    this.limit = options.limit ?? null
  }
}

export const offlineError = (): PlatformError =>
  new PlatformError({ status: 0, code: 'offline', message: 'the server could not be reached' })

/** The error object of a response, in OpenAI's form or Anthropic's; anything else counts as a server error. */
export const readPlatformError = async (response: Response): Promise<PlatformError> => {
  const body: unknown = await response.json().catch(() => null)
  const error = readField(body, 'error')
  const details = readField(error, 'details')
  const code = textOrNull(readField(error, 'code')) ?? textOrNull(readField(details, 'error_code'))
  const retryAfter = response.headers.get('retry-after')
  return new PlatformError({
    status: response.status,
    code: code ?? (response.status >= 500 ? 'server_fault' : 'refused'),
    message: textOrNull(readField(error, 'message')) ?? `status ${response.status}`,
    param: textOrNull(readField(error, 'param')),
    requestId: response.headers.get('x-request-id'),
    retryAfterMs: retryAfter === null ? null : Number(retryAfter) * 1000,
    limit: readErrorLimit(readField(error, 'limit') ?? readField(details, 'limit')),
  })
}

const namesOfLimits: ReadonlyMap<unknown, RefusingLimit['name']> = new Map<unknown, RefusingLimit['name']>([
  ...limitNames.map((name) => [limitWireNames[name], name] as const),
  ['refused_requests_per_minute', 'refusedRequestsPerMinute'],
  ['body_bytes_in_flight', 'bodyBytesInFlight'],
])

/** `limit` of an error; null if it has none. */
export const readErrorLimit = (value: unknown): RefusingLimit | null => {
  const name = namesOfLimits.get(readField(value, 'name'))
  const scope = limitScopes.find((each) => each === readField(value, 'scope'))
  if (name === undefined || scope === undefined) return null
  const figure = (field: string): number => Number(readField(value, field) ?? 0)
  const resetsAt = readField(value, 'resets_at')
  return {
    ...{ name, scope, limit: figure('limit'), used: figure('used'), requested: figure('requested') },
    resetsAt: typeof resetsAt === 'number' ? resetsAt * 1000 : null,
  }
}

const readField = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
