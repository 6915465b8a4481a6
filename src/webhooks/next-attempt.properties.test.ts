import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventOf } from '../../test/harness/account-records.ts'
import { gridRuns } from '../../test/harness/grid.ts'
import { openScratchStore, scratchDirectory } from '../../test/harness/scratch-store.ts'
import { stateDiagrams } from '../../test/harness/state-diagram.ts'
import type { EndpointRecord } from '../store/webhook-contract.ts'
import { deliveryErrors, maxAttempts, nextAttempt } from './next-attempt.ts'

const endpoint: EndpointRecord = {
  ...{ id: 'whk_1', organisationId: null, channel: 'webhook', url: 'https://example.com/', description: '' },
  ...{ events: ['disk.low'], sealedSecret: 'sealed', sealedPrevious: null, previousUntil: null },
  ...{ isEnabled: true, createdAt: 0 },
}

const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ what: fc.constant('answer'), error: fc.constantFrom(null, ...deliveryErrors) }),
    },
    { weight: 2, arbitrary: fc.record({ what: fc.constant('status'), error: fc.constant('status' as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({ what: fc.constantFrom('die', 'replay', 'off', 'on'), error: fc.constant(null) }),
    },
  ),
  { maxLength: 14 },
)

test('whatever endpoints answer, nodes do and people click, a delivery changes as the page says, and is never lost', async () => {
  const drawn = stateDiagrams('docs/webhooks.md').find(({ type }) => type === 'DeliveryState')?.transitions ?? []
  expect(drawn.length).toBeGreaterThan(0)
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const { webhooks } = store
  let now = 1000
  await webhooks.insert(endpoint, 1, eventOf('webhook.added'))
  await fc.assert(
    fc.asyncProperty(steps, fc.double({ min: 0, max: 1, noNaN: true }), async (taken, random) => {
      await webhooks.change(null, endpoint.id, { isEnabled: true })
      const event = { id: `evt_${now}`, organisationId: null, type: 'disk.low', data: '{}', createdAt: now }
      const sent = await webhooks.send(null, endpoint.id, event)
      if (sent === null) throw new Error('nothing was sent')
      let state: string = sent.state
      const look = async () => {
        const [found] = await webhooks.deliveries(null, endpoint.id, null, 1)
        if (found === undefined) throw new Error('it is lost')
        if (found.state !== state) expect(drawn).toContain(`${state} --> ${found.state}`)
        state = found.state
        // Something is due exactly as long as it is not decided, and nobody attempts it more often than allowed.
        expect(found.dueAt === null).toBe(['delivered', 'failed'].includes(found.state))
        expect(found.event.id).toBe(event.id)
        return found
      }
      for (const { what, error } of taken) {
        if (what === 'replay') await webhooks.replay(null, endpoint.id, sent.id, now)
        if (what === 'off') await webhooks.change(null, endpoint.id, { isEnabled: false })
        if (what === 'on') await webhooks.change(null, endpoint.id, { isEnabled: true })
        await look()
        if (!['answer', 'status', 'die'].includes(what)) continue
        now = Math.max(now, (await look()).dueAt ?? now)
        const [claimed] = await webhooks.claim(now, now + 100, 1)
        if (claimed === undefined) continue
        await look()
        // A node that dies records nothing: its lease ends, and the next one takes over.
        if (what === 'die') continue
        const attempt = { attempt: claimed.attempt, outcome: { status: null, error }, durationMs: 1, now, random }
        const next = nextAttempt(attempt)
        if (next.state === 'pending' && error !== 'stopped') expect(claimed.attempt).toBeLessThan(maxAttempts)
        expect(await webhooks.record(claimed, next)).toBe(true)
        await look()
      }
      // The next one must not find this one.
      await webhooks.change(null, endpoint.id, { isEnabled: false })
      const left = await webhooks.claim(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 1)
      for (const claimed of left)
        await webhooks.record(claimed, { state: 'failed', dueAt: null, status: null, error: null, durationMs: 0 })
      now += 1_000_000
    }),
    { numRuns: gridRuns(40) },
  )
})

test('pauses between attempts grow, and together take more than a day', () => {
  const outcome = { status: 500, error: 'status' } as const
  let waitedMs = 0
  for (let attempt = 1; attempt < maxAttempts; attempt += 1) {
    const next = nextAttempt({ attempt, outcome, durationMs: 1, now: 0, random: 0 })
    expect(next).toMatchObject({ state: 'pending', status: 500 })
    waitedMs += next.dueAt ?? 0
  }
  expect(waitedMs).toBeGreaterThan(24 * 3_600_000)
  expect(nextAttempt({ attempt: maxAttempts, outcome, durationMs: 1, now: 0, random: 1 })).toMatchObject({
    state: 'failed',
    dueAt: null,
  })
})
