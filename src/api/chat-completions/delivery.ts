import type { ReplayRecord } from '../../store/ledger-contract.ts'
import type { Settling } from '../../usage/ledger.ts'
import type { CompletionJson } from './shapes.ts'

/** Counts the end of the answer as handed over and settles the request, together with the answer to keep. */
type Settle = (replay?: ReplayRecord) => Settling

/** What goes out last: the closing events of a stream, or the whole answer as one document. */
export type ResponseEnd =
  | { type: 'events'; events: readonly string[] }
  | { type: 'document'; completion: CompletionJson }

/**
 * Where an answer goes: straight to the connection of its request, or into a recording that connections read. What was
 * handed to it was told, and counts.
 */
export interface Delivery {
  /**
   * The request may begin. `headers` tells its limits as they are at the moment when the head of the answer goes out; with
   * `usedTokens`, as they will be when the answer behind the head has ended with so many.
   */
  admitted(headers: (usedTokens?: number) => Record<string, string>): void
  /** One event of a stream. Returns a promise only when nobody reads so fast: wait for it before the next one. */
  send(data: string): Promise<void> | undefined
  /**
   * Settles, and hands the end over once that is durable: whoever has received a whole answer finds it billed whole,
   * whatever dies. Throws without settling where nobody is there to hear the end.
   */
  end(end: ResponseEnd, settle: Settle): Promise<void>
}
