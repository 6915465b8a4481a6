import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { createManualClock } from '../harness/manual-clock.ts'
import { isNetworked } from '../harness/project-databases.ts'
import { readError } from '../harness/read-error.ts'
import { readChunks } from '../harness/read-events.ts'
import { scratchPath } from '../harness/scratch-path.ts'
import { type Helix, modelName, startHelix } from '../harness/start-helix.ts'

/** An answer takes two tokens of the prompt and four of its own. */
const used = 6

const limitHeaders = ({ headers }: Response): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('x-ratelimit-')))

/** The official client with its own retries, and the number that each attempt bears. */
const watchedClient = ({ baseUrl: baseURL, key }: Helix, beforeRetry = (): void => {}) => {
  const attempts: (string | null)[] = []
  const client = new OpenAI({
    baseURL,
    apiKey: key,
    fetch(url, init) {
      if (attempts.length > 0) beforeRetry()
      attempts.push(new Headers(init?.headers).get('x-stainless-retry-count'))
      return fetch(url, init)
    },
  })
  const ask = () =>
    client.chat.completions.create({ model: modelName, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 10 })
  return { ask, attempts }
}

test('a request above the limit gets the wait, and succeeds after exactly that', async () => {
  const clock = createManualClock()
  const helix = await startHelix({ clock, config: { organisationRequestsPerMinute: 2 } })
  expect((await helix.chat({})).status).toBe(200)
  clock.advance(15_500)
  expect((await helix.chat({ stream: true })).status).toBe(200)
  clock.advance(10_250)
  for (const stream of [false, true]) {
    const refused = await helix.chat({ stream })
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after-ms')).toBe('34250')
    expect(refused.headers.get('retry-after')).toBe('35')
    expect(refused.headers.get('x-should-retry')).toBeNull()
    expect(limitHeaders(refused)).toEqual({
      'x-ratelimit-limit-requests': '2',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '49.75s',
      'x-ratelimit-scope-requests': 'organisation',
    })
    const error = await readError(refused)
    expect(error).toMatchObject({ type: 'requests', param: null, code: 'rate_limit_exceeded' })
    expect(error.limit).toEqual({
      ...{ name: 'requests_per_minute', scope: 'organisation', limit: 2, used: 2, requested: 1 },
      resets_at: Math.ceil((clock.now() + 34_250) / 1000),
    })
    expect(error.message).toMatch(
      /^Rate limit reached for helix-v1 in organization org_\w+ on requests per min \(RPM\): Limit 2, Used 2, Requested 1. Please try again in 34.25s.$/,
    )
  }
  clock.advance(34_249)
  expect((await helix.chat({})).headers.get('retry-after')).toBe('1')
  clock.advance(1)
  expect((await helix.chat({})).status).toBe(200)
})

test('tokens are reserved for the longest answer, and unused ones are released', async () => {
  const clock = createManualClock()
  const go = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const helix = await startHelix({
    clock,
    config: { tokensPerMinute: 100 },
    *answer() {
      begun.resolve()
      yield { pause: go.promise }
      yield* ['Hello', ', ', 'world', '!']
    },
  })
  const first = helix.chat({ max_completion_tokens: 60 })
  await begun.promise
  const second = await helix.chat({ max_completion_tokens: 60 })
  expect(second.status).toBe(429)
  expect(second.headers.get('retry-after-ms')).toBe('1000')
  expect((await readError(second)).message).toContain(
    'on this server on tokens per min (TPM): Limit 100, Used 62, Requested 62.',
  )
  go.resolve()
  expect((await first).headers.get('x-ratelimit-remaining-tokens')).toBe(String(100 - used))
  expect((await helix.chat({ max_completion_tokens: 100 - used - 2 })).status).toBe(200)
})

test('a request larger than the limit gets an error that says so, and not to retry', async () => {
  const helix = await startHelix({ config: { organisationTokensPerMinute: 100 } })
  const refused = await helix.chat({ max_completion_tokens: 50, n: 2 })
  expect(refused.status).toBe(429)
  expect(refused.headers.get('x-should-retry')).toBe('false')
  expect(refused.headers.get('retry-after')).toBeNull()
  const error = await readError(refused)
  expect(error).toMatchObject({ type: 'tokens', code: 'rate_limit_exceeded' })
  expect(error.message).toContain('Limit 100, Requested 102 (2 in the messages, up to 100 in the answer). Lower max')
  expect((await helix.chat({ max_completion_tokens: 49, n: 2 })).status).toBe(200)
})

test('concurrent requests above the limit are refused, and a new one is admitted as soon as one ends', async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const begun = Promise.withResolvers<void>()
  let count = 0
  const helix = await startHelix({
    config: { organisationRequestsInFlight: 2 },
    *answer() {
      const gate = gates[count]
      count += 1
      if (count === 2) begun.resolve()
      if (gate !== undefined) yield { pause: gate.promise }
      yield 'done'
    },
  })
  const running = [helix.chat({}), helix.chat({})]
  await begun.promise
  const refused = await helix.chat({})
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after-ms')).toBe('1000')
  expect(await readError(refused)).toMatchObject({ type: 'requests', code: 'rate_limit_exceeded' })
  gates[0]?.resolve()
  await Promise.race(running)
  expect((await helix.chat({})).status).toBe(200)
  gates[1]?.resolve()
  await Promise.all(running)
})

test('an exhausted budget states when it resets, and clients do not retry', async ({ skip }) => {
  skip(isNetworked())
  const clock = createManualClock()
  const helix = await startHelix({ clock, config: { organisationTokensPerDay: 16, timeZone: 'Asia/Tokyo' } })
  const { ask, attempts } = watchedClient(helix)
  await ask()
  const error = await ask().catch((error: unknown) => error)
  expect(error).toBeInstanceOf(OpenAI.RateLimitError)
  expect(error).toMatchObject({ status: 429, code: 'insufficient_quota', type: 'insufficient_quota' })
  expect(String(error)).toContain('Limit 16, Used 6, Requested 12.')
  expect(String(error)).toContain('It resets at 2001-11-15T15:00:00Z.')
  expect(attempts).toEqual(['0', '0'])
  const refused = await helix.chat({ max_tokens: 10 })
  expect(refused.headers.get('x-should-retry')).toBe('false')
  expect(refused.headers.get('retry-after')).toBeNull()
  clock.advance(15 * 3_600_000)
  expect((await helix.chat({ max_tokens: 10 })).status).toBe(200)
})

test('the official client waits as stated and retries automatically', async () => {
  const clock = createManualClock()
  const helix = await startHelix({ clock, config: { organisationRequestsPerMinute: 1 } })
  expect((await helix.chat({})).status).toBe(200)
  clock.advance(59_995)
  const { ask, attempts } = watchedClient(helix, () => clock.advance(5))
  expect((await ask()).choices[0]?.message.content).toBe('Hello, world!')
  expect(attempts).toEqual(['0', '1'])
})

test('a response has the remaining limits, streamed or not', async () => {
  const clock = createManualClock()
  const config = { organisationRequestsPerMinute: 10, tokensPerMinute: 1_000 }
  const helix = await startHelix({ clock, config })
  const whole = await helix.chat({ max_completion_tokens: 100 })
  const requests = { 'x-ratelimit-limit-requests': '10', 'x-ratelimit-scope-requests': 'organisation' }
  const tokens = { 'x-ratelimit-limit-tokens': '1000', 'x-ratelimit-scope-tokens': 'server' }
  const reset = { 'x-ratelimit-reset-requests': '1m0s', 'x-ratelimit-reset-tokens': '1m0s' }
  const left = (requests: number, tokens: number) => ({
    'x-ratelimit-remaining-requests': String(requests),
    'x-ratelimit-remaining-tokens': String(tokens),
  })
  expect(limitHeaders(whole)).toEqual({ ...requests, ...tokens, ...reset, ...left(9, 1_000 - used) })
  // While it streams, all that it may still take is held.
  const streamed = await helix.chat({ max_completion_tokens: 100, stream: true })
  expect(limitHeaders(streamed)).toEqual({ ...requests, ...tokens, ...reset, ...left(8, 1_000 - used - 102) })
  await readChunks(streamed)
  const next = await helix.chat({ max_completion_tokens: 100 })
  expect(limitHeaders(next)).toMatchObject(left(7, 1_000 - 3 * used))
})

test('without limits a response has no rate-limit headers', async () => {
  const helix = await startHelix()
  expect(limitHeaders(await helix.chat({}))).toEqual({})
})

test('a restart resets no window and grants no budget twice', async () => {
  const clock = createManualClock()
  const config = { organisationRequestsPerMinute: 2, organisationTokensPerDay: 30, dataDir: scratchPath() }
  const before = await startHelix({ clock, config })
  for (let count = 0; count < 2; count += 1) expect((await before.chat({ max_tokens: 10 })).status).toBe(200)
  await before.close()
  clock.advance(20_000)
  const after = await startHelix({ clock, config })
  const refused = await after.chat({ max_tokens: 10 })
  expect(refused.headers.get('retry-after-ms')).toBe('40000')
  clock.advance(40_000)
  expect((await after.chat({ max_tokens: 17 })).headers.get('x-should-retry')).toBe('false')
  expect((await after.chat({ max_tokens: 16 })).status).toBe(200)
})

test('the requests of a day are refused with their limit, over a restart too', async () => {
  const clock = createManualClock()
  const config = { organisationRequestsPerDay: 2, timeZone: 'Asia/Tokyo', dataDir: scratchPath() }
  const before = await startHelix({ clock, config })
  expect((await before.chat({})).status).toBe(200)
  expect((await before.chat({ stream: true })).status).toBe(200)
  await before.close()
  const helix = await startHelix({ clock, config })
  const refused = await helix.chat({})
  expect(refused.status).toBe(429)
  expect(refused.headers.get('x-should-retry')).toBe('false')
  const error = await readError(refused)
  expect(error).toMatchObject({ type: 'insufficient_quota', code: 'insufficient_quota' })
  expect(error.limit).toMatchObject({
    name: 'requests_per_day',
    scope: 'organisation',
    limit: 2,
    used: 2,
    requested: 1,
  })
  expect(error.message).toMatch(/requests-per-day budget of organization org_\w+: Limit 2, Used 2, Requested 1/)
  clock.advance(24 * 3_600_000)
  expect((await helix.chat({})).status).toBe(200)
})
