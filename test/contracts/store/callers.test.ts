import { expect, test } from 'vitest'
import { claimServer, eventOf, hashOf, signUp } from '../../harness/account-records.ts'
import { keyRecordOf } from '../../harness/key-record.ts'
import { eachStore } from './each-store.ts'

eachStore((create) => {
  test('the keys that were asked for are returned with what stops them, and others are not', async () => {
    await using data = await create()
    await using store = await data.open()
    await claimServer(store)
    const { id: accountId, organisationId } = await signUp(store, 'ann@example.com')
    const key = keyRecordOf(organisationId, { createdBy: accountId })
    const other = keyRecordOf(organisationId)
    await store.keys.insert(key, hashOf('one'))
    await store.keys.insert(other, hashOf('two'))
    const look = () => store.callers.keys([key.id, 'key_unknown'])
    const { id, prefix, lastFour } = key
    const valid = { id, prefix, lastFour, revokedAt: null, pausedAt: null, previousUntil: null, suspended: null }
    expect(await look()).toEqual([valid])
    for (const [thing, subject] of [['key', id] as const, ['account', accountId] as const]) {
      await store.suspensions.set(thing, subject, 5_000, eventOf('key.suspended'))
      expect(await look()).toEqual([{ ...valid, suspended: thing }])
      await store.suspensions.set(thing, subject, null, eventOf('key.resumed'))
    }
    const secret = { secretHash: hashOf('new'), prefix: 'hx_live_efgh', lastFour: 'stuv', previousUntil: 9_000 }
    await store.keys.rotate('all', id, secret)
    await store.keys.change('all', id, { pausedAt: 6_000 }, null)
    const changed = { ...valid, prefix: 'hx_live_efgh', lastFour: 'stuv', previousUntil: 9_000, pausedAt: 6_000 }
    expect(await look()).toEqual([changed])
    await store.keys.revoke('all', id, 7_000)
    expect(await look()).toEqual([{ ...changed, revokedAt: 7_000 }])
    expect(await store.callers.keys([])).toEqual([])
  })

  test('members are returned with what stops them; those who do not belong to the organisation are not', async () => {
    await using data = await create()
    await using store = await data.open()
    const owner = await claimServer(store)
    const { id: accountId, organisationId } = await signUp(store, 'ann@example.com')
    const member = { accountId, organisationId }
    const stranger = { accountId: owner.id, organisationId }
    const look = () => store.callers.members([stranger, member])
    expect(await look()).toEqual([{ ...member, suspended: null }])
    await store.suspensions.set('organisation', organisationId, 5_000, eventOf('organisation.suspended'))
    expect(await look()).toEqual([{ ...member, suspended: 'organisation' }])
    await store.suspensions.set('account', accountId, 5_000, eventOf('account.suspended'))
    expect(await look()).toEqual([{ ...member, suspended: 'account' }])
    await store.suspensions.set('account', accountId, null, eventOf('account.resumed'))
    await store.suspensions.set('organisation', organisationId, null, eventOf('organisation.resumed'))
    expect(await look()).toEqual([{ ...member, suspended: null }])
  })
})
