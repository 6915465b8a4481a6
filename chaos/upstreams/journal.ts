/** Lines of the journals of this run, see `ledger/journal.ts`. */
export type CallEntry =
  | { event: 'sent'; call: string; id: string; words: number; stream: boolean; maxTokens: number | null }
  | {
      event: 'ended'
      call: string
      how: 'complete' | 'failed' | 'refused' | 'left' | 'broken' | 'silent'
      requestId: string | null
      status: number | null
      code: string | null
      text: string
      finishReason: string | null
      completionTokens: number | null
      /** Events that are not well-formed, or after the end. */
      malformed: number
      /** The answer was stored, for a retry. */
      isReplayed: boolean
    }

export type FaultEntry = { event: 'killed' | 'started' | 'paused' | 'resumed'; upstream: string }
