import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type FileHandle, open as openFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listedModels, tinyChat } from '../../../test/harness/listed-models.ts'
import { systemClock } from '../../base/clock.ts'
import { loadConfig } from '../../config/load-config.ts'
import { tryFileLock } from '../../store/file-lock.ts'
import { withModel } from '../edit-model-list.ts'
import { changeModelList, modelsFolder, readModelList } from '../model-list-file.ts'
import { ModelUploads } from './model-uploads.ts'

const open = async (settings: { nodeName?: string } = {}) => {
  const { config: own } = await listedModels(settings)
  const config = { ...loadConfig({ flags: {}, environment: {}, configFile: null }), ...own }
  const uploads = new ModelUploads({ config, clock: systemClock, freeBytes: async () => 1e12 })
  onTestFinished(() => uploads.close())
  const begin = (name: string) => uploads.begin({ name, sizeBytes: tinyChat.length })
  const send = async (name: string) => {
    const id = await begin(name)
    await uploads.write(id, 0, [tinyChat])
    return id
  }
  const folder = join(modelsFolder(config.dataDir), 'mine')
  return { dataDir: config.dataDir, uploads, begin, send, folder, file: join(folder, 'mine.gguf') }
}

test('of two uploads of one name at once, one begins; a third of another name waits', async () => {
  const { begin } = await open()
  const twice = await Promise.allSettled([begin('mine'), begin('Mine')])
  expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await expect(begin('MINE')).rejects.toThrow('MINE is being uploaded already')
  const others = await Promise.allSettled([begin('second'), begin('third')])
  expect(others.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await expect(begin('fourth')).rejects.toThrow('Two files are being uploaded already')
})

test('a part that arrives at another node says at which node the upload is', async () => {
  const [first, second] = [await open({ nodeName: 'a' }), await open({ nodeName: 'b' })]
  const id = await first.begin('mine')
  const elsewhere =
    /^This upload is at the node a, but this part of it arrived at b: open the console at the address of one node/
  await expect(second.uploads.write(id, 0, [tinyChat])).rejects.toThrow(elsewhere)
  await expect(second.uploads.finish(id)).rejects.toThrow(elsewhere)
  expect(await first.uploads.write(id, 0, [tinyChat])).toBe(tinyChat.length)
  await first.uploads.abort(id)
  await expect(first.uploads.finish(id)).rejects.toThrow('This upload was given up: start again')
})

test('a model that was added under the name during the upload stays as it was', async () => {
  const { dataDir, uploads, send, folder, file } = await open()
  const id = await send('mine')
  mkdirSync(folder)
  writeFileSync(file, 'of the first')
  const first = { name: 'mine', path: file, aliases: [], contextTokens: null, pulledFrom: 'upload' }
  await changeModelList(dataDir, systemClock, (list) => withModel(list, first))
  await expect(uploads.finish(id)).rejects.toThrow('There is already a model')
  expect(readFileSync(file, 'utf8')).toBe('of the first')
  expect((await readModelList(dataDir)).models).toEqual([first])
})

test('an upload is refused while a download of its name is under way or paused', async () => {
  const { dataDir, uploads, begin, send, folder, file } = await open()
  const [id, next] = [await send('mine'), await send('other')]
  mkdirSync(folder)
  writeFileSync(join(folder, 'pull.json'), '{"from":"https://example.com/mine.gguf"}')
  await expect(uploads.finish(id)).rejects.toThrow('There is a download of mine: complete or discard it first')
  await expect(begin('mine')).rejects.toThrow('There is a download of mine')
  expect(existsSync(file)).toBe(false)
  const other = join(modelsFolder(dataDir), 'other')
  mkdirSync(other)
  const lock = tryFileLock(join(other, 'pull.lock'))
  await expect(uploads.finish(next)).rejects.toThrow('other is being downloaded at the moment')
  lock?.release()
  expect(readdirSync(other)).toEqual(['pull.lock'])
})

test('the weights are on the disk before they get their place and before the list names them', async () => {
  const { dataDir, uploads, send, file } = await open()
  const id = await send('mine')
  const steps: string[] = []
  const prototype = await fileHandlePrototype(join(dataDir, 'first.gguf'))
  const sync = prototype.sync
  const spy = vi.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
    const stats = await this.stat()
    const kind = stats.isDirectory() ? 'folder' : stats.size === tinyChat.length ? 'weights' : 'list'
    steps.push(`${kind}, ${existsSync(file) ? 'in' : 'not in'} place`)
    return sync.call(this)
  })
  onTestFinished(() => spy.mockRestore())
  await uploads.finish(id)
  expect(steps.slice(0, 3)).toEqual(['weights, not in place', 'folder, in place', 'list, in place'])
})

/** The class is not exported by Node. */
const fileHandlePrototype = async (path: string): Promise<FileHandle> => {
  const handle = await openFile(path)
  await handle.close()
  return Object.getPrototypeOf(handle)
}
