import fc from 'fast-check'
import { expect, test } from 'vitest'
import { validBody, wrongBody } from '../../../../test/harness/chat-bodies.ts'
import { ApiError } from '../../../base/errors.ts'
import { Problem } from '../../../http/schema/problem.ts'
import { chatRequest } from './request.ts'

const numRuns = 2000

/** Null where the request is accepted. */
const refusal = (body: unknown): ApiError | null => {
  try {
    chatRequest(body)
    return null
  } catch (error) {
    if (error instanceof Problem) return error.toApiError()
    throw error
  }
}
/** As it comes over the wire: `undefined` and negative zeros are gone, `__proto__` is a key. */
const sent = (body: unknown): unknown => JSON.parse(JSON.stringify(body))

test('every right body is understood', () => {
  fc.assert(
    fc.property(validBody, (body) => {
      expect(refusal(sent(body))).toBeNull()
    }),
    { numRuns },
  )
})

test('a right body with one thing wrong is refused with the place of that thing', () => {
  fc.assert(
    fc.property(wrongBody, ({ body, param }) => {
      const error = refusal(sent(body))
      expect(error).toBeInstanceOf(ApiError)
      expect(error?.options.param).toBe(param)
      expect(error?.status).toBe(400)
    }),
    { numRuns },
  )
})

test('no JSON value at all is more than a 400', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue()), (value, fields) => {
      for (const body of [value, fields, { model: 'm', messages: [fields], ...fields }])
        expect(refusal(sent(body))?.status ?? 400).toBe(400)
    }),
    { numRuns },
  )
})

test('an answer comes back with what the helpers of official libraries hung on it', () => {
  const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }
  const parsedCall = { ...call, index: 0, function: { ...call.function, parsed_arguments: {} } }
  const conversation = (answer: object, tool_calls: object[]) => ({
    model: 'm',
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null, tool_calls, ...answer },
      { role: 'tool', tool_call_id: 'call_1', content: '1' },
    ],
  })
  expect(chatRequest(conversation({ parsed: null }, [parsedCall])).messages).toEqual(
    chatRequest(conversation({}, [call])).messages,
  )
  expect(refusal(conversation({ parsed: { place: 'here' } }, [parsedCall]))).toBeNull()
})
