import { beforeAll, expect, test } from 'vitest'
import { claimServer } from '../harness/browser-session.ts'
import { createKeyMaker } from '../harness/key-maker.ts'
import { readError } from '../harness/read-error.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { type Helix, modelName, openHelix, startHelix } from '../harness/start-helix.ts'

const chat = { model: modelName, messages: [{ role: 'user', content: 'Hi' }], max_completion_tokens: 10 }
/** One euro for each token: whole amounts are easy to read. */
const prices = { [modelName]: { prompt: 1_000_000, cached: 1_000_000, completion: 1_000_000 } }
const euros = 1_000_000

let helix: Helix
let owner: Awaited<ReturnType<typeof claimServer>>
let promptTokens: number
let cost: number
beforeAll(async () => {
  helix = await openHelix({ config: { prices, currency: 'EUR' } })
  owner = await claimServer(helix)
  expect((await owner.post('/playground/chat/completions', chat)).status).toBe(200)
  const { data } = (await (await owner.get('/requests')).json()) as { data: { promptTokens: number }[] }
  promptTokens = data[0]?.promptTokens ?? 0
  cost = (promptTokens + 4) * euros
  return helix.close
})

test('the models have their prices', async () => {
  const price = { currency: 'EUR', prompt: 1_000_000, cached: 1_000_000, completion: 1_000_000 }
  expect(await (await helix.get('/v1/models')).json()).toMatchObject({ data: [{ id: modelName, price }] })
  expect(await (await helix.get(`/v1/models/${modelName}`)).json()).toMatchObject({ price })
})

test('the cost is beside the tokens in the usage, in the file, on the request and in the API', async () => {
  expect(await (await owner.get('/usage?by=model')).json()).toMatchObject({
    currency: 'EUR',
    data: [{ series: { id: modelName }, costMicros: cost }],
    total: { costMicros: cost, estimated: 0 },
  })
  const [head, line] = (await (await owner.get('/usage.csv?by=model')).text()).split('\r\n')
  expect(head).toMatch(/,estimated_requests,cost,currency$/)
  expect(line).toMatch(new RegExp(`,0,${cost / euros},EUR$`))
  const { data } = (await (await owner.get('/requests')).json()) as { data: object[] }
  expect(data).toMatchObject([{ costMicros: cost }])
  const manager = await createKeyMaker(helix)({ scopes: ['manage'] })
  expect(await (await manager.call('GET', '/v1/usage')).json()).toMatchObject({
    currency: 'EUR',
    total: { cost_micros: cost, estimated_requests: 0 },
  })
})

test('a key with a budget in money is refused once it is used up, and shows how much is left', async () => {
  const manager = await createKeyMaker(helix)({ scopes: ['manage'] })
  const limits = { cost_per_day_micros: (promptTokens + 12) * euros }
  const created = await manager.call('POST', '/v1/keys', { name: 'small', limits })
  const { key, limits: shown } = (await created.json()) as { key: string; limits: object }
  expect(shown).toMatchObject({ ...limits, cost_per_month_micros: null })
  const call = (method: string, path: string, body?: unknown) =>
    fetch(helix.url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const first = await call('POST', '/v1/chat/completions', chat)
  expect(first.status).toBe(200)
  expect([...first.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([])
  await first.text()
  const refused = await call('POST', '/v1/chat/completions', chat)
  expect(refused.status).toBe(429)
  expect(await readError(refused)).toMatchObject({
    code: 'insufficient_quota',
    message: expect.stringContaining(`cost-per-day budget of key`),
  })
  expect(await (await call('GET', '/v1/key')).json()).toMatchObject({
    limit_use: [
      { scope: 'key', name: 'cost_per_day_micros', used: cost, remaining: limits.cost_per_day_micros - cost },
    ],
  })
})

test('pages know the currency, and whether anything has a price', async () => {
  expect(await owner.load()).toMatchObject({ currency: 'EUR', hasPrices: true })
})

/** Last, because it stops the server. */
test('the ledger has the price, the most that was reserved and the cost', async () => {
  const [row] = await readLedger(helix)
  expect(row).toMatchObject({
    price: { promptMicros: 1e12, cachedMicros: 1e12, completionMicros: 1e12 },
    reservedMicros: (promptTokens + 10) * euros,
    settlement: { costMicros: cost },
  })
})

test('without prices nothing has a cost, and the file has no column for it', async () => {
  const free = await startHelix()
  const someone = await claimServer(free)
  await someone.post('/playground/chat/completions', chat)
  expect(await someone.load()).toMatchObject({ currency: 'USD', hasPrices: false })
  const [head] = (await (await someone.get('/usage.csv')).text()).split('\r\n')
  expect(head).toMatch(/,estimated_requests$/)
  expect(await readLedger(free)).toMatchObject([
    { price: null, reservedMicros: null, settlement: { costMicros: null } },
  ])
})
