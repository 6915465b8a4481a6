/**
 * How columns are read. Everything we count fits a number: a sum that does not is an error, not a wrong number. Yes and
 * no are 1 and 0, as in SQLite.
 */
export const columnTypes = {
  getTypeParser: (type: number) => parsers[type] ?? ((text: string): string => text),
}

const safeInteger = (text: string): number => {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is too large for a number`)
  return number
}

const parsers: Record<number, (text: string) => unknown> = {
  16: (text) => (text === 't' ? 1 : 0), // boolean
  17: (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex')), // bytea, as \x…
  20: safeInteger, // bigint
  21: safeInteger, // smallint
  23: safeInteger, // integer
  1700: safeInteger, // numeric: the sum of bigints
}
