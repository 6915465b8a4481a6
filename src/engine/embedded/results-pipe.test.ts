import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RequestMessage } from './protocol.ts'
import { createResultsReader, encodeResults } from './results-pipe.ts'

const id = fc.integer({ min: 1, max: 2 ** 32 - 1 })
const bytes = fc.uint8Array({ maxLength: 300 })
const logprob = fc.record({
  logprob: fc.constant(-0.5),
  rank: fc.nat(),
  top: fc.array(fc.record({ id: fc.nat(), bytes, logprob: fc.constant(-1) }), { maxLength: 2 }),
})
const message: fc.Arbitrary<RequestMessage> = fc.oneof(
  fc.record({ type: fc.constant('token' as const), id, token: fc.nat(), bytes }),
  fc.record({ type: fc.constant('token' as const), id, token: fc.nat(), bytes, logprob }),
  fc.record({
    type: fc.constant('end' as const),
    id,
    reason: fc.constantFrom('stop' as const, 'length' as const),
    cachedTokens: fc.nat(),
    completionTokens: fc.nat(),
  }),
  fc.record({
    type: fc.constant('failed' as const),
    id,
    failure: fc.record({ kind: fc.constant('engine_failed' as const), detail: fc.string() }),
  }),
)

test('messages arrive as they were sent, step by step, however their bytes are cut', () => {
  const steps = fc.array(fc.array(message, { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(steps, fc.infiniteStream(fc.integer({ min: 1, max: 700 })), (sent, cuts) => {
      const all = Buffer.concat(sent.map((messages) => Buffer.from(encodeResults(messages))))
      const received: RequestMessage[][] = []
      const read = createResultsReader((messages) => received.push(messages))
      for (let from = 0; from < all.length; ) {
        const to = from + cuts.next().value
        read(Buffer.from(all.subarray(from, to)))
        from = to
      }
      expect(received).toEqual(sent)
    }),
  )
})
