import { expect, test } from 'vitest'
import { createManualClock } from '../harness/manual-clock.ts'
import { readError } from '../harness/read-error.ts'
import { openScriptedReranker, postPairs } from '../harness/scripted-reranker.ts'
import { startHelix } from '../harness/start-helix.ts'

const bodies = { rerank: { query: 'a', documents: ['b c', 'd e'] }, score: { text_1: 'a', text_2: ['b c', 'd e'] } }

test.each(['rerank', 'score'] as const)('%s needs a key with its scope', async (path) => {
  const helix = await startHelix({ startEngine: openScriptedReranker })
  const post = (headers: Record<string, string>) => postPairs(helix, path, bodies[path], { headers })
  expect((await post({})).status).toBe(401)
  const created = (await helix.control('POST', '/control/keys', { name: 'reader', scopes: ['models'] })) as {
    key: string
  }
  const refused = await post({ authorization: `Bearer ${created.key}` })
  expect(refused.status).toBe(403)
  expect(await readError(refused)).toMatchObject({ code: 'missing_scope' })
})

test.each(['rerank', 'score'] as const)('tokens of queries and documents count towards the limit: %s', async (path) => {
  const clock = createManualClock()
  const config = { organisationTokensPerMinute: 10 }
  const helix = await startHelix({ clock, startEngine: openScriptedReranker, config })
  const first = await postPairs(helix, path, bodies[path])
  expect(first.status).toBe(200)
  expect(first.headers.get('x-ratelimit-remaining-tokens')).toBe('4')
  const refused = await postPairs(helix, path, bodies[path])
  expect(refused.status).toBe(429)
  expect(await readError(refused)).toMatchObject({ type: 'tokens', code: 'rate_limit_exceeded' })
  clock.advance(60_000)
  expect((await postPairs(helix, path, bodies[path])).status).toBe(200)
})
