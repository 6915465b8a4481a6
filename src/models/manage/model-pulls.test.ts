import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { listedModels, tinyChat } from '../../../test/harness/listed-models.ts'
import { startModelHub } from '../../../test/harness/model-hub.ts'
import { systemClock } from '../../base/clock.ts'
import { loadConfig } from '../../config/load-config.ts'
import { tryFileLock } from '../../store/file-lock.ts'
import { withModel } from '../edit-model-list.ts'
import { changeModelList, modelListPath, modelsFolder } from '../model-list-file.ts'
import { ModelPulls } from './model-pulls.ts'
import { findRemovable, removeModel } from './remove-model.ts'

const quiet = { info: () => {}, warn: () => {}, error: () => {} }
const patient = { timeout: 20_000 }
const source = 'hf:someone/tiny/tiny.gguf'

type Hub = Awaited<ReturnType<typeof startModelHub>>

const open = async (other?: Hub, freeBytes = 1e12) => {
  const hub = other ?? (await startModelHub({ 'someone/tiny': { 'tiny.gguf': tinyChat } }))
  const { config: own } = await listedModels({ modelHubUrl: hub.url })
  const config = { ...loadConfig({ flags: {}, environment: {}, configFile: null }), ...own }
  const pulls = new ModelPulls({ config, clock: systemClock, log: quiet, freeBytes: async () => freeBytes })
  const start = (onComplete = async () => {}) => pulls.start(source, 'tiny', onComplete)
  const untilFirst = (state: string) =>
    expect.poll(async () => (await pulls.list())[0], patient).toMatchObject({ state })
  const file = join(modelsFolder(config.dataDir), 'tiny', 'tiny.gguf')
  return { hub, config, dataDir: config.dataDir, pulls, start, untilFirst, file }
}

test('discarding the report of a model that was listed and then not loaded keeps the model', async () => {
  const { pulls, start, untilFirst, file } = await open()
  start(() => Promise.reject(new Error('not loaded')))
  await untilFirst('failed')
  await pulls.discard('tiny')
  expect(await pulls.list()).toEqual([])
  expect(existsSync(file)).toBe(true)
})

test.each(['tiny', 'other'])(
  'discarding a paused download keeps a model %s that was added in its folder',
  async (name) => {
    const { hub, dataDir, pulls, start, untilFirst, file } = await open()
    hub.holdAfter(1000)
    start()
    await expect.poll(async () => (await pulls.list())[0]?.receivedBytes, patient).toBe(1000)
    await pulls.pause('tiny')
    await untilFirst('paused')
    writeFileSync(file, tinyChat)
    const model = { name, path: file, aliases: [], contextTokens: null, pulledFrom: null }
    await changeModelList(dataDir, systemClock, (list) => withModel(list, model))
    await pulls.discard('tiny')
    expect(await pulls.list()).toEqual([])
    expect(existsSync(file)).toBe(true)
  },
)

test('while the list cannot be read, no model is taken for an incomplete download or deleted', async () => {
  const { dataDir, pulls, start, untilFirst, file } = await open()
  start(() => Promise.reject(new Error('not loaded')))
  await untilFirst('failed')
  writeFileSync(modelListPath(dataDir), '{')
  await pulls.discard('tiny')
  expect(await pulls.list()).toEqual([])
  await expect(pulls.discard('tiny')).rejects.toThrow('There is no download of tiny')
  expect(existsSync(file)).toBe(true)
})

test('a download of another process is shown as such, and neither continued nor discarded here', async () => {
  const { hub, pulls, start, untilFirst, file } = await open()
  hub.holdAfter(1000)
  start()
  await expect.poll(async () => (await pulls.list())[0]?.receivedBytes, patient).toBe(1000)
  await pulls.pause('tiny')
  // As 'helix models pull' does while it runs.
  const lock = tryFileLock(join(dirname(file), 'pull.lock'))
  await untilFirst('elsewhere')
  const refused = /^Another process is downloading tiny, .*: stop it there first$/
  await expect(pulls.discard('tiny')).rejects.toThrow(refused)
  await expect(pulls.resume('tiny', async () => {})).rejects.toThrow(refused)
  expect(existsSync(`${file}.part`)).toBe(true)
  lock?.release()
  await untilFirst('paused')
  await pulls.discard('tiny')
  expect(existsSync(dirname(file))).toBe(false)
})

test('no command deletes the files of a download that runs', async () => {
  const { hub, config, pulls, start, file } = await open()
  hub.holdAfter(1000)
  start()
  await expect.poll(async () => (await pulls.list())[0]?.receivedBytes, patient).toBe(1000)
  // As 'helix models remove' does.
  const remove = async () =>
    removeModel(await findRemovable(config, 'tiny'), { config, clock: systemClock, apply: async () => {} })
  await expect(remove()).rejects.toThrow('Another process is downloading tiny, such as the server: stop it there first')
  expect(existsSync(`${file}.part`)).toBe(true)
  await pulls.pause('tiny')
  await remove()
  expect(existsSync(dirname(file))).toBe(false)
})

test('of a file that turns out to be wrong, nothing is shown as kept', async () => {
  const hub = await startModelHub({ 'someone/tiny': { 'tiny.gguf': tinyChat.subarray(0, 9000) } })
  const { pulls, untilFirst } = await open(hub)
  pulls.start(source, 'tiny', async () => {})
  await untilFirst('failed')
  expect((await pulls.list())[0]).toMatchObject({
    receivedBytes: 0,
    reason: expect.stringContaining('the download was deleted'),
  })
})

test('a paused download is deleted when it is discarded', async () => {
  const { hub, pulls, start, untilFirst, file } = await open()
  hub.holdAfter(1000)
  start()
  await expect.poll(async () => (await pulls.list())[0]?.receivedBytes, patient).toBe(1000)
  await pulls.pause('tiny')
  await untilFirst('paused')
  expect(existsSync(`${file}.part`)).toBe(true)
  await pulls.discard('tiny')
  expect(existsSync(`${file}.part`)).toBe(false)
})

test('a download that is continued begins where it was paused', async () => {
  const { hub, pulls, start } = await open()
  hub.holdAfter(1000)
  start()
  await expect.poll(async () => (await pulls.list())[0]?.receivedBytes, patient).toBe(1000)
  await pulls.pause('tiny')
  const kept = { state: 'running', receivedBytes: 1000, totalBytes: tinyChat.length }
  expect(await pulls.resume('tiny', async () => {})).toMatchObject(kept)
  await pulls.pause('tiny')
  expect(start()).toMatchObject(kept)
  await pulls.close()
})

test('downloads do not fill the disk together: what others have still to write counts as taken', async () => {
  const hub = await startModelHub({ 'someone/tiny': { 'tiny.gguf': tinyChat, 'second.gguf': tinyChat } })
  const { pulls, start, untilFirst } = await open(hub, 256 * 2 ** 20 + tinyChat.length * 1.5)
  hub.holdAfter(1000)
  start()
  await expect.poll(async () => (await pulls.list())[0]?.receivedBytes, patient).toBe(1000)
  pulls.start('hf:someone/tiny/second.gguf', 'second', async () => {})
  await untilFirst('failed')
  const [second] = await pulls.list()
  expect(second?.name).toBe('second')
  expect(second?.reason).toMatch(/cannot be stored in .*: the disk has space for 0 MB, besides/)
  await pulls.close()
})
