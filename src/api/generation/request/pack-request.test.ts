import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Body, validBody } from '../../../../test/harness/chat-bodies.ts'
import { modelName } from '../../../../test/harness/start-helix.ts'
import { readRequest } from '../../chat-completions/request/read-request.ts'
import { unpackRequest } from './pack-request.ts'

const needs = { hash: true, copy: true, strict: false }
const bytesOf = (body: Body): Uint8Array => Buffer.from(JSON.stringify(body))
const upstreamModels = new Set([modelName])
/** As a thread passes it on. */
const received = (body: Body) => structuredClone(readRequest(bytesOf(body), { ...needs, upstreamModels }))

const longer = (body: Body): Body => {
  const messages = Array.isArray(body.messages) ? body.messages : []
  return { ...body, messages: [{ role: 'user', content: `"猫" \ud800 ${'x'.repeat(66_000)}` }, ...messages] }
}

test('a long request for an upstream is the same after it was packed, whatever it asks for', () => {
  fc.assert(
    fc.property(validBody.map(longer), (body) => {
      const { prompt, ...rest } = unpackRequest(received(body))
      const { prompt: asked, ...others } = readRequest(bytesOf(body), needs)
      expect(rest).toEqual(others)
      expect({ ...prompt, written: undefined }).toEqual({ ...asked, written: undefined })
    }),
    { numRuns: 30 },
  )
})

test('what is passed on of a long request is short, except for memory that is shared', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 1900 }, (_, index) => [`property_${index}`, { type: 'string' }]),
  )
  const parameters = { type: 'object', properties }
  const request = received({
    model: modelName,
    messages: Array.from({ length: 900 }, () => ({ role: 'user', content: 'word '.repeat(50) })),
    tools: [{ type: 'function', function: { name: 'look', parameters } }],
    response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { anyOf: [parameters] } } },
  })
  const copied = JSON.stringify({ ...request, bodyCopy: null }, (_, value) =>
    value instanceof Uint8Array && value.buffer instanceof SharedArrayBuffer ? null : value,
  )
  expect(copied.length).toBeLessThan(20_000)
})
