import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { ggufBytes, u32 } from '../../../scripts/tiny-models/gguf-bytes.ts'
import { tinyModels } from '../../../scripts/tiny-models/tiny-models.ts'
import { startFileServer, startWebServer } from '../../../test/harness/file-server.ts'
import { tempDir } from '../../../test/harness/temp-dir.ts'
import type { Clock } from '../../base/clock.ts'
import { systemClock } from '../../base/clock.ts'
import { OperatorError } from '../../base/operator-error.ts'
import { modelsFolder, readModelList } from '../model-list-file.ts'
import { readModelSource } from './model-source.ts'
import { type PullProgress, pullModel } from './pull-model.ts'

const content = ggufBytes(tinyModels['tiny-chat']())
const sha256Hex = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

let dataDir: string
beforeEach(async () => {
  dataDir = await tempDir()
})

/** Delays between attempts take no time. The timer for silence, of a minute, never expires. */
const impatientClock: Clock = {
  ...systemClock,
  after(delayMs, callback) {
    if (delayMs < 60_000) setImmediate(callback)
    return () => {}
  },
}
type Options = Partial<Omit<Parameters<typeof pullModel>[0], 'source'>>

const pull = (url: string, options: Options = {}) => {
  const source = readModelSource(url, 'https://hub.invalid')
  return pullModel({
    ...{ dataDir, source, model: { name: source.name, aliases: [], contextTokens: null }, sha256: null, token: null },
    ...{ freeBytes: async () => 1e12, clock: impatientClock, signal: new AbortController().signal },
    ...{ onProgress: () => {}, taken: [] },
    ...options,
  })
}
const refusal = async (pulled: Promise<unknown>): Promise<string> => {
  const error = await pulled.catch((error: unknown) => error)
  if (!(error instanceof OperatorError)) throw new Error(`expected a refusal, got ${String(error)}`)
  expect(error.message).not.toContain('\n')
  return error.message
}
const inPlace = (name = 'm') => join(modelsFolder(dataDir), name, `${name}.gguf`)
const expectPulled = (): void => {
  expect(readFileSync(inPlace()).equals(content)).toBe(true)
  expect(readdirSync(join(modelsFolder(dataDir), 'm')).sort()).toEqual(['m.gguf', 'pull.json', 'pull.lock'])
}

test('a model is downloaded, put in its place for its owner only, and listed', async () => {
  const { url } = await startFileServer({ content })
  const progress: PullProgress[] = []
  const { model, isNew } = await pull(`${url}/m.gguf`, { onProgress: (each) => progress.push(each) })
  expect(model).toMatchObject({ name: 'm', path: inPlace(), pulledFrom: `${url}/m.gguf` })
  expect(isNew).toBe(true)
  expectPulled()
  expect(statSync(inPlace()).mode & 0o777).toBe(0o600)
  expect((await readModelList(dataDir)).models).toEqual([model])
  expect(progress.at(-1)).toEqual({ fileName: 'm.gguf', receivedBytes: content.length, totalBytes: content.length })
})

test('pulled again from the same address, it is not downloaded again', async () => {
  const { url, requests } = await startFileServer({ content })
  await pull(`${url}/m.gguf`)
  expect(await pull(`${url}/m.gguf`)).toMatchObject({ isNew: false })
  expect(requests).toHaveLength(1)
  expect(await refusal(pull(`${url}/other/m.gguf`))).toMatch(/already a model with the name or alias 'm'/)
})

test('another query may name another file: it does not count as the model that is there', async () => {
  const { url, requests } = await startFileServer({ content })
  await pull(`${url}/m.gguf?file=a`)
  expect(await pull(`${url}/m.gguf?file=a`)).toMatchObject({ isNew: false })
  expect(await refusal(pull(`${url}/m.gguf?file=b`))).toMatch(/already a model with the name or alias 'm'/)
  expect(await refusal(pull(`${url}/m.gguf`))).toMatch(/already a model with the name or alias 'm'/)
  // Without the file that says so, nobody knows.
  rmSync(join(modelsFolder(dataDir), 'm', 'pull.json'))
  expect(await refusal(pull(`${url}/m.gguf?file=a`))).toMatch(/already a model with the name or alias 'm'/)
  expect(requests).toHaveLength(1)
})

test('a download that is cut is continued where it ended', async () => {
  const server = await startFileServer({ content, cuts: [50_000, 20_000, 1] })
  await pull(`${server.url}/m.gguf`, { onProgress: ({ receivedBytes }) => server.received(receivedBytes) })
  expectPulled()
  const asked = server.requests.map(({ range, 'if-range': validator }) => [range, validator])
  expect(asked).toEqual([
    [undefined, undefined],
    ['bytes=50000-', '"v1"'],
    ['bytes=70000-', '"v1"'],
    ['bytes=70001-', '"v1"'],
  ])
})

test('a later pull continues what an aborted one left', async () => {
  const { url, requests } = await startFileServer({ content })
  const stop = new AbortController()
  const onProgress = ({ receivedBytes }: PullProgress) => {
    if (receivedBytes > 0) stop.abort(new Error('stopped'))
  }
  await expect(pull(`${url}/m.gguf`, { signal: stop.signal, onProgress })).rejects.toThrow('stopped')
  expect(existsSync(inPlace())).toBe(false)
  expect((await readModelList(dataDir)).models).toEqual([])
  const kept = statSync(`${inPlace()}.part`).size
  expect(kept).toBeGreaterThan(0)
  await pull(`${url}/m.gguf`)
  expect(requests[1]?.range).toBe(`bytes=${kept}-`)
  expectPulled()
})

test('a server without ranges sends the whole file again', async () => {
  const server = await startFileServer({ content, ranges: false, cuts: [50_000] })
  await pull(`${server.url}/m.gguf`, { onProgress: ({ receivedBytes }) => server.received(receivedBytes) })
  expectPulled()
  expect(server.requests.map(({ range }) => range)).toEqual([undefined, 'bytes=50000-'])
})

test('a server without a validator is not asked for the rest', async () => {
  const server = await startFileServer({ content, etag: null, cuts: [50_000] })
  await pull(`${server.url}/m.gguf`, { onProgress: ({ receivedBytes }) => server.received(receivedBytes) })
  expectPulled()
  expect(server.requests.map(({ range }) => range)).toEqual([undefined, undefined])
})

test('a file that changes between two attempts is downloaded from its start', async () => {
  const other = ggufBytes(tinyModels['tiny-embedding']())
  const server = await startFileServer({ content: other, etag: '"v0"', cuts: [50_000] })
  const onProgress = ({ receivedBytes }: PullProgress) => {
    if (receivedBytes === 50_000) server.change({ content, etag: '"v1"' })
    server.received(receivedBytes)
  }
  await pull(`${server.url}/m.gguf`, { onProgress })
  expectPulled()
})

test('a rest of another version is not added, even if the server ignores If-Range', async () => {
  let cut = () => {}
  const server = await startWebServer((response, { range }) => {
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0)
    const isFirst = server.requests.length === 1
    response.setHeader('etag', isFirst ? '"v0"' : '"v1"')
    if (from === 0) response.writeHead(200, { 'content-length': content.length })
    else response.writeHead(206, { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` })
    if (isFirst) response.write(content.subarray(0, 1000))
    else response.end(content.subarray(from))
    if (isFirst) cut = () => response.destroy()
  })
  const onProgress = ({ receivedBytes }: PullProgress) => {
    if (receivedBytes === 1000) cut()
  }
  await pull(`${server.url}/m.gguf`, { onProgress })
  expectPulled()
  expect(server.requests).toHaveLength(3)
})

test('a part that is complete already is not downloaded again', async () => {
  const { url, requests } = await startFileServer({ content })
  const stop = new AbortController()
  const onProgress = ({ receivedBytes }: PullProgress) => {
    if (receivedBytes === content.length) stop.abort(new Error('stopped'))
  }
  await expect(pull(`${url}/m.gguf`, { signal: stop.signal, onProgress })).rejects.toThrow('stopped')
  await pull(`${url}/m.gguf`)
  expect(requests[1]?.range).toBe(`bytes=${content.length}-`)
  expectPulled()
})

test('the SHA-256 is checked, and a wrong download is deleted', async () => {
  const { url } = await startFileServer({ content })
  const wrong = 'ab'.repeat(32)
  const message = await refusal(pull(`${url}/m.gguf`, { sha256: [wrong] }))
  expect(message).toContain(`has the SHA-256 ${sha256Hex(content)}, but ${wrong} was expected`)
  expect(existsSync(inPlace())).toBe(false)
  expect(existsSync(`${inPlace()}.part`)).toBe(false)
  await pull(`${url}/m.gguf`, { sha256: [sha256Hex(content)] })
  expectPulled()
})

test('a SHA-256 that the hub announces is checked too, through its redirect', async () => {
  const storage = await startFileServer({ content, etag: '"storage"' })
  const hub = await startWebServer((response, _, path) => {
    const digest = path.includes('good') ? sha256Hex(content) : 'cd'.repeat(32)
    response.writeHead(302, { location: `${storage.url}${path}`, 'x-linked-etag': `"${digest}"` }).end()
  })
  const pullFromHub = (file: string) => pull(`${hub.url}/owner/repository/resolve/main/${file}`)
  expect(await refusal(pullFromHub('bad/m.gguf'))).toMatch(/cdcdcd.* was expected/)
  await pullFromHub('good/m.gguf')
  expectPulled()
})

test('the token goes to the hub only, not to where it redirects', async () => {
  const storage = await startFileServer({ content })
  const hub = await startWebServer((response, _, path) => {
    response.writeHead(302, { location: `${storage.url}${path}` }).end()
  })
  await pull(`${hub.url}/m.gguf`, { token: 'hf_secret' })
  expect(hub.requests[0]?.authorization).toBe('Bearer hf_secret')
  expect(storage.requests[0]?.authorization).toBeUndefined()
})

test('a redirect loop ends, and one to another kind of address is refused', async () => {
  const loop = await startWebServer((response, _, path) => response.writeHead(302, { location: path }).end())
  expect(await refusal(pull(`${loop.url}/m.gguf`))).toMatch(/redirects more than 10 times/)
  expect(loop.requests).toHaveLength(11)
  const local = await startWebServer((response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end())
  expect(await refusal(pull(`${local.url}/m.gguf`))).toMatch(/redirects to 'file:\/\/\/etc\/passwd'/)
})

test.each([
  [404, /does not exist/],
  [401, /requires a token; set HELIX_MODEL_HUB_TOKEN/],
  [418, /status 418/],
])('status %i ends the pull at once', async (status, message) => {
  const { url, requests } = await startWebServer((response) => response.writeHead(status).end('no'))
  expect(await refusal(pull(`${url}/m.gguf`))).toMatch(message)
  expect(requests).toHaveLength(1)
})

test('a server that keeps failing is asked five times', async () => {
  const { url, requests } = await startWebServer((response) => response.writeHead(503).end())
  expect(await refusal(pull(`${url}/m.gguf`))).toMatch(/interrupted \(the server answered with status 503\)/)
  expect(requests).toHaveLength(5)
})

test('a server that nobody runs is named', async () => {
  const { url } = await startWebServer(() => {})
  const unused = url.replace(/\d+$/, '1')
  expect(await refusal(pull(`${unused}/m.gguf`))).toMatch(/interrupted \(ECONNREFUSED\)/)
})

test('a server that falls silent is given up after a minute, and what arrived is kept', async () => {
  const timers = new Set<() => void>()
  const clock: Clock = {
    ...systemClock,
    after(delayMs, callback) {
      if (delayMs < 60_000) setImmediate(callback)
      else timers.add(callback)
      return () => timers.delete(callback)
    },
  }
  const { url, requests } = await startWebServer((response, { range }) => {
    response.writeHead(range === undefined ? 200 : 206, {
      etag: '"v1"',
      ...(range === undefined
        ? { 'content-length': content.length }
        : { 'content-range': `bytes 1000-${content.length - 1}/${content.length}` }),
    })
    response.flushHeaders()
    if (range === undefined) response.write(content.subarray(0, 1000))
  })
  const expireAll = () => {
    for (const expire of [...timers]) expire()
  }
  const onProgress = ({ receivedBytes }: PullProgress) => {
    if (receivedBytes >= 1000) setImmediate(expireAll)
  }
  const message = await refusal(pull(`${url}/m.gguf`, { clock, onProgress }))
  expect(message).toMatch(/the server sent nothing for a minute/)
  expect(statSync(`${inPlace()}.part`).size).toBe(1000)
  expect(requests.length).toBeGreaterThan(1)
})

test('a disk that is too small is noticed before the download', async () => {
  const { url } = await startFileServer({ content })
  const message = await refusal(pull(`${url}/m.gguf`, { freeBytes: async () => 256 * 2 ** 20 + content.length - 1 }))
  expect(message).toMatch(/cannot be stored in .*: the disk has space for 0 MB, besides 268 MB/)
})

test('a download stops when others have taken the space on the disk, and can be continued', async () => {
  const large = Buffer.concat([Buffer.from('GGUF'), Buffer.alloc(40_000_000)])
  const { url } = await startFileServer({ content: large })
  const free = [1e12, 300e6, 269e6]
  const freeBytes = async () => free.shift() ?? 0
  expect(await refusal(pull(`${url}/m.gguf`, { freeBytes }))).toMatch(
    /^6 MB cannot be stored in .*: the disk has space for 0 MB, besides 268 MB that stay free for the database$/,
  )
  expect(statSync(`${inPlace()}.part`).size).toBeGreaterThan(32_000_000)
})

test('a body without a length ends when the space is used up', async () => {
  const { url } = await startWebServer((response) => {
    response.writeHead(200)
    const send = (chunk: Buffer): void => {
      response.write(chunk, (error) => {
        if (!error) send(content)
      })
    }
    send(content)
  })
  const message = await refusal(pull(`${url}/m.gguf`, { freeBytes: async () => 256 * 2 ** 20 + 1_000_000 }))
  expect(message).toMatch(/The rest of the file cannot be stored/)
})

test('a body without a length is accepted if it ends', async () => {
  const { url } = await startFileServer({ content, sized: false })
  await pull(`${url}/m.gguf`)
  expectPulled()
})

test('a page in place of a file is refused at its first bytes', async () => {
  const { url } = await startFileServer({ content: Buffer.from(`<html>${'Sign in. '.repeat(100_000)}`) })
  expect(await refusal(pull(`${url}/m.gguf`))).toMatch(/is not a GGUF file/)
})

test('a damaged file is deleted', async () => {
  const damaged = Buffer.from(content)
  damaged.writeUInt32LE(77, damaged.indexOf('general.name') + 'general.name'.length)
  const { url } = await startFileServer({ content: damaged })
  expect(await refusal(pull(`${url}/m.gguf`))).toMatch(/unknown type 77; the download was deleted/)
  expect(existsSync(`${inPlace()}.part`)).toBe(false)
})

test('a model that cannot be served is not listed, and deleted', async () => {
  const { url } = await startFileServer({ content: ggufBytes(tinyModels['tiny-no-template']()) })
  expect(await refusal(pull(`${url}/m.gguf`))).toMatch(/does not contain a chat template/)
  expect(existsSync(join(modelsFolder(dataDir), 'm'))).toBe(false)
  expect((await readModelList(dataDir)).models).toEqual([])
})

test('a refused download deletes only its own files', async () => {
  const { url } = await startFileServer({ content: ggufBytes(tinyModels['tiny-no-template']()) })
  const other = join(modelsFolder(dataDir), 'm', 'other.gguf')
  const onProgress = () => writeFileSync(other, content)
  expect(await refusal(pull(`${url}/m.gguf`, { onProgress }))).toMatch(/does not contain a chat template/)
  expect(readdirSync(join(modelsFolder(dataDir), 'm')).sort()).toEqual(['other.gguf', 'pull.lock'])
})

test('all parts of a split model are downloaded, each once', async () => {
  const chat = tinyModels['tiny-chat']()
  const half = Math.ceil(chat.tensors.length / 2)
  const part = (no: number): Buffer =>
    ggufBytes({
      metadata: { ...chat.metadata, 'split.no': u32(no), 'split.count': u32(2) },
      tensors: chat.tensors.slice(no * half, no * half + half),
    })
  let isBroken = true
  const { url, requests } = await startWebServer((response, _, path) => {
    const isSecond = path.includes('-00002-of-00002')
    if (isSecond && isBroken) response.writeHead(404).end()
    else response.writeHead(200).end(part(isSecond ? 1 : 0))
  })
  expect(await refusal(pull(`${url}/m-00001-of-00002.gguf`))).toMatch(/m-00002-of-00002\.gguf cannot be downloaded/)
  isBroken = false
  const { model } = await pull(`${url}/m-00001-of-00002.gguf`)
  expect(model).toMatchObject({ name: 'm', path: join(modelsFolder(dataDir), 'm/m-00001-of-00002.gguf') })
  expect(requests).toHaveLength(3)
})

test('of two pulls of the same model at once, one wins and the other says so', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const { url } = await startWebServer(async (response) => {
    response.writeHead(200, { 'content-length': content.length }).write(content.subarray(0, 10))
    await held
    response.end(content.subarray(10))
  })
  const started = Promise.withResolvers<void>()
  const first = pull(`${url}/m.gguf`, { onProgress: () => started.resolve() })
  await started.promise
  expect(await refusal(pull(`${url}/m.gguf`))).toBe('Another command is downloading m at the moment')
  release()
  await first
  expectPulled()
})

test('files of another address under the same name are not mixed', async () => {
  const { url } = await startFileServer({ content })
  const stop = new AbortController()
  const onProgress = ({ receivedBytes }: PullProgress) => {
    if (receivedBytes > 0) stop.abort(new Error('stopped'))
  }
  await expect(pull(`${url}/one/m.gguf`, { signal: stop.signal, onProgress })).rejects.toThrow('stopped')
  writeFileSync(inPlace(), 'left behind')
  await pull(`${url}/two/m.gguf`)
  expectPulled()
})
