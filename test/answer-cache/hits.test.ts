import { beforeAll, expect, test } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { changeDatabase } from '../harness/change-database.ts'
import { createKeyMaker } from '../harness/key-maker.ts'
import { readRows, settledRows } from '../harness/ledger-rows.ts'
import { openStoreReader } from '../harness/open-store-reader.ts'
import { postMessages } from '../harness/post-messages.ts'
import { readError } from '../harness/read-error.ts'
import { sayJson, startUpstream } from '../harness/scripted-upstream.ts'
import { type Helix, modelName, openHelix, startHelix } from '../harness/start-helix.ts'
import { tempDir } from '../harness/temp-dir.ts'
import { startWithUpstreams } from '../harness/upstream-helix.ts'

let helix: Helix
let runs = 0
const prices = { [modelName]: { prompt: 1_000_000, cached: 1_000_000, completion: 500_000 } }
const answer = function* () {
  runs += 1
  yield* ['Run ', `${runs}`, '!']
}
beforeAll(async () => {
  helix = await openHelix({ answer, config: { cacheModels: [modelName], cachePricePercent: 10, prices } })
  return helix.close
})

type Choices = { id: string; choices: { message: { content: string } }[]; usage: object }
const ask = (body: Record<string, unknown>, headers: Record<string, string> = {}, server = helix) =>
  server.chat({ temperature: 0, ...body }, { headers: { ...server.authorized, ...headers } })
const question = (content: string) => ({ messages: [{ role: 'user', content }] })
const result = (response: Response): string | null => response.headers.get('x-helix-cache')
/** Answers are stored just after they were sent. */
const untilStored = async (bytes: number, server = helix): Promise<number> => {
  await using store = openStoreReader(server)
  for (;;) {
    const stored = [...(await store.cache.bytes()).values()].reduce((sum, one) => sum + one, 0)
    if (stored > bytes) return stored
    await new Promise((resolve) => setImmediate(resolve))
  }
}
let stored = 0
/** The first answer to a question, which is in the cache afterwards. */
const first = async (body: Record<string, unknown>, headers: Record<string, string> = {}): Promise<string> => {
  const response = await ask(body, headers)
  expect([response.status, result(response)]).toEqual([200, 'miss'])
  const text = await response.text()
  stored = await untilStored(stored)
  return text
}
const withoutId = (text: string): string => text.replaceAll(/chatcmpl-\w+/g, 'chatcmpl')

test.each([
  ['a document', {}],
  ['a stream', { stream: true, stream_options: { include_usage: true } }],
  ['several choices with tools', { n: 2, tools: [{ type: 'function', function: { name: 'look' } }] }],
])('%s: the same request gets the same answer with its own id, and no model runs', async (kind, body) => {
  const asked = { ...question(kind), ...body }
  const text = await first(asked)
  const before = runs
  const hit = await ask(asked)
  expect([hit.status, result(hit), runs]).toEqual([200, 'hit', before])
  const again = await hit.text()
  expect(withoutId(again)).toBe(withoutId(text))
  expect(again).not.toBe(text)
  expect(hit.headers.get('content-type')).toContain('stream' in body ? 'text/event-stream' : 'application/json')
})

const complete = (body: Record<string, unknown>) =>
  fetch(`${helix.baseUrl}/completions`, {
    ...{ method: 'POST', headers: helix.authorized },
    body: JSON.stringify({ model: modelName, prompt: 'Once', temperature: 0, ...body }),
  })

test.each([
  ['/v1/messages', {}, (body: object) => postMessages(helix, { temperature: 0, ...body })],
  ['/v1/messages', { stream: true }, (body: object) => postMessages(helix, { temperature: 0, ...body })],
  ['/v1/completions', {}, complete],
  ['/v1/completions', { stream: true }, complete],
])('%s %j: the same request gets the same answer with its own id, and no model runs', async (path, body, post) => {
  const missed = await post(body)
  expect([missed.status, result(missed)]).toEqual([200, 'miss'])
  const text = await missed.text()
  stored = await untilStored(stored)
  const before = runs
  const hit = await post(body)
  expect([hit.status, result(hit), runs]).toEqual([200, 'hit', before])
  const again = await hit.text()
  const withoutIds = (answer: string): string =>
    answer.replaceAll(/(msg|cmpl)[-_]\w+/g, '$1').replaceAll(/"created":\d+/g, '"created":0')
  expect(withoutIds(again)).toBe(withoutIds(text))
  expect(again).not.toBe(text)
  const [original, settled] = (await readRows(helix)).slice(-2)
  expect(settled).toMatchObject({ endpoint: path.slice('/v1/'.length), cachedFrom: original?.requestId })
})

test('a hit counts towards the limits, is in the ledger as such and costs its own price', async () => {
  await first(question('billed'))
  const hit = await ask(question('billed'))
  const { usage } = (await hit.json()) as Choices
  const requestId = hit.headers.get('x-request-id')
  expect(usage).toMatchObject({ completion_tokens: 3 })
  const rows = await readRows(helix)
  const [original, settled] = rows.slice(-2)
  expect(settled).toMatchObject({ requestId, cachedFrom: original?.requestId, settlement: { outcome: 'completed' } })
  expect(original?.cachedFrom).toBeUndefined()
  expect(settled?.settlement).toMatchObject({ completionTokens: 3, finishReason: 'stop' })
  const [whole = 0, tenth = 0] = [original, settled].map((row) => row?.settlement?.costMicros ?? 0)
  expect(tenth).toBe(Math.ceil(whole / 10))
  expect(await helix.logged({ requestId })).toMatchObject({ cached: true, completionTokens: 3 })
})

test('a hit costs its share of what the answer cost, tokens that the upstream had cached included', async () => {
  const usage = { prompt_tokens: 20, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 8 } }
  const upstream = await startUpstream((response) => sayJson(response, { content: 'Hello' }, {}, usage))
  const prices = { hosted: { prompt: 1_000_000, cached: 100_000, completion: 1_000_000 } }
  const server = await startWithUpstreams([{ name: 'u', url: upstream.baseUrl, models: [{ name: 'hosted' }] }], {
    ...{ cacheModels: ['hosted'], cachePricePercent: 50, prices },
  })
  const body = { model: 'hosted', ...question('shared') }
  await (await ask(body, {}, server)).text()
  await untilStored(0, server)
  const hit = await ask(body, {}, server)
  expect(result(hit)).toBe('hit')
  expect(await hit.json()).toMatchObject({ usage })
  const rows = (await readRows(server)).map(({ settlement }) => settlement)
  expect(rows.map((row) => row?.cachedTokens)).toEqual([8, 8])
  const [whole = 0, half = 0] = rows.map((row) => row?.costMicros ?? 0)
  expect([whole, half]).toEqual([17_800_000, 8_900_000])
})

test.each([
  ['another temperature', { temperature: 0.5 }, {}],
  ['no temperature', { temperature: null }, {}],
  ['the caller does not want it', {}, { 'x-helix-cache': 'off' }],
  ['the answer is stored for the caller', { store: true }, {}],
])('%s: nothing is looked for', async (name, body, headers) => {
  for (let round = 0; round < 2; round += 1) {
    const response = await ask({ ...question(name), ...body }, headers)
    expect([response.status, result(response)]).toEqual([200, null])
    await response.text()
  }
})

test('with the header, an answer at any temperature is sent again', async () => {
  const asked = { ...question('wish'), temperature: 1 }
  await first(asked, { 'x-helix-cache': 'on' })
  expect(result(await ask(asked, { 'x-helix-cache': 'on' }))).toBe('hit')
  expect(result(await ask(asked))).toBeNull()
})

test('the value of the header may have capital letters', async () => {
  const asked = { ...question('capitals'), temperature: 1 }
  await first(asked, { 'x-helix-cache': 'ON' })
  expect(result(await ask(asked, { 'x-helix-cache': 'On' }))).toBe('hit')
  expect(result(await ask({ ...asked, temperature: 0 }, { 'x-helix-cache': 'OFF' }))).toBeNull()
})

test('another value of the header is refused', async () => {
  expect(await readError(await ask({}, { 'x-helix-cache': 'maybe' }))).toMatchObject({ code: 'invalid_value' })
})

test.each([
  ['log probabilities', { logprobs: true }],
  ['the token limit', { max_tokens: 2 }],
  ['the number of choices', { n: 2 }],
  ['tools', { tools: [{ type: 'function', function: { name: 'look' } }] }],
])('%s: a different request has a different answer', async (name, body) => {
  await first(question(name))
  expect(result(await ask({ ...question(name), ...body }))).toBe('miss')
})

test('another organisation never gets the answer, a colleague does', async () => {
  await claimServer(helix)
  const anna = await signUp(helix.url, 'anna@example.com')
  await first(question('whose'))
  expect(result(await ask(question('whose'), { authorization: `Bearer ${anna.firstKey.key}` }))).toBe('miss')
  stored = await untilStored(stored)
  const colleague = await createKeyMaker(helix)()
  expect(result(await ask(question('whose'), { authorization: `Bearer ${colleague.key}` }))).toBe('hit')
})

test('the answers of an organisation are deleted with it, and those of others stay', async () => {
  const server = await startHelix({ answer, config: { cacheModels: ['*'] } })
  await claimServer(server)
  const carl = await signUp(server.url, 'carl@example.com')
  const organisationId = (await carl.load()).organisation?.id ?? ''
  await (await ask(question('ours'), {}, server)).text()
  const before = await untilStored(0, server)
  await (await ask(question('theirs'), { authorization: `Bearer ${carl.firstKey.key}` }, server)).text()
  await untilStored(before, server)
  await using store = openStoreReader(server)
  const owners = async (): Promise<string[]> => [...(await store.cache.bytes()).keys()]
  const both = await owners()
  expect(both).toHaveLength(2)
  expect(both).toContain(organisationId)
  expect((await carl.post('/organisation/delete', { name: 'carl' })).status).toBe(204)
  expect(await owners()).toEqual(both.filter((id) => id !== organisationId))
})

test.each([
  ['content = substr(content, 1, length(content) - 1)', 'cut short'],
  ['facts = replace(facts, \'"completionTokens":3\', \'"completionTokens":1\')', 'changed'],
])('an entry that was %s is never sent', async (change, kind) => {
  const server = await startHelix({ answer, config: { cacheModels: ['*'] } })
  const asked = question(kind)
  await (await ask(asked, {}, server)).text()
  await untilStored(0, server)
  await changeDatabase(server, `UPDATE cached_answers SET ${change}`)
  const response = await ask(asked, {}, server)
  expect(result(response)).toBe('miss')
  expect(await response.json()).toMatchObject({ choices: [{ message: { content: `Run ${runs}!` } }] })
  expect(await server.logged({ event: 'answer_cache_damaged' })).toMatchObject({ level: 'warn' })
})

test('a key of the list has its answers cached, whatever the model; other keys have none', async () => {
  const data = await startHelix()
  const wanted = await createKeyMaker(data)()
  await data.server.close()
  const server = await startHelix({ answer, config: { dataDir: data.dataDir, cacheKeys: [wanted.id] } })
  expect(result(await ask(question('key'), {}, server))).toBeNull()
  const asked = () => ask(question('key'), { authorization: `Bearer ${wanted.key}` }, server)
  const missed = await asked()
  expect(result(missed)).toBe('miss')
  await missed.text()
  await untilStored(0, server)
  expect(result(await asked())).toBe('hit')
})

test('a hit is refused beyond the limits of its key', async () => {
  const { key } = await createKeyMaker(helix)({ limits: { requestsPerDay: 2 } })
  const asked = () => ask(question('limited'), { authorization: `Bearer ${key}` })
  await first(question('limited'))
  expect([result(await asked()), result(await asked()), (await asked()).status]).toEqual(['hit', 'hit', 429])
})

test('a stream that breaks off, or an answer that a limit cuts short, is not stored', async () => {
  const fail = new Error('it broke')
  const server = await startHelix({
    answer: function* (messages) {
      yield* ['One', ' two']
      if (messages.at(-1)?.content === 'broken') yield { fail }
      yield* [' three', ' four']
    },
    config: { cacheModels: ['*'] },
  })
  const broken = { ...question('broken'), stream: true }
  await (await ask(broken, {}, server)).text()
  const [row] = await settledRows(server, 1)
  const { key } = await createKeyMaker(server)({ limits: { tokensPerDay: (row?.promptTokens ?? 0) + 2 } })
  const cut = await ask(question('cutted'), { authorization: `Bearer ${key}` }, server)
  expect(await cut.json()).toMatchObject({ choices: [{ finish_reason: 'length' }] })
  await (await ask(question('wholly'), {}, server)).text()
  // Answers are stored in turn, so the two before would be.
  await untilStored(0, server)
  expect(result(await ask(broken, {}, server))).toBe('miss')
  expect(result(await ask(question('cutted'), {}, server))).toBe('miss')
})

const startHosted = async () => {
  const upstream = await startUpstream((response, { body }) => sayJson(response, { content: `I am ${body.model}` }))
  const models = (upstreamName: string) => ({ models: [{ name: 'hosted', upstreamName }] })
  const server = await startWithUpstreams([{ name: 'u', url: upstream.baseUrl, ...models('old') }], {
    cacheModels: ['*'],
  })
  const asked = { model: 'hosted', ...question('who') }
  await (await ask(asked, {}, server)).text()
  await untilStored(0, server)
  const again = async () => {
    const response = await ask(asked, {}, server)
    const { choices } = (await response.json()) as Choices
    return [result(response), choices[0]?.message.content]
  }
  return { server, again, edit: (name: string) => server.control('POST', '/control/upstreams/u/edit', models(name)) }
}

test('a name that comes to mean another model of the upstream has other answers', async () => {
  const { again, edit } = await startHosted()
  await edit('new')
  expect(await again()).toEqual(['miss', 'I am new'])
  await edit('old')
  expect(await again()).toEqual(['hit', 'I am old'])
})

test('other weights under the same name have answers of their own, and the same weights find theirs again', async () => {
  const dataDir = await tempDir()
  const asked = question('weights')
  const answerOf = async (weightsId: string): Promise<unknown> => {
    const engine = { model: { weightsId } }
    const server = await openHelix({ answer, engine, config: { cacheModels: ['*'], dataDir } })
    const before = await untilStored(-1, server)
    const response = await ask(asked, {}, server)
    const { choices, system_fingerprint } = (await response.json()) as Choices & { system_fingerprint: string }
    if (result(response) === 'miss') await untilStored(before, server)
    await server.close()
    return [result(response), choices[0]?.message.content, system_fingerprint]
  }
  const [missed, text, fingerprint] = (await answerOf('one')) as string[]
  expect(missed).toBe('miss')
  const other = (await answerOf('two')) as string[]
  expect(other[0]).toBe('miss')
  expect(other[2]).not.toBe(fingerprint)
  expect(await answerOf('one')).toEqual(['hit', text, fingerprint])
})

test('the operator clears the cache, of one organisation or of all', async () => {
  const { server, again } = await startHosted()
  const clear = (id: string | null) => server.control('POST', '/control/cache/clear', { organisation_id: id })
  expect(await clear('org_other')).toEqual({ removed: 0 })
  expect((await again())[0]).toBe('hit')
  expect(await clear(null)).toEqual({ removed: 1 })
  expect((await again())[0]).toBe('miss')
})
