import type { Ticket } from './protocol.ts'

/** Small numbers that are used again, so that what belongs to them can be kept in an array. */
export interface Tickets {
  /** Null if too many are in use. */
  take(): Ticket | null
  giveBack(ticket: Ticket): void
}

export const createTickets = (max: number): Tickets => {
  const free: Ticket[] = []
  let used = 0
  return {
    take() {
      const again = free.pop()
      if (again !== undefined) return again
      if (used === max) return null
      used += 1
      return used - 1
    },
    giveBack: (ticket) => void free.push(ticket),
  }
}
