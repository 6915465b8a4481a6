import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../../src/base/api-error.ts'
import { openHelix } from '../harness/start-helix.ts'

const slots = 3
const patienceForLeaving = { timeout: 30_000, interval: 1 }
const plan = fc.record({
  stream: fc.boolean(),
  n: fc.integer({ min: 1, max: 8 }),
  /** What happens at which token of all choices together. */
  what: fc.constantFrom('leave' as const, 'fail' as const, 'grow' as const),
  at: fc.integer({ min: 1, max: 30 }),
  /** How many tokens each choice has before it waits for ever; 30: it ends. */
  patience: fc.integer({ min: 0, max: 30 }),
  logprobs: fc.boolean(),
})

test('however and whenever an answer is aborted, everything it reserved is released', async () => {
  let step = (): string | { fail: Error } => 'x'
  let patience = 0
  const helix = await openHelix({
    engine: { slots },
    // The only caller may use every slot.
    config: { answerLimitBytes: 200_000, reservedSlots: 0 },
    *answer(messages) {
      if (messages[0]?.content === 'next') return yield 'ok'
      for (let said = 0; said < 30; said += 1) {
        if (said === patience) yield { pause: new Promise(() => {}) }
        yield step()
      }
    },
  })
  try {
    await fc.assert(
      fc.asyncProperty(plan, async ({ stream, n, what, at, logprobs, ...rest }) => {
        patience = rest.patience
        const leaving = new AbortController()
        const reached = Promise.withResolvers<void>()
        let tokens = 0
        step = () => {
          tokens += 1
          if (tokens < at) return 'x'
          reached.resolve()
          if (what === 'fail') return { fail: ApiError.of('engine_failed', {}) }
          return what === 'grow' ? 'x'.repeat(200_000) : 'x'
        }
        const asked = helix.chat({ stream, n, logprobs }, { signal: leaving.signal }).then((one) => one.text())
        const ended = asked.catch(() => '')
        // Choices that all wait before the moment comes wait until the client leaves.
        const comes = at <= (patience < 30 ? Math.min(slots, n) * patience : n * 30)
        if (comes) await reached.promise
        const endsByItself = comes && (what === 'fail' || (what === 'grow' && !stream))
        if (!endsByItself) leaving.abort()
        await ended
        const next = await Promise.all(
          Array.from({ length: slots }, () => helix.chat({ messages: [{ role: 'user', content: 'next' }] })),
        )
        expect(next.map(({ status }) => status)).toEqual(Array.from({ length: slots }, () => 200))
        await Promise.all(next.map((response) => response.text()))
        await expect.poll(() => helix.engine.active(), patienceForLeaving).toBe(0)
      }),
      { numRuns: 80 },
    )
  } finally {
    await helix.close()
  }
})
