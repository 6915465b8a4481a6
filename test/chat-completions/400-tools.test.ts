import { beforeAll, describe, expect, test } from 'vitest'
import * as refusal from '../harness/expect-refusal.ts'
import { expectRefusal, official, type Row } from '../harness/expect-refusal.ts'
import { readError } from '../harness/read-error.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix({ config: { strictRequests: true }, engine: { model: { contextTokens: 1_000_000 } } })
  return helix.close
})

const { badPattern, coded, emptyArray, emptyString, longArray, longString, missing, notAmong } = refusal
const { unknown, unsupportedValue, wrongType } = refusal

const tool = (name: unknown, more: Record<string, unknown> = {}) => ({ type: 'function', function: { name, ...more } })
const tools = [tool('f'), tool('g')]
const functions = [{ name: 'f' }]
const choice = (name: string) => ({ type: 'function', function: { name } })
const allowed = (...names: string[]) => ({
  type: 'allowed_tools',
  allowed_tools: { mode: 'auto', tools: names.map(choice) },
})
const strict = (parameters: unknown) => ({ tools: [tool('f', { strict: true, parameters })] })
const badSchema = (reason: string) =>
  coded('tools[0].function.parameters', 'invalid_function_parameters', `Invalid schema for function 'f': ${reason}`)
const noFunction = (param: string) =>
  coded(param, 'invalid_value', `Invalid value for '${param}': no function named 'h' was specified in the tools.`)
const twice = (param: string) =>
  coded(param, 'invalid_value', "Invalid value: two functions have the name 'f'. Function names must be unique.")
const onlyWith = (field: string, list: string) =>
  coded(
    field,
    'invalid_value',
    `Invalid value for '${field}': '${field}' is only allowed when '${list}' are specified.`,
  )
const bothSpellings = coded('functions', 'invalid_value', /deprecated/)
const closed = { type: 'object', additionalProperties: false }

const rows: Row[] = [
  ['tools []', { tools: [] }, emptyArray('tools')],
  ['129 tools', { tools: Array.from({ length: 129 }, (_, index) => tool(`f${index}`)) }, longArray('tools', 128)],
  [
    '129 functions',
    { functions: Array.from({ length: 129 }, (_, index) => ({ name: `f${index}` })) },
    longArray('functions', 128),
  ],
  ['a bad name', { tools: [tool('two words')] }, badPattern('tools[0].function.name')],
  ['an empty name', { tools: [tool('')] }, badPattern('tools[0].function.name')],
  ['a name of 65 characters', { tools: [tool('f'.repeat(65))] }, longString('tools[0].function.name', 64)],
  ['a name that is a number', { tools: [tool(5)] }, wrongType('tools[0].function.name', 'a string', 'an integer')],
  ['a tool without name', { tools: [{ type: 'function', function: {} }] }, missing('tools[0].function.name')],
  ['a tool without function', { tools: [{ type: 'function' }] }, missing('tools[0].function')],
  ['a tool without type', { tools: [{ function: { name: 'f' } }] }, missing('tools[0].type')],
  [
    'a tool of an unknown type',
    { tools: [{ type: 'retrieval' }] },
    notAmong('tools[0].type', 'retrieval', "'function' and 'custom'"),
  ],
  [
    'a custom tool',
    { tools: [{ type: 'custom', custom: { name: 'c' } }] },
    unsupportedValue('tools[0].type', 'custom'),
  ],
  ['an unknown key', { tools: [tool('f', { x: 1 })] }, unknown('tools[0].function.x')],
  [
    'strict "true"',
    { tools: [tool('f', { strict: 'true' })] },
    wrongType('tools[0].function.strict', 'a boolean', 'a string'),
  ],
  ['two tools of one name', { tools: [...tools, tool('f')] }, twice('tools[2].function.name')],
  ['two functions of one name', { functions: [{ name: 'f' }, { name: 'f' }] }, twice('functions[1].name')],

  ...['auto', 'required', choice('f'), allowed('f')].map(
    (tool_choice): Row => [
      `tool_choice ${JSON.stringify(tool_choice)} without tools`,
      { tool_choice },
      onlyWith('tool_choice', 'tools'),
    ],
  ),
  ['function_call without functions', { function_call: 'auto' }, onlyWith('function_call', 'functions')],
  ['a choice of an absent tool', { tools, tool_choice: choice('h') }, noFunction('tool_choice.function.name')],
  [
    'an absent tool among the allowed',
    { tools, tool_choice: allowed('f', 'h') },
    noFunction('tool_choice.allowed_tools.tools[1].function.name'),
  ],
  ['a call of an absent function', { functions, function_call: { name: 'h' } }, noFunction('function_call.name')],
  ['tool_choice any', { tools, tool_choice: 'any' }, notAmong('tool_choice', 'any', "'none', 'auto', and 'required'")],
  [
    'tool_choice custom',
    { tools, tool_choice: { type: 'custom', custom: { name: 'c' } } },
    unsupportedValue('tool_choice.type', 'custom'),
  ],
  ['no allowed tools', { tools, tool_choice: allowed() }, emptyArray('tool_choice.allowed_tools.tools')],
  ['functions beside tools', { tools, functions }, bothSpellings],
  ['function_call beside tools', { tools, function_call: 'auto' }, bothSpellings],
  ['tool_choice beside functions', { functions, tool_choice: 'auto' }, bothSpellings],

  [
    'parameters that are no object',
    { tools: [tool('f', { parameters: 5 })] },
    wrongType('tools[0].function.parameters', 'an object', 'an integer'),
  ],
  [
    'parameters of another type',
    { tools: [tool('f', { parameters: { type: 'string' } })] },
    badSchema(`schema must be a JSON Schema of 'type: "object"', got 'type: "string"'.`),
  ],
  [
    'strict without additionalProperties',
    strict({ type: 'object', properties: {} }),
    badSchema("In context=(), 'additionalProperties' is required to be supplied and to be false."),
  ],
  [
    'strict with a property that is not required',
    strict({ ...closed, properties: { city: { type: 'string' } }, required: [] }),
    badSchema(
      "In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing 'city'.",
    ),
  ],
  [
    'strict with an open object inside',
    strict({ ...closed, properties: { a: { type: 'object' } }, required: ['a'] }),
    badSchema("In context=('properties', 'a'), 'additionalProperties' is required to be supplied and to be false."),
  ],
  ['strict with a keyword that is not followed', strict({ ...closed, not: {} }), badSchema(notAtTop())],
  [
    'strict parameters of a function in the older spelling',
    { functions: [{ name: 'f', strict: true, parameters: { type: 'object' } }] },
    coded('functions[0].parameters', 'invalid_function_parameters', /additionalProperties/),
  ],
]
test.each(rows)('refused: %s', (_, body, expected) => expectRefusal(helix, body, expected, official(helix)))

function notAtTop(): string {
  return "In context=(), schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level."
}

describe('calls and their results', () => {
  const user = { role: 'user', content: 'Hi' }
  const call = (id: unknown) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })
  const calls = (...ids: string[]) => ({ role: 'assistant', content: null, tool_calls: ids.map(call) })
  const answer = (id: string) => ({ role: 'tool', content: 'x', tool_call_id: id })
  const unexpected = (index: number, role = 'tool', before = 'tool_calls') =>
    coded(
      `messages.[${index}].role`,
      null,
      `Invalid parameter: messages with role '${role}' must be a response to a preceding message with '${before}'.`,
    )
  const unanswered = (index: number, ids: string) =>
    coded(
      `messages.[${index}].role`,
      null,
      `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids}`,
    )
  const wrong = (...messages: unknown[]) => ({ messages: [user, ...messages] })
  const rows: Row[] = [
    ['an answer to nothing', wrong(answer('a')), unexpected(1)],
    [
      'an answer of a function to nothing',
      wrong({ role: 'function', name: 'f', content: 'x' }),
      unexpected(1, 'function', 'function_call'),
    ],
    ['an answer behind another message', wrong(calls('a'), answer('a'), user, answer('a')), unexpected(4)],
    [
      'an answer behind an assistant without calls',
      wrong({ role: 'assistant', content: 'a' }, answer('a')),
      unexpected(2),
    ],
    ['no answer at the end', wrong(calls('a')), unanswered(1, 'a')],
    ['no answer before the next message', wrong(calls('a'), user), unanswered(1, 'a')],
    ['some of several answered', wrong(calls('a', 'b', 'c'), answer('b'), user), unanswered(1, 'a, c')],
    ['calls behind calls', wrong(calls('a'), calls('b'), answer('b')), unanswered(1, 'a')],
    [
      'an answer to another call',
      wrong(calls('a'), answer('a'), answer('z')),
      coded(
        'messages.[3].tool_call_id',
        null,
        "Invalid parameter: 'tool_call_id' of 'z' not found in 'tool_calls' of previous message.",
      ),
    ],
    ['an answer without id', wrong(calls('a'), { role: 'tool', content: 'x' }), missing('messages[2].tool_call_id')],
    ['tool_calls []', wrong({ role: 'assistant', content: 'a', tool_calls: [] }), emptyArray('messages[1].tool_calls')],
    [
      'a call without id',
      wrong({ role: 'assistant', tool_calls: [{ ...call('a'), id: undefined }] }),
      missing('messages[1].tool_calls[0].id'),
    ],
    [
      'a call with an empty id',
      wrong({ role: 'assistant', tool_calls: [call('')] }),
      emptyString('messages[1].tool_calls[0].id'),
    ],
    [
      'arguments as an object',
      wrong({ role: 'assistant', tool_calls: [{ ...call('a'), function: { name: 'f', arguments: {} } }] }),
      wrongType('messages[1].tool_calls[0].function.arguments', 'a string', 'an object'),
    ],
    [
      'a custom call',
      wrong({ role: 'assistant', tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'c', input: '' } }] }),
      unsupportedValue('messages[1].tool_calls[0].type', 'custom'),
    ],
    ['a function message without name', wrong({ role: 'function', content: 'a' }), missing('messages[1].name')],
    [
      'a function_call without arguments',
      wrong({ role: 'assistant', function_call: { name: 'f' } }),
      missing('messages[1].function_call.arguments'),
    ],
  ]
  test.each(rows)('refused: %s', (_, body, expected) => expectRefusal(helix, body, expected, official(helix)))

  test.each<[string, unknown[]]>([
    ['in another order', [calls('a', 'b'), answer('b'), answer('a')]],
    ['the same id in a later turn', [calls('a'), answer('a'), user, calls('a'), answer('a')]],
    [
      'in the older spelling',
      [
        { role: 'assistant', content: null, function_call: { name: 'f', arguments: '' } },
        { role: 'function', name: 'f', content: null },
      ],
    ],
  ])('accepted: %s', async (_, messages) => {
    expect((await helix.chat({ messages: [user, ...messages] })).status).toBe(200)
  })
})

describe('accepted', () => {
  const open = { type: 'object', properties: { city: { type: 'string' } }, patternProperties: { '^x': {} } }
  test.each<[string, Record<string, unknown>]>([
    ['128 tools', { tools: Array.from({ length: 128 }, (_, index) => tool(`f${index}`)) }],
    ['tool_choice none without tools', { tool_choice: 'none' }],
    ['every choice of words', { tools, tool_choice: 'required', parallel_tool_calls: false }],
    ['a choice by name', { tools, tool_choice: choice('g') }],
    ['a choice of allowed tools', { tools, tool_choice: allowed('g') }],
    ['functions by name', { functions, function_call: { name: 'f' } }],
    [
      'nulls beside tools',
      { tools, tool_choice: null, parallel_tool_calls: null, functions: null, function_call: null },
    ],
    ['nulls beside functions', { functions, function_call: 'auto', tools: null, tool_choice: null }],
    ['strict null', { tools: [tool('f', { strict: null, parameters: {} })] }],
    ['nothing but the name', { tools: [tool('f', { description: null, parameters: null })] }],
    ['a schema that cannot be followed wholly, where it is not strict', { tools: [tool('f', { parameters: open })] }],
  ])('%s', async (_, body) => {
    expect((await helix.chat(body)).status).toBe(200)
  })
})

test('many functions with large schemas cost no more than one: those beyond it may have any arguments', async () => {
  const items = (count: number) => Array.from({ length: count }, (_, index) => ({ type: 'integer', minimum: index }))
  const parameters = { type: 'object', properties: { a: { type: 'array', prefixItems: items(300) } } }
  const many = Array.from({ length: 128 }, (_, index) => tool(`f${index}`, { parameters }))
  expect((await helix.chat({ tools: many })).status).toBe(200)
  const closedParameters = { ...parameters, required: ['a'], additionalProperties: false }
  const strictly = many.map(({ function: { name } }) => tool(name, { strict: true, parameters: closedParameters }))
  const response = await helix.chat({ tools: strictly })
  expect(response.status).toBe(400)
  expect(await readError(response)).toMatchObject({
    param: expect.stringMatching(/^tools\[\d+\]\.function\.parameters$/),
    code: 'invalid_function_parameters',
    message: expect.stringMatching(/too complex/),
  })
})
