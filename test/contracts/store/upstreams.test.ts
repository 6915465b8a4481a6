import { expect, test } from 'vitest'
import type { UpstreamRecord } from '../../../src/store/upstream-contract.ts'
import { eventOf } from '../../harness/account-records.ts'
import { eachStore } from './each-store.ts'

const upstreamOf = (name: string): UpstreamRecord => ({
  ...{ name, definition: '{"url":"http://127.0.0.1:1"}', sealedKey: 'sealed', isDraining: false, createdAt: 5 },
})

eachStore((create) => {
  test('upstreams are listed as they were added, and a name is taken once', async () => {
    await using data = await create()
    await using store = await data.open()
    const { upstreams } = store
    const [b, a] = [upstreamOf('b'), { ...upstreamOf('a'), sealedKey: null }]
    for (const record of [b, a]) expect(await upstreams.insert(record, eventOf('upstream.added'))).toBe(true)
    expect(await upstreams.insert(upstreamOf('a'), eventOf('upstream.added'))).toBe(false)
    expect(await upstreams.list()).toEqual([b, a])
    expect(await upstreams.remove('b', eventOf('upstream.removed'))).toBe(true)
    expect(await upstreams.remove('b', eventOf('upstream.removed'))).toBe(false)
    expect(await upstreams.list()).toEqual([a])
    const filter = { organisationId: null, actor: null, target: null, action: null, from: null, until: null }
    const { items } = await store.audit.list({ ...filter, before: null, limit: 9 })
    expect(items.map(({ action }) => action)).toEqual(['upstream.removed', 'upstream.added', 'upstream.added'])
  })

  test('an upstream that was added can be changed, with its key', async () => {
    await using data = await create()
    await using store = await data.open()
    const { upstreams } = store
    await upstreams.insert(upstreamOf('a'), eventOf('upstream.added'))
    await upstreams.setDraining('a', true, eventOf('upstream.drained'))
    const changed = { name: 'a', definition: '{"url":"http://127.0.0.1:2"}', sealedKey: null }
    expect(await upstreams.update(changed, eventOf('upstream.changed'))).toBe(true)
    expect(await upstreams.list()).toEqual([{ ...upstreamOf('a'), ...changed, isDraining: true }])
    expect(await upstreams.update({ ...changed, name: 'b' }, eventOf('upstream.changed'))).toBe(false)
    await upstreams.setDraining('s', true, eventOf('upstream.drained'))
    expect(await upstreams.update({ ...changed, name: 's' }, eventOf('upstream.changed'))).toBe(false)
  })

  test('an upstream of the settings has a record from its first change on, which cannot be removed', async () => {
    await using data = await create()
    await using store = await data.open()
    const { upstreams } = store
    const drain = (isDraining: boolean) =>
      upstreams.setDraining('s', isDraining, eventOf('upstream.drained', { at: 7 }))
    expect([await drain(false), await drain(true), await drain(true)]).toEqual([false, true, false])
    const record = { name: 's', definition: null, sealedKey: null, isDraining: true, createdAt: 7 }
    expect(await upstreams.list()).toEqual([record])
    expect(await upstreams.remove('s', eventOf('upstream.removed'))).toBe(false)
    expect(await drain(false)).toBe(true)
    expect(await upstreams.list()).toEqual([{ ...record, isDraining: false }])
  })
})
