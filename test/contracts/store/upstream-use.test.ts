import { expect, test } from 'vitest'
import type { UpstreamUse } from '../../../src/store/upstream-contract.ts'
import { eachStore } from './each-store.ts'

const noSums = {
  ...{ requests: 0, errors: 0, firstTokens: 0, firstTokenMs: 0, timedTokens: 0, timedMs: 0 },
  ...{ promptTokens: 0, completionTokens: 0, costMicros: 0 },
}
const useOf = (hour: number, upstream: string, sums: Partial<UpstreamUse> = {}): UpstreamUse => ({
  ...{ hour, upstream, model: 'small', ...noSums, requests: 1, ...sums },
})
const period = { fromHour: 100, toHour: 111, hoursPerSlot: 6, limit: 100 }

eachStore((create) => {
  test('figures of upstreams are added up by the hour, and read by parts of a period', async () => {
    await using data = await create()
    await using store = await data.open()
    const { upstreamUse } = store
    const timed = { firstTokens: 1, firstTokenMs: 120, timedTokens: 40, timedMs: 900 }
    const counted = { promptTokens: 7, completionTokens: 41, costMicros: 12 }
    await upstreamUse.add([])
    await upstreamUse.add([useOf(100, 'b'), useOf(100, 'a', { ...timed, ...counted })])
    await upstreamUse.add([useOf(100, 'a', { errors: 1 }), useOf(105, 'a', counted), useOf(106, 'a')])
    await upstreamUse.add([useOf(99, 'a'), useOf(112, 'a')])
    const both = { promptTokens: 14, completionTokens: 82, costMicros: 24 }
    const of = (upstream: string, slot: number, sums: object) => ({
      ...{ upstream, model: 'small', slot, ...noSums, requests: 1, ...sums },
    })
    const all = [of('a', 0, { requests: 3, errors: 1, ...timed, ...both }), of('a', 1, {}), of('b', 0, {})]
    expect(await upstreamUse.list(period)).toEqual(all)
    expect(await upstreamUse.list({ ...period, limit: 2 })).toEqual(all.slice(0, 2))
  })

  test('names of models may contain anything', async () => {
    await using data = await create()
    await using store = await data.open()
    const { upstreamUse } = store
    const model = `日本 '"\\$1 é`
    await upstreamUse.add([useOf(100, 'a', { model }), useOf(101, 'a', { model: 'a\0b' })])
    const [odd, plain] = await upstreamUse.list(period)
    expect([odd?.model, plain?.model].sort()).toEqual(['a\ufffdb', model].sort())
  })

  test('old hours are removed one after the other', async () => {
    await using data = await create()
    await using store = await data.open()
    const { upstreamUse } = store
    await upstreamUse.add([useOf(100, 'a'), useOf(100, 'b'), useOf(101, 'a'), useOf(102, 'a')])
    expect(await upstreamUse.prune(102)).toBe(2)
    expect(await upstreamUse.prune(102)).toBe(1)
    expect(await upstreamUse.prune(102)).toBe(0)
    expect(await upstreamUse.list({ ...period, hoursPerSlot: 1 })).toMatchObject([{ slot: 2 }])
  })
})
