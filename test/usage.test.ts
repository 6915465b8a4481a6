import { beforeAll, expect, test } from 'vitest'
import { createKeyMaker } from './harness/key-maker.ts'
import { createManualClock } from './harness/manual-clock.ts'
import { readError } from './harness/read-error.ts'
import { type Helix, modelName, openHelix } from './harness/start-helix.ts'

const clock = createManualClock(Date.UTC(2001, 10, 15, 12))
let helix: Helix
let manager: Awaited<ReturnType<ReturnType<typeof createKeyMaker>>>
let ids: string[]
beforeAll(async () => {
  helix = await openHelix({ clock })
  const makeKey = createKeyMaker(helix)
  manager = await makeKey({ scopes: ['manage'] })
  const [one, other] = [await makeKey(), await makeKey()]
  ids = [one.id, other.id]
  const chat = { model: modelName, messages: [{ role: 'user', content: 'Hi' }] }
  const ask = async ({ call }: typeof one) => (await call('POST', '/v1/chat/completions', chat)).text()
  await ask(one)
  clock.advance(86_400_000)
  await ask(one)
  await ask(other)
  return helix.close
})

type Sum = { day?: string; key_id?: string; model?: string; requests: number; total_tokens: number }
type Usage = { from: string; to: string; data: Sum[]; total: Sum }
const usage = async (query = ''): Promise<Usage> => {
  const response = await manager.call('GET', `/v1/usage${query}`)
  expect(response.status).toBe(200)
  return (await response.json()) as Usage
}

test('usage of an organisation is grouped by day, key and model', async () => {
  const byDay = await usage()
  expect(byDay).toMatchObject({
    object: 'list',
    from: '2001-11-01',
    to: '2001-11-16',
    time_zone: 'UTC',
    group_by: 'day',
  })
  expect(byDay.data.map(({ day, requests }) => [day, requests])).toEqual([
    ['2001-11-15', 1],
    ['2001-11-16', 2],
  ])
  expect(byDay.total.requests).toBe(3)
  expect(byDay.total.total_tokens).toBeGreaterThan(0)
  const byKey = await usage('?group_by=key')
  expect(byKey.data.map(({ key_id, requests }) => [key_id, requests])).toEqual([
    [ids[0], 2],
    [ids[1], 1],
  ])
  const byModel = await usage('?group_by=model')
  expect(byModel.data).toMatchObject([{ model: modelName, requests: 3 }])
  expect([byKey.total, byModel.total]).toEqual([byDay.total, byDay.total])
})

test('a period can be chosen, including both days', async () => {
  expect((await usage('?from=2001-11-16&to=2001-11-16')).total.requests).toBe(2)
  expect(await usage('?to=2001-10-31')).toMatchObject({ from: '2001-10-01', data: [], total: { requests: 0 } })
})

test.each([
  ['from=yesterday', 'from'],
  ['to=2001-02-30', 'to'],
  ['from=2001-11-02&to=2001-11-01', 'from'],
  ['from=1995-01-01', 'from'],
  ['group_by=person', 'group_by'],
  ['organisation=org_1', 'organisation'],
])('%s is refused', async (query, param) => {
  const response = await manager.call('GET', `/v1/usage?${query}`)
  expect(response.status).toBe(400)
  expect(await readError(response)).toMatchObject({ param })
})
