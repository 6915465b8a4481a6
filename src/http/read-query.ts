import type { IncomingMessage } from 'node:http'
import { Problem } from './schema/problem.ts'
import { boolean, integer } from './schema/scalars.ts'
import { type Schema, schema } from './schema/schema.ts'

/**
 * The query of a request, validated like a body: text in, a typed value out. `name[key]=value` is a key of the object `name`;
 * of a duplicate name the last value counts.
 */
export const readQuery = <Value>({ url = '' }: Pick<IncomingMessage, 'url'>, expected: Schema<Value>): Value => {
  try {
    return expected(parseQuery(url))
  } catch (error) {
    throw error instanceof Problem ? error.toApiError() : error
  }
}

/** Every value of a query is text; this accepts the text of an integer. */
export const integerText = (range: { min: number; max: number }): Schema<number> => {
  const inner = integer(range)
  return schema(inner.json, (value) =>
    inner(typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value),
  )
}

/** The text of a boolean. */
export const booleanText: Schema<boolean> = schema(boolean.json, (value) =>
  boolean(value === 'true' ? true : value === 'false' ? false : value),
)

/** Decoding never fails: an invalid escape stays as it is, and invalid UTF-8 becomes U+FFFD. */
const parseQuery = (url: string): Record<string, unknown> => {
  const start = url.indexOf('?')
  const query = new Map<string, string | Map<string, string>>()
  for (const [sent, value] of new URLSearchParams(start === -1 ? '' : url.slice(start + 1))) {
    const [, name = sent, key] = /^([^[]+)\[(.*)\]$/s.exec(sent) ?? []
    const known = query.get(name)
    if (key === undefined) query.set(name, value)
    else query.set(name, (known instanceof Map ? known : new Map<string, string>()).set(key, value))
  }
  const values = [...query].map(([name, value]) => [name, value instanceof Map ? Object.fromEntries(value) : value])
  return Object.fromEntries(values)
}
