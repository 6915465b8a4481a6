import { expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { Config } from '../../src/config/settings.ts'
import { readUpstream } from '../../src/config/upstream-setting.ts'
import { createUpstreamSet } from '../../src/upstreams/upstream-set.ts'
import { scratchPath } from '../harness/scratch-path.ts'
import { scriptModels } from '../harness/scripted-models.ts'
import { sayJson, startUpstream } from '../harness/scripted-upstream.ts'
import { openHelix, startHelix } from '../harness/start-helix.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }
const rightKey = 'sk-right-0123456789'
const wrongKey = 'sk-wrong-0123456789'

const optionsOf = (config: Partial<Config> = {}, log: Parameters<typeof createUpstreamSet>[0]['log'] = silent) => {
  const upstreams = createUpstreamSet({ clock: systemClock, log })
  const local = scriptModels([{ id: 'helix-v1' }])
  return { upstreams, config, openModels: (loaded: Config) => local.open(loaded, systemClock, upstreams) }
}
/** It lists these models, and answers with its name if the key is right. */
const startNamed = (name: string, ids: () => unknown[], key: () => string = () => rightKey) =>
  startUpstream((response, { headers, body }) => {
    if (headers.authorization !== `Bearer ${key()}`) return response.writeHead(401).end('{}')
    if (body.model !== undefined) return sayJson(response, { content: `${name}: ${body.model}` })
    const data = ids().map((id) => ({ id }))
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }))
  })
type Helix = Awaited<ReturnType<typeof startHelix>>
const post = (helix: Helix, path: string, body?: object): Promise<Record<string, unknown>> =>
  helix.control('POST', `/control/upstreams${path}`, body) as Promise<Record<string, unknown>>
const listed = async (helix: Helix) =>
  ((await helix.control('GET', '/control/upstreams')) as { data: Record<string, unknown>[] }).data
const code = (answer: unknown) => (answer as { error?: { code: string } }).error?.code
const ask = async (helix: Helix, model: string): Promise<string | undefined> => {
  const body = (await (await helix.chat({ model })).json()) as {
    choices?: { message: { content: string } }[]
    error?: { code: string }
  }
  return body.choices?.[0]?.message.content ?? body.error?.code
}

/** An upstream whose key stopped working, so that it is paused. */
const startPaused = async () => {
  let key = rightKey
  const upstream = await startNamed(
    'gpu',
    () => ['small'],
    () => key,
  )
  const helix = await startHelix(optionsOf())
  await post(helix, '', { name: 'gpu', url: upstream.baseUrl, key: rightKey, models: [{ name: 'small' }] })
  key = wrongKey
  expect(await ask(helix, 'small')).toBe('upstream_failed')
  expect(await listed(helix)).toMatchObject([{ state: 'paused', pause_reason: 'key_refused' }])
  return { helix, setKey: (next: string) => (key = next) }
}

test('two edits at once both apply', async () => {
  const upstream = await startNamed('gpu', () => ['small'])
  const helix = await startHelix(optionsOf())
  await post(helix, '', { name: 'gpu', url: upstream.baseUrl, key: rightKey })
  await Promise.all([post(helix, '/gpu/edit', { maxInFlight: 5 }), post(helix, '/gpu/edit', { kind: 'vllm' })])
  expect(await listed(helix)).toMatchObject([{ max_in_flight: 5, kind: 'vllm' }])
})

test('a test that succeeds ends a pause, and one that fails does not', async () => {
  const { helix, setKey } = await startPaused()
  expect(await post(helix, '/gpu/test')).toMatchObject({ problem: expect.stringContaining('refuses the key') })
  expect(await listed(helix)).toMatchObject([{ state: 'paused' }])
  setKey(rightKey)
  expect(await post(helix, '/gpu/test')).toMatchObject({ problem: null })
  expect(await listed(helix)).toMatchObject([{ state: 'active', pause_reason: null }])
})

test('resume ends a pause, also of an upstream that was not drained', async () => {
  const { helix } = await startPaused()
  expect(await post(helix, '/gpu/resume')).toMatchObject({ changed: true })
  expect(await listed(helix)).toMatchObject([{ state: 'active' }])
  expect(await post(helix, '/gpu/resume')).toMatchObject({ changed: false })
})

test('an edit ends a pause, and the new key is used at once', async () => {
  const { helix } = await startPaused()
  expect(await post(helix, '/gpu/edit', { key: wrongKey })).toMatchObject({ key: '…6789', state: 'active' })
  expect(await ask(helix, 'small')).toBe('gpu: small')
})

test('an upstream that answers a canary wrongly does not work, so its pause stays', async () => {
  let answer = 'London'
  const upstream = await startUpstream((response, { body }) =>
    body.model === undefined
      ? response.writeHead(200).end('{"data":[{"id":"small"}]}')
      : sayJson(response, { content: answer }),
  )
  const helix = await startHelix(optionsOf())
  const canary = { prompt: 'What is the capital of France?', expect: 'Paris' }
  await post(helix, '', { name: 'gpu', url: upstream.baseUrl, models: [{ name: 'small' }], canary })
  expect(await post(helix, '/gpu/test')).toMatchObject({ problem: expect.stringContaining('canary') })
  answer = 'Paris.'
  expect(await post(helix, '/gpu/test')).toMatchObject({ problem: null })
})

test('an edit changes what it names, keeps the rest, and is there after a restart', async () => {
  const dataDir = scratchPath()
  const [one, other] = [await startNamed('one', () => ['small', 'large']), await startNamed('other', () => ['small'])]
  const first = await openHelix(optionsOf({ dataDir }))
  try {
    const models = [{ name: 'small', aliases: ['tiny'] }]
    await post(first, '', { name: 'gpu', url: one.baseUrl, key: rightKey, models, maxInFlight: 3 })
    expect(await post(first, '/gpu/edit', { maxInFlight: 5 })).toMatchObject({ max_in_flight: 5, models: ['small'] })
    expect(await ask(first, 'tiny')).toBe('one: small')
    expect(await post(first, '/gpu/edit', { models: [{ name: 'big', upstreamName: 'large' }] })).toMatchObject({
      models: ['big'],
    })
    expect([await ask(first, 'big'), await ask(first, 'small')]).toEqual(['one: large', 'model_not_found'])
    // The key does not go to another server unless it is given again.
    const moved = await post(first, '/gpu/edit', { url: other.baseUrl })
    expect([code(moved), JSON.stringify(moved)]).toEqual(['invalid_upstream', expect.stringContaining('key')])
    expect(other.asked).toEqual([])
    await post(first, '/gpu/edit', { url: other.baseUrl, key: rightKey, models: null })
    expect(await ask(first, 'small')).toBe('other: small')
  } finally {
    await first.close()
  }
  const second = await startHelix(optionsOf({ dataDir }))
  await post(second, '/gpu/test')
  expect(await listed(second)).toMatchObject([{ name: 'gpu', url: other.baseUrl, max_in_flight: 5, key: '…6789' }])
})

test('what cannot be edited is named', async () => {
  const upstream = await startNamed('gpu', () => ['small'])
  const configured = readUpstream(
    { name: 'fixed', url: upstream.baseUrl, key: rightKey, models: ['small'] },
    'upstream',
  )
  const helix = await startHelix(optionsOf({ upstreams: [configured] }))
  expect(code(await post(helix, '/fixed/edit', { maxInFlight: 2 }))).toBe('upstream_in_settings')
  expect(code(await post(helix, '/nobody/edit', { maxInFlight: 2 }))).toBe('upstream_not_found')
  await post(helix, '', { name: 'gpu', url: upstream.baseUrl, key: rightKey, models: [] })
  expect(JSON.stringify(await post(helix, '/gpu/edit', { name: 'other' }))).toContain('name')
  expect(JSON.stringify(await post(helix, '/gpu/edit', { models: [{ name: '../x' }] }))).toContain('../')
})

test('an upstream gets a name that others have only if the operator names it there', async () => {
  const events: string[] = []
  const log = {
    ...silent,
    warn: (event: string, fields = {}) => void events.push(`${event} ${JSON.stringify(fields)}`),
  }
  const first = await startNamed('first', () => ['shared', 'own'])
  const second = await startNamed('second', () => ['shared', 'helix-v1', 'gpt', 'more'])
  const helix = await startHelix(optionsOf({}, log))
  const key = rightKey
  await post(helix, '', { name: 'second', url: second.baseUrl, key })
  await post(helix, '', { name: 'first', url: first.baseUrl, key })
  // Whoever had it keeps it.
  for (let round = 0; round < 5; round += 1) expect(await ask(helix, 'shared')).toBe('second: shared')
  expect(await listed(helix)).toMatchObject([
    { name: 'second', models_taken: ['helix-v1'] },
    { name: 'first', models_taken: ['shared'] },
  ])
  expect(events.join('\n')).toContain('upstream_models_taken {"upstream":"first","count":1,"models":"shared"}')
  // Named by the operator, it is the only one; named for both, they serve it together.
  const models = [{ name: 'shared', aliases: ['gpt'] }]
  await post(helix, '/first/edit', { models })
  for (let round = 0; round < 5; round += 1) expect(await ask(helix, 'shared')).toBe('first: shared')
  expect(await ask(helix, 'gpt')).toBe('first: shared')
  expect(await ask(helix, 'more')).toBe('second: more')
  expect(await listed(helix)).toMatchObject([
    { name: 'second', models_taken: ['shared', 'helix-v1', 'gpt'] },
    { name: 'first', models_taken: [] },
  ])
  await post(helix, '/second/edit', { models: [{ name: 'shared' }] })
  const answered = new Set<string | undefined>()
  for (let round = 0; round < 40; round += 1) answered.add(await ask(helix, 'shared'))
  expect([...answered].sort()).toEqual(['first: shared', 'second: shared'])
})

test('names that are no model names are left out of what an upstream lists, and unknown in requests', async () => {
  const names = ['../etc', 'a/../b', '__proto__', 'constructor', 'x\u001b[31m', 'y\u202ez', 'good']
  const upstream = await startNamed('gpu', () => names)
  const helix = await startHelix(optionsOf())
  expect(await post(helix, '', { name: 'gpu', url: upstream.baseUrl, key: rightKey })).toMatchObject({
    models: ['good'],
  })
  for (const name of names.slice(0, -1)) expect(await ask(helix, name)).toBe('model_not_found')
  const refused = await (await helix.chat({ model: 'x\u001b[31m\ny' })).text()
  expect(refused).toContain('`x?[31m?y`')
})
