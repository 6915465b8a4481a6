import { expect, onTestFinished, test } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { readRows } from '../harness/ledger-rows.ts'
import { liveEvents, textOf } from '../harness/live-events.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

const patience = { timeout: 30_000 }
const limitMs = 1500

const length = 1000
const numbers = Array.from({ length }, (_, index) => `${index + 1} `)

/**
 * An answer of a thousand tokens that is certainly paused: it says one, and continues when another account waits for the
 * only slot. That one keeps the slot, because no time passes and it says one word only until `release` is called.
 */
const startPaused = async ({ config = {}, headers = {} } = {}) => {
  const [queued, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const clock = createManualClock()
  const helix = await startHelix({
    clock,
    engine: { slots: 1, canPause: true, model: { contextTokens: 10_000_000 } },
    config: { signUpsPerHour: 1000, reservedSlots: 0, generationTimeoutMs: limitMs, ...config },
    *answer([message]) {
      if (message?.content === 'hold') yield* ['mine', { pause: held.promise }, ' done']
      else yield* [...numbers.slice(0, 1), { pause: queued.promise }, ...numbers.slice(1)]
    },
  })
  // A server that closes waits for its answers.
  onTestFinished(() => {
    queued.resolve()
    held.resolve()
    clock.advance(60_000)
  })
  const owner = await claimServer(helix)
  const accountOf = async (email: string) => {
    const { firstKey, post } = await signUp(helix.url, email)
    const ask = (content: string, more: Record<string, string> = {}) =>
      fetch(`${helix.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${firstKey.key}`, 'content-type': 'application/json', ...more },
        body: JSON.stringify({ model: modelName, messages: [{ role: 'user', content }], stream: true }),
      })
    return { ask, revoke: () => post(`/keys/${firstKey.id}/revoke`, { name: firstKey.name }) }
  }
  const [one, two] = [await accountOf('1@example.com'), await accountOf('2@example.com')]
  const paused = liveEvents(await one.ask('count', headers))
  await paused.until('1 ')
  const asked = two.ask('hold')
  const waiting = async () =>
    ((await (await owner.get('/admin/engine')).json()) as { slots: { waiting: number } }).slots.waiting
  await expect.poll(waiting, patience).toBe(1)
  queued.resolve()
  const other = liveEvents(await asked)
  await other.until('mine')
  const settled = async () => (await readRows(helix)).filter(({ settlement }) => settlement !== null)
  const ended = async (count: number) => {
    await expect.poll(async () => (await settled()).length, patience).toBe(count)
    return settled()
  }
  return { helix, clock, paused, other, ended, one, release: held.resolve }
}

/** The numbers that were received, `1 ` included, and the code of the error at the end. */
const readRest = async ({ rest }: ReturnType<typeof liveEvents>) => {
  const events = (await rest()).map(({ data }) => data)
  const tokens = 1 + events.filter((data) => /^\d+ $/.test(textOf({ data }) ?? '')).length
  const last = events.at(-1) ?? ''
  return { tokens, code: last === '[DONE]' ? null : (JSON.parse(last).error?.code as string) }
}

test('an answer that was paused for another one is complete and billed once', async () => {
  const { paused, other, ended, release } = await startPaused()
  release()
  expect((await other.rest()).map(textOf)).toContain(' done')
  const rest = (await paused.rest()).map((event) => textOf(event) ?? '').filter((text) => text !== '[DONE]')
  expect(`1 ${rest.join('')}`).toBe(numbers.join(''))
  expect((await ended(2)).map(({ settlement }) => settlement?.completionTokens)).toEqual([length, 2])
})

test('a paused answer whose key is revoked ends with an error, and exactly what was sent is billed', async () => {
  const { helix, paused, other, ended, one, release } = await startPaused()
  expect((await one.revoke()).ok).toBe(true)
  const { tokens, code } = await readRest(paused)
  expect(code).toBe('invalid_api_key')
  expect((await ended(1)).map(({ settlement }) => settlement)).toMatchObject([
    { outcome: 'failed', completionTokens: tokens, pauses: { count: 1 } },
  ])
  expect(helix.engine.active()).toBe(1)
  release()
  expect((await readRest(other)).code).toBeNull()
})

test('a client that leaves while its answer is paused pays for nothing that was not sent', async () => {
  const { helix, paused, other, ended, release } = await startPaused()
  await paused.leave()
  const [row] = await ended(1)
  // The other answer was not disturbed, and the one that was left does not continue after it.
  expect(helix.engine.active()).toBe(1)
  expect(row?.settlement).toMatchObject({ outcome: 'client_closed', pauses: { count: 1 } })
  const { completionTokens = 0 } = row?.settlement ?? {}
  expect(completionTokens).toBeGreaterThanOrEqual(1)
  expect(completionTokens).toBeLessThan(length)
  release()
  expect((await readRest(other)).code).toBeNull()
  await ended(2)
  expect(helix.engine.active()).toBe(0)
})

test('a client that left its keyed answer while it was paused gets all of it when it returns, billed once', async () => {
  const headers = { 'idempotency-key': 'again' }
  const { paused, other, ended, one, release } = await startPaused({ headers })
  await paused.leave()
  const again = liveEvents(await one.ask('count', headers))
  release()
  expect((await readRest(other)).code).toBeNull()
  expect((await again.rest()).map((event) => textOf(event) ?? '').join('')).toBe(`${numbers.join('')}[DONE]`)
  expect((await ended(2)).map(({ settlement }) => settlement?.completionTokens)).toEqual([length, 2])
})

test('a paused answer whose node stops ends with an error after the grace, and exactly what was sent is billed', async () => {
  const graceMs = limitMs - 500
  const config = { shutdownGraceMs: graceMs }
  const { helix, clock, paused, ended } = await startPaused({ config })
  const closing = helix.server.close()
  await clock.awaited(graceMs)
  clock.advance(graceMs)
  const { tokens, code } = await readRest(paused)
  expect(code).toBe('shutting_down')
  await closing
  const row = (await ended(2)).find(({ settlement }) => settlement?.pauses !== undefined)
  expect(row?.settlement).toMatchObject({ completionTokens: tokens })
})

test('the time limit of an answer does not include its pauses', async () => {
  const { clock, paused, other, ended } = await startPaused()
  clock.advance(limitMs)
  // The one that kept the slot has reached the limit; the one that waited for it continues.
  expect((await readRest(other)).code).toBe('generation_timeout')
  const { tokens, code } = await readRest(paused)
  expect([tokens, code]).toEqual([length, null])
  const row = (await ended(2)).find(({ settlement }) => settlement?.outcome === 'completed')
  expect(row?.settlement).toMatchObject({ completionTokens: length, pauses: { count: 1, ms: limitMs } })
})
