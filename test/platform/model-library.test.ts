import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readModelList } from '../../src/models/model-list-file.ts'
import { type BrowserSession, claimServer, openBrowser } from '../harness/browser-session.ts'
import { startWebServer } from '../harness/file-server.ts'
import { listedModels, tinyChat } from '../harness/listed-models.ts'
import { startModelHub } from '../harness/model-hub.ts'
import { type Helix, modelName, startHelix } from '../harness/start-helix.ts'

const patient = { timeout: 20_000 }
type Json = Record<string, unknown>

const jsonOf = async (answer: Promise<Response>): Promise<Json> => (await (await answer).json()) as Json
const dataOf = async (answer: Promise<Response>): Promise<Json[]> => (await jsonOf(answer)).data as Json[]
const reasonOf = async (answer: Promise<Response>): Promise<string> => {
  const { error } = (await jsonOf(answer)) as { error: { code: string; message: string } }
  return `${error.code}: ${error.message}`
}

const openWithHub = async (modelHubUrl: string): Promise<{ helix: Helix; owner: BrowserSession }> => {
  const helix = await startHelix(await listedModels({ modelHubUrl }))
  return { helix, owner: await claimServer(helix) }
}
const source = 'hf:someone/tiny-GGUF/tiny-Q4_K_M.gguf'
const files = { 'someone/tiny-GGUF': { 'tiny-Q4_K_M.gguf': tinyChat, 'README.md': Buffer.from('#') } }
const pullsOf = (owner: BrowserSession) => dataOf(owner.get('/admin/model-pulls'))
const actionsOf = async (owner: BrowserSession) => {
  const events = await dataOf(owner.get('/admin/audit?action=model'))
  return events.map(({ action }) => action).toReversed()
}

test('a model is found on the hub, pulled, paused, resumed, tried, changed, made the default and removed', async () => {
  const hub = await startModelHub(files)
  const { helix, owner } = await openWithHub(hub.url)
  expect(await dataOf(owner.get('/admin/model-hub?search=tiny'))).toEqual([
    { id: 'someone/tiny-GGUF', downloads: 3456, likes: 12, licence: 'apache-2.0', isGated: false },
  ])
  expect(await dataOf(owner.get('/admin/model-hub/files?repository=someone/tiny-GGUF'))).toMatchObject([
    { source, fileName: 'tiny-Q4_K_M.gguf', quantisation: 'Q4_K_M', sizeBytes: tinyChat.length, fit: 'fits' },
  ])

  hub.holdAfter(50_000)
  expect((await owner.post('/admin/model-pulls', { source, name: 'tiny' })).status).toBe(201)
  await expect.poll(() => pullsOf(owner), patient).toMatchObject([{ state: 'running', receivedBytes: 50_000 }])
  expect((await owner.post('/admin/model-pulls/tiny/pause')).status).toBe(204)
  expect(await pullsOf(owner)).toMatchObject([{ state: 'paused', receivedBytes: 50_000 }])
  hub.holdAfter(null)
  expect((await owner.post('/admin/model-pulls/tiny/resume')).status).toBe(200)
  await expect.poll(() => pullsOf(owner), patient).toMatchObject([{ state: 'complete' }])
  expect(hub.requests.at(-1)?.range).toBe('bytes=50000-')
  expect(await (await helix.chat({ model: 'tiny' })).json()).toMatchObject({ model: 'tiny' })

  expect((await owner.post('/admin/models/tiny/edit', { aliases: ['t'], contextTokens: 256, slots: 2 })).status).toBe(
    204,
  )
  const changed = (await dataOf(owner.get('/admin/models'))).find(({ id }) => id === 'tiny')
  expect(changed).toMatchObject({ aliases: ['t'], contextTokens: 256, slots: 2, isDefault: false })
  expect(changed?.installed).toMatchObject({ source: 'list', ownsFiles: true, fits: true, own: { slots: 2 } })
  expect((await owner.post('/admin/models/tiny/default')).status).toBe(204)
  expect(await reasonOf(owner.post('/admin/models/tiny/remove'))).toMatch(/^invalid_model: tiny is the default model/)
  expect((await owner.post(`/admin/models/${modelName}/default`)).status).toBe(204)
  expect((await owner.post('/admin/models/tiny/remove')).status).toBe(204)
  expect((await helix.chat({ model: 'tiny' })).status).toBe(404)
  expect(existsSync(join(helix.dataDir, 'models', 'tiny'))).toBe(false)
  expect(await actionsOf(owner)).toEqual([
    ...['model.pull_started', 'model.pull_paused', 'model.pull_resumed', 'model.added', 'model.changed'],
    ...['model.made_default', 'model.made_default', 'model.removed'],
  ])
})

test('a download that an earlier server left is shown, and can be discarded', async () => {
  const hub = await startModelHub(files)
  const options = await listedModels({ modelHubUrl: hub.url })
  const helix = await startHelix(options)
  const owner = await claimServer(helix)
  hub.holdAfter(1000)
  await owner.post('/admin/model-pulls', { source })
  await expect.poll(() => pullsOf(owner), patient).toMatchObject([{ name: 'tiny-Q4_K_M', receivedBytes: 1000 }])
  await helix.server.close()
  const again = await startHelix(options)
  const later = await openBrowser(again.url)
  await later.signIn('owner@example.com')
  expect(await pullsOf(later)).toMatchObject([{ name: 'tiny-Q4_K_M', state: 'paused', receivedBytes: 1000 }])
  expect((await later.post('/admin/model-pulls/tiny-Q4_K_M/discard')).status).toBe(204)
  expect(await pullsOf(later)).toEqual([])
  expect(readdirSync(join(again.dataDir, 'models'))).not.toContain('tiny-Q4_K_M')
})

test('the signature in an address is in no event of the audit log and in no answer', async () => {
  const web = await startWebServer((response) => response.end(tinyChat))
  const { helix, owner } = await openWithHub('http://127.0.0.1:1')
  const signed = `${web.url}/signed.gguf?X-Signature=canary`
  const started = await owner.post('/admin/model-pulls', { source: signed })
  await expect.poll(() => pullsOf(owner), patient).toMatchObject([{ state: 'complete' }])
  const [pulls, models] = await Promise.all([owner.get('/admin/model-pulls'), owner.get('/admin/models')])
  const audit = await (await owner.get('/admin/audit?action=model')).text()
  expect(audit).toContain(`${web.url}/signed.gguf?…`)
  for (const text of [audit, await started.text(), await pulls.text(), await models.text(), helix.logLines.join('')])
    expect(text).not.toContain('canary')
  expect((await readModelList(helix.dataDir)).models[0]?.pulledFrom).toBe(`${web.url}/signed.gguf?…`)
})

test('discarding a failed download under the name of a model keeps the model', async () => {
  const hub = await startModelHub({ ...files, 'someone/other': { 'other.gguf': tinyChat } })
  const { helix, owner } = await openWithHub(hub.url)
  await owner.post('/admin/model-pulls', { source, name: 'tiny' })
  await expect.poll(() => pullsOf(owner), patient).toMatchObject([{ state: 'complete' }])
  await owner.post('/admin/model-pulls', { source: 'hf:someone/other/other.gguf', name: 'tiny' })
  await expect.poll(() => pullsOf(owner), patient).toMatchObject([{ state: 'failed' }])
  expect((await pullsOf(owner))[0]?.reason).toMatch(/already a model/)
  expect((await owner.post('/admin/model-pulls/tiny/discard')).status).toBe(204)
  expect(await pullsOf(owner)).toEqual([])
  expect(readdirSync(join(helix.dataDir, 'models', 'tiny'))).toContain('tiny-Q4_K_M.gguf')
  expect(await (await helix.chat({ model: 'tiny' })).json()).toMatchObject({ model: 'tiny' })
})

test.each(['models.json', 'models.lock', 'Models.JSON.new'])('a model cannot be called %s', async (name) => {
  const { owner } = await openWithHub('http://127.0.0.1:1')
  const refused = `invalid_model: '${name}' cannot be the name of a model`
  expect(await reasonOf(owner.post('/admin/model-uploads', { name, sizeBytes: 5 }))).toContain(refused)
  expect(await reasonOf(owner.post('/admin/model-pulls', { source, name }))).toContain(refused)
})

test('a hub that answers with something else is a clear error, and nothing is kept', async () => {
  let answer: { status?: number; text: string } = { text: '{' }
  const web = await startWebServer((response) => response.writeHead(answer.status ?? 200).end(answer.text))
  const { helix, owner } = await openWithHub(web.url)
  const search = () => reasonOf(owner.get('/admin/model-hub?search=x'))
  expect(await search()).toBe('model_hub_failed: The model hub did not answer with JSON.')
  answer = { text: '{"error":"no"}' }
  expect(await search()).toBe('model_hub_failed: The model hub did not answer with a list of models.')
  answer = { text: ' '.repeat(5_000_000) }
  expect(await search()).toBe('model_hub_failed: The model hub sent more than 4 MiB.')
  answer = { status: 503, text: '' }
  expect(await search()).toBe('model_hub_failed: The model hub answered with status 503.')
  answer = { text: '[{"id":"../../etc"},{"id":7},null,{"id":"a/b","tags":"x","downloads":-1}]' }
  expect(await dataOf(owner.get('/admin/model-hub?search=x'))).toEqual([
    { id: 'a/b', downloads: null, likes: null, licence: null, isGated: false },
  ])
  answer = { text: '[{"type":"file","path":"a.gguf","size":1e300},{"type":"file","path":"b.gguf","size":-1}]' }
  expect(await dataOf(owner.get('/admin/model-hub/files?repository=a/b'))).toEqual([])
  expect(await reasonOf(owner.get('/admin/model-hub/files?repository=a/../b'))).toMatch(/^invalid_model/)
  answer = { text: '<html>not a model</html>' }
  await owner.post('/admin/model-pulls', { source: 'hf:a/b/c.gguf' })
  await expect.poll(() => pullsOf(owner), patient).toMatchObject([{ state: 'failed' }])
  expect((await pullsOf(owner))[0]?.reason).toContain('is not a GGUF file')
  expect((await readModelList(helix.dataDir)).models).toEqual([])
})

test('a GGUF file is uploaded in parts and served; a wrong or abandoned one leaves nothing', async () => {
  const { helix, owner } = await openWithHub('http://127.0.0.1:1')
  const begin = (name: string, sizeBytes: number) => jsonOf(owner.post('/admin/model-uploads', { name, sizeBytes }))
  const send = (id: unknown, offset: number, bytes: Buffer<ArrayBuffer>) =>
    fetch(`${helix.url}/platform/admin/model-uploads/${id}/parts/${offset}`, {
      method: 'POST',
      body: bytes,
      headers: {
        ...{ origin: helix.url, 'x-csrf-token': owner.csrfToken(), 'content-type': 'application/octet-stream' },
        cookie: [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
    })
  const bytes = Buffer.from(tinyChat)
  const { id } = await begin('mine', bytes.length)
  expect(await jsonOf(send(id, 0, bytes.subarray(0, 60_000)))).toEqual({ receivedBytes: 60_000 })
  expect(await reasonOf(owner.post(`/admin/model-uploads/${id}/finish`))).toMatch(/send the rest first/)
  expect((await send(id, 70_000, bytes.subarray(70_000))).status).toBe(400)
  expect((await send(id, 60_000, bytes.subarray(60_000))).status).toBe(200)
  expect(await jsonOf(owner.post(`/admin/model-uploads/${id}/finish`))).toEqual({ name: 'mine' })
  expect(await (await helix.chat({ model: 'mine' })).json()).toMatchObject({ model: 'mine' })

  const uploads = () => readdirSync(join(helix.dataDir, 'models', '.uploads'))
  const page = await begin('page', 20)
  expect(await reasonOf(send(page.id, 0, Buffer.from('<html>not a model')))).toMatch(/not a GGUF file/)
  const damaged = await begin('damaged', 1000)
  await send(damaged.id, 0, bytes.subarray(0, 1000))
  expect(await reasonOf(owner.post(`/admin/model-uploads/${damaged.id}/finish`))).toMatch(/^invalid_model: The file/)
  const given = await begin('given', 1000)
  await owner.post(`/admin/model-uploads/${given.id}/abort`)
  expect(uploads()).toEqual([])
  expect(await reasonOf(owner.post('/admin/model-uploads', { name: 'mine', sizeBytes: 5 }))).toMatch(/already a model/)
  expect(await reasonOf(owner.post('/admin/model-uploads', { name: 'big', sizeBytes: 1e15 }))).toMatch(
    /more than the memory/,
  )
  expect((await readModelList(helix.dataDir)).models.map(({ name }) => name)).toEqual(['mine'])
})

test('models of the settings cannot be changed here, and members can change nothing', async () => {
  const { owner } = await openWithHub('http://127.0.0.1:1')
  expect(await reasonOf(owner.post(`/admin/models/${modelName}/remove`))).toMatch(/^model_in_settings/)
  expect(await reasonOf(owner.post(`/admin/models/${modelName}/edit`, { slots: 2 }))).toMatch(/^model_in_settings/)
  expect(await reasonOf(owner.post('/admin/models/none/remove'))).toMatch(/^model_not_found/)
})
