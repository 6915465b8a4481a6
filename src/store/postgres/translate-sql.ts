import type { NamedValues, Value, Values } from '../operations/query.ts'

/** A statement with `$1`, `$2`… and, where its values have names, their names in that order. */
type Translated = { readonly text: string; readonly names: readonly string[] }

const known = new Map<string, Translated>()

/** What operations write as `?` or `$name` becomes `$1`, `$2`…: the same name is the same number. */
export const translateSql = (sql: string): Translated => {
  let translated = known.get(sql)
  if (translated === undefined) {
    translated = translate(sql)
    known.set(sql, translated)
  }
  return translated
}

export const bindValues = ({ names }: Translated, values: Values): Value[] => {
  const [only] = values
  const bound = isNamed(only) ? names.map((name) => namedValue(only, name)) : asPositional(values)
  return bound.map((value) => (typeof value === 'string' ? withoutNul(value) : value))
}

/** Strings, quoted names, comments and `$$` bodies are copied as they are; then a parameter; then anything else. */
const token = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|\?|\$([a-z]\w*)/gi

const translate = (sql: string): Translated => {
  const names: string[] = []
  let positional = 0
  const text = sql.replace(token, (match: string, name: string | undefined) => {
    if (match === '?') {
      positional += 1
      return `$${positional}`
    }
    if (name === undefined) return match
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  })
  if (positional > 0 && names.length > 0) throw new Error(`a statement has both ? and names: ${sql}`)
  return { text, names }
}

const isNamed = (value: Value | NamedValues | undefined): value is NamedValues =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array)

const namedValue = (values: NamedValues, name: string): Value => {
  const value = values[name]
  if (value === undefined) throw new Error(`a statement has no value for $${name}`)
  return value
}

/** True because named values are one object, which `isNamed` recognises. */
const asPositional = (values: Values): readonly Value[] => values as readonly Value[]

/** PostgreSQL's text cannot contain NUL, which a name from a JSON document can. */
const withoutNul = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text)
