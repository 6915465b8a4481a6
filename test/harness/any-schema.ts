import fc from 'fast-check'

/** A schema and values that match it. */
type SchemaSample = { schema: Record<string, unknown>; values: fc.Arbitrary<unknown> }
type Samples = fc.Arbitrary<SchemaSample>

const word = fc.string({ unit: 'binary', maxLength: 8 }).filter((text) => text.isWellFormed())

const strings: Samples = fc.oneof(
  fc.constant({ schema: { type: 'string' }, values: word }),
  fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 5 })).map(([minLength, more]) => ({
    schema: { type: 'string', minLength, maxLength: minLength + more },
    values: fc.string({ unit: 'binary', minLength, maxLength: minLength + more }).filter((text) => text.isWellFormed()),
  })),
  fc
    .constantFrom('^[a-z]{2,5}$', '^\\w+-\\d{3}$', '[A-Z]', '^(?:yes|no "really")$', '^[^a-z]*$', 'x$')
    .map((pattern) => ({
      schema: { type: 'string', pattern },
      values: fc.stringMatching(new RegExp(pattern, 'u')).filter((text) => text.isWellFormed() && text.length < 500),
    })),
  fc
    .constantFrom(
      { format: 'date', example: '2024-02-29' },
      { format: 'date-time', example: '1985-04-12T23:20:50.52Z' },
      { format: 'time', example: '23:20:50+01:00' },
      { format: 'email', example: 'ada.lovelace+notes@example.org' },
      { format: 'uuid', example: '123e4567-e89b-12d3-a456-426614174000' },
      { format: 'ipv4', example: '192.168.0.255' },
      { format: 'ipv6', example: '2001:db8::ff00:42:8329' },
      { format: 'hostname', example: 'www.example.co.jp' },
      { format: 'uri', example: 'https://example.org:8080/a/b%20c?d=e&f#g' },
      { format: 'duration', example: 'P3DT4H59M' },
    )
    .map(({ format, example }) => ({ schema: { type: 'string', format }, values: fc.constant(example) })),
)

const integers: Samples = fc
  .tuple(
    fc.integer({ min: -(2 ** 52), max: 2 ** 52 }),
    fc.integer({ min: -(2 ** 52), max: 2 ** 52 }),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([a, b, hasLow, hasHigh]) => {
    const [min, max] = [Math.min(a, b), Math.max(a, b)]
    return {
      schema: {
        type: 'integer',
        ...(hasLow ? { minimum: min } : {}),
        ...(hasHigh ? { exclusiveMaximum: max + 1 } : {}),
      },
      values: fc.integer({ min, max }),
    }
  })

const numbers: Samples = fc
  .tuple(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: 2, max: 1e6 }), fc.constantFrom(1, 10, 1000))
  .chain(([low, width, scale]) => {
    const [minimum, maximum] = [low / scale, (low + width) / scale]
    return fc
      .constantFrom<Record<string, unknown>>(
        {},
        { minimum },
        { maximum },
        { minimum, maximum },
        { exclusiveMinimum: minimum, exclusiveMaximum: maximum },
      )
      .map((limits) => ({
        schema: { type: 'number', ...limits },
        values: fc.integer({ min: low + 1, max: low + width - 1 }).map((value) => value / scale),
      }))
  })

/** Any JSON, but with short numbers. */
const json = fc
  .jsonValue({ maxDepth: 2 })
  .map((value) => JSON.stringify(value, (_, item) => (typeof item === 'number' ? Math.round(item % 1e6) / 8 : item)))
  .filter((written) => written.isWellFormed())
  .map((written): unknown => JSON.parse(written))
const literals: Samples = fc.oneof(
  json.map((value) => ({ schema: { const: value }, values: fc.constant(value) })),
  fc.uniqueArray(json, { minLength: 1, maxLength: 4, selector: (value) => JSON.stringify(value) }).map((list) => ({
    schema: { enum: list },
    values: fc.constantFrom(...list),
  })),
)

const simple: Samples = fc.oneof(
  strings,
  integers,
  numbers,
  literals,
  fc.constant({ schema: { type: 'boolean' }, values: fc.boolean() }),
  fc.constant({ schema: { type: ['null', 'boolean'] }, values: fc.constantFrom(null, true) }),
  fc.constant({
    schema: { $ref: '#/$defs/tree' },
    values: fc.constantFrom({ leaf: 1 }, { leaf: 0, kids: [{ leaf: 9 }] }),
  }),
  fc.constant({ schema: {}, values: json }),
)

const awkwardNames = [
  'constructor',
  'toString',
  'a "quoted" name',
  'back\\slash',
  'tab\there',
  '名前',
  '🐈',
  '',
  'a',
  'ab',
]
const name = fc.oneof(fc.constantFrom(...awkwardNames), fc.stringMatching(/^[a-z]{1,6}$/))

const objects = (inner: Samples): Samples =>
  fc
    .record({
      members: fc.uniqueArray(fc.tuple(name, inner, fc.boolean()), { maxLength: 4, selector: ([key]) => key }),
      others: fc.constantFrom({}, { additionalProperties: false }, { additionalProperties: { type: 'boolean' } }),
    })
    .map(({ members, others }) => {
      const isRequired = (key: string, chosen: boolean): boolean => chosen || key in Object.prototype
      const required = members.filter(([key, , chosen]) => isRequired(key, chosen)).map(([key]) => key)
      const all = members.map(([key, { values }, chosen]) =>
        fc.tuple(fc.constant(key), values, isRequired(key, chosen) ? fc.constant(true) : fc.boolean()),
      )
      return {
        schema: {
          type: 'object',
          properties: Object.fromEntries(members.map(([key, { schema }]) => [key, schema])),
          required,
          ...others,
        },
        values: fc.tuple(...all).map((entries) => Object.fromEntries(entries.filter(([, , present]) => present))),
      }
    })

const arrays = (inner: Samples): Samples =>
  fc.oneof(
    fc.tuple(inner, fc.nat({ max: 2 }), fc.nat({ max: 3 })).map(([{ schema, values }, minItems, more]) => ({
      schema: { type: 'array', items: schema, minItems, maxItems: minItems + more },
      values: fc.array(values, { minLength: minItems, maxLength: minItems + more }),
    })),
    fc.array(inner, { minLength: 1, maxLength: 3 }).map((items) => ({
      schema: {
        type: 'array',
        prefixItems: items.map(({ schema }) => schema),
        items: false,
        minItems: items.length - 1,
      },
      values: fc.tuple(...items.map(({ values }) => values)),
    })),
  )

const unions = (inner: Samples): Samples =>
  fc.oneof(
    fc.array(inner, { minLength: 1, maxLength: 3 }).map((options) => ({
      schema: { anyOf: options.map(({ schema }) => schema) },
      values: fc.oneof(...options.map(({ values }) => values)),
    })),
    fc.tuple(inner, inner).map(([first, second]) => ({
      schema: {
        oneOf: [first, second].map(({ schema }, index) => ({
          type: 'object',
          properties: { kind: { const: index }, body: schema },
          required: ['kind', 'body'],
        })),
      },
      values: fc.oneof(
        first.values.map((body) => ({ kind: 0, body })),
        second.values.map((body) => ({ kind: 1, body })),
      ),
    })),
    inner.map(({ schema, values }) => ({ schema: { allOf: [schema, { description: 'more' }] }, values })),
  )

const nested = (depth: number): Samples => {
  if (depth === 0) return simple
  const inner = nested(depth - 1)
  return fc.oneof(simple, objects(inner), arrays(inner), unions(inner))
}

/** Schemas with every supported feature, some of which refer to a recursive tree. */
export const anySchema: Samples = nested(3).map(({ schema, values }) => ({
  schema: {
    ...schema,
    $defs: {
      tree: {
        type: 'object',
        properties: {
          leaf: { type: 'integer', minimum: 0, maximum: 9 },
          kids: { type: 'array', items: { $ref: '#/$defs/tree' } },
        },
        required: ['leaf'],
        additionalProperties: false,
      },
    },
  },
  values,
}))
