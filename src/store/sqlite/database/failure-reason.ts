const sqliteBusy = 5

/** Why the database did not do something, for the operator. */
export const failureReason = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const isLocked = 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 255) === sqliteBusy
  return isLocked ? `${error.message} by another program` : error.message
}
