/** A request to the platform that was refused or never arrived. `code` chooses the words that the reader sees. */
export class PlatformError extends Error {
  readonly status: number
  readonly code: string
  readonly param: string | null
  readonly requestId: string | null
  /** When to try again, where the server said. */
  readonly retryAfterMs: number | null

  constructor(options: {
    status: number
    code: string
    message: string
    param?: string | null
    requestId?: string | null
    retryAfterMs?: number | null
  }) {
    super(options.message)
    this.status = options.status
    this.code = options.code
    this.param = options.param ?? null
    this.requestId = options.requestId ?? null
    this.retryAfterMs = options.retryAfterMs ?? null
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
  })
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
