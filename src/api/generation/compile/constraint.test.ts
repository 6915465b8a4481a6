import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anySchema } from '../../../../test/harness/any-schema.ts'
import { anyCuts, cutBytes } from '../../../../test/harness/cut-bytes.ts'
import { parseOutput } from '../../../../test/harness/parse-output.ts'
import { schemaValidator } from '../../../../test/harness/schema-validator.ts'
import { speakGrammar } from '../../../../test/harness/speak-grammar.ts'
import { jsonSchemaGrammar } from '../../../grammar/json-schema-grammar.ts'
import { createMatcher } from '../../../grammar/matcher.ts'
import { callStart } from '../output/segments.ts'
import { type CallGrammars, createConstraint, maxParallelCalls } from './constraint.ts'

const wrapParameters = (inner: { schema: Record<string, unknown> }): Record<string, unknown> => {
  const { $defs, ...schema } = inner.schema
  return { type: 'object', properties: { value: schema }, required: ['value'], additionalProperties: false, $defs }
}
type Tool = CallGrammars['callable'][number] & { parameters: Record<string, unknown> }
const tool = (name: string, parameters: Record<string, unknown>): Tool => ({
  name,
  parameters,
  arguments: jsonSchemaGrammar(parameters, { strict: false }),
})
const offers = fc
  .uniqueArray(fc.tuple(fc.stringMatching(/^[a-zA-Z0-9_-]{1,64}$/), anySchema.map(wrapParameters)), {
    minLength: 1,
    maxLength: 3,
    selector: ([name]) => name,
  })
  .map((list) => list.map(([name, parameters]) => tool(name, parameters)))
const calling = (callable: Tool[], more: Partial<CallGrammars> = {}): CallGrammars => ({
  callable,
  required: true,
  parallel: true,
  ...more,
})
const random = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))

test('whatever the constraint allows is parsed as calls of the given functions with arguments that conform', () => {
  fc.assert(
    fc.property(offers, random, anyCuts, fc.boolean(), fc.boolean(), (tools, numbers, cuts, parallel, required) => {
      const constraint = createConstraint(calling(tools, { parallel, required }), null)
      if (constraint === null) throw new Error('not constrained')
      const spoken = speakGrammar(constraint.grammar, () => Number(numbers.next().value), { maxBytes: 500 })
      expect(constraint.after).toBe(required ? null : callStart)
      const whole = required ? spoken : `I will see. ${callStart}${spoken}`
      const maxCalls = parallel ? maxParallelCalls : 1
      const read = parseOutput(cutBytes(Buffer.from(whole), cuts), { maxCalls })
      expect(read.content).toBe(required ? '' : 'I will see.')
      expect(read.calls.length).toBeGreaterThan(0)
      expect(read.calls.length).toBeLessThanOrEqual(maxCalls)
      for (const call of read.calls) {
        const called = tools.find(({ name }) => name === call.name)
        expect(schemaValidator(called?.parameters)(JSON.parse(call.arguments)), call.arguments).toBe(true)
      }
    }),
    { numRuns: 50 },
  )
})

const weather = tool('get_weather', { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] })
const time = tool('get_time', { type: 'object', properties: {}, additionalProperties: false })
const allows = (constraint: ReturnType<typeof createConstraint>, text: string): boolean => {
  if (constraint === null) return true
  const matcher = createMatcher(constraint.grammar)
  const end = matcher.advance(matcher.start, Buffer.from(text))
  return end !== null && matcher.mayEnd(end)
}
const writeCall = (name: string, args: string): string =>
  `<tool_call>\n{"name": "${name}", "arguments": ${args}}\n</tool_call>`
const timeCall = writeCall('get_time', '{}')

test('only callable functions can be called', () => {
  const named = createConstraint(calling([time], { parallel: false }), null)
  expect(allows(named, timeCall)).toBe(true)
  expect(allows(named, writeCall('get_weather', '{"city": "Rome"}'))).toBe(false)
  expect(allows(named, `${timeCall}\n${timeCall}`)).toBe(false)
  expect(allows(named, 'I would rather talk.')).toBe(false)
})

test('with a format as well, the model calls functions or conforms to the format', () => {
  const format = jsonSchemaGrammar({ type: 'object', properties: { a: { type: 'integer' } } }, { strict: false })
  const constraint = createConstraint(calling([time, weather], { required: false }), format)
  expect(constraint?.after).toBeNull()
  expect(allows(constraint, '{"a": 1}')).toBe(true)
  expect(allows(constraint, timeCall)).toBe(true)
  expect(allows(constraint, `${timeCall}\n${writeCall('get_weather', '{"city":"東京"}')}`)).toBe(true)
  expect(allows(constraint, `{"a": 1}${timeCall}`)).toBe(false)
  expect(allows(constraint, 'free text')).toBe(false)
})

test('without tools there is the format alone, or no constraint', () => {
  const format = jsonSchemaGrammar({ type: 'integer' }, { strict: false })
  expect(createConstraint(null, format)).toEqual({ grammar: format, after: null })
  expect(createConstraint(null, null)).toBeNull()
})
