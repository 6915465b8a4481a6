import { expect, test } from 'vitest'
import { keyedChat } from '../harness/keyed-chat.ts'
import { ledgerRows } from '../harness/ledger-rows.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { startHelix } from '../harness/start-helix.ts'

test('a replay does not count towards any limit', async () => {
  const clock = createManualClock()
  const helix = await startHelix({ clock, config: { organisationRequestsPerMinute: 1 } })
  const first = await keyedChat(helix, 'k')
  expect(first.status).toBe(200)
  expect(first.headers.get('x-ratelimit-limit-requests')).toBe('1')
  expect(first.headers.get('x-ratelimit-remaining-requests')).toBe('0')
  for (let turn = 0; turn < 3; turn += 1) {
    const again = await keyedChat(helix, 'k')
    expect(again.status).toBe(200)
    expect(again.headers.has('x-ratelimit-limit-requests')).toBe(false)
  }
  expect((await helix.chat({})).status).toBe(429)
})

test('a rate-limit error is not stored', async () => {
  const clock = createManualClock()
  const helix = await startHelix({ clock, config: { organisationRequestsPerMinute: 1 } })
  await (await helix.chat({})).text()
  const refused = await keyedChat(helix, 'k', { stream: true })
  expect(refused.status).toBe(429)
  expect(await refused.json()).toMatchObject({ error: { code: 'rate_limit_exceeded' } })
  expect(refused.headers.has('retry-after')).toBe(true)
  clock.advance(60_000)
  const next = await keyedChat(helix, 'k', { stream: true })
  expect(next.status).toBe(200)
  expect(next.headers.has('idempotent-replayed')).toBe(false)
  expect(next.headers.get('x-ratelimit-limit-requests')).toBe('1')
  expect(await next.text()).toContain('[DONE]')
  expect(await ledgerRows(helix)).toHaveLength(2)
})

test('a running answer can be resumed while it is the only request allowed in flight', async () => {
  const gate = Promise.withResolvers<void>()
  const helix = await startHelix({
    config: { organisationRequestsInFlight: 1 },
    *answer() {
      yield 'Hello'
      yield { pause: gate.promise }
      yield '!'
    },
  })
  const first = await keyedChat(helix, 'k', { stream: true })
  expect((await helix.chat({})).status).toBe(429)
  const again = await keyedChat(helix, 'k', { stream: true })
  expect(again.status).toBe(200)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  gate.resolve()
  expect(await again.text()).toBe(await first.text())
  expect((await helix.chat({})).status).toBe(200)
})
