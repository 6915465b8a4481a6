import { expect, test } from 'vitest'
import { createManualClock } from '../harness/manual-clock.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { startHelix } from '../harness/start-helix.ts'

/** Each holds and takes 22 tokens: two of the prompt and twenty of the answer. */
const tokens = 22

test('of 500 concurrent requests exactly as many are admitted as the limit allows, and no budget is exceeded', async () => {
  const clock = createManualClock()
  let crowd = 0
  let begun = 0
  let refused = 0
  let all = Promise.withResolvers<void>()
  let go = Promise.withResolvers<void>()
  const decided = (): void => {
    if (begun + refused === crowd) all.resolve()
  }
  const helix = await startHelix({
    clock,
    config: { tokensPerMinute: 1_000, organisationTokensPerDay: 1_100, queueLimit: 0 },
    engine: { slots: 500 },
    *answer() {
      begun += 1
      decided()
      yield { pause: go.promise }
      yield* new Array<string>(20).fill('word ')
    },
  })
  /** All of them are asked, and none that was let in ends before every other was decided upon. */
  const ask = async (count: number): Promise<{ letIn: number; statuses: Set<number> }> => {
    crowd = count
    begun = 0
    refused = 0
    all = Promise.withResolvers<void>()
    go = Promise.withResolvers<void>()
    const asked = Array.from({ length: crowd }, async () => {
      const response = await helix.chat({ max_completion_tokens: 20 })
      if (response.status !== 200) {
        refused += 1
        decided()
      }
      await response.text()
      return response.status
    })
    await all.promise
    const letIn = begun
    go.resolve()
    return { letIn, statuses: new Set(await Promise.all(asked)) }
  }

  expect(await ask(500)).toEqual({ letIn: Math.floor(1_000 / tokens), statuses: new Set([200, 429]) })
  clock.advance(60_000)
  expect(await ask(50)).toEqual({ letIn: (1_100 - 990) / tokens, statuses: new Set([200, 429]) })
  clock.advance(60_000)
  expect(await ask(5)).toEqual({ letIn: 0, statuses: new Set([429]) })

  const rows = await readLedger(helix)
  const settled = rows.map(({ settlement }) => (settlement?.promptTokens ?? 0) + (settlement?.completionTokens ?? 0))
  expect(settled).toEqual(new Array(50).fill(tokens))
})
