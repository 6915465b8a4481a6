import { expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { Config } from '../../src/config/settings.ts'
import { readUpstream } from '../../src/config/upstream-setting.ts'
import { createUpstreamSet } from '../../src/upstreams/upstream-set.ts'
import { dataFilesContain } from '../harness/data-files-contain.ts'
import { scratchPath } from '../harness/scratch-path.ts'
import { scriptModels } from '../harness/scripted-models.ts'
import { sayJson, startUpstream } from '../harness/scripted-upstream.ts'
import { openHelix, startHelix } from '../harness/start-helix.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }
const secret = 'sk-upstream-0123456789-end4'

/** An upstream that lists two models and answers with the name of the one that was asked. */
const startLister = () =>
  startUpstream((response, { headers, body }) => {
    if (headers.authorization !== `Bearer ${secret}`) return response.writeHead(401).end('{}')
    if (body.model !== undefined) return sayJson(response, { content: `I am ${body.model}.` })
    const data = [{ id: 'org/large', max_model_len: 4096 }, { id: 'small' }, { id: 'bad name' }, { id: 7 }]
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }))
  })

const optionsOf = (config: Partial<Config> = {}) => {
  const upstreams = createUpstreamSet({ clock: systemClock, log: silent })
  const local = scriptModels([{ id: 'helix-v1' }])
  return { upstreams, config, openModels: (loaded: Config) => local.open(loaded, systemClock, upstreams) }
}
type ChatAnswer = { choices?: { message: { content: string } }[]; error?: { code: string } }
const textOf = async (response: Response): Promise<string | undefined> => {
  const body = (await response.json()) as ChatAnswer
  return body.choices?.[0]?.message.content ?? body.error?.code
}
const listed = (answer: unknown) => (answer as { data: Record<string, unknown>[] }).data
const code = (answer: unknown) => (answer as { error?: { code: string } }).error?.code

test('an upstream is added with a sealed key, serves the models it lists, and is there after a restart', async () => {
  const dataDir = scratchPath()
  const upstream = await startLister()
  const first = await openHelix(optionsOf({ dataDir }))
  try {
    const wanted = { name: 'gpu', url: upstream.baseUrl, key: secret }
    expect(await first.control('POST', '/control/upstreams', wanted)).toMatchObject({
      ...{ name: 'gpu', key: '…end4', source: 'added', problem: null },
      models: ['org/large', 'small'],
    })
    expect(await textOf(await first.chat({ model: 'org/large' }))).toBe('I am org/large.')
    const models = listed(await (await first.get('/v1/models')).json())
    expect(models.map(({ id, context_length }) => [id, context_length])).toEqual([
      ['helix-v1', 4096],
      ['org/large', 4096],
      ['small', null],
    ])
    expect(code(await first.control('POST', '/control/upstreams', wanted))).toBe('upstream_exists')
    expect(await first.control('POST', '/control/upstreams/gpu/test')).toMatchObject({
      problem: null,
      model: 'org/large',
    })
    expect(first.logLines.join('\n')).not.toContain(secret)
    await first.control('POST', '/control/upstreams/gpu/drain')
  } finally {
    await first.close()
  }
  expect(dataFilesContain(dataDir, secret)).toBe(false)

  const second = await startHelix(optionsOf({ dataDir }))
  expect(listed(await second.control('GET', '/control/upstreams'))).toMatchObject([{ name: 'gpu', draining: true }])
  await second.control('POST', '/control/upstreams/gpu/resume')
  // The reading of the models at the start may not have ended yet; adding one more waits for its own.
  const more = {
    name: 'more',
    url: upstream.baseUrl,
    key: secret,
    models: [{ name: 'big', upstreamName: 'org/large' }],
  }
  await second.control('POST', '/control/upstreams', more)
  expect(await textOf(await second.chat({ model: 'big' }))).toBe('I am org/large.')
  expect(await second.control('POST', '/control/upstreams/more/remove')).toEqual({ name: 'more' })
  expect(await textOf(await second.chat({ model: 'big' }))).toBe('model_not_found')
  expect(code(await second.control('POST', '/control/upstreams/more/remove'))).toBe('upstream_not_found')
})

test('an added upstream has the fields of one in the settings', async () => {
  const upstream = await startLister()
  const helix = await startHelix(optionsOf())
  const wanted = {
    ...{ name: 'gpu', url: upstream.baseUrl, key: secret, features: ['seed'], connectTimeoutMs: 2000 },
    ...{ canary: { expect: 'OK' }, price: { prompt: 1, completion: 2 } },
    models: [{ name: 'small', capabilities: ['vision'], price: { prompt: 3 } }],
  }
  expect(code(await helix.control('POST', '/control/upstreams', wanted))).toBeUndefined()
  expect(listed(await (await helix.get('/v1/models')).json()).at(-1)).toMatchObject({
    ...{ id: 'small', capabilities: ['vision'], price: { currency: 'USD', prompt: 3, cached: 3, completion: 0 } },
  })
  const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }]
  expect(await textOf(await helix.chat({ model: 'small', tools }))).toBe('unsupported_parameter')
  expect(await textOf(await helix.chat({ model: 'small', seed: 1 }))).toBe('I am small.')
  const wrong = { ...wanted, name: 'other', canary: { intervalMs: 1 } }
  expect(JSON.stringify(await helix.control('POST', '/control/upstreams', wrong))).toContain('intervalMs')
  const unknown = { ...wanted, name: 'other', features: ['telepathy'] }
  expect(JSON.stringify(await helix.control('POST', '/control/upstreams', unknown))).toContain(
    'upstream (other), features',
  )
})

test('an upstream of the settings can be drained, not removed', async () => {
  const upstream = await startLister()
  const fields = { name: 'gpu', url: upstream.baseUrl, key: secret, maxInFlight: 2, models: ['small'] }
  const configured = readUpstream(fields, 'upstream 1')
  const helix = await startHelix(optionsOf({ upstreams: [configured] }))
  expect(await textOf(await helix.chat({ model: 'small' }))).toBe('I am small.')
  expect(code(await helix.control('POST', '/control/upstreams/gpu/remove'))).toBe('upstream_in_settings')
  expect(await helix.control('POST', '/control/upstreams/gpu/drain')).toMatchObject({ changed: true })
  expect(await helix.control('POST', '/control/upstreams/gpu/drain')).toMatchObject({ changed: false })
  expect(await textOf(await helix.chat({ model: 'small' }))).toBe('model_drained')
  await helix.control('POST', '/control/upstreams/gpu/resume')
  expect(await textOf(await helix.chat({ model: 'small' }))).toBe('I am small.')
})

test('a test of an upstream says plainly what is wrong', async () => {
  const helix = await startHelix(optionsOf())
  const upstream = await startLister()
  const problemOf = async (more: object): Promise<unknown> => {
    const wanted = { name: 'x', url: upstream.baseUrl, models: [{ name: 'small' }], ...more }
    expect(code(await helix.control('POST', '/control/upstreams', wanted))).toBeUndefined()
    const { problem } = (await helix.control('POST', '/control/upstreams/x/test')) as { problem: unknown }
    await helix.control('POST', '/control/upstreams/x/remove')
    return problem
  }
  expect(await problemOf({ key: 'wrong' })).toBe('The upstream refuses the key (status 401).')
  expect(await problemOf({ key: secret, models: [{ name: 'huge' }] })).toBe(
    'The upstream has no model huge. It lists: org/large, small.',
  )
  expect(await problemOf({ url: 'http://127.0.0.1:1/v1' })).toMatch(/^127\.0\.0\.1:1 refuses connections/)
  const secure = upstream.baseUrl.replace('http:', 'https:')
  expect(await problemOf({ url: secure })).toMatch(/^\S+ does not answer with TLS\./)
  const page = await startUpstream((response) => response.writeHead(200).end('<html>'))
  expect(await problemOf({ url: page.baseUrl, models: null })).toMatch(/did not answer with JSON/)
  const moved = await startUpstream((response) => response.writeHead(302, { location: 'http://127.0.0.1:2/' }).end())
  expect(await problemOf({ url: moved.baseUrl })).toMatch(/redirects \(status 302\), which is not followed/)
  const endless = await startUpstream((response) => {
    response.writeHead(200)
    const write = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536))) {}
    }
    response.on('drain', write)
    write()
  })
  expect(await problemOf({ url: endless.baseUrl })).toMatch(/the reply is longer than/)
})

test.each([
  [{ name: 'a b' }, 'upstream, name: expected letters'],
  [{ url: 'file:///etc/passwd' }, 'upstream (x), url: expected an http://'],
  [{ key: 'with space' }, 'upstream (x), key: expected up to 1000 printable'],
])('a malformed upstream is refused by the name of its field: %j', async (more, reason) => {
  const helix = await startHelix(optionsOf())
  const answer = await helix.control('POST', '/control/upstreams', {
    name: 'x',
    url: 'http://x/v1',
    models: [],
    ...more,
  })
  expect(JSON.stringify(answer)).toContain(reason)
  expect(JSON.stringify(answer)).not.toContain('with space')
})

test('an upstream that refuses our key is paused: callers get no details, the operator does', async () => {
  const upstream = await startLister()
  const helix = await startHelix(optionsOf())
  const wanted = { name: 'gpu', url: upstream.baseUrl, key: 'sk-wrong-0123456789', models: [{ name: 'small' }] }
  await helix.control('POST', '/control/upstreams', wanted)
  const response = await helix.chat({ model: 'small' })
  expect(response.status).toBe(502)
  const text = await response.text()
  expect(text).toContain('upstream_failed')
  expect(text).not.toMatch(/401|key|wrong/)
  const [shown] = listed(await helix.control('GET', '/control/upstreams'))
  expect(shown).toMatchObject({ state: 'paused', recent_requests: 1, recent_errors: 1 })
  expect(helix.logLines.join('')).not.toContain('sk-wrong')
})

test('a key that is restricted to a model of an upstream sees and uses that one only', async () => {
  const upstream = await startLister()
  const helix = await startHelix(optionsOf())
  await helix.control('POST', '/control/upstreams', { name: 'gpu', url: upstream.baseUrl, key: secret })
  const { key } = (await helix.control('POST', '/control/keys', { name: 'k', models: ['org/large'] })) as {
    key: string
  }
  const headers = { ...helix.authorized, authorization: `Bearer ${key}` }
  const models = listed(await (await fetch(`${helix.baseUrl}/models`, { headers })).json())
  expect(models.map(({ id }) => id)).toEqual(['org/large'])
  expect(await textOf(await helix.chat({ model: 'org/large' }, { headers }))).toBe('I am org/large.')
  expect(await textOf(await helix.chat({ model: 'small' }, { headers }))).toBe('model_not_allowed')
})
