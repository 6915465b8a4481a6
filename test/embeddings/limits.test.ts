import { expect, test } from 'vitest'
import { createManualClock } from '../harness/manual-clock.ts'
import { postEmbeddings } from '../harness/post-embeddings.ts'
import { readError } from '../harness/read-error.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { openScriptedEmbedder } from '../harness/scripted-embedder.ts'
import { startHelix } from '../harness/start-helix.ts'

test('without a key, with a wrong one or with one that lacks the scope nothing is embedded', async () => {
  const helix = await startHelix({ startEngine: openScriptedEmbedder })
  const post = (headers: Record<string, string>) => postEmbeddings(helix, { input: 'a' }, { headers })
  expect((await post({})).status).toBe(401)
  expect((await post({ authorization: 'Bearer sk-1234567890123456789' })).status).toBe(401)
  const created = (await helix.control('POST', '/control/keys', { name: 'reader', scopes: ['models'] })) as {
    key: string
  }
  const refused = await post({ authorization: `Bearer ${created.key}` })
  expect(refused.status).toBe(403)
  expect(await readError(refused)).toMatchObject({ code: 'missing_scope' })
})

test('a key that is restricted to another model is refused', async () => {
  const helix = await startHelix({ startEngine: openScriptedEmbedder })
  const created = (await helix.control('POST', '/control/keys', { name: 'other', models: ['other'] })) as {
    key: string
  }
  const refused = await postEmbeddings(
    helix,
    { input: 'a' },
    { headers: { ...helix.authorized, authorization: `Bearer ${created.key}` } },
  )
  expect(refused.status).toBe(403)
  expect(await readError(refused)).toMatchObject({ code: 'model_not_allowed' })
})

test('prompt tokens count towards the limit per minute, and the headers say what is left', async () => {
  const clock = createManualClock()
  const helix = await startHelix({
    clock,
    startEngine: openScriptedEmbedder,
    config: { organisationTokensPerMinute: 10 },
  })
  const first = await postEmbeddings(helix, { input: ['one two three', 'one two three'] })
  expect(first.status).toBe(200)
  expect(first.headers.get('x-ratelimit-remaining-tokens')).toBe('4')
  const refused = await postEmbeddings(helix, { input: 'one two three four five' })
  expect(refused.status).toBe(429)
  expect(await readError(refused)).toMatchObject({ type: 'tokens', code: 'rate_limit_exceeded' })
  clock.advance(60_000)
  expect((await postEmbeddings(helix, { input: 'one two three four five' })).status).toBe(200)
})

test('requests count towards their limit, and a refused one is recorded as one of this endpoint', async () => {
  const clock = createManualClock()
  const helix = await startHelix({
    clock,
    startEngine: openScriptedEmbedder,
    config: { organisationRequestsPerMinute: 1 },
  })
  expect((await postEmbeddings(helix, { input: 'one' })).status).toBe(200)
  const refused = await postEmbeddings(helix, { input: 'one' })
  expect(refused.status).toBe(429)
  expect(await helix.logged({ requestId: refused.headers.get('x-request-id') })).toMatchObject({ status: 429 })
  expect((await readLedger(helix)).map(({ endpoint }) => endpoint)).toEqual(['embeddings'])
})

test('a client that disconnects frees the slot, and is billed nothing', async () => {
  const begun = Promise.withResolvers<void>()
  const engine = openScriptedEmbedder({
    slots: 1,
    beforeVector: (index) => {
      if (index !== 1) return undefined
      begun.resolve()
      return new Promise(() => {})
    },
  })
  const helix = await startHelix({ startEngine: () => engine })
  const leaving = new AbortController()
  const asked = postEmbeddings(helix, { input: ['one', 'two'] }, { signal: leaving.signal })
  await begun.promise
  expect(engine.active()).toBe(1)
  leaving.abort()
  await expect(asked).rejects.toThrow('aborted')
  // This one is answered only if the one slot is free.
  expect((await postEmbeddings(helix, { input: 'one' })).status).toBe(200)
  expect(engine.active()).toBe(0)
  const rows = await readLedger(helix)
  expect(rows.map(({ settlement }) => settlement)).toMatchObject([
    { outcome: 'client_closed', promptTokens: 0 },
    { outcome: 'completed', promptTokens: 1 },
  ])
})

test('while the model loads the request is refused with a time to retry', async () => {
  const engine = openScriptedEmbedder()
  engine.setState('loading')
  const helix = await startHelix({ startEngine: () => engine })
  const refused = await postEmbeddings(helix, { input: 'one' })
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after-ms')).toBe('1500')
})

test('an Idempotency-Key has no effect: each request is executed and billed', async () => {
  const helix = await startHelix({ startEngine: openScriptedEmbedder })
  const headers = { ...helix.authorized, 'idempotency-key': 'one' }
  for (const input of ['one', 'and two']) expect((await postEmbeddings(helix, { input }, { headers })).status).toBe(200)
  const rows = await readLedger(helix)
  expect(rows.map(({ settlement }) => settlement?.promptTokens)).toEqual([1, 2])
})
