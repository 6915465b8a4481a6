import { beforeAll, expect, test } from 'vitest'
import { claimServer, joinAs, signUp } from '../harness/browser-session.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { readError } from '../harness/read-error.ts'
import { openScratchStore } from '../harness/scratch-store.ts'
import { type Helix, modelName, openHelix } from '../harness/start-helix.ts'

const clock = createManualClock(Date.UTC(2001, 10, 15, 12))
const dayMs = 86_400_000
let helix: Helix
let owner: Awaited<ReturnType<typeof claimServer>>
let viewer: Awaited<ReturnType<typeof signUp>>
let anna: Awaited<ReturnType<typeof signUp>>
let oddKey: { id: string; key: string }

const body = { model: modelName, messages: [{ role: 'user', content: 'Hi' }] }
const ask = async (key: string): Promise<number> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(`${helix.baseUrl}/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  await response.text()
  return response.status
}

beforeAll(async () => {
  let asked = 0
  helix = await openHelix({
    clock,
    // The third one breaks.
    answer: () => {
      asked += 1
      if (asked === 3) throw new Error('out of order')
      return ['Hello', ', ', 'world', '!']
    },
  })
  owner = await claimServer(helix)
  viewer = await joinAs(helix.url, owner, 'viewer', 'viewer@example.com')
  anna = await signUp(helix.url, 'anna@example.com')
  oddKey = (await (await owner.post('/keys', { name: '=HYPERLINK("x"),"q"' })).json()) as typeof oddKey
  await ask(owner.firstKey.key)
  clock.advance(dayMs)
  await ask(oddKey.key)
  expect(await ask(oddKey.key)).toBe(500)
  await (await owner.post('/playground/chat/completions', body)).text()
  await ask(anna.firstKey.key)
  return helix.close
})

type Sum = {
  day?: string
  key?: { id: string; name: string } | null
  model?: string
  requests: number
  failed: number
  promptTokens: number
  completionTokens: number
  firstTokenMs: number | null
}
type Usage = { from: string; to: string; timeZone: string; data: Sum[]; total: Sum }
const usage = async (query = '', browser: typeof anna = viewer): Promise<Usage> => {
  const response = await browser.get(`/usage${query}`)
  expect(response.status).toBe(200)
  return (await response.json()) as Usage
}

test('usage is shown by day, key and model, also to a viewer', async () => {
  const byDay = await usage('?days=30')
  expect(byDay).toMatchObject({ from: '2001-10-18', to: '2001-11-16', timeZone: 'UTC', by: 'day' })
  expect(byDay.data.map(({ day, requests, failed }) => [day, requests, failed])).toEqual([
    ['2001-11-15', 1, 0],
    ['2001-11-16', 3, 1],
  ])
  expect(byDay.total).toMatchObject({ requests: 4, failed: 1, aborted: 0, firstTokenMs: 0, durationMs: 0 })
  const byKey = await usage('?days=30&by=key')
  expect(byKey.data.map(({ key, requests }) => [key?.name ?? null, requests])).toEqual(
    expect.arrayContaining([
      ['First key', 1],
      ['=HYPERLINK("x"),"q"', 2],
      [null, 1],
    ]),
  )
  const byModel = await usage('?from=2001-11-15&to=2001-11-16&by=model')
  expect(byModel.data).toMatchObject([{ model: modelName, requests: 4 }])
  expect([byKey.total, byModel.total]).toEqual([byDay.total, byDay.total])
})

test('another organisation has its own figures', async () => {
  expect((await usage('?days=7', anna)).total.requests).toBe(1)
})

test('days without requests have no rows, and there are no averages of nothing', async () => {
  expect(await usage('?from=2001-01-01&to=2001-01-31')).toMatchObject({
    data: [],
    total: { requests: 0, firstTokenMs: null, durationMs: null },
  })
})

test.each([
  ['days=0', 'days'],
  ['days=400', 'days'],
  ['from=yesterday', 'from'],
  ['from=2001-11-02&to=2001-11-01', 'from'],
  ['by=person', 'by'],
  ['organisation=org_1', 'organisation'],
])('%s is refused', async (query, param) => {
  for (const path of ['/usage', '/usage.csv']) {
    const response = await viewer.get(`${path}?${query}`)
    expect(response.status).toBe(400)
    expect(await readError(response)).toMatchObject({ param })
  }
})

test('the CSV has the same figures, and a name that looks like a formula stays text', async () => {
  const response = await viewer.get('/usage.csv?days=30&by=key')
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toBe(
    'attachment; filename="helix-usage-by-key-2001-10-18-2001-11-16.csv"',
  )
  const lines = (await response.text()).trimEnd().split('\r\n')
  expect(lines[0]).toMatch(/^key,key_id,requests,failed,aborted,prompt_tokens/)
  expect(lines).toHaveLength(4)
  expect(lines.find((line) => line.includes(oddKey.id))).toMatch(/^"'=HYPERLINK\(""x""\),""q""",key_\w+,2,1,0,/)
  expect(lines.some((line) => line.startsWith('playground,,1,0,0,'))).toBe(true)
})

test('the sums are those of the ledger', async () => {
  const shown = await Promise.all([usage('?days=30', owner), usage('?days=30', anna)])
  await helix.server.close()
  await using store = await openScratchStore(helix.dataDir)
  const { checkedRequests, differences } = await store.usage.verify()
  expect(differences).toEqual([])
  expect(shown.reduce((sum, { total }) => sum + total.requests, 0)).toBe(checkedRequests)
  const rows = await store.ledger.list({ organisationId: null, before: null, limit: 100 })
  const tokens = (name: 'promptTokens' | 'completionTokens') => ({
    shown: shown.reduce((sum, { total }) => sum + total[name], 0),
    ledger: rows.reduce((sum, { settlement }) => sum + (settlement?.[name] ?? 0), 0),
  })
  for (const { shown: told, ledger } of [tokens('promptTokens'), tokens('completionTokens')]) expect(told).toBe(ledger)
  expect(tokens('completionTokens').shown).toBeGreaterThan(0)
})
