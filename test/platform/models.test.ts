import { expect, test } from 'vitest'
import { claimServer } from '../harness/browser-session.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

const capabilities = ['tools', 'grammar', 'logprobs', 'token_ids', 'template']

test('the owner sees the models with their state and load', async () => {
  const begun = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const helix = await startHelix({
    engine: { slots: 3 },
    *answer() {
      begun.resolve()
      yield { pause: go.promise }
      yield 'Hi'
    },
  })
  const owner = await claimServer(helix)
  const running = helix.chat({})
  await begun.promise
  expect(await (await owner.get('/admin/models')).json()).toEqual({
    data: [
      {
        id: modelName,
        kind: 'chat',
        contextTokens: 4096,
        capabilities,
        aliases: [],
        isDefault: true,
        createdAt: 1_700_000_000_000,
        ownedBy: 'test',
        state: 'ready',
        reason: null,
        memory: null,
        gpu: null,
        gpuFault: null,
        installed: null,
        diskBytes: null,
        slots: 3,
        inFlight: 1,
        waiting: 0,
      },
    ],
    memoryBytes: expect.any(Number),
    diskBytes: expect.any(Number),
    hubUrl: 'https://huggingface.co',
  })
  go.resolve()
  expect((await running).status).toBe(200)
})

test('the session lists the models for the playground, but only to people who are signed in', async () => {
  const helix = await startHelix()
  const anonymous = await (await fetch(`${helix.url}/platform/session`)).json()
  expect(anonymous).toMatchObject({ model: modelName, models: [] })
  const owner = await claimServer(helix)
  const session = await (await owner.get('/session')).json()
  expect(session).toMatchObject({
    model: modelName,
    models: [{ id: modelName, kind: 'chat', contextTokens: 4096, capabilities, sampling: null }],
  })
})

test('the session has the sampling defaults of a model, as far as they are known', async () => {
  const sampling = { temperature: 0.7, topP: 0.95 }
  const helix = await startHelix({ engine: { model: { sampling } } })
  const owner = await claimServer(helix)
  expect(await (await owner.get('/session')).json()).toMatchObject({ models: [{ sampling }] })
})
