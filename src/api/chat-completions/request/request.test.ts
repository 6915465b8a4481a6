import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { validBody, wrongBody } from '../../../../test/harness/chat-bodies.ts'
import { ApiError } from '../../../base/api-error.ts'
import { openScriptedEngine } from '../../../engine/scripted.ts'
import { Problem } from '../../../http/schema/problem.ts'
import { refuseUnsupported } from '../../generation/accept/refuse-unsupported.ts'
import { compileConstraint } from '../../generation/compile/compile-constraint.ts'
import { refusalError } from '../../generation/compile/refusal-error.ts'
import { chatRequest } from './request.ts'

/** Split over the properties below. `.ci/run` has 20,000, the thorough run 1,000,000. */
const runs = Number(process.env.HELIX_FUZZ_RUNS ?? 4_000)
const share = (part: number) => ({ numRuns: Math.ceil(runs * part) })
/** The thorough run takes longer than a test may. */
const limitMs = 60_000 + runs * 3

const { model } = openScriptedEngine({ answer: () => [] })

/** Null where the request is accepted. */
const refusal = (body: unknown): ApiError | null => {
  try {
    const request = chatRequest(body)
    refuseUnsupported(request, model)
    const outcome = request.grammar === null ? null : compileConstraint({ ...request.grammar, isOfficialOnly: true })
    return outcome === null || outcome.ok ? null : refusalError(outcome.refusal)
  } catch (error) {
    if (error instanceof ApiError) return error
    if (error instanceof Problem) return error.toApiError()
    throw error
  }
}
/** As it comes over the wire: `undefined` and negative zeros are gone, `__proto__` is a key. */
const sent = (body: unknown): unknown => JSON.parse(JSON.stringify(body))

const described = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false }).compile(chatRequest.json)

test(
  'every right body is understood, and fits the JSON Schema that we publish',
  () => {
    fc.assert(
      fc.property(validBody, (body) => {
        const received = sent(body)
        expect(refusal(received) ?? (described(received) || described.errors)).toBe(true)
      }),
      share(0.35),
    )
  },
  limitMs,
)

test(
  'a right body with one thing wrong is refused with the place of that thing',
  () => {
    fc.assert(
      fc.property(wrongBody, ({ body, param }) => {
        const error = refusal(sent(body))
        expect(error && `${error.status} at ${error.options.param ?? null}`).toBe(`400 at ${param}`)
        expect(error?.message).not.toMatch(/undefined|NaN|\[object|\{\w+\}/)
      }),
      share(0.6),
    )
  },
  limitMs,
)

test(
  'no JSON value at all is more than a 400',
  () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue()), (value, fields) => {
        for (const body of [value, fields, { model: 'm', messages: [fields], ...fields }])
          expect(refusal(sent(body))?.status).toBe(400)
      }),
      share(0.05),
    )
  },
  limitMs,
)

test('a valid request can be passed between threads', () => {
  fc.assert(
    fc.property(validBody, (body) => {
      const request = chatRequest(sent(body))
      expect(structuredClone(request)).toEqual(request)
    }),
    share(0.01),
  )
})

test('an answer is accepted with what the helpers of official libraries add to it', () => {
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
  expect(chatRequest(conversation({ parsed: null }, [parsedCall])).prompt).toEqual(
    chatRequest(conversation({}, [call])).prompt,
  )
  expect(refusal(conversation({ parsed: { place: 'here' } }, [parsedCall]))).toBeNull()
})
