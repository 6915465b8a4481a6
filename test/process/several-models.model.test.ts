import { once } from 'node:events'
import { copyFile, truncate, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { writeTinyModel } from '../../scripts/tiny-models/tiny-models.ts'
import { systemClock } from '../../src/base/clock.ts'
import { controlSocketPath } from '../../src/http/control-socket.ts'
import { changeModelList } from '../../src/models/model-list-file.ts'
import { postChat } from '../harness/post-chat.ts'
import { processGone } from '../harness/process-gone.ts'
import { readError } from '../harness/read-error.ts'
import { readEvents } from '../harness/read-events.ts'
import { repository } from '../harness/run-program.ts'
import { scratchPath } from '../harness/scratch-path.ts'
import { type Program, startProgram } from '../harness/start-program.ts'

/** One server with several real models; the tests follow what its users see, in order. */
let program: Program
let service: { url: string; key: string }
const folder = scratchPath()
const tinyPath = writeTinyModel(folder, 'tiny-chat')

beforeAll(async () => {
  const damaged = join(folder, 'damaged.gguf')
  await copyFile(tinyPath, damaged)
  await truncate(damaged, 100_000)
  const models = [
    { name: 'tiny', path: tinyPath, aliases: ['t'], default: true },
    { name: 'helix-v1', path: join(repository, 'models/helix-v1'), contextTokens: 1024 },
    { name: 'damaged', path: damaged },
  ]
  await writeFile(join(folder, 'helix.config.json'), JSON.stringify({ models }))
  // Enough for each of them, but not for both.
  const env = { HELIX_MODEL_MEMORY_LIMIT_BYTES: String(600_000_000) }
  program = await startProgram({ cwd: folder, env })
  await program.engineReady()
  service = { url: program.url, key: await program.createKey() }
})

const few = { max_tokens: 4, ignore_eos: true }
const pidOf = async (model: string, count = 1): Promise<number> =>
  Number((await program.logged({ event: 'engine_ready', model }, count)).pid)

const reload = async (): Promise<unknown> => {
  const socketPath = controlSocketPath(program.dataDir)
  const outgoing = request({ socketPath, method: 'POST', path: '/control/models/reload' })
  const answered = once(outgoing, 'response')
  outgoing.end()
  const [response] = await answered
  return JSON.parse(await text(response))
}

test('the default model is loaded at the start, a damaged one is not served, and the server is ready', async () => {
  expect((await fetch(`${program.url}/readyz`)).status).toBe(200)
  const answer = await (await postChat(service, 'Hi', { model: 't', ...few })).json()
  expect(answer).toMatchObject({ model: 'tiny', usage: { completion_tokens: 4 } })
  expect(await program.logged({ event: 'model_failed', model: 'damaged' })).toMatchObject({
    reason: expect.stringContaining('damaged.gguf'),
  })
  const refused = await postChat(service, 'Hi', { model: 'damaged', ...few })
  expect(refused.status).toBe(503)
  expect(await readError(refused)).toMatchObject({ code: 'model_unavailable' })
})

test('another model is loaded by its first requests; the idle one leaves for it, and is loaded again', async () => {
  const tinyPid = await pidOf('tiny')
  const requests = [1, 2].map(() => postChat(service, 'Hi', { model: 'helix-v1', ...few }))
  for (const response of requests) expect(await (await response).json()).toMatchObject({ model: 'helix-v1' })
  await program.logged({ event: 'model_unloaded', model: 'tiny' })
  await processGone(tinyPid)
  const helixPid = await pidOf('helix-v1')
  expect(await (await postChat(service, 'Hi', { model: 'tiny', ...few })).json()).toMatchObject({ model: 'tiny' })
  await processGone(helixPid)
})

test('while an answer runs, its model is not unloaded: the other one is refused for now', async () => {
  const stream = await postChat(service, 'Count to a hundred.', {
    ...{ model: 'helix-v1', stream: true, max_tokens: 900, ignore_eos: true },
  })
  const refused = await postChat(service, 'Hi', { model: 'tiny', ...few })
  expect(refused.status).toBe(503)
  expect(await readError(refused)).toMatchObject({ code: 'model_memory_short' })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)

  process.kill(await pidOf('helix-v1', 2), 'SIGKILL')
  const last = (await readEvents(stream)).at(-1) ?? ''
  expect(JSON.parse(last)).toMatchObject({ error: { code: 'engine_failed' } })
  expect(await program.logged({ event: 'engine_exited' })).toMatchObject({ model: 'helix-v1', signal: 'SIGKILL' })
})

test('a model is added to and removed from the list while the server runs', async () => {
  const added = { name: 'added', path: tinyPath, aliases: [], contextTokens: null, pulledFrom: null }
  await changeModelList(program.dataDir, systemClock, (list) => ({ ...list, default: 'added', models: [added] }))
  expect(await reload()).toMatchObject({
    data: [{ id: 'added' }, { id: 'tiny' }, { id: 'helix-v1' }, { id: 'damaged' }],
  })
  const answer = await (await postChat(service, 'Hi', { model: 'added', ...few })).json()
  expect(answer).toMatchObject({ model: 'added' })
  const pid = await pidOf('added')
  await changeModelList(program.dataDir, systemClock, (list) => ({ ...list, default: null, models: [] }))
  await reload()
  expect((await postChat(service, 'Hi', { model: 'added', ...few })).status).toBe(404)
  await processGone(pid)
  await writeFile(join(program.dataDir, 'models/models.json'), '{')
  expect(await reload()).toMatchObject({ error: { code: 'model_list_invalid' } })
  expect((await postChat(service, 'Hi', { model: 'tiny', ...few })).status).toBe(200)
})

test('shutting down ends every engine process', async () => {
  const pid = await pidOf('tiny', 3)
  expect(await program.stop()).toBe(0)
  await processGone(pid)
})
