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
const ask = async (key: string, path = '/chat/completions', more: object = {}): Promise<number> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(`${helix.baseUrl}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ ...body, ...more }),
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
  await ask(owner.firstKey.key, '/messages', { max_tokens: 8 })
  clock.advance(dayMs)
  await ask(oddKey.key)
  expect(await ask(oddKey.key)).toBe(500)
  await (await owner.post('/playground/chat/completions', body)).text()
  await ask(anna.firstKey.key)
  return helix.close
})

type Sum = { requests: number; failed: number; promptTokens: number; completionTokens: number }
type Line = Sum & { slot: number; series: { id: string; name: string | null } | null; previous: Sum | null }
type Usage = {
  from: string
  to: string
  timeZone: string
  slots: string[]
  data: Line[]
  total: Sum
  previous: { from: string; to: string; total: Sum } | null
  limited: string | null
  countedFrom: number | null
}
const usage = async (query = '', browser: typeof anna = viewer): Promise<Usage> => {
  const response = await browser.get(`/usage${query}`)
  expect(response.status).toBe(200)
  return (await response.json()) as Usage
}
const slotCounts = ({ slots, data }: Usage) => data.map(({ slot, requests, failed }) => [slots[slot], requests, failed])
const seriesCounts = ({ data }: Usage) => data.map(({ series, requests }) => [series?.name ?? series?.id, requests])

test('usage is shown by day, month, key, model, endpoint, person and outcome, also to a viewer', async () => {
  const byDay = await usage('?days=30')
  expect(byDay).toMatchObject({ from: '2001-10-18', to: '2001-11-16', timeZone: 'UTC', unit: 'day', by: 'none' })
  expect(byDay.slots).toHaveLength(30)
  expect(slotCounts(byDay)).toEqual([
    ['2001-11-15', 1, 0],
    ['2001-11-16', 3, 1],
  ])
  expect(byDay.total).toMatchObject({ requests: 4, failed: 1, aborted: 0, firstTokenMs: 0, durationMs: 0 })
  expect(slotCounts(await usage('?from=2001-10-01&to=2001-11-16&unit=month'))).toEqual([['2001-11', 4, 1]])
  const byKey = await usage('?days=30&by=key&unit=total')
  expect(seriesCounts(byKey)).toEqual(
    expect.arrayContaining([
      ['First key', 1],
      ['=HYPERLINK("x"),"q"', 2],
      ['playground', 1],
    ]),
  )
  const byModel = await usage('?from=2001-11-15&to=2001-11-16&by=model&unit=total')
  expect(seriesCounts(byModel)).toEqual([[modelName, 4]])
  const byEndpoint = await usage('?days=30&by=endpoint&unit=total')
  expect(seriesCounts(byEndpoint).toSorted()).toEqual([
    ['chat.completions', 2],
    ['messages', 1],
    ['playground', 1],
  ])
  const byPerson = await usage('?days=30&by=person&unit=total')
  expect(seriesCounts(byPerson)).toEqual([
    ['owner@example.com', 3],
    ['playground', 1],
  ])
  const byStatus = await usage('?days=30&by=status&unit=total')
  expect(seriesCounts(byStatus)).toEqual([
    ['completed', 3],
    ['failed', 1],
  ])
  for (const { total } of [byKey, byModel, byEndpoint, byPerson, byStatus]) expect(total).toEqual(byDay.total)
})

test('hours and days are those of the reader, and the server says whose they are', async () => {
  const hours = await usage('?days=1&unit=hour&zone=Australia/Darwin')
  expect(hours).toMatchObject({
    from: '2001-11-16',
    timeZone: 'Australia/Darwin',
    serverTimeZone: 'UTC',
    limited: null,
  })
  expect(hours.slots).toHaveLength(24)
  expect(slotCounts(hours)).toEqual([['2001-11-16T21:00+09:30', 3, 1]])
  // Noon in UTC is the next day on Kiritimati.
  expect(slotCounts(await usage('?days=7&zone=Pacific/Kiritimati'))).toEqual([
    ['2001-11-16', 1, 0],
    ['2001-11-17', 3, 1],
  ])
})

test('a period is compared with the one before, slot by slot', async () => {
  const compared = await usage('?days=1&compare=true')
  expect(compared.previous).toMatchObject({ from: '2001-11-15', to: '2001-11-15', total: { requests: 1 } })
  expect(compared.data).toMatchObject([{ requests: 3, previous: { requests: 1 } }])
  expect((await usage('?days=1')).data).toMatchObject([{ requests: 3, previous: null }])
})

test('another organisation has its own figures', async () => {
  expect((await usage('?days=7', anna)).total.requests).toBe(1)
  expect((await usage('?days=7&unit=hour', anna)).total.requests).toBe(1)
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
  ['days=32&unit=hour', 'days'],
  ['from=yesterday', 'from'],
  ['from=2001-11-02&to=2001-11-01', 'from'],
  ['by=colour', 'by'],
  ['zone=Mars/Base', 'zone'],
  ['organisation=org_1', 'organisation'],
])('%s is refused', async (query, param) => {
  for (const path of ['/usage', '/usage.csv']) {
    const response = await viewer.get(`${path}?${query}`)
    expect(response.status).toBe(400)
    expect(await readError(response)).toMatchObject({ param })
  }
})

test('the CSV has the same lines and figures, and a name that looks like a formula stays text', async () => {
  const response = await viewer.get('/usage.csv?days=30&by=key&unit=total')
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toBe(
    'attachment; filename="helix-usage-by-total-key-2001-10-18-2001-11-16.csv"',
  )
  const lines = (await response.text()).trimEnd().split('\r\n')
  expect(lines[0]).toMatch(/^key,key_id,requests,failed,aborted,prompt_tokens/)
  expect(lines).toHaveLength(4)
  expect(lines.find((line) => line.includes(oddKey.id))).toMatch(/^"'=HYPERLINK\(""x""\),""q""",key_\w+,2,1,0,/)
  expect(lines.some((line) => line.startsWith('playground,,1,0,0,'))).toBe(true)
  const days = await (await viewer.get('/usage.csv?days=2&by=status&zone=Australia/Darwin&compare=true')).text()
  expect(days.split('\r\n').map((line) => line.split(',').slice(0, 3).join(' '))).toEqual([
    'day status requests',
    '2001-11-15 completed 1',
    '2001-11-16 completed 2',
    '2001-11-16 failed 1',
    '',
  ])
  const endpoints = await (await viewer.get('/usage.csv?days=2&by=endpoint')).text()
  const cells = endpoints.split('\r\n').map((line) => line.split(',').slice(0, 3).join(' '))
  expect(cells.slice(0, 2)).toEqual(['day endpoint requests', '2001-11-15 messages 1'])
  expect(cells.slice(2).toSorted()).toEqual(['', '2001-11-16 chat.completions 2', '2001-11-16 playground 1'])
  expect(days.split('\r\n')[0]).toMatch(/previous_requests,previous_prompt_tokens,previous_completion_tokens$/)
})

test('requests that reached no model are counted apart, with their reasons', async () => {
  const before = await usage('?days=1')
  expect(await ask(oddKey.key, '/chat/completions', { model: 'no-such-model' })).toBe(404)
  const error = { name: 'model_not_found', status: 404, code: 'model_not_found' }
  const after = { total: before.total, rejected: { total: 1, reasons: [{ error, count: 1 }] } }
  // It is written a moment after the answer.
  const later = () => {
    clock.advance(1000)
    return usage('?days=1')
  }
  await expect.poll(later).toMatchObject(after)
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
