import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSampling, talk } from '../../../test/harness/engine-request.ts'
import { rawPromptBody, upstreamBody } from './upstream-body.ts'
import { upstreamDialects } from './upstream-kinds.ts'
import { type LongBody, maxLengthPerTurn } from './write-in-turns.ts'

const { compatible } = upstreamDialects
const options = {
  ...{ model: 'theirs', fields: new Set(compatible.fields), stream: true, tenant: 'one' },
  dialect: { ...compatible, sendsReasoning: true },
}

const read = async (body: string | LongBody | Promise<LongBody>) => {
  const written = await body
  return JSON.parse(typeof written === 'string' ? written : Buffer.concat(written).toString())
}

/** Longer than a turn or two, with any UTF-16 units around the ends of turns. */
const longText = fc
  .tuple(
    fc.integer({ min: 1, max: 2 }),
    fc.integer({ min: 0, max: 4 }),
    fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 5, maxLength: 12 }),
  )
  .map(([turns, before, units]) => 'x'.repeat(turns * maxLengthPerTurn - before) + String.fromCharCode(...units))

test('long messages are sent as they are, wherever they are cut into turns', async () => {
  await fc.assert(
    fc.asyncProperty(longText, longText, async (content, reasoning) => {
      const toolCalls = [{ id: 'call_1', name: 'look', arguments: content }]
      const conversation = talk([
        { role: 'user', content, name: 'ann' },
        { role: 'assistant', content: '', reasoning, toolCalls },
        { role: 'tool', content: 'short', toolCallId: 'call_1' },
      ])
      const { messages, model } = await read(upstreamBody(conversation, openSampling, options))
      expect(model).toBe('theirs')
      expect(messages).toEqual([
        { role: 'user', content, name: 'ann' },
        {
          ...{ role: 'assistant', content: null, reasoning_content: reasoning },
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: content } }],
        },
        { role: 'tool', content: 'short', tool_call_id: 'call_1' },
      ])
    }),
    { numRuns: 20 },
  )
})

test('long schemas are sent as they are, wherever they are cut into turns', async () => {
  await fc.assert(
    fc.asyncProperty(longText, async (text) => {
      const description = text.toWellFormed()
      const format = { type: 'schema' as const, name: 'answer', schema: JSON.stringify({ description }), strict: true }
      const answer = { stream: true, calling: null, format, reasoningEffort: null }
      const conversation = talk([{ role: 'user', content: 'Hi' }], { answer })
      const { response_format } = await read(upstreamBody(conversation, openSampling, options))
      expect(response_format.json_schema.schema).toEqual({ description })
    }),
    { numRuns: 20 },
  )
})

test('long raw prompts are sent as they are, wherever they are cut into turns', async () => {
  const ids = fc
    .tuple(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 0, max: 4 }), fc.array(fc.nat(), { maxLength: 9 }))
    .map(([turns, before, more]) => [...new Array<number>(turns * maxLengthPerTurn - before).fill(7), ...more])
  await fc.assert(
    fc.asyncProperty(fc.oneof(longText, ids), async (prompt) => {
      expect((await read(rawPromptBody(prompt, openSampling, options))).prompt).toEqual(prompt)
    }),
    { numRuns: 20 },
  )
})
