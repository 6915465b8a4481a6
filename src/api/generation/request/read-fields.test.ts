import fc from 'fast-check'
import { expect, test } from 'vitest'
import { validBody } from '../../../../test/harness/chat-bodies.ts'
import { readRequest } from '../../chat-completions/request/read-request.ts'

const needs = { hash: false, copy: false, strict: false }
const read = (body: unknown) => readRequest(Buffer.from(JSON.stringify(body)), needs)

/** None is one letter away from a known field. */
const strange = fc.dictionary(fc.stringMatching(/^zz_[a-z]{1,8}$/), fc.jsonValue(), {
  maxKeys: 5,
  noNullPrototype: true,
})

/** Only a stored completion repeats its messages as they were sent. */
test('a request with unknown fields is the same request without them', () => {
  fc.assert(
    fc.property(validBody, strange, strange, (body, onTop, inMessages) => {
      const messages = Array.isArray(body.messages) ? body.messages : []
      const extended = messages.map((message: object) => ({ ...message, ...inMessages }))
      const { ignoredFields, storedParts: _, ...request } = read({ ...body, messages: extended, ...onTop })
      const { ignoredFields: none, storedParts: __, ...expected } = read(body)
      expect(request).toEqual(expected)
      expect(none).toEqual([])
      const below = messages
        .slice(0, 5)
        .flatMap((_, index) => Object.keys(inMessages).map((key) => `messages[${index}].${key}`))
      expect(ignoredFields).toEqual(expect.arrayContaining([...Object.keys(onTop), ...below]))
      expect(ignoredFields).toHaveLength(Object.keys(onTop).length + messages.length * Object.keys(inMessages).length)
    }),
    { numRuns: 500 },
  )
})
