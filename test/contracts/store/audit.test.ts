import { expect, test } from 'vitest'
import type { AuditFilter } from '../../../src/store/audit-contract.ts'
import type { Store } from '../../../src/store/contract.ts'
import { accountOf, claimServer, eventOf, hashOf } from '../../harness/account-records.ts'
import { keyRecordOf } from '../../harness/key-record.ts'
import { eachStore } from './each-store.ts'

const everything: AuditFilter = {
  ...{ organisationId: null, actor: null, target: null, action: null, from: null, until: null },
  ...{ before: null, limit: 100 },
}

const timesOf = async (store: Store, filter: Partial<AuditFilter>): Promise<number[]> =>
  (await store.audit.list({ ...everything, ...filter })).items.map(({ at }) => at)

eachStore((create) => {
  test('events come back as they were recorded, newest first, page by page', async () => {
    await using data = await create()
    await using store = await data.open()
    const actor = { kind: 'account', id: 'usr_1', name: 'ann@example.com', address: '192.0.2.1' } as const
    const target = { kind: 'key', id: 'key_1', name: '鍵' } as const
    const event = eventOf('key.created', { actor, target, details: { 名: 'a', count: 2, was: null, on: true }, at: 5 })
    await store.audit.record(event)
    for (const at of [7, 6, 7]) await store.audit.record(eventOf('key.revoked', { at }))
    const first = await store.audit.list({ ...everything, limit: 3 })
    expect([first.items.map(({ at }) => at), first.hasMore]).toEqual([[7, 7, 6], true])
    const before = first.items.at(-1)?.cursor ?? null
    const second = await store.audit.list({ ...everything, before, limit: 3 })
    expect(second).toEqual({ items: [{ ...event, cursor: expect.any(String) }], hasMore: false })
    expect((await store.audit.list({ ...everything, before: 'no cursor' })).items).toHaveLength(4)
  })

  test('events can be read in the order in which they were recorded', async () => {
    await using data = await create()
    await using store = await data.open()
    for (const at of [7, 6, 8]) await store.audit.record(eventOf('key.revoked', { at }))
    const all = await store.audit.since(0, 10)
    expect(all.map(({ at }) => at)).toEqual([7, 6, 8])
    const [first] = all
    expect((await store.audit.since(first?.sequence ?? 0, 1)).map(({ at }) => at)).toEqual([6])
    expect(await store.audit.since(all.at(-1)?.sequence ?? 0, 10)).toEqual([])
  })

  test('no event can be changed or deleted', async () => {
    await using data = await create()
    await using store = await data.open()
    await store.audit.record(eventOf('key.revoked', { at: 5 }))
    for (const change of ["UPDATE audit_events SET action = 'key.created'", 'DELETE FROM audit_events'])
      await expect(data.exec(change)).rejects.toThrow('the audit is append-only')
    expect(await timesOf(store, { action: 'key.revoked' })).toEqual([5])
  })

  test('a list has only what was asked for: organisation, actor, target, action, time', async () => {
    await using data = await create()
    await using store = await data.open()
    const [ours, theirs] = [(await store.organisations.first()).id, await data.addOrganisation()]
    const actor = (name: string) =>
      ({ kind: 'account', id: `usr_${name}`, name: `${name}@Example.com`, address: null }) as const
    const target = { kind: 'key', id: 'key_1', name: '100% mine' } as const
    await store.audit.record(eventOf('key.created', { at: 1, organisationId: ours, actor: actor('ann'), target }))
    await store.audit.record(eventOf('key.revoked', { at: 2, organisationId: ours, actor: actor('ben'), target }))
    await store.audit.record(eventOf('member.left', { at: 3, organisationId: theirs, actor: actor('ann') }))
    await store.audit.record(eventOf('server.claimed', { at: 4 }))
    expect(await timesOf(store, {})).toEqual([4, 3, 2, 1])
    expect(await timesOf(store, { organisationId: ours })).toEqual([2, 1])
    expect(await timesOf(store, { organisationId: ours, actor: 'ANN@example' })).toEqual([1])
    expect(await timesOf(store, { actor: 'usr_ann' })).toEqual([3, 1])
    expect(await timesOf(store, { actor: 'usr_a' })).toEqual([])
    expect(await timesOf(store, { target: '0% m' })).toEqual([2, 1])
    expect(await timesOf(store, { target: '_' })).toEqual([])
    expect(await timesOf(store, { action: 'key' })).toEqual([2, 1])
    expect(await timesOf(store, { action: 'key.revoked' })).toEqual([2])
    expect(await timesOf(store, { action: 'ke' })).toEqual([])
    expect(await timesOf(store, { from: 2, until: 4 })).toEqual([3, 2])
  })

  test('an event is written with the change that it describes, and only if that took effect', async () => {
    await using data = await create()
    await using store = await data.open()
    const record = keyRecordOf((await store.organisations.first()).id, { name: 'CI' })
    await store.keys.insert(record, hashOf('1'), eventOf('key.created', { at: 1 }))
    const target = { kind: 'key', id: record.id, name: null } as const
    const revoke = (at: number) => store.keys.revoke('all', record.id, at, eventOf('key.revoked', { at, target }))
    expect([await revoke(2), await revoke(3)]).toEqual(['revoked', 'already_revoked'])
    await expect(
      store.keys.insert(keyRecordOf('org_unknown'), hashOf('2'), eventOf('key.created', { at: 4 })),
    ).rejects.toThrow()
    expect(await timesOf(store, {})).toEqual([2, 1])
    // A name that was not given is that of the time of the event.
    await store.keys.change('all', record.id, { name: 'renamed' }, null)
    expect((await store.audit.list({ ...everything, action: 'key.revoked' })).items).toMatchObject([
      { target: { kind: 'key', id: record.id, name: 'CI' } },
    ])
  })

  test('of a deleted account the events stay, without its name and addresses', async () => {
    await using data = await create()
    await using store = await data.open()
    await claimServer(store)
    const account = accountOf('ann@example.com')
    await store.accounts.create(account, 'org_ann', null)
    const actor = { kind: 'account', id: account.id, name: account.email, address: '192.0.2.1' } as const
    await store.audit.record(eventOf('account.signed_in', { actor }))
    await store.accounts.remove(account.id, { id: 'org_next', name: 'Next', createdAt: 0 })
    const { items } = await store.audit.list({ ...everything, actor: account.id })
    expect(items).toMatchObject([{ actor: { id: account.id, name: null, address: null } }])
    expect(await timesOf(store, { actor: 'ann@' })).toEqual([])
  })

  test('events are removed once they are old enough, a few at a time', async () => {
    await using data = await create()
    await using store = await data.open()
    for (const at of [1, 2, 3, 4]) await store.audit.record(eventOf('link.made', { at }))
    expect([await store.audit.prune(4, 2), await store.audit.prune(4, 2)]).toEqual([2, 1])
    expect(await store.audit.prune(4, 2)).toBe(0)
    expect(await timesOf(store, {})).toEqual([4])
    await expect(data.exec('DELETE FROM audit_events')).rejects.toThrow()
    await expect(data.exec('UPDATE audit_events SET at = 0')).rejects.toThrow()
  })
})
