import { isObject } from '../../../http/schema/containers.ts'

type Fields = Readonly<Record<string, unknown>>

/** How the provider signs in elsewhere. */
const secretNames: ReadonlySet<string> = new Set(['authorization', 'headers', 'domain_secrets'])

/** A built-in tool as it is shown and stored: without secrets, however deep they are. Bodies are only as deep as `parseJson` allows. */
export const withoutSecrets = (tool: Fields): Fields =>
  Object.fromEntries(
    Object.entries(tool).flatMap(([name, value]) => (secretNames.has(name) ? [] : [[name, cleaned(value)]])),
  )

const cleaned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(cleaned)
  return isObject(value) ? withoutSecrets(value) : value
}

/** The same for a whole body, of which functions and custom tools have nothing to hide. */
export const bodyWithoutSecrets = (body: Fields): Fields =>
  Array.isArray(body.tools) && body.tools.some(isBuiltIn)
    ? { ...body, tools: body.tools.map((tool) => (isBuiltIn(tool) ? withoutSecrets(tool) : tool)) }
    : body

const isBuiltIn = (tool: unknown): tool is Record<string, unknown> =>
  isObject(tool) && tool.type !== 'function' && tool.type !== 'custom'
