import { expect, test } from 'vitest'
import { createKeyMaker } from '../harness/key-maker.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

test('prompts share memory within the organisation of their keys', async () => {
  const scopes: string[] = []
  const helix = await startHelix({
    answer(_, __, { cacheScope }) {
      scopes.push(cacheScope)
      return ['Hello']
    },
  })
  const createKey = createKeyMaker(helix)
  const keys = [await createKey(), await createKey()]
  const body = { model: modelName, messages: [{ role: 'user', content: 'Hi' }] }
  for (const { call } of keys) expect((await call('POST', '/v1/chat/completions', body)).status).toBe(200)
  expect(scopes).toEqual(keys.map(({ organisation_id }) => organisation_id))
})
