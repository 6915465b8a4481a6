import { expect, test } from 'vitest'
import type { StoredBodies } from '../../../src/store/body-contract.ts'
import { eachStore, type StoreData } from './each-store.ts'

const dayMs = 86_400_000
const now = 100 * dayMs

const bodiesOf = (organisationId: string, requestId: string, changes: Partial<StoredBodies> = {}): StoredBodies => ({
  requestId,
  organisationId,
  request: { text: '{"問":1}', isCut: false },
  answer: { text: '[]', isCut: true },
  createdAt: now,
  ...changes,
})

const setDays = (data: StoreData, organisationId: string, days: number | null): Promise<void> =>
  data.exec(`UPDATE organisations SET body_days = ${days ?? 'NULL'} WHERE id = '${organisationId}'`)

eachStore((create) => {
  test('bodies come back as they were kept, to their organisation and within its time', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await store.organisations.first()
    const other = await data.addOrganisation()
    await setDays(data, id, 7)
    const ours = bodiesOf(id, 'req_1')
    const unanswered = bodiesOf(id, 'req_2', { answer: null, createdAt: now - 2 * dayMs })
    await store.bodies.keep([ours, unanswered, bodiesOf(other, 'req_3'), bodiesOf('org_gone', 'req_4')])
    expect(await store.bodies.keeping()).toEqual([id])
    expect(await store.bodies.days(id)).toBe(7)
    expect(await store.bodies.find(id, 'req_1', now)).toEqual(ours)
    expect(await store.bodies.find(id, 'req_2', now)).toEqual(unanswered)
    expect(await store.bodies.find(other, 'req_1', now)).toBeNull()
    expect(await store.bodies.find(other, 'req_3', now)).toBeNull()
    await setDays(data, id, 1)
    expect(await store.bodies.find(id, 'req_2', now)).toBeNull()
    expect(await store.bodies.removeExpired(now)).toBe(1)
    expect(await store.bodies.removeExpired(now)).toBe(0)
    expect(await store.bodies.removeUnwanted(id)).toBe(0)
    await setDays(data, id, null)
    expect(await store.bodies.find(id, 'req_1', now)).toBeNull()
    expect(await store.bodies.removeUnwanted(id)).toBe(1)
    expect(await store.bodies.removeExpired(now)).toBe(0)
  })

  test('the oldest make room for what is new, and what is left of a switch that died goes at the next pass', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await store.organisations.first()
    await setDays(data, id, 30)
    const text = 'x'.repeat(1_048_576)
    for (let count = 0; count < 65; count += 1)
      await store.bodies.keep([
        bodiesOf(id, `req_${count}`, { request: { text, isCut: false }, answer: null, createdAt: now + count }),
      ])
    expect(await store.bodies.find(id, 'req_0', now)).toBeNull()
    expect(await store.bodies.find(id, 'req_1', now)).not.toBeNull()
    await setDays(data, id, null)
    const removed: number[] = []
    do removed.push(await store.bodies.removeExpired(now))
    while (removed.at(-1) !== 0)
    expect(removed.reduce((sum, each) => sum + each)).toBe(64)
    expect(Math.max(...removed)).toBeLessThan(10)
  })
})
