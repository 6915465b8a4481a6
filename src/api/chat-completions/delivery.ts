import type { ReplayRecord } from '../../store/ledger-contract.ts'
import type { CompletionJson } from './shapes.ts'

/** Closes the books of a request, together with the answer to keep; resolves once that is durable. */
type Settle = (replay?: ReplayRecord) => Promise<void>

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
  /** The whole answer as one document, instead of events. */
  document(completion: CompletionJson): void
  /**
   * All of it was handed over. The connection hears of the end at once, and the books are closed behind it. The readers of
   * a recording hear of it once the books are closed: from then on a retry finds the whole answer, whatever dies.
   */
  end(settle: Settle): Promise<void>
}
