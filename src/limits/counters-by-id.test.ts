import { expect, test } from 'vitest'
import { createCountersById } from './counters-by-id.ts'
import { loadSum } from './period-sums.ts'
import { beginRequest, endRequest } from './usage-counters.ts'

const amount = (tokens: number) => ({ requests: 1, tokens, costMicros: 0 })

test('counters are dropped only when there are many and they are idle', async () => {
  const countersById = createCountersById(4)
  const running = countersById.of('running')
  beginRequest(running, 0, amount(10))
  const ended = countersById.of('ended')
  beginRequest(ended, 0, amount(10))
  endRequest(ended, { nowMs: 30_000, day: 20261115, reserved: amount(10), used: amount(5) })
  const asked = countersById.of('asked')
  const answer = Promise.withResolvers<number>()
  const loaded = loadSum(asked.sums[0] ?? [], 20261115, { load: () => answer.promise, pending: 0 })
  for (const id of ['a', 'b']) countersById.of(id)
  countersById.sweep(89_999)
  expect(countersById.size).toBe(3)
  expect(countersById.of('running')).toBe(running)
  expect(countersById.of('ended')).toBe(ended)
  expect(countersById.of('asked')).toBe(asked)
  answer.resolve(0)
  await loaded
  for (const id of ['c', 'd', 'e', 'f']) countersById.of(id)
  countersById.sweep(90_000)
  expect(countersById.size).toBe(1)
  expect(countersById.of('running')).toBe(running)
})

test('at most about twice the counters of the last minute are kept', () => {
  const countersById = createCountersById()
  for (let count = 0; count < 20_000; count += 1) {
    const nowMs = count * 50
    countersById.sweep(nowMs)
    const counters = countersById.of(`key_${count}`)
    beginRequest(counters, nowMs, amount(1))
    endRequest(counters, { nowMs, day: 20261115, reserved: amount(1), used: amount(1) })
  }
  expect(countersById.size).toBeLessThan(2_500)
})
