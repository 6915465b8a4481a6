import { createHash } from 'node:crypto'

/** SHA-256 of a request body, regardless of key order and white space: a client may serialise it again for a retry. */
export const bodyHash = (body: unknown): Uint8Array => createHash('sha256').update(canonicalJson(body)).digest()

/** Recursion is safe: the depth of a body was limited when it was read. */
const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const pairs = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${pairs.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`
}
