import { expect, test } from 'vitest'
import { dismissedNoticesOfAccount } from '../../../src/store/hidden-notice-contract.ts'
import { claimServer, signUp } from '../../harness/account-records.ts'
import { eachStore } from './each-store.ts'

const kind = { what: 'kind', name: 'budget' } as const
const notice = (name: string) => ({ what: 'notice', name }) as const

eachStore((create) => {
  test('what an account hides is its own, in order, until it is shown again or the account is deleted', async () => {
    await using data = await create()
    await using store = await data.open()
    const { hiddenNotices } = store
    await claimServer(store)
    const [ann, ben] = [await signUp(store, 'ann@example.com'), await signUp(store, 'ben@example.com')]
    expect(await hiddenNotices.list(ann.id)).toEqual([])
    await hiddenNotices.hide(ann.id, notice('鍵'), 2)
    await hiddenNotices.hide(ann.id, kind, 1)
    await hiddenNotices.hide(ann.id, kind, 3)
    expect(await hiddenNotices.list(ann.id)).toEqual([kind, notice('鍵')])
    await hiddenNotices.hide(ben.id, notice('鍵'), 4)
    await hiddenNotices.show(ann.id, notice('鍵'))
    await hiddenNotices.show(ann.id, notice('unknown'))
    expect(await hiddenNotices.list(ann.id)).toEqual([kind])
    expect(await hiddenNotices.list(ben.id)).toEqual([notice('鍵')])
    const next = { id: 'org_next', name: 'Next', createdAt: 5 }
    expect(await store.accounts.remove(ann.id, next)).toMatchObject({ outcome: 'deleted' })
    expect(await hiddenNotices.list(ann.id)).toEqual([])
    await hiddenNotices.hide(ann.id, kind, 6)
    expect(await hiddenNotices.list(ann.id)).toEqual([])
  })

  test('only the notices that were dismissed last are remembered, and switches stay', async () => {
    await using data = await create()
    await using store = await data.open()
    const { hiddenNotices } = store
    await claimServer(store)
    const { id } = await signUp(store, 'ann@example.com')
    await hiddenNotices.hide(id, kind, 0)
    for (let n = 1; n <= dismissedNoticesOfAccount + 2; n += 1) await hiddenNotices.hide(id, notice(`n${n}`), n)
    const [first, second, ...others] = await hiddenNotices.list(id)
    expect([first, second]).toEqual([kind, notice('n3')])
    expect(others).toHaveLength(dismissedNoticesOfAccount - 1)
  })
})
