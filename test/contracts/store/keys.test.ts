import { expect, test } from 'vitest'
import type { Limits } from '../../../src/store/ledger-contract.ts'
import { keyRecordOf } from '../../harness/key-record.ts'
import { eachStore } from './each-store.ts'

const hashOf = (n: number): Uint8Array => new Uint8Array(32).fill(n)
const limits: Limits = {
  requestsPerMinute: 60,
  tokensPerMinute: 40_000,
  requestsInFlight: 4,
  requestsPerDay: 300,
  tokensPerDay: 1,
  tokensPerMonth: Number.MAX_SAFE_INTEGER,
  costPerDayMicros: 12_500_000,
  costPerMonthMicros: 9_000_000_000_000_000,
}

eachStore((create) => {
  test('a key comes back with its scopes, models, networks and limits', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await store.organisations.first()
    const record = keyRecordOf(id, {
      ...{ scopes: ['manage'], models: ['helix-v1', '模型'], networks: ['10.0.0.0/8', '::1'] },
      ...{ limits, lastUsedAt: 5, previousUntil: 6 },
    })
    await store.keys.insert(record, hashOf(1))
    expect(await store.keys.find('all', record.id)).toEqual(record)
  })

  test('a rotation keeps the key, its new secret and the one before', async () => {
    await using data = await create()
    await using store = await data.open()
    const scope = { organisationId: (await store.organisations.first()).id }
    const record = keyRecordOf(scope.organisationId)
    await store.keys.insert(record, hashOf(1))
    const secret = { secretHash: hashOf(2), prefix: 'hx_live_2222', lastFour: '2222', previousUntil: 9_000 }
    const { secretHash: _, ...shown } = secret
    expect(await store.keys.rotate({ organisationId: await data.addOrganisation() }, record.id, secret)).toBeNull()
    expect(await store.keys.rotate(scope, record.id, secret)).toEqual({ ...record, ...shown })
    expect(await store.keys.findByHash(hashOf(1))).toMatchObject({ record: { id: record.id }, secret: 'previous' })
    expect(await store.keys.findByHash(hashOf(2))).toMatchObject({ record: shown, secret: 'current' })
    await store.keys.rotate('all', record.id, { ...secret, secretHash: hashOf(3), previousUntil: null })
    expect(await store.keys.findByHash(hashOf(1))).toBeNull()
    expect(await store.keys.findByHash(hashOf(2))).toMatchObject({
      record: { previousUntil: null },
      secret: 'previous',
    })
    await store.keys.revoke('all', record.id, 1)
    expect(await store.keys.rotate('all', record.id, { ...secret, secretHash: hashOf(4) })).toBeNull()
  })

  test('a change touches what it names and nothing else', async () => {
    await using data = await create()
    await using store = await data.open()
    const scope = { organisationId: (await store.organisations.first()).id }
    const record = keyRecordOf(scope.organisationId, { models: ['a'], limits })
    await store.keys.insert(record, hashOf(1))
    const changed = { ...record, name: 'renamed', scopes: ['models'] as const, models: null, networks: ['::/0'] }
    const changes = { name: 'renamed', scopes: ['models'] as const, models: null, networks: ['::/0'] }
    const elsewhere = { organisationId: await data.addOrganisation() }
    expect(await store.keys.change(elsewhere, record.id, changes, null)).toEqual({ outcome: 'not_found' })
    expect(await store.keys.change(scope, record.id, changes, null)).toEqual({ outcome: 'changed', record: changed })
    expect(await store.keys.find(scope, record.id)).toEqual(changed)
    expect(await store.keys.change(scope, 'key_unknown', changes, null)).toEqual({ outcome: 'not_found' })
  })

  test('the time of the last use never moves backwards', async () => {
    await using data = await create()
    await using store = await data.open()
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
    await using data = await create()
    await using store = await data.open()
    const first = await store.organisations.first()
    const other = await data.addOrganisation()
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

  test('a key is found by its own hash only, in any script, and of its organisation only', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await store.organisations.first()
    const record = keyRecordOf(id, { name: '鍵 🔑', expiresAt: Date.UTC(2030, 0) })
    await store.keys.insert(record, hashOf(1))
    expect(await store.keys.findByHash(hashOf(1))).toEqual({
      ...{ record, secret: 'current', suspended: null, ownerId: id },
    })
    expect(await store.keys.findByHash(hashOf(2))).toBeNull()
    const elsewhere = { organisationId: await data.addOrganisation() }
    expect([await store.keys.list('all'), await store.keys.list(elsewhere)]).toEqual([[record], []])
    expect(await store.keys.find(elsewhere, record.id)).toBeNull()
    expect(await store.keys.revoke(elsewhere, record.id, 1)).toBe('not_found')
  })

  test('the first revocation of a key counts, also of several at once', async () => {
    await using data = await create()
    await using store = await data.open()
    const record = keyRecordOf((await store.organisations.first()).id)
    await store.keys.insert(record, hashOf(1))
    expect(await store.keys.revoke('all', record.id, 2_000)).toBe('revoked')
    expect(await store.keys.revoke('all', record.id, 3_000)).toBe('already_revoked')
    expect(await store.keys.revoke('all', 'key_unknown', 3_000)).toBe('not_found')
    const found = await store.keys.findByHash(hashOf(1))
    expect(found).toMatchObject({ record: { ...record, revokedAt: 2_000 }, secret: 'current', suspended: null })
    const other = keyRecordOf(record.organisationId)
    await store.keys.insert(other, hashOf(2))
    const outcomes = await Promise.all([5, 6, 7].map((at) => store.keys.revoke('all', other.id, at)))
    expect(outcomes.sort()).toEqual(['already_revoked', 'already_revoked', 'revoked'])
  })

  test('limits change only if they still are what somebody saw, however many change them at once', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await store.organisations.first()
    const record = keyRecordOf(id, { limits })
    await store.keys.insert(record, hashOf(1))
    const raise = (requestsPerMinute: number) =>
      store.keys.change('all', record.id, { limits: { ...limits, requestsPerMinute } }, limits)
    const outcomes = (await Promise.all([61, 62, 63].map(raise))).map(({ outcome }) => outcome)
    expect(outcomes.sort()).toEqual(['changed', 'limits_changed', 'limits_changed'])
    expect(await store.organisations.setLimits(id, limits, limits)).toBe('limits_changed')
    expect(await store.organisations.setLimits(id, limits, null)).toBe('set')
    const set = (tokensPerDay: number) => store.organisations.setLimits(id, { ...limits, tokensPerDay }, limits)
    expect((await Promise.all([2, 3].map(set))).sort()).toEqual(['limits_changed', 'set'])
  })

  test('a secret belongs to one key, and a key to an organisation that exists', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await store.organisations.first()
    const results = await Promise.allSettled([
      store.keys.insert(keyRecordOf(id), hashOf(1)),
      store.keys.insert(keyRecordOf(id), hashOf(1)),
      store.keys.insert(keyRecordOf('org_unknown'), hashOf(2)),
      store.keys.insert(keyRecordOf(id), hashOf(3)),
    ])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected'])
    expect(await store.keys.list('all')).toHaveLength(2)
  })

  test('every start finds the organisation that the first one created, and what was written before', async () => {
    await using data = await create()
    const open = async () => {
      await using store = await data.open()
      return await store.organisations.first()
    }
    const created = await open()
    expect(created).toMatchObject({ name: 'Default', id: expect.stringMatching(/^org_/) })
    {
      await using store = await data.open()
      const writes = [1, 2, 3].map((n) => store.keys.insert(keyRecordOf(created.id), hashOf(n)))
      await store.close()
      await Promise.all(writes)
      await expect(store.ping()).rejects.toThrow('The store is closed.')
      await expect(store.keys.list('all')).rejects.toThrow('The store is closed.')
    }
    expect(await open()).toEqual(created)
    await using store = await data.open()
    await store.ping()
    expect(await store.keys.list('all')).toHaveLength(3)
  })
})
