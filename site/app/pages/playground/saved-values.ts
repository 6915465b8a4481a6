/** What was saved may come from another version of the site: a value of another kind is as none. */
export const stringOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '')
export const numberOrNull = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null
