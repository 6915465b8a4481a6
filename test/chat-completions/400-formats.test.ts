import { beforeAll, describe, expect, test } from 'vitest'
import * as refusal from '../harness/expect-refusal.ts'
import { expectRefusal, official, type Row } from '../harness/expect-refusal.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix({ config: { strictRequests: true } })
  return helix.close
})

const {
  badPattern,
  coded,
  emptyArray,
  emptyString,
  longString,
  missing,
  notAmong,
  unknown,
  unsupportedConstraint,
  wrongType,
} = refusal
const format = (json_schema: unknown) => ({ response_format: { type: 'json_schema', json_schema } })
const strict = (schema: unknown) => format({ name: 'n', strict: true, schema })
const loose = (schema: unknown) => format({ name: 'n', schema })
const badSchema = (reason: string) =>
  coded('response_format', null, `Invalid schema for response_format 'n': ${reason}`)
const closed = { type: 'object', additionalProperties: false }
const closedWith = (name: string, property: unknown) => ({
  ...closed,
  properties: { [name]: property },
  required: [name],
})
const noExtras = "'additionalProperties' is required to be supplied and to be false."
const everyKey = "'required' is required to be supplied and to be an array including every key in properties."
const deep = (levels: number): unknown => (levels === 0 ? { type: 'string' } : closedWith('a', deep(levels - 1)))
const conflict = (param: string) =>
  coded(param, 'invalid_value', 'Only one output format can be specified. Remove all but one of them.')

const rows: Row[] = [
  ['response_format a string', { response_format: 'json' }, wrongType('response_format', 'an object', 'a string')],
  ['response_format without type', { response_format: {} }, missing('response_format.type')],
  [
    'response_format xml',
    { response_format: { type: 'xml' } },
    notAmong('response_format.type', 'xml', "'text', 'json_object', and 'json_schema'"),
  ],
  [
    'json_object with a schema that is a list',
    { response_format: { type: 'json_object', schema: [] } },
    wrongType('response_format.schema', 'an object', 'an empty array'),
  ],
  ['json_schema missing', { response_format: { type: 'json_schema' } }, missing('response_format.json_schema')],
  ['json_schema without name', format({ schema: {} }), missing('response_format.json_schema.name')],
  ['a bad name', format({ name: 'two words' }), badPattern('response_format.json_schema.name')],
  ['a name of 65 characters', format({ name: 'n'.repeat(65) }), longString('response_format.json_schema.name', 64)],
  [
    'a schema that is a list',
    loose([]),
    wrongType('response_format.json_schema.schema', 'an object', 'an empty array'),
  ],
  [
    'strict 1',
    format({ name: 'n', strict: 1 }),
    wrongType('response_format.json_schema.strict', 'a boolean', 'an integer'),
  ],

  [
    'json_object without the word',
    { response_format: { type: 'json_object' } },
    coded(
      'messages',
      null,
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
    ),
  ],

  ['an open object', strict({ type: 'object', properties: {} }), badSchema(`In context=(), ${noExtras}`)],
  [
    'additionalProperties true',
    strict({ type: 'object', additionalProperties: true }),
    badSchema(`In context=(), ${noExtras}`),
  ],
  [
    'an open object in a property',
    strict(closedWith('a', { type: 'object' })),
    badSchema(`In context=('properties', 'a'), ${noExtras}`),
  ],
  [
    'an open object in a list',
    strict(closedWith('a', { type: 'array', items: { type: 'object' } })),
    badSchema(`In context=('properties', 'a', 'items'), ${noExtras}`),
  ],
  [
    'an open object among others',
    strict(closedWith('a', { anyOf: [{ type: 'null' }, { type: 'object' }] })),
    badSchema(`In context=('properties', 'a', 'anyOf', '1'), ${noExtras}`),
  ],
  [
    'an open object in a definition',
    strict({ ...closedWith('a', { $ref: '#/$defs/b' }), $defs: { b: { type: 'object' } } }),
    badSchema(`In context=('$defs', 'b'), ${noExtras}`),
  ],
  [
    'a property that is not required',
    strict({ ...closed, properties: { a: {}, b: {} }, required: ['a'] }),
    badSchema(`In context=(), ${everyKey} Missing 'b'.`),
  ],
  [
    'a required property that is not there',
    strict({ ...closed, properties: {}, required: ['z'] }),
    badSchema(`In context=(), ${everyKey} Extra required key 'z' supplied.`),
  ],
  [
    'a root that is no object',
    strict({ type: 'array', items: {} }),
    badSchema(`In context=(), schema must be a JSON Schema of 'type: "object"', got 'type: "array"'.`),
  ],
  [
    'a root without type',
    strict({}),
    badSchema(`In context=(), schema must be a JSON Schema of 'type: "object"', got 'type: "None"'.`),
  ],
  [
    'eleven levels',
    strict(deep(11)),
    badSchema(
      `In context=(${Array(11).fill("'properties', 'a'").join(', ')}), the schema exceeds the limit of 10 levels of nesting.`,
    ),
  ],
  [
    'a made-up keyword',
    strict({ ...closedWith('a', { type: 'string', shape: 'round' }) }),
    badSchema("In context=('properties', 'a'), 'shape' is not permitted."),
  ],

  ...['not', 'if', 'patternProperties', 'propertyNames', 'dependentRequired', 'unevaluatedProperties', 'contains'].map(
    (keyword): Row => [
      `a schema with ${keyword}`,
      loose({ type: 'object', [keyword]: {} }),
      badSchema(`In context=(), '${keyword}' is not permitted.`),
    ],
  ),
  [
    'a schema with uniqueItems',
    loose({ type: 'array', uniqueItems: true }),
    badSchema("In context=(), 'uniqueItems' must be false, since repeated items cannot be prevented."),
  ],
  [
    'a schema of an unknown type',
    loose({ type: 'text' }),
    badSchema("In context=(), 'type' must be the name of a type or a list of them."),
  ],
  [
    'a schema that refers elsewhere',
    loose({ $ref: 'https://example.com' }),
    coded('response_format', null, /must point into the schema itself/),
  ],
  [
    'a schema that refers to nothing',
    loose({ $ref: '#/$defs/a' }),
    coded('response_format', null, /points to nothing/),
  ],
  [
    'a schema that allows nothing',
    loose({ type: 'string', minLength: 2, maxLength: 1 }),
    coded('response_format', null, /^Invalid schema for response_format 'n': /),
  ],

  ['two forms', { ...loose({}), guided_regex: 'a' }, conflict('response_format')],
  ['two guided forms', { guided_json: {}, guided_choice: ['a'] }, conflict('guided_choice')],
  ['two structured outputs', { structured_outputs: { regex: 'a', choice: ['a'] } }, conflict('structured_outputs')],

  ['guided_json a number', { guided_json: 5 }, wrongType('guided_json', 'an object', 'an integer')],
  [
    'guided_json of no JSON',
    { guided_json: '{' },
    coded('guided_json', 'invalid_value', "Invalid value for 'guided_json': the text is not valid JSON."),
  ],
  [
    'guided_json of many brackets',
    { guided_json: '['.repeat(100_000) },
    coded('guided_json', 'invalid_value', "Invalid value for 'guided_json': the JSON is nested too deeply."),
  ],
  [
    'guided_json with not',
    { guided_json: { not: {} } },
    coded('guided_json', null, "Invalid schema for guided decoding: In context=(), 'not' is not permitted."),
  ],
  [
    'structured_outputs.json with not',
    { structured_outputs: { json: { not: {} } } },
    coded('structured_outputs.json', null, /'not' is not permitted/),
  ],
  ['guided_regex empty', { guided_regex: '' }, emptyString('guided_regex')],
  [
    'guided_regex broken',
    { guided_regex: '(' },
    coded('guided_regex', 'invalid_value', /^Invalid value for 'guided_regex': /),
  ],
  [
    'guided_regex looking ahead',
    { guided_regex: '(?=a)' },
    coded('guided_regex', 'invalid_value', /^Invalid value for 'guided_regex': /),
  ],
  ['guided_choice []', { guided_choice: [] }, emptyArray('guided_choice')],
  ['guided_choice [1]', { guided_choice: [1] }, wrongType('guided_choice[0]', 'a string', 'an integer')],
  [
    'structured_outputs.grammar',
    { structured_outputs: { grammar: 'root ::= "a"' } },
    unsupportedConstraint('structured_outputs.grammar'),
  ],
  [
    'structured_outputs.structural_tag',
    { structured_outputs: { structural_tag: '{}' } },
    unsupportedConstraint('structured_outputs.structural_tag'),
  ],
  ['an unknown structured output', { structured_outputs: { xml: 1 } }, unknown('structured_outputs.xml')],
  [
    'guided_grammar',
    { guided_grammar: 'a' },
    coded(null, null, 'Unrecognized request argument supplied: guided_grammar'),
  ],
]
test.each(rows)('refused: %s', (_, body, expected) => expectRefusal(helix, body, expected, official(helix)))

describe('accepted', () => {
  const asked = { messages: [{ role: 'user', content: [{ type: 'text', text: 'Answer as Json.' }] }] }
  test.each<[string, Record<string, unknown>]>([
    ['json_object with the word in a part, in any case', { ...asked, response_format: { type: 'json_object' } }],
    ['ten levels', strict(deep(10))],
    ['a schema that is not strict', loose({ type: 'object', properties: { a: {} } })],
    ['json_schema without a schema', format({ name: 'n', strict: null, description: 'd' })],
    ['json_schema with nothing but a name', format({ name: 'n', schema: null, description: null })],
    ['response_format text beside a guide', { response_format: { type: 'text' }, guided_choice: ['a', 'b'] }],
    ['guided_json as text', { guided_json: '{"type":"object"}' }],
    ['structured_outputs of nothing', { structured_outputs: { json: null, json_object: false }, guided_json: null }],
    ['structured_outputs.json_object', { structured_outputs: { json_object: true } }],
    ['a format beside tools', { ...strict(closed), tools: [{ type: 'function', function: { name: 'f' } }] }],
  ])('%s', async (_, body) => {
    expect((await helix.chat(body)).status).toBe(200)
  })
})
