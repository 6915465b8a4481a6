/** The limit that refused a request, and when it would admit it. */
export type RefusingLimit = {
  name: string
  scope: 'key' | 'organisation' | 'server'
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
    this.limit = options.limit ?? null
  }
}

export const offlineError = (): PlatformError =>
  new PlatformError({ status: 0, code: 'offline', message: 'the server could not be reached' })

/** The error object of a response; anything else counts as a server error. */
export const readPlatformError = async (response: Response): Promise<PlatformError> => {
  const body: unknown = await response.json().catch(() => null)
  const error = fieldOf(body, 'error')
  const retryAfter = response.headers.get('retry-after')
  return new PlatformError({
    status: response.status,
    code: textOf(fieldOf(error, 'code')) ?? (response.status >= 500 ? 'server_fault' : 'refused'),
    message: textOf(fieldOf(error, 'message')) ?? `status ${response.status}`,
    param: textOf(fieldOf(error, 'param')),
    requestId: response.headers.get('x-request-id'),
    retryAfterMs: retryAfter === null ? null : Number(retryAfter) * 1000,
    limit: readLimit(fieldOf(error, 'limit')),
  })
}

const readLimit = (value: unknown): RefusingLimit | null => {
  const name = textOf(fieldOf(value, 'name'))
  const scope = fieldOf(value, 'scope')
  if (name === null || (scope !== 'key' && scope !== 'organisation' && scope !== 'server')) return null
  const [limit, used, requested] = ['limit', 'used', 'requested'].map((field) => Number(fieldOf(value, field)))
  const resets = textOf(fieldOf(value, 'resets'))
  return {
    ...{ name, scope, limit: limit ?? 0, used: used ?? 0, requested: requested ?? 0 },
    resetsAt: resets === null ? null : Date.parse(resets),
  }
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
