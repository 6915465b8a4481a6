import fc from 'fast-check'
import { expect, test } from 'vitest'
import { modelName } from '../../../../test/harness/start-helix.ts'
import { promptSize } from '../../generation/prompt/prompts.ts'
import { unpackRequest } from '../../generation/request/pack-request.ts'
import { readResponsesRequest } from './read-responses-request.ts'

const needs = { hash: false, copy: false, strict: false }
const upstreamModels = new Set([modelName])
const long = '猫 '.repeat(40_000)

const bytesOf = (body: object): Uint8Array => Buffer.from(JSON.stringify({ model: modelName, store: false, ...body }))
/** As a thread passes it on. */
const received = (body: object) => structuredClone(readResponsesRequest(bytesOf(body), { ...needs, upstreamModels }))

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
const message = fc.record({ role: fc.constantFrom('user', 'assistant', 'developer'), content: text })
const body = fc.record(
  {
    input: fc.array(message, { maxLength: 5 }).map((items) => [{ role: 'user', content: long }, ...items]),
    instructions: text,
    truncation: fc.constantFrom('auto', 'disabled'),
    text: fc.constantFrom({ format: { type: 'json_object' } }, { format: { type: 'text' } }),
  },
  { requiredKeys: ['input'] },
)

test('a long conversation that refers to nothing stored has the same messages after it was written for an upstream', () => {
  fc.assert(
    fc.property(body, (asked) => {
      const { prompt: written } = unpackRequest(received(asked))
      const { prompt } = readResponsesRequest(bytesOf(asked), needs)
      expect(written).toMatchObject({ written: { hasMedia: false } })
      expect({ ...written, written: undefined }).toEqual({ ...prompt, written: undefined })
    }),
    { numRuns: 30 },
  )
})

test('what is passed on of it is short, except for memory that is shared', () => {
  const copied = JSON.stringify(received({ input: long, instructions: 'Be brief.' }), (_, value) =>
    value instanceof Uint8Array && value.buffer instanceof SharedArrayBuffer ? null : value,
  )
  expect(copied.length).toBeLessThan(20_000)
})

test.each([
  ['an earlier response', { previous_response_id: 'resp_1', input: 'go on' }],
  ['a stored item', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
])('the messages of one that refers to %s follow later', (_, asked) => {
  expect(received(asked)).toMatchObject({ response: { isWhole: false }, prompt: { messages: [] } })
})

test('what is kept and repeated of a request has no secrets of its built-in tools, and the upstream gets them', () => {
  const policy = { network_policy: { type: 'allowlist', domain_secrets: [{ name: 'KEY', value: 'hidden-3' }] } }
  const tools = [
    { type: 'mcp', server_label: 'x', authorization: 'hidden-1', headers: { 'x-key': 'hidden-2' } },
    { type: 'shell', environment: { type: 'container_auto', ...policy } },
    { type: 'code_interpreter', container: { type: 'auto', ...policy } },
    { type: 'function', name: 'ask', parameters: { type: 'object', properties: { headers: { type: 'object' } } } },
  ]
  const responsesModels = new Map([[modelName, new Set(['mcp', 'shell', 'code_interpreter'])]])
  const asked = (own: readonly object[]) =>
    readResponsesRequest(bytesOf({ input: 'Hi', tools: own }), { ...needs, hash: true, copy: true, responsesModels })
  const { bodyCopy, bodyHash, response } = asked(tools)
  for (const kept of [bodyCopy?.text, JSON.stringify(response.echoes)]) {
    expect(kept).not.toMatch(/hidden-|authorization|domain_secrets/)
    expect(kept).toContain('server_label')
    expect(kept).toContain('"headers":{"type":"object"}')
  }
  expect(response.native?.members.tools?.match(/hidden-\d/g)).toEqual(['hidden-1', 'hidden-2', 'hidden-3', 'hidden-3'])
  const other = asked(tools.map((tool) => (tool.type === 'mcp' ? { ...tool, authorization: 'hidden-9' } : tool)))
  expect(other.bodyHash).not.toEqual(bodyHash)
})

test('images in items of built-in tools are reserved as images, not as the text that encodes them, and not in the log', () => {
  const encoded = 'A'.repeat(300_000)
  const screen = { type: 'computer_screenshot', image_url: `data:image/png;base64,${encoded}` }
  const input = [
    { role: 'user', content: 'Hi' },
    { type: 'computer_call', id: 'cu_1', call_id: 'call_1', action: { type: 'screenshot' } },
    { type: 'computer_call_output', call_id: 'call_1', output: screen },
    { type: 'image_generation_call', id: 'ig_1', result: encoded },
    { type: 'shell_call_output', call_id: 'call_2', output: [{ stdout: `data: ${'x'.repeat(3000)}` }] },
  ]
  const responsesModels = new Map([[modelName, new Set(['computer_use', 'image_generation', 'shell'])]])
  const request = readResponsesRequest(bytesOf({ input }), { ...needs, responsesModels })
  const copied = readResponsesRequest(bytesOf({ input, store: true }), { ...needs, copy: true, responsesModels })
  const logged = copied.bodyCopy?.text
  expect(logged).not.toContain('AAAA')
  expect(logged).toContain('"result":"[image, 225000 bytes]"')
  expect(logged).toContain('"image_url":"[image/png, 225000 bytes]"')
  const { tokens } = promptSize(request, { imageTokens: 500 }, { promptTokens: null })
  expect(tokens).toBeGreaterThan(2 * 500 + 1000)
  expect(tokens).toBeLessThan(2 * 500 + 1400)
})
