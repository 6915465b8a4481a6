/** What is known of one API key after a scenario. One key has one question, or, where a limit is tested, all of them. */
export type Case = {
  calls: readonly CallRecord[]
  /** What the upstream did, request by request. */
  runs: readonly RunRecord[]
  /** What the gateway says it has billed. */
  account: Account
  limit: Limit | null
}

/** One call, as its client saw it. */
export type CallRecord = {
  question: string
  /** Sent with an Idempotency-Key: all calls with this question are the same request. */
  isKeyed: boolean
  /** See `CallEnd` in `ledger/journal.ts`. */
  how: 'complete' | 'failed' | 'refused' | 'left' | 'broken' | 'silent'
  /** The response came to its end, even if nothing in it says so. */
  hasEnded: boolean
  /** Of the prompt, as the upstream counts them. */
  promptTokens: number
  receivedTokens: number
  /** Of the whole answer. */
  answerTokens: number
  /** What was received is the answer, or its beginning. */
  isGenuine: boolean
  finishReason: string | null
  /** Events that cannot be understood, or that come after the end. */
  malformed: number
}

export type RunRecord = { question: string; promptTokens: number; sentTokens: number }

export type Account = {
  /** Requests in the gateway's records. */
  requests: number
  promptTokens: number
  completionTokens: number
  /** Tokens that were taken from the budget of the key, with and without a record. */
  chargedTokens: number
}

export type Limit = { kind: 'tokens' | 'requests'; amount: number }
