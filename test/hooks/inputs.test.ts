import { expect, test } from 'vitest'
import type { HookSetting } from '../../src/config/hook-setting.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { startUpstream } from '../harness/scripted-upstream.ts'
import { postJson, startWithUpstreams } from '../harness/upstream-helix.ts'

const looks = {
  url: null,
  secrets: [],
  patterns: [],
  action: 'redact',
  phases: ['before'],
  onFailure: 'block',
} as const
const hooks: HookSetting[] = [
  { ...looks, name: 'secrets', secrets: ['emails'] },
  { ...looks, name: 'birds', patterns: ['project falcon'], action: 'block' },
]
const start = async () => {
  const usage = { prompt_tokens: 3, total_tokens: 3 }
  const upstream = await startUpstream((response, { url }) => {
    const data = [{ object: 'embedding', index: 0, embedding: [0.5] }]
    const results = [{ index: 0, relevance_score: 0.5 }]
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(url.endsWith('/rerank') ? { results, usage } : { object: 'list', data, usage }))
  })
  const models = [
    { name: 'embed', kind: 'embedding' },
    { name: 'rank', kind: 'rerank' },
  ]
  return { upstream, helix: await startWithUpstreams([{ name: 'u', url: upstream.baseUrl, models }], { hooks }) }
}
const requests: [path: string, of: (text: string) => object][] = [
  ['/embeddings', (input) => ({ model: 'embed', input })],
  ['/rerank', (text) => ({ model: 'rank', query: text, documents: [text] })],
  ['/score', (text) => ({ model: 'rank', text_1: text, text_2: [text] })],
]

test.each(requests)('%s: an upstream never sees a secret, and the ledger says what was done', async (path, of) => {
  const { helix, upstream } = await start()
  const { status, headers } = await postJson(helix, path, of('write to anna@example.com'))
  expect(status).toBe(200)
  const { body } = upstream.asked.at(-1) ?? {}
  expect(JSON.stringify(body)).toContain('write to [redacted]')
  expect(JSON.stringify(body)).not.toContain('anna')
  const count = path === '/embeddings' ? 1 : 2
  expect(headers.get('x-helix-hooks')).toBe(`secrets redacted ${count}`)
  expect((await readLedger(helix)).at(-1)?.settlement).toMatchObject({ hooks: `secrets redacted ${count}` })
})

test.each(requests)('%s: a policy blocks a request', async (path, of) => {
  const { helix, upstream } = await start()
  const before = upstream.asked.length
  const { status, body } = await postJson(helix, path, of('about project falcon'))
  expect([status, body.error?.code]).toEqual([400, 'content_policy_violation'])
  expect(upstream.asked).toHaveLength(before)
})
