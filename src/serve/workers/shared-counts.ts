import type { RequestCounts } from '../../store/ledger-contract.ts'

/** How many requests one worker may have at once. */
export const maxTickets = 65_536

const fields = 5

/**
 * The counts of running answers in memory that a worker and its authority share, by ticket. A worker writes them with every
 * token; no message could be as cheap, and they outlive the worker. Each number only grows while it is read, so that a reading
 * between two of them is never more than was sent.
 */
export interface SharedCounts {
  readonly memory: SharedArrayBuffer
  write(ticket: number, counts: RequestCounts): void
  read(ticket: number): RequestCounts
}

export const createSharedCounts = (
  memory = new SharedArrayBuffer(maxTickets * fields * Int32Array.BYTES_PER_ELEMENT),
): SharedCounts => {
  const numbers = new Int32Array(memory)
  const at = (index: number): number => numbers[index] ?? 0
  return {
    memory,
    write(ticket, { promptTokens, cachedTokens, completionTokens, reasoningTokens, isEstimated = false }) {
      const first = ticket * fields
      numbers[first] = promptTokens
      numbers[first + 1] = cachedTokens
      numbers[first + 2] = completionTokens
      numbers[first + 3] = reasoningTokens
      numbers[first + 4] = isEstimated ? 1 : 0
    },
    read(ticket) {
      const first = ticket * fields
      return {
        promptTokens: at(first),
        cachedTokens: at(first + 1),
        completionTokens: at(first + 2),
        reasoningTokens: at(first + 3),
        isEstimated: at(first + 4) === 1,
      }
    },
  }
}
