import { expect, test } from 'vitest'
import type { Limits } from '../../../src/store/ledger-contract.ts'
import { keyRecordOf } from '../../harness/key-record.ts'
import { addOrganisation, openScratchStore, scratchDirectory } from '../../harness/scratch-store.ts'

const hashOf = (n: number): Uint8Array => new Uint8Array(32).fill(n)
const limits: Limits = {
  requestsPerMinute: 60,
  tokensPerMinute: 40_000,
  requestsInFlight: 4,
  tokensPerDay: 1,
  tokensPerMonth: Number.MAX_SAFE_INTEGER,
  costPerDayMicros: 12_500_000,
  costPerMonthMicros: 9_000_000_000_000_000,
}

test('a key comes back with its scopes, models, networks and limits', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const { id } = await store.organisations.first()
  const record = keyRecordOf(id, {
    ...{ scopes: ['manage'], models: ['helix-v1', '模型'], networks: ['10.0.0.0/8', '::1'] },
    ...{ limits, lastUsedAt: 5, previousUntil: 6 },
  })
  await store.keys.insert(record, hashOf(1))
  expect(await store.keys.find('all', record.id)).toEqual(record)
})

test('a rotation keeps the key, its new secret and the one before', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const scope = { organisationId: (await store.organisations.first()).id }
  const record = keyRecordOf(scope.organisationId)
  await store.keys.insert(record, hashOf(1))
  const secret = { secretHash: hashOf(2), prefix: 'hx_live_2222', lastFour: '2222', previousUntil: 9_000 }
  const { secretHash: _, ...shown } = secret
  expect(await store.keys.rotate({ organisationId: addOrganisation(scratch.path) }, record.id, secret)).toBeNull()
  expect(await store.keys.rotate(scope, record.id, secret)).toEqual({ ...record, ...shown })
  expect(await store.keys.findByHash(hashOf(1))).toMatchObject({ record: { id: record.id }, secret: 'previous' })
  expect(await store.keys.findByHash(hashOf(2))).toMatchObject({ record: shown, secret: 'current' })
  await store.keys.rotate('all', record.id, { ...secret, secretHash: hashOf(3), previousUntil: null })
  expect(await store.keys.findByHash(hashOf(1))).toBeNull()
  expect(await store.keys.findByHash(hashOf(2))).toMatchObject({ record: { previousUntil: null }, secret: 'previous' })
  await store.keys.revoke('all', record.id, 1)
  expect(await store.keys.rotate('all', record.id, { ...secret, secretHash: hashOf(4) })).toBeNull()
})

test('a change touches what it names and nothing else', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const scope = { organisationId: (await store.organisations.first()).id }
  const record = keyRecordOf(scope.organisationId, { models: ['a'], limits })
  await store.keys.insert(record, hashOf(1))
  const changed = { ...record, name: 'renamed', models: null, networks: ['::/0'] }
  const changes = { name: 'renamed', models: null, networks: ['::/0'] }
  const elsewhere = { organisationId: addOrganisation(scratch.path) }
  expect(await store.keys.change(elsewhere, record.id, changes, null)).toEqual({ outcome: 'not_found' })
  expect(await store.keys.change(scope, record.id, changes, null)).toEqual({ outcome: 'changed', record: changed })
  expect(await store.keys.find(scope, record.id)).toEqual(changed)
  expect(await store.keys.change(scope, 'key_unknown', changes, null)).toEqual({ outcome: 'not_found' })
})

test('the time of the last use never moves backwards', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const record = keyRecordOf((await store.organisations.first()).id)
  await store.keys.insert(record, hashOf(1))
  const touch = async (lastUsedAt: number) => {
    const used = [
      { id: 'key_gone', lastUsedAt },
      { id: record.id, lastUsedAt },
    ]
    await store.keys.touch(used)
    return (await store.keys.find('all', record.id))?.lastUsedAt
  }
  expect([await touch(2_000), await touch(1_000), await touch(3_000)]).toEqual([2_000, 2_000, 3_000])
})

test('an organisation has the limits it was given last, and none of its own before', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const first = await store.organisations.first()
  const other = addOrganisation(scratch.path)
  const none = Object.fromEntries(Object.keys(limits).map((name) => [name, null]))
  expect(await store.organisations.limits(first.id)).toEqual({ limits: none, isServerOrganisation: true })
  expect(await store.organisations.setLimits(first.id, { ...limits, tokensPerDay: 0 }, null)).toBe('set')
  expect(await store.organisations.limits(first.id)).toMatchObject({ limits: { ...limits, tokensPerDay: 0 } })
  expect(await store.organisations.setLimits('org_unknown', limits, null)).toBe('not_found')
  expect(await store.organisations.limits('org_unknown')).toBeNull()
  expect(await store.organisations.list()).toMatchObject([
    { ...first, limits: { ...limits, tokensPerDay: 0 } },
    { id: other, limits: none },
  ])
})
