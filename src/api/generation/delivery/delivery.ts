import type { ReplayRecord } from '../../../store/replay-contract.ts'
import type { Settling } from '../../../usage/ledger-contract.ts'

/** Counts the end of the response as emitted and settles the request, together with the response to store. */
type Settle = (replay?: ReplayRecord) => Settling

/** What is sent last: the closing events of a stream, or the complete JSON response. */
export type ResponseEnd =
  | { type: 'events'; events: readonly string[] }
  /** The JSON text of the document, in pieces. */
  | { type: 'document'; pieces: readonly string[]; usedTokens: number }

/**
 * Where a response goes: directly to the connection of its request, or into a recording that connections read.
 * Everything passed to it counts as emitted.
 */
export interface Delivery {
  /**
   * The request is admitted. `headers` returns its rate-limit headers as of now; with `usedTokens`, as they will be when the
   * response has ended with that many tokens.
   */
  admitted(headers: (usedTokens?: number) => Record<string, string>): void
  /**
   * Called before anything is sent, with the size of the first token. Throws if there is no space for a response of
   * such tokens.
   */
  begin(tokenBytes: number): void
  /** One event of a stream. Returns a promise only if readers are too slow: wait for it before the next one. */
  send(data: string): Promise<void> | undefined
  /** The same for several. */
  sendAll?(data: readonly string[]): Promise<void> | undefined
  /**
   * Settles, and sends the end once that is durable: a response that was received completely is billed completely, even
   * after a crash. Throws without settling if nobody is there to receive the end.
   */
  end(end: ResponseEnd, settle: Settle): Promise<void>
}
