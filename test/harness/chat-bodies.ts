import fc, { type Arbitrary } from 'fast-check'
import { modelName } from './start-helix.ts'

/** Bodies of requests for property tests: right ones, and right ones with one thing wrong at a known place. */
export type Body = Record<string, unknown>

/** Building fast-check's own unit of every grapheme takes longer than the tests that use this. */
const letter = fc.constantFrom('a', 'Z', '0', ' ', '\n', '"', '\\', '\0', '<', 'é', '日', '本', '👩‍👩‍👧', '\u0301')
const text = fc.string({ unit: letter, maxLength: 40 })
const nullable = <Value>(arbitrary: Arbitrary<Value>): Arbitrary<Value | null> => fc.option(arbitrary)

const textPart = text.map((value) => ({ type: 'text', text: value }))
const content = fc.oneof(text, fc.array(textPart, { minLength: 1, maxLength: 3 }))
const message = fc.oneof(
  fc.record(
    { role: fc.constantFrom('developer', 'system', 'user'), content, name: text },
    { requiredKeys: ['role', 'content'] },
  ),
  fc.record(
    { role: fc.constant('assistant'), content, refusal: fc.constant(null), tool_calls: fc.constant(null) },
    { requiredKeys: ['role', 'content'] },
  ),
)

/** What the fields that are not served yet may hold. */
const defaults: Record<string, unknown[]> = {
  audio: [null],
  frequency_penalty: [0, -0, null],
  presence_penalty: [0, null],
  function_call: ['none'],
  logit_bias: [null],
  logprobs: [false, null],
  top_logprobs: [null],
  metadata: [null],
  modalities: [['text'], null],
  moderation: [null],
  n: [1, null],
  parallel_tool_calls: [true],
  prediction: [null],
  prompt_cache_key: [null],
  prompt_cache_options: [{}, { mode: 'implicit' }, { ttl: '30m', mode: 'implicit' }],
  prompt_cache_retention: [null],
  reasoning_effort: ['medium', null],
  response_format: [{ type: 'text' }],
  safety_identifier: [null],
  service_tier: ['auto', null],
  store: [false, null],
  tool_choice: ['none'],
  verbosity: ['medium', null],
}
const neverRight = ['functions', 'tools', 'user', 'web_search_options']

const tokenLimit = fc.integer({ min: 1, max: 500 })
const streaming = fc.oneof(
  fc.record({ stream: fc.constantFrom(false, null) }),
  fc.record({ stream: fc.constantFrom(false, null), stream_options: fc.constant(null) }),
  fc.record({
    stream: fc.constant(true),
    stream_options: fc.record(
      { include_usage: fc.boolean(), include_obfuscation: fc.constant(false) },
      { requiredKeys: [] },
    ),
  }),
)
const served = fc.record(
  {
    model: fc.constant(modelName),
    messages: fc.array(message, { minLength: 1, maxLength: 4 }),
    temperature: nullable(fc.double({ min: 0, max: 2, noNaN: true })),
    top_p: nullable(fc.double({ min: 0, max: 1, noNaN: true })),
    seed: nullable(fc.maxSafeInteger()),
    stop: nullable(
      fc.oneof(
        fc.string({ unit: letter, minLength: 1 }),
        fc.array(fc.string({ unit: letter, minLength: 1 }), { minLength: 1, maxLength: 4 }),
      ),
    ),
  },
  { requiredKeys: ['model', 'messages'] },
)
const limits = fc.oneof(
  fc.record({ max_tokens: nullable(tokenLimit) }, { requiredKeys: [] }),
  fc.record({ max_completion_tokens: nullable(tokenLimit) }, { requiredKeys: [] }),
)
const unserved = fc.record(
  Object.fromEntries(Object.entries(defaults).map(([name, values]) => [name, fc.constantFrom(...values)])),
  { requiredKeys: [] },
)

export const validBody: Arbitrary<Body> = fc
  .tuple(served, limits, streaming, unserved)
  .map((pieces) => Object.assign({}, ...pieces))

const scalar = fc.oneof(fc.boolean(), fc.double({ noDefaultInfinity: true, noNaN: true }), fc.string())
const anyValue = fc.oneof(fc.jsonValue({ maxDepth: 3 }), scalar)
const except = (isRight: (value: unknown) => boolean): Arbitrary<unknown> => anyValue.filter((value) => !isRight(value))
const outside = (min: number, max: number): Arbitrary<unknown> =>
  except((value) => value === null || (typeof value === 'number' && value >= min && value <= max))
const isCount = (value: unknown): boolean => value === null || (Number.isSafeInteger(value) && Number(value) >= 1)
const isSeed = (value: unknown): boolean => value === null || Number.isInteger(value)
const isText = (value: unknown): boolean => typeof value === 'string'

const wrongFields: Record<string, Arbitrary<unknown>> = {
  model: except(isText),
  messages: except((value) => Array.isArray(value) && value.length > 0),
  temperature: outside(0, 2),
  top_p: outside(0, 1),
  max_tokens: except(isCount),
  max_completion_tokens: except(isCount),
  seed: except(isSeed),
  stop: except(
    (value) => value === null || (Array.isArray(value) && value.length > 0) || (isText(value) && value !== ''),
  ),
  stream: except((value) => value === null || typeof value === 'boolean'),
  stream_options: except((value) => value === null || (typeof value === 'object' && !Array.isArray(value))),
  ...Object.fromEntries(neverRight.map((name) => [name, anyValue])),
  ...Object.fromEntries(
    Object.entries(defaults).map(([name, values]) => {
      const right = values.map((value) => JSON.stringify(value))
      return [name, except((value) => right.includes(JSON.stringify(value)) || JSON.stringify(value) === '{}')]
    }),
  ),
}

/** A step is one that stands behind `messages[i]`. */
const wrongSteps: Record<string, Arbitrary<unknown>> = {
  '': except((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
  '.role': except((value) => value === 'tool'),
  '.content': except((value) => isText(value) || (Array.isArray(value) && value.length > 0)),
  '.content[0]': except((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
  '.content[0].type': anyValue,
  '.content[0].text': except(isText),
  '.name': except(isText),
}

type WrongBody = { body: Body; param: string }

const wrongField = validBody.chain((body) =>
  fc
    .constantFrom(...Object.keys(wrongFields))
    .chain((name) =>
      (wrongFields[name] ?? anyValue).map((value): WrongBody => ({ body: { ...body, [name]: value }, param: name })),
    ),
)

const wrongMessage = fc
  .tuple(validBody, fc.nat({ max: 3 }), fc.constantFrom(...Object.keys(wrongSteps)))
  .chain(([body, index, step]) =>
    (wrongSteps[step] ?? anyValue).map((value): WrongBody => {
      const messages = [...(body.messages as Body[])]
      const at = index % messages.length
      messages[at] = replaceAt(step, value, { role: 'user', content: [{ type: 'text', text: 'a' }] })
      return { body: { ...body, messages }, param: `messages[${at}]${step}` }
    }),
  )

/** The message with the value at the place the step names. */
const replaceAt = (step: string, value: unknown, whole: Body): Body => {
  if (step === '') return value as Body
  if (step === '.role' || step === '.content' || step === '.name') return { ...whole, [step.slice(1)]: value }
  if (step === '.content[0]') return { ...whole, content: [value] }
  return { ...whole, content: [{ type: 'text', text: 'a', [step.slice('.content[0].'.length)]: value }] }
}

export const wrongBody: Arbitrary<WrongBody> = fc.oneof(wrongField, wrongMessage)
