import { expect, test } from 'vitest'
import type { ImportPreview } from '../../src/platform/contract/upstreams.ts'
import { claimServer } from '../harness/browser-session.ts'
import { sayJson, startUpstream } from '../harness/scripted-upstream.ts'
import { startWithUpstreams } from '../harness/upstream-helix.ts'

const secret = 'sk-import-0123456789-end4'
const keyed = () =>
  startUpstream((response, { headers, body }) => {
    if (headers.authorization !== `Bearer ${secret}`) return response.writeHead(401).end('{}')
    if (body.model !== undefined) return sayJson(response, { content: 'OK' })
    return response.writeHead(200).end('{"data":[{"id":"small"}]}')
  })
const configOf = (works: string): string => `
model_list:
  - { model_name: a, litellm_params: { model: openai/small, api_base: "${works}", api_key: "${secret}", rpm: 3 } }
  - { model_name: b, litellm_params: { model: openai/small, api_base: "${works}", api_key: os.environ/PATH } }
  - { model_name: c, litellm_params: { model: openai/small, api_base: os.environ/PATH } }
  - { model_name: d, litellm_params: { model: openai/d, api_base: "http://me:${secret}@x/v1?${secret}" } }
`

test('a config.yaml of LiteLLM is shown without its keys, and each upstream is tested before it is added', async () => {
  const config = configOf((await keyed()).baseUrl)
  const helix = await startWithUpstreams([])
  const owner = await claimServer(helix)
  const shown = await (await owner.post('/admin/upstreams/import/preview', { config })).text()
  expect(shown).not.toContain(secret)
  expect(shown).not.toContain(process.env.PATH)
  const { upstreams, omitted } = JSON.parse(shown) as ImportPreview
  expect(upstreams).toMatchObject([
    { name: 'compatible', models: ['a'], key: 'given', problem: null },
    { name: 'compatible-2', models: ['b'], key: 'missing', variable: 'PATH', problem: null },
    { name: 'compatible-3', url: 'http://x/v1', problem: expect.stringContaining('url') },
  ])
  expect(omitted.map(({ path }) => path)).toEqual([
    'model_list[0].litellm_params.rpm',
    'model_list[2].litellm_params.api_base',
  ])
  const add = async (name: string, more: object = {}): Promise<unknown> =>
    (await owner.post('/admin/upstreams/import', { config, name, ...more })).json()
  const names = async (): Promise<string[]> => {
    const { data } = (await (await owner.get('/admin/upstreams')).json()) as { data: { name: string }[] }
    return data.map(({ name }) => name)
  }
  expect(await add('compatible')).toEqual({ problem: null })
  expect(await add('compatible')).toMatchObject({ error: { code: 'upstream_exists' } })
  expect(await add('compatible-2')).toMatchObject({ problem: { fault: 'key_refused' } })
  expect(await add('compatible-3', { skipsTest: true })).toMatchObject({ error: { code: 'invalid_upstream' } })
  expect(await add('none')).toMatchObject({ error: { code: 'invalid_upstream' } })
  expect(await names()).toEqual(['compatible'])
  expect(await add('compatible-2', { key: secret })).toEqual({ problem: null })
  expect(await names()).toEqual(['compatible', 'compatible-2'])
  const audit = (await (await owner.get('/admin/audit?action=upstream')).json()) as { data: { action: string }[] }
  expect(audit.data.map(({ action }) => action)).toEqual(['upstream.added', 'upstream.added'])
})

test('a file that is no YAML, nested without end or too long is refused', async () => {
  const owner = await claimServer(await startWithUpstreams([]))
  const codeOf = async (config: string): Promise<unknown> => {
    const answer = await owner.post('/admin/upstreams/import/preview', { config })
    return [answer.status, ((await answer.json()) as { error: { code: string } }).error.code]
  }
  expect(await codeOf('a: [')).toEqual([400, 'invalid_upstream'])
  expect(await codeOf('- '.repeat(100_000))).toEqual([400, 'invalid_upstream'])
  expect(await codeOf(`# ${'x'.repeat(262_144)}`)).toEqual([400, 'string_above_max_length'])
})
