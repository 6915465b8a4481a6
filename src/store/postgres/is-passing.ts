import { DatabaseError } from 'pg'

/**
 * Read-only, as after a failover; a statement that took too long; a lock that was not available; a serialisation failure;
 * a deadlock.
 */
const codes = new Set(['25006', '57014', '55P03', '40001', '40P01'])
/** Short of disk space, memory or connections; shutting down. */
const classes = ['53', '57P']

/** Whether the failure is temporary: the database answers, but cannot do it at the moment. The caller may try again. */
export const isPassing = (error: unknown): boolean => {
  if (!(error instanceof DatabaseError) || error.code === undefined) return false
  const { code } = error
  return codes.has(code) || classes.some((start) => code.startsWith(start))
}
