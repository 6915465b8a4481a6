import { expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { claimServer } from '../harness/browser-session.ts'
import { readError } from '../harness/read-error.ts'
import { type ScriptedModel, scriptModels } from '../harness/scripted-models.ts'
import { startHelix } from '../harness/start-helix.ts'

const startWith = async (models: ScriptedModel[], config = {}) => {
  const scripted = scriptModels(models)
  const helix = await startHelix({ config, openModels: (settings) => scripted.open(settings, systemClock) })
  return { helix, scripted }
}
const pair: ScriptedModel[] = [
  { id: 'main', isDefault: true, answer: () => ['from main'] },
  { id: 'small', aliases: ['tiny', 'acme/s:1'], answer: () => ['from small'] },
]
/** A busy machine may take long. */
const patient = { timeout: 60_000 }
type Completion = { model: string; choices: { message: { content: string } }[] }
const read = async (response: Response) => {
  expect(response.status).toBe(200)
  const { model, choices } = (await response.json()) as Completion
  return [model, choices[0]?.message.content]
}

test('a request goes to its model, by name or alias, and the response names the model', async () => {
  const { helix } = await startWith(pair)
  expect(await read(await helix.chat({ model: 'small' }))).toEqual(['small', 'from small'])
  expect(await read(await helix.chat({ model: 'tiny' }))).toEqual(['small', 'from small'])
  expect(await read(await helix.chat({ model: 'acme/s:1' }))).toEqual(['small', 'from small'])
  expect(await read(await helix.chat({ model: 'main' }))).toEqual(['main', 'from main'])
  const unknown = await helix.chat({ model: 'other' })
  expect(unknown.status).toBe(404)
  expect(await readError(unknown)).toMatchObject({ code: 'model_not_found' })
})

test('all models are listed, the default first, with what they can do', async () => {
  const { helix } = await startWith(pair)
  await read(await helix.chat({ model: 'main' }))
  const { data } = (await (await helix.get('/v1/models')).json()) as { data: unknown[] }
  const capabilities = ['grammar', 'logprobs', 'template', 'token_ids', 'tools']
  expect(data).toMatchObject([
    { id: 'main', object: 'model', kind: 'chat', aliases: [], context_length: 4096, capabilities },
    { id: 'small', object: 'model', kind: 'chat', aliases: ['tiny', 'acme/s:1'], capabilities: null },
  ])
  expect(await (await helix.get('/v1/models/tiny')).json()).toMatchObject({ id: 'small' })
})

test('a key that is restricted to a model may use it under all its names, and no other', async () => {
  const { helix } = await startWith(pair)
  for (const models of [['small'], ['tiny']]) {
    const { key } = (await helix.control('POST', '/control/keys', { name: 'k', models })) as { key: string }
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    for (const model of ['small', 'tiny']) expect((await helix.chat({ model }, { headers })).status).toBe(200)
    const refused = await helix.chat({ model: 'main' }, { headers })
    expect(refused.status).toBe(403)
    expect(await readError(refused)).toMatchObject({ code: 'model_not_allowed' })
    const list = await fetch(`${helix.url}/v1/models`, { headers })
    expect(await list.json()).toMatchObject({ data: [{ id: 'small' }] })
    expect((await fetch(`${helix.url}/v1/models/main`, { headers })).status).toBe(404)
  }
})

test('usage is recorded for the model, not the alias', async () => {
  const { helix } = await startWith(pair)
  const owner = await claimServer(helix)
  await read(await helix.chat({ model: 'tiny' }))
  await expect
    .poll(async () => {
      const usage = (await helix.control('GET', '/control/usage?by=model')) as { data?: { model?: string }[] }
      return JSON.stringify(usage)
    }, patient)
    .toContain('"small"')
  expect(JSON.stringify(await helix.control('GET', '/control/usage?by=model'))).not.toContain('tiny')
  expect(await (await owner.get('/session')).json()).toMatchObject({
    model: 'main',
    models: [{ id: 'main' }, { id: 'small' }],
  })
})

test('a model that cannot be served does not affect the others', async () => {
  const { helix } = await startWith([...pair, { id: 'broken', failure: '/models/broken.gguf is damaged' }])
  const refused = await helix.chat({ model: 'broken' })
  expect(refused.status).toBe(503)
  const error = await readError(refused)
  expect(error).toMatchObject({ code: 'model_unavailable' })
  // Paths are for the operator only.
  expect(JSON.stringify(error)).not.toContain('/models/')
  expect(await read(await helix.chat({ model: 'main' }))).toEqual(['main', 'from main'])
  expect((await fetch(`${helix.url}/readyz`)).status).toBe(200)
  const owner = await claimServer(helix)
  const { data } = (await (await owner.get('/admin/models')).json()) as { data: { id: string }[] }
  expect(data.find(({ id }) => id === 'broken')).toMatchObject({
    state: 'failed',
    reason: '/models/broken.gguf is damaged',
  })
})

test('a busy model does not keep the others waiting: each has its own slots', async () => {
  const go = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const { helix } = await startWith([
    {
      ...{ id: 'main', isDefault: true, slots: 1 },
      *answer() {
        begun.resolve()
        yield { pause: go.promise }
        yield 'late'
      },
    },
    { id: 'small', slots: 1, answer: () => ['at once'] },
  ])
  const busy = helix.chat({ model: 'main' })
  await begun.promise
  expect(await read(await helix.chat({ model: 'small' }))).toEqual(['small', 'at once'])
  go.resolve()
  expect(await read(await busy)).toEqual(['main', 'late'])
})

test('a stream waits for its model to load, and a client that leaves meanwhile is forgotten', async () => {
  const { helix, scripted } = await startWith([...pair, { id: 'slow', isSlow: true, answer: () => ['finally'] }])
  const controller = new AbortController()
  const leaving = helix.chat({ model: 'slow', stream: true }, { signal: controller.signal }).catch(() => 'left')
  const waiting = helix.chat({ model: 'slow', stream: true })
  await expect.poll(() => scripted.engines('slow').length, patient).toBe(1)
  controller.abort()
  expect(await leaving).toBe('left')
  scripted.engines('slow')[0]?.ready()
  const text = await (await waiting).text()
  expect(text).toContain('finally')
  expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true)
  expect(scripted.engines('slow')).toHaveLength(1)
})

test('the list can be changed while a stream runs', async () => {
  const go = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const removed: ScriptedModel = {
    id: 'removed',
    *answer() {
      yield 'first'
      begun.resolve()
      yield { pause: go.promise }
      yield ' last'
    },
  }
  const { helix, scripted } = await startWith([...pair, removed])
  const stream = helix.chat({ model: 'removed', stream: true })
  await begun.promise
  scripted.change([...pair, { id: 'added', answer: () => ['new'] }])
  expect(await helix.control('POST', '/control/models/reload')).toMatchObject({
    data: [{ id: 'main' }, { id: 'small' }, { id: 'added', state: 'unloaded', reason: null }],
  })
  expect((await helix.chat({ model: 'removed' })).status).toBe(404)
  expect(await helix.control('GET', '/control/models')).toMatchObject({
    data: [
      { id: 'main', kind: 'chat', state: 'ready' },
      { id: 'small', aliases: ['tiny', 'acme/s:1'] },
      { id: 'added' },
    ],
  })
  expect(await read(await helix.chat({ model: 'added' }))).toEqual(['added', 'new'])
  go.resolve()
  const text = await (await stream).text()
  expect(text).toContain(' last')
  expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true)
  await expect.poll(() => scripted.engines('removed')[0]?.isClosed(), patient).toBe(true)
})

test('with several models, a limit that is reached before the body is read names none of them', async () => {
  const { helix } = await startWith(pair, { organisationRequestsPerMinute: 1 })
  await read(await helix.chat({ model: 'small' }))
  const refused = await helix.chat({ model: 'small' })
  expect(refused.status).toBe(429)
  expect((await readError(refused)).message).toContain('Rate limit reached for all models in organization')
})
