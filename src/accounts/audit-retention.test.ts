import { expect, test } from 'vitest'
import { createLogCatcher } from '../../test/harness/log-catcher.ts'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { openScratchStore, scratchDirectory } from '../../test/harness/scratch-store.ts'
import type { AuditEvent } from '../store/audit-contract.ts'
import { openAuditRetention } from './audit-retention.ts'

const dayMs = 24 * 3_600_000
const actor = { kind: 'server', id: null, name: null, address: null } as const
const eventAt = (at: number): AuditEvent => ({
  at,
  organisationId: null,
  actor,
  action: 'account.created',
  target: null,
  details: {},
})
const everything = {
  organisationId: null,
  actor: null,
  target: null,
  action: null,
  from: null,
  until: null,
  before: null,
}

test('expired audit events are deleted at startup and once a day; the others are kept', async () => {
  using scratch = scratchDirectory()
  const clock = createManualClock()
  const { log } = createLogCatcher({ clock, format: 'json' })
  await using store = await openScratchStore(scratch.path, clock)
  const now = clock.now()
  for (let n = 0; n < 1_500; n += 1) void store.audit.record(eventAt(now - 31 * dayMs))
  const kept = [now - 29.5 * dayMs, now - dayMs]
  for (const at of kept) await store.audit.record(eventAt(at))
  const retention = openAuditRetention({ records: store.audit, settings: { auditRetentionDays: 30 }, clock, log })
  await clock.awaited(dayMs)
  const left = async () => (await store.audit.list({ ...everything, limit: 10 })).items.map(({ at }) => at)
  expect(await left()).toEqual(kept.toReversed())
  clock.advance(dayMs)
  await clock.awaited(dayMs)
  expect(await left()).toEqual([now - dayMs])
  await retention.close()
})
