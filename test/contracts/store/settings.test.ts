import { expect, test } from 'vitest'
import { eventOf } from '../../harness/account-records.ts'
import { eachStore } from './each-store.ts'

eachStore((create) => {
  test('saved settings outlive a restart, and are written, replaced and removed together with their events', async () => {
    await using data = await create()
    const signUp = { name: 'signUp', value: '"closed"', sealedValue: null, changedAt: 5 }
    const smtpUrl = { name: 'smtpUrl', value: null, sealedValue: 'sealed', changedAt: 6 }
    {
      await using store = await data.open()
      expect(await store.settings.list()).toEqual([])
      await store.settings.save([smtpUrl, signUp], [], [eventOf('setting.changed'), eventOf('setting.changed')])
    }
    await using store = await data.open()
    expect(await store.settings.list()).toEqual([signUp, smtpUrl])
    expect(await store.sealed.list('setting', null, 9)).toEqual([{ kind: 'setting', id: 'smtpUrl', sealed: 'sealed' }])
    const open = { ...signUp, value: '"open"', changedAt: 7 }
    await store.settings.save([open], ['smtpUrl'], [eventOf('setting.changed')])
    expect(await store.settings.list()).toEqual([open])
    const filter = { organisationId: null, actor: null, target: null, from: null, until: null, before: null }
    const { items } = await store.audit.list({ ...filter, action: 'setting', limit: 9 })
    expect(items).toHaveLength(3)
  })
})
