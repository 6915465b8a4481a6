/** The cause of an error: what an upstream answered instead of an answer. Its body may repeat the prompt, so it is not kept. */
export class UpstreamStatus extends Error {
  readonly status: number
  /** How long the upstream asked us to wait; null if it did not. */
  readonly retryAfterMs: number | null

  /** It says that the request belongs to its Responses API. */
  readonly namesResponses: boolean

  constructor(status: number, retryAfterMs: number | null, namesResponses = false) {
    super(`the upstream answered with status ${status}`)
    this.status = status
    this.retryAfterMs = retryAfterMs
    this.namesResponses = namesResponses
  }
}
