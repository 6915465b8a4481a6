import { SchemaRefused } from './schema-refused.ts'

/** One schema within a document, as parsed from JSON. */
export type RawSchema = Readonly<Record<string, unknown>>

/** The equivalents of the boolean schemas. */
export const anything: RawSchema = Object.freeze({})
export const never: RawSchema = Object.freeze({ not: {} })

const maxNodes = 100_000
const maxDepth = 128

export interface SchemaDocument {
  readonly root: RawSchema
  /** The schema at a location that requires one. */
  schemaAt(owner: RawSchema, value: unknown, ...steps: string[]): RawSchema
  /** The target of a schema's `$ref`; resolved once. */
  resolve(owner: RawSchema, reference: unknown): RawSchema
  /** The path of a schema, plus some steps below it. */
  schemaPath(schema: object, ...steps: string[]): string[]
}

/** Checks the size and depth of the whole value once, so later steps need not. */
export const createSchemaDocument = (value: unknown): SchemaDocument => {
  const places = new Map<object, { parent: object; step: string }>()
  measure(value, places)

  const schemaPath = (schema: object, ...steps: string[]): string[] => {
    const path = steps.toReversed()
    for (let place = places.get(schema); place !== undefined; place = places.get(place.parent)) path.push(place.step)
    return path.reverse()
  }
  const asSchema = (found: unknown, context: () => string[]): RawSchema => {
    if (found === true) return anything
    if (found === false) return never
    if (isRecord(found)) return found
    throw new SchemaRefused(context(), 'a schema must be an object or a boolean.')
  }
  const root = asSchema(value, () => [])
  const resolved = new Map<RawSchema, RawSchema>()

  return {
    root,
    schemaPath,
    schemaAt: (owner, found, ...steps) => asSchema(found, () => schemaPath(owner, ...steps)),
    resolve: (owner, reference) => {
      const known = resolved.get(owner)
      if (known !== undefined) return known
      const steps = readPointer(reference)
      if (steps === null)
        throw new SchemaRefused(schemaPath(owner), `'$ref' must point into the schema itself, such as '#/$defs/name'.`)
      let found: unknown = value
      for (const step of steps) found = isContainer(found) && Object.hasOwn(found, step) ? found[step] : undefined
      if (found === undefined)
        throw new SchemaRefused(schemaPath(owner), `the reference '${shorten(reference)}' points to nothing.`)
      const target = asSchema(found, () => schemaPath(owner))
      resolved.set(owner, target)
      return target
    },
  }
}

export const isRecord = (value: unknown): value is RawSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isContainer = (value: unknown): value is RawSchema => typeof value === 'object' && value !== null

const measure = (value: unknown, places: Map<object, { parent: object; step: string }>): void => {
  const pending: { value: unknown; depth: number }[] = [{ value, depth: 0 }]
  let nodes = 0
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value: parent, depth } = next
    if (!isContainer(parent)) continue
    if (depth > maxDepth) throw new SchemaRefused([], `the schema is nested more than ${maxDepth} levels deep.`)
    for (const [step, child] of Object.entries(parent)) {
      nodes += 1
      if (nodes > maxNodes) throw new SchemaRefused([], `the schema has more than ${maxNodes} parts.`)
      if (typeof child === 'number' && !Number.isFinite(child))
        throw new SchemaRefused([], 'a number in the schema is too large.')
      if (isContainer(child) && !places.has(child)) places.set(child, { parent, step })
      pending.push({ value: child, depth: depth + 1 })
    }
  }
  // The root is in no other part. Only a cyclic value, which the depth check refuses, could say otherwise.
  if (isContainer(value)) places.delete(value)
}

/** The steps of a JSON pointer in a fragment, or null if the reference leaves the document. */
const readPointer = (reference: unknown): string[] | null => {
  if (typeof reference !== 'string' || !/^#(\/|$)/.test(reference)) return null
  try {
    const steps = decodeURIComponent(reference.slice(1)).split('/').slice(1)
    return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  } catch {
    return null
  }
}

const shorten = (reference: unknown): string => {
  const shown = String(reference)
  return shown.length > 100 ? `${shown.slice(0, 100)}…` : shown
}
