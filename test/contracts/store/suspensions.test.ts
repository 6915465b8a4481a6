import { expect, test } from 'vitest'
import { claimServer, eventOf, hashOf, signUp } from '../../harness/account-records.ts'
import { keyRecordOf } from '../../harness/key-record.ts'
import { eachStore } from './each-store.ts'

eachStore((create) => {
  test('a suspension stops the keys below it, the first one counts, and resuming ends it', async () => {
    await using data = await create()
    await using store = await data.open()
    const owner = await claimServer(store)
    const { id, organisationId } = await signUp(store, 'ann@example.com')
    const record = keyRecordOf(organisationId, { createdBy: id })
    await store.keys.insert(record, hashOf('key'))
    const suspended = async () => (await store.keys.findByHash(hashOf('key')))?.suspended
    const set = (thing: 'account' | 'organisation' | 'key', subject: string, at: number | null) =>
      store.suspensions.set(thing, subject, at, eventOf('account.suspended'))
    for (const [thing, subject] of [
      ['key', record.id] as const,
      ['account', id] as const,
      ['organisation', organisationId] as const,
    ]) {
      expect(await suspended()).toBeNull()
      expect(await set(thing, subject, 5_000)).toEqual({ outcome: 'done', changed: true, keyIds: [record.id] })
      expect(await set(thing, subject, 6_000)).toEqual({ outcome: 'done', changed: false, keyIds: [record.id] })
      expect(await suspended()).toBe(thing)
      if (thing === 'account') expect(await store.accounts.find(id)).toMatchObject({ account: { suspendedAt: 5_000 } })
      expect(await set(thing, subject, null)).toMatchObject({ changed: true })
      expect(await set(thing, `${subject}_unknown`, 5_000)).toEqual({ outcome: 'not_found' })
    }
    expect(await suspended()).toBeNull()
    expect(await set('account', owner.id, 5_000)).toEqual({ outcome: 'owner' })
  })

  test('all organisations are listed in the order of their creation, with their members and valid keys', async () => {
    await using data = await create()
    await using store = await data.open()
    await claimServer(store)
    const { organisationId } = await signUp(store, 'ann@example.com')
    const empty = await data.addOrganisation()
    const keys = [keyRecordOf(organisationId), keyRecordOf(organisationId)]
    for (const [n, key] of keys.entries()) await store.keys.insert(key, hashOf(`${n}`))
    await store.keys.revoke('all', keys[0]?.id ?? '', 5)
    await store.suspensions.set('organisation', empty, 7, eventOf('organisation.suspended'))
    const { id } = await store.organisations.first()
    expect(await store.suspensions.organisations()).toMatchObject([
      { id, members: 1, keys: 0, suspendedAt: null },
      { id: organisationId, members: 1, keys: 1, suspendedAt: null },
      { id: empty, members: 0, keys: 0, suspendedAt: 7 },
    ])
  })
})
