import fc, { type Arbitrary } from 'fast-check'

/**
 * The valid values at a place in a request, and the errors possible there. Derived from the wire contract, not from our
 * schemas, so that the two can be compared.
 */
export type Kind = {
  right: Arbitrary<unknown>
  /** Whether a value may be valid here; for lists and objects, whether any of them may. */
  takes(value: unknown): boolean
  /** Ways to make a valid value invalid. */
  errors(value: unknown): ErrorNotice[]
  /** The places inside a valid value. */
  inside(value: unknown): [step: string | number, kind: Kind][]
}

/** A replacement for a value. The error must name its path and `at`, or `param` instead of both. */
export type ErrorNotice = { value: unknown; at: string; param?: string }

export type Fields = Record<string, Kind>

const here = (...values: unknown[]): ErrorNotice[] => values.map((value) => ({ value, at: '' }))

/** `wrong`: invalid values that look valid at first sight. */
export const leaf = (right: Arbitrary<unknown>, takes: (value: unknown) => boolean, ...wrong: unknown[]): Kind => ({
  right,
  takes,
  errors: () => here(...wrong),
  inside: () => [],
})

/** Building fast-check's own grapheme unit takes longer than the tests that use this. */
const letter = fc.constantFrom(
  'a',
  'Z',
  '0',
  ' ',
  '\n',
  '"',
  '\\',
  '\0',
  '<',
  'é',
  '日',
  '本',
  '👩‍👩‍👧',
  '\u0301',
  '\ud83d',
)

export const text = ({ min = 0, max = Number.POSITIVE_INFINITY } = {}): Kind =>
  leaf(
    // The longest letter has eight code units.
    fc.string({ unit: letter, minLength: min, maxLength: Math.max(min, Math.min(20, Math.floor(max / 8))) }),
    (value) => typeof value === 'string' && value.length >= min && value.length <= max,
    ...(min > 0 ? [''] : []),
    ...(max < Number.POSITIVE_INFINITY ? ['x'.repeat(max + 1)] : []),
  )

export const name = (max = 64): Kind =>
  leaf(
    fc.string({ unit: fc.constantFrom('a', 'Z', '0', '_', '-'), minLength: 1, maxLength: 12 }),
    (value) => typeof value === 'string' && /^[a-zA-Z0-9_-]+$/.test(value) && value.length <= max,
    ...['', 'two words', 'naïve', 'a.b', 'line\n', 'n'.repeat(max + 1)],
  )

export const word = (...words: string[]): Kind => someWords(words, words)

/** `right` lists the generated values, `known` those that must not be used as invalid ones. */
export const someWords = (right: readonly string[], known: readonly string[]): Kind =>
  leaf(
    fc.constantFrom(...right),
    (value) => typeof value === 'string' && known.includes(value),
    ...['', 'robot', '__proto__', 'constructor', ` ${known[0]}`],
  )

export const flag: Kind = leaf(fc.boolean(), (value) => typeof value === 'boolean', 'true', 'false', 0, 1)

const within = (value: unknown, min: number, max: number): boolean =>
  typeof value === 'number' && value >= min && value <= max

export const real = (min: number, max: number): Kind =>
  leaf(
    fc.double({ min, max, noNaN: true }),
    (value) => within(value, min, max),
    ...[min - 0.1, max + 0.0001, 1e300, `${min}`],
  )

/** `shown`: the range of generated values, if the whole range would be too much. */
export const whole = (min: number, max: number, shown: [min: number, max: number] = [min, max]): Kind =>
  leaf(
    fc.integer({ min: shown[0], max: shown[1] }),
    (value) => Number.isInteger(value) && within(value, min, max),
    ...(max >= Number.MAX_SAFE_INTEGER ? [] : [max + 1]),
    ...(min <= Number.MIN_SAFE_INTEGER ? [] : [min - 1]),
    ...[1.5, '1', 1e300, -1e300],
  )

/** A known field that is refused unless it is null. */
export const onlyNull: Kind = leaf(fc.constant(null), (value) => value === null, false, {}, 'x')

export const orNull = (kind: Kind): Kind => ({
  right: fc.option(kind.right, { freq: 8 }),
  takes: (value) => value === null || kind.takes(value),
  errors: (value) => (value === null ? [] : kind.errors(value)),
  inside: (value) => (value === null ? [] : kind.inside(value)),
})

export const either = (...kinds: Kind[]): Kind => {
  const of = (value: unknown) => kinds.find((kind) => kind.takes(value))
  const others = (value: unknown) => kinds.filter((kind) => kind !== of(value))
  return {
    right: fc.oneof(...kinds.map(({ right }) => right)),
    takes: (value) => of(value) !== undefined,
    errors: (value) =>
      of(value)
        ?.errors(value)
        .filter((fault) => !others(value).some((kind) => kind.takes(fault.value))) ?? [],
    inside: (value) => of(value)?.inside(value) ?? [],
  }
}

/** `shown`: the length of the longest generated list. */
export const list = (item: Kind, { min = 0, max = Number.POSITIVE_INFINITY, shown = 3 } = {}): Kind => ({
  right: fc.array(item.right, { minLength: min, maxLength: shown }),
  takes: Array.isArray,
  errors: (value) => [
    ...(min > 0 ? here([]) : []),
    ...(max < 1000 ? here(Array.from({ length: max + 1 }, () => asList(value)[0])) : []),
  ],
  inside: (value) => asList(value).map((_, index) => [index, item]),
})

export const object = (required: Fields, optional: Fields = {}): Kind => {
  const all = { ...optional, ...required }
  const rights = Object.fromEntries(Object.entries(all).map(([key, { right }]) => [key, right]))
  return {
    right: fc.record(rights, { requiredKeys: Object.keys(required) }),
    takes: isObject,
    errors: (value) => objectErrors(asObject(value), Object.keys(required)),
    inside: (value) =>
      Object.keys(asObject(value)).flatMap((key): [string, Kind][] => (all[key] ? [[key, all[key]]] : [])),
  }
}

const objectErrors = (value: Record<string, unknown>, required: string[]): ErrorNotice[] => [
  ...required.map((key) => ({ value: without(value, key), at: `.${key}` })),
  { value: { ...value, unknown_key: 1 }, at: '.unknown_key' },
  { value: { ...value, toString: 'x' }, at: '.toString' },
]

/** Generates valid values differently, if not all fields combine with each other. */
export const made = (kind: Kind, right: Arbitrary<unknown>): Kind => ({ ...kind, right })

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Only called with values generated by `right` of an object. */
export const asObject = (value: unknown): Record<string, unknown> => value as Record<string, unknown>
/** Only called with values generated by `right` of a list. */
export const asList = (value: unknown): unknown[] => value as unknown[]

export const without = (value: Record<string, unknown>, ...keys: string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)))
