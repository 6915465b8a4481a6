/** Deliberately slow schemas of about a given size, from a seed. A search keeps the most expensive ones. */
export type HostileSchema = { motifs: readonly Motif[]; bytes: number }

type Motif = (typeof motifNames)[number]
type Random = (below: number) => number

const motifNames = [
  ...(['layers', 'exclusive', 'together', 'list', 'object', 'tuple', 'pattern', 'numbers'] as const),
  ...(['tagged', 'text', 'value', 'listed pattern', 'empties', 'circle'] as const),
] as const

export const createRandom = (seed: number): Random => {
  let state = seed >>> 0
  return (below) => {
    // Mulberry32: small, and the same on every machine.
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

export const randomSchema = (random: Random, bytes: number): HostileSchema => ({
  motifs: Array.from({ length: 2 + random(8) }, () => anyMotif(random)),
  bytes,
})

/** The same schema with one of its definitions replaced, added or removed. */
export const mutate = ({ motifs, bytes }: HostileSchema, random: Random): HostileSchema => {
  const place = random(motifs.length)
  const way = random(4)
  if (way === 0 && motifs.length < 12) return { motifs: motifs.toSpliced(place, 0, anyMotif(random)), bytes }
  if (way === 1 && motifs.length > 1) return { motifs: motifs.toSpliced(place, 1), bytes }
  return { motifs: motifs.with(place, anyMotif(random)), bytes }
}

const anyMotif = (random: Random): Motif => motifNames[random(motifNames.length)] ?? 'layers'

/** Definitions that each refer to the next and share the available bytes. */
export const schemaOf = ({ motifs, bytes }: HostileSchema, random: Random): Record<string, unknown> => {
  const share = Math.floor(bytes / motifs.length)
  const $defs: Record<string, unknown> = { [`d${motifs.length}`]: { type: ['string', 'null'], maxLength: 9 } }
  for (const [index, motif] of motifs.entries()) $defs[`d${index}`] = write(motif, { share, index, random })
  return { oneOf: [{ $ref: '#/$defs/d0' }, { type: 'number' }], $defs }
}

type Place = { share: number; index: number; random: Random }

const write = (motif: Motif, { share, index, random }: Place): unknown => {
  const next = { $ref: `#/$defs/d${index + 1}` }
  /** As many items of about `size` bytes as fit. */
  const fill = <Item>(size: number, make: (position: number) => Item): Item[] =>
    Array.from({ length: Math.max(1, Math.floor(share / size)) }, (_, position) => make(position))
  const names = (size: number): string[] => fill(size, (position) => `p${position}`)
  switch (motif) {
    case 'layers':
      return { anyOf: fill(22, () => next) }
    case 'exclusive':
      return {
        oneOf: fill(60, (position) => (position === 0 ? next : { enum: [`e${position}`, position] })).slice(0, 100),
      }
    case 'together':
      return { allOf: [next, ...fill(20, (position) => ({ minLength: position % 3 }))] }
    case 'list':
      return { anyOf: [next, { enum: fill(9, (position) => `v${position % (1 + random(9_000))}`) }] }
    case 'object': {
      const properties = Object.fromEntries(names(34).map((name) => [name, next]))
      return { type: 'object', properties, additionalProperties: random(2) === 0, minProperties: random(3) }
    }
    case 'tuple':
      return { type: 'array', prefixItems: fill(22, () => next), minItems: random(4) }
    case 'pattern': {
      const deep = Math.min(60, share >> 3)
      const pattern = `${'('.repeat(deep)}${'a{0,99}|b*'.repeat(1 + (Math.min(share, 9_000) >> 4))}${')*'.repeat(deep)}`
      return { anyOf: [next, { type: 'string', pattern: pattern.slice(0, 9_999), maxLength: 1 + random(500) }] }
    }
    case 'numbers':
      return {
        anyOf: [
          next,
          ...fill(60, (position) => ({ type: 'number', minimum: position / 7, maximum: position * 1e9 + 0.3 })),
        ],
      }
    case 'tagged': {
      const required = ['kind', 'a', 'b', 'c']
      const properties = (position: number) => ({
        kind: { enum: [position, `${position}`] },
        a: next,
        b: next,
        c: next,
      })
      const branch = (position: number) => ({ type: 'object', properties: properties(position), required })
      return { oneOf: fill(170, branch).slice(0, 100) }
    }
    case 'text':
      return { anyOf: [next, { const: 'x'.repeat(share) }], ...(random(2) === 0 ? { minLength: 1 } : {}) }
    case 'value':
      return { anyOf: [next, { const: fill(6, (position) => (random(2) === 0 ? position : [position])) }] }
    case 'listed pattern':
      return {
        type: 'string',
        pattern: '^((a|b|ab)*c?){0,50}(a{0,99}){0,99}$',
        enum: fill(120, (position) => 'ab'.repeat(50) + position),
      }
    case 'empties':
      return { anyOf: [next], examples: fill(3, () => ({})) }
    case 'circle':
      return {
        type: 'object',
        properties: {
          next: { anyOf: [next, { $ref: `#/$defs/d${random(index + 1)}` }] },
          rest: { anyOf: fill(22, () => next) },
        },
      }
  }
}
