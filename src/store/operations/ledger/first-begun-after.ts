/** The maximum duration of a request, except for those that a dead server left open: they end when the next server starts. */
export const longestRequestMs = 86_400_000

/**
 * A reservation that was made after a moment, and soon after it: with a later sequence than all before the moment. For the
 * moment and the longest request after it, then the moment itself. The ends of requests alone do not tell: one that a dead
 * server left open may have begun long before.
 */
export const firstBegunAfter = `SELECT reservation FROM ledger_settlements WHERE ended_at >= ?
    AND (SELECT created_at FROM ledger_reservations WHERE sequence = reservation) >= ?
  ORDER BY ended_at LIMIT 1`
