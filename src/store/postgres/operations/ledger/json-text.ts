import type { Column } from '../../../operations/ledger/ledger-columns.ts'

/** PostgreSQL's texts cannot contain the character U+0000. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) => (typeof item === 'string' ? item.replaceAll('\0', '\ufffd') : item))

/** The values of `item`, a JSON array in the order of the columns. Those that the first `skip` columns have are left out. */
export const jsonValues = (columns: readonly Column[], skip = 0): string[] =>
  columns.slice(skip).map(({ type }, n) => (type === 'text' ? `item->>${n + skip}` : `(item->>${n + skip})::${type}`))
