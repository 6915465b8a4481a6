import { expect, test } from 'vitest'
import { createManualClock } from '../harness/manual-clock.ts'
import { readError } from '../harness/read-error.ts'
import { readChunks } from '../harness/read-events.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { type Helix, modelName, startHelix } from '../harness/start-helix.ts'

/** Answers that end by themselves after so many tokens; two more are the prompt's. */
const speaking = (tokens: number) => () => new Array<string>(tokens).fill('word ')

const largeContext = { model: { contextTokens: 1_000_000 } }

type Completion = { choices: { finish_reason: string }[]; usage: { completion_tokens: number } }
const completion = async (response: Response): Promise<Completion> => (await response.json()) as Completion

test('without max_tokens a model with a large context answers within the default 40,000 tokens per minute', async () => {
  const helix = await startHelix({ engine: largeContext, config: { organisationTokensPerMinute: 40_000 } })
  const response = await helix.chat({})
  expect(response.status).toBe(200)
  expect((await completion(response)).choices[0]?.finish_reason).toBe('stop')
})

test('an answer longer than its reservation continues to its end, and is counted in full', async () => {
  const helix = await startHelix({
    answer: speaking(2_500),
    engine: largeContext,
    config: { organisationTokensPerMinute: 4_000 },
  })
  const { choices, usage } = await completion(await helix.chat({}))
  expect(choices[0]?.finish_reason).toBe('stop')
  expect(usage.completion_tokens).toBe(2_500)
  const [row] = await readLedger(helix)
  expect(row).toMatchObject({ reservedTokens: 1_026, settlement: { completionTokens: 2_500, outcome: 'completed' } })
  expect(await helix.logged({ event: 'request', status: 200 })).toMatchObject({ reservedTokens: 2 + 3 * 1_024 })
})

const limits = [{ organisationTokensPerMinute: 1_500 }, { tokensPerDay: 1_500 }, { organisationTokensPerMonth: 1_500 }]
test.each(limits)(
  'an answer that uses up %o ends there with finish_reason length, and never exceeds it',
  async (config) => {
    const clock = createManualClock()
    const helix = await startHelix({ clock, answer: speaking(9_999), engine: largeContext, config })
    const { choices, usage } = await completion(await helix.chat({}))
    expect(choices[0]?.finish_reason).toBe('length')
    expect(usage.completion_tokens).toBe(1_500 - 2)
    expect(helix.engine.active()).toBe(0)
    expect((await helix.chat({})).status).toBe(429)
    const [row] = await readLedger(helix)
    expect(row?.settlement).toMatchObject({ finishReason: 'length', outcome: 'completed' })
  },
)

test('so does a stream, with its finish chunk and [DONE]', async () => {
  const helix = await startHelix({
    answer: speaking(9_999),
    engine: largeContext,
    config: { organisationTokensPerMinute: 1_500 },
  })
  const chunks = await readChunks(await helix.chat({ stream: true, stream_options: { include_usage: true } }))
  expect(chunks.findLast(({ choices }) => choices.length > 0)?.choices[0]?.finish_reason).toBe('length')
  expect(chunks.at(-1)?.usage?.completion_tokens).toBe(1_498)
})

test('a limit below the reservation lowers it, and max_tokens is reserved as requested', async () => {
  const helix = await startHelix({ answer: speaking(50), engine: largeContext, config: { tokensPerMinute: 100 } })
  expect((await helix.chat({ max_tokens: 99 })).headers.get('x-should-retry')).toBe('false')
  const open = await helix.chat({ n: 2 })
  expect((await completion(open)).usage.completion_tokens).toBe(98)
})

const euro = { prompt: 1_000_000, cached: 1_000_000, completion: 1_000_000 }
test.each([
  { tokensPerDay: 1_000 },
  { organisationTokensPerMonth: 1_000 },
  { costPerDay: 1_000, prices: { [modelName]: euro } },
])(
  'of %o what is left is reserved: the answer may use it up, and only max_tokens above it are refused',
  async (config) => {
    const clock = createManualClock()
    let tokens = 128
    const answer = () => speaking(tokens)()
    const helix = await startHelix({ clock, answer, engine: largeContext, config })
    expect((await completion(await helix.chat({}))).usage.completion_tokens).toBe(128)
    // 870 are left.
    const refused = await helix.chat({ max_tokens: 900 })
    expect([refused.status, refused.headers.get('x-should-retry')]).toEqual([429, 'false'])
    expect((await completion(await helix.chat({}))).choices[0]?.finish_reason).toBe('stop')
    tokens = 9_999
    const { choices, usage } = await completion(await helix.chat({ n: 2 }))
    expect(choices.map(({ finish_reason }) => finish_reason)).toEqual(['length', 'length'])
    expect(usage.completion_tokens).toBe(740 - 2)
    const last = await helix.chat({})
    expect([last.status, (await readError(last)).code]).toEqual([429, 'insufficient_quota'])
    const rows = await readLedger(helix)
    expect(rows.map(({ reservedTokens }) => reservedTokens)).toEqual([1_000, 870, 740])
  },
)

test('concurrent answers share what a limit allows, and never exceed it together', async () => {
  const clock = createManualClock()
  const helix: Helix = await startHelix({
    clock,
    answer: speaking(2_000),
    engine: { ...largeContext, slots: 4 },
    config: { organisationTokensPerMinute: 5_000 },
  })
  const answers = await Promise.all(Array.from({ length: 4 }, async () => completion(await helix.chat({}))))
  const used = answers.reduce((sum, { usage }) => sum + 2 + usage.completion_tokens, 0)
  expect(used).toBeLessThanOrEqual(5_000)
  const ends = answers.map(({ choices }) => choices[0]?.finish_reason)
  expect(ends).toContain('length')
})
