type Said = {
  /** How long the upstream asked us to wait. */
  retryAfterMs?: number | null
  /** It says that the request belongs to its Responses API. */
  namesResponses?: boolean
  /** What its provider has granted or was paid for is used up: waiting does not help. */
  isQuotaExceeded?: boolean
}

/** The cause of an error: what an upstream answered instead of an answer. Its body may repeat the prompt, so it is not kept. */
export class UpstreamStatus extends Error {
  readonly status: number
  readonly retryAfterMs: number | null
  readonly namesResponses: boolean
  readonly isQuotaExceeded: boolean

  constructor(status: number, { retryAfterMs = null, namesResponses = false, isQuotaExceeded = false }: Said = {}) {
    super(`the upstream answered with status ${status}${isQuotaExceeded ? ': its quota is used up' : ''}`)
    this.status = status
    this.retryAfterMs = retryAfterMs
    this.namesResponses = namesResponses
    this.isQuotaExceeded = isQuotaExceeded
  }
}
