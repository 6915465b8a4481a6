import { expect, test } from 'vitest'
import { loadSum } from './period-sums.ts'
import { beginRequest, endRequest } from './subject.ts'
import { createSubjects } from './subjects.ts'

test('a subject is dropped when there are many and nothing of it counts, never before', async () => {
  const subjects = createSubjects(4)
  const running = subjects.of('running')
  beginRequest(running, 0, 10)
  const ended = subjects.of('ended')
  beginRequest(ended, 0, 10)
  endRequest(ended, { nowMs: 30_000, day: 20261115, reservedTokens: 10, usedTokens: 5 })
  const asked = subjects.of('asked')
  const answer = Promise.withResolvers<number>()
  const loaded = loadSum(asked.days, 20261115, { ask: () => answer.promise, unwritten: 0 })
  for (const id of ['a', 'b']) subjects.of(id)
  subjects.sweep(89_999)
  expect(subjects.size).toBe(3)
  expect(subjects.of('running')).toBe(running)
  expect(subjects.of('ended')).toBe(ended)
  expect(subjects.of('asked')).toBe(asked)
  answer.resolve(0)
  await loaded
  for (const id of ['c', 'd', 'e', 'f']) subjects.of(id)
  subjects.sweep(90_000)
  expect(subjects.size).toBe(1)
  expect(subjects.of('running')).toBe(running)
})

test('however many come, those of the last minute are all that is kept, give or take a factor of two', () => {
  const subjects = createSubjects()
  for (let count = 0; count < 20_000; count += 1) {
    const nowMs = count * 50
    subjects.sweep(nowMs)
    const subject = subjects.of(`key_${count}`)
    beginRequest(subject, nowMs, 1)
    endRequest(subject, { nowMs, day: 20261115, reservedTokens: 1, usedTokens: 1 })
  }
  expect(subjects.size).toBeLessThan(2_500)
})
