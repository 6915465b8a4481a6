/** Why the database did not do something, for the operator. A host with several addresses fails with several errors. */
export const failureReason = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(failureReason).join(', ')
  return error instanceof Error ? error.message : String(error)
}
