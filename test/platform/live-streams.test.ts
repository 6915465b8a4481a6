import { beforeAll, expect, test } from 'vitest'
import { maxStreams } from '../../src/platform/requests/stream-limit.ts'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { liveEvents } from '../harness/live-events.ts'
import { readError } from '../harness/read-error.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

let helix: Helix
let owner: Awaited<ReturnType<typeof claimServer>>
beforeAll(async () => {
  helix = await openHelix()
  owner = await claimServer(helix)
  return helix.close
})

test('the number of pages that follow requests is limited per organisation; closing one frees a place', async () => {
  const anna = await signUp(helix.url, 'anna@example.com')
  const follow = () => owner.get('/requests/events')
  const open = await Promise.all(Array.from({ length: maxStreams }, follow))
  expect(new Set(open.map(({ status }) => status))).toEqual(new Set([200]))
  const lines = open.map(liveEvents)
  await Promise.all(lines.map((line) => line.next()))
  const refused = await follow()
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('5')
  expect(await readError(refused)).toMatchObject({ code: 'too_many_streams' })

  const elsewhere = await anna.get('/requests/events')
  expect(elsewhere.status).toBe(200)
  await elsewhere.body?.cancel()
  await lines.pop()?.leave()
  await expect
    .poll(async () => {
      const again = await follow()
      await again.body?.cancel()
      return again.status
    })
    .toBe(200)
  await Promise.all(lines.map((line) => line.leave()))
})
