import fc, { type Arbitrary } from 'fast-check'

type Json = Record<string, unknown>
/** `at` selects a part of the body, counted through all of them. */
type Edit = { at: number; action: 'replace' | 'remove' | 'double'; value: unknown }

/** What is likely to be treated in a special way somewhere. */
const oddValues = [null, '', 0, -1, 1.5, 2 ** 53, [], {}, true, 'auto', '\uD800', '\u0000', [[]], [null], { type: 'x' }]

const edit: Arbitrary<Edit> = fc.record({
  at: fc.nat(),
  action: fc.constantFrom('replace', 'replace', 'remove', 'double'),
  value: fc.oneof(fc.constantFrom<unknown[]>(...oddValues), fc.jsonValue({ maxDepth: 3 })),
})

/**
 * Bodies for an endpoint: a few samples of known fields together, of which up to three parts are replaced, removed or
 * doubled. Many are valid, and the others are nearly so, which reaches further into the server than arbitrary JSON.
 */
export const editedBody = (base: Json, samples: readonly Json[]): Arbitrary<Json> =>
  fc
    .record({
      chosen: fc.array(fc.constantFrom(...samples), { maxLength: 4 }),
      edits: fc.array(edit, { maxLength: 3 }),
    })
    .map(({ chosen, edits }) => edits.reduce<Json>(edited, structuredClone(Object.assign({}, base, ...chosen))))

type Part = { holder: Json; key: string }

/** Every member of the objects and arrays, outermost first. */
const partsOf = (body: Json): Part[] => {
  const parts: Part[] = []
  const queue: Json[] = [body]
  for (const holder of queue)
    for (const key of Object.keys(holder)) {
      parts.push({ holder, key })
      const value = holder[key]
      if (typeof value === 'object' && value !== null) queue.push(value as Json)
    }
  return parts
}

const edited = (body: Json, { at, action, value }: Edit): Json => {
  const parts = partsOf(body)
  const { holder, key } = parts[at % Math.max(1, parts.length)] ?? { holder: body, key: 'extra' }
  if (action === 'replace') holder[key] = structuredClone(value)
  else if (action === 'remove') delete holder[key]
  else holder[`${key}_2`] = structuredClone(holder[key])
  return body
}
