import { parseJsonText } from '../../base/parse-json-text.ts'

/**
 * Columns come out of a database without a type: these readers check, so that a wrong query fails here and not far away.
 * Yes and no are 1 and 0 in every database.
 */
export type Row = Record<string, string | number | bigint | null | Uint8Array>

export const text = (row: Row, column: string): string => {
  const value = row[column]
  if (typeof value !== 'string') throw new TypeError(`column ${column} holds no text`)
  return value
}

export const integer = (row: Row, column: string): number => {
  const value = row[column]
  if (typeof value !== 'number') throw new TypeError(`column ${column} holds no number`)
  return value
}

export const integerOrNull = (row: Row, column: string): number | null =>
  row[column] === null ? null : integer(row, column)

export const textOrNull = (row: Row, column: string): string | null => (row[column] === null ? null : text(row, column))

/** One of a closed list of words. */
export const word = <Word extends string>(row: Row, column: string, words: readonly Word[]): Word => {
  const found = words.find((known) => known === row[column])
  if (found === undefined) throw new TypeError(`column ${column} holds no known word`)
  return found
}

export const bytes = (row: Row, column: string): Uint8Array => {
  const value = row[column]
  if (!(value instanceof Uint8Array)) throw new TypeError(`column ${column} holds no bytes`)
  return value
}

/** A JSON array of strings. */
export const texts = (row: Row, column: string): string[] => {
  const list = parseJsonText(text(row, column))
  if (!Array.isArray(list) || !list.every((item) => typeof item === 'string'))
    throw new TypeError(`column ${column} holds no list of texts`)
  return list
}

export const textsOrNull = (row: Row, column: string): string[] | null =>
  row[column] === null ? null : texts(row, column)
