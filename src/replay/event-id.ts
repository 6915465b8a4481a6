/** The `id:` of an event: the completion it belongs to, and its number, counted from 0. */
export const eventId = (completionId: string, index: number): string => `${completionId}:${index}`

/** Null if it is not such an id. */
export const parseEventId = (text: string): { completionId: string; index: number } | null => {
  const [, completionId, digits] = /^([a-z]{1,20}[-_][0-9A-Za-z]{1,100}):(0|[1-9]\d{0,14})$/.exec(text) ?? []
  return completionId === undefined ? null : { completionId, index: Number(digits) }
}
