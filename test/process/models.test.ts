import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeTinyModel } from '../../scripts/tiny-models/tiny-models.ts'
import { startFileServer, startWebServer } from '../harness/file-server.ts'
import { watchLines } from '../harness/line-watch.ts'
import { bareEnvironment, helixPath, runProgram } from '../harness/run-program.ts'
import { scratchPath } from '../harness/scratch-path.ts'
import { canMount, withinSmallFileSystem } from '../harness/small-file-system.ts'
import { startProgram } from '../harness/start-program.ts'

const scratch = scratchPath()
const chatPath = writeTinyModel(scratch, 'tiny-chat')
const embeddingPath = writeTinyModel(scratch, 'tiny-embedding')
const content = readFileSync(chatPath)

const modelsIn = (dataDir: string) => {
  const run = (...args: string[]) => runProgram(['models', ...args, '--data-dir', dataDir])
  return {
    run,
    list: async () => {
      const { stdout } = await run('list', '--json')
      return JSON.parse(stdout) as Record<string, unknown>[]
    },
    refused: async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await run(...args)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^helix: [^\n]+\n$/)
      return stderr
    },
  }
}

test('models are added by their path, listed, chosen as the default and removed; their files stay', async () => {
  const models = modelsIn(join(scratchPath(), 'data'))
  const added = await models.run('add', chatPath, '--name', 'small', '--alias', 'tiny,s', '--context', '1024')
  expect(added).toEqual({ code: 0, stdout: 'Added small (chat, 158 KB, context of 1024 tokens).\n', stderr: '' })
  await models.run('add', embeddingPath)
  expect(await models.list()).toMatchObject([
    { name: 'helix-v1', default: true, kind: 'chat', listed: false },
    { name: 'small', default: false, context_length: 1024, aliases: ['tiny', 's'], path: chatPath, state: null },
    { name: 'tiny-embedding', kind: 'embedding', context_length: 256, pulled_from: null },
  ])
  expect((await models.run('default', 'tiny')).stdout).toBe('The default model is now small.\n')
  expect(await models.refused('default', 'tiny-embedding')).toContain('must be a chat model')
  expect(await models.refused('remove', 'small')).toContain("'helix models default NAME'")
  expect(await models.refused('remove', 'helix-v1')).toContain('settings')
  const { stdout: table } = await models.run('list')
  expect(table).toMatch(/^small +yes +chat +158 KB +1024 +- +tiny, s$/m)
  await models.run('default', 'helix-v1')
  expect((await models.run('remove', 'small')).stdout).toBe('Removed small. Its files were not deleted.\n')
  expect(existsSync(chatPath)).toBe(true)
  expect((await models.list()).map(({ name }) => name)).toEqual(['helix-v1', 'tiny-embedding'])
})

test('a longer context than the model was trained for is refused, and nothing is added', async () => {
  const models = modelsIn(join(scratchPath(), 'data'))
  const refused = await models.refused('add', embeddingPath, '--context', '512')
  expect(refused).toContain('trained for a context of 256 tokens')
  expect((await models.list()).map(({ name }) => name)).toEqual(['helix-v1'])
  expect((await models.run('add', embeddingPath, '--context', '256')).code).toBe(0)
})

test('a model that cannot be served is refused with one line, and listed with it if its file breaks later', async () => {
  const models = modelsIn(join(scratchPath(), 'data'))
  const folder = scratchPath()
  expect(await models.refused('add', writeTinyModel(folder, 'tiny-no-template'))).toContain('chat template')
  expect(await models.refused('add', writeTinyModel(folder, 'tiny-unknown-architecture'))).toContain('unheard-of')
  expect(await models.refused('add', join(folder, 'none.gguf'))).toContain('is missing')
  const path = writeTinyModel(folder, 'tiny-chat')
  await models.run('add', path)
  expect(await models.refused('add', path)).toContain("'tiny-chat'")
  truncateSync(path, 1000)
  const { code, stdout, stderr } = await models.run('list')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^tiny-chat +- +- +- +unusable/m)
  expect(stderr).toMatch(/^tiny-chat: .*is truncated/)
})

test('a model is pulled, with plain lines of progress, and deleted when it is removed', async () => {
  const dataDir = join(scratchPath(), 'data')
  const models = modelsIn(dataDir)
  const { url } = await startFileServer({ content })
  const pulled = await models.run('pull', `${url}/tiny-chat.gguf`, '--name', 'pulled')
  expect(pulled).toMatchObject({ code: 0, stdout: 'Pulled pulled (chat, 158 KB).\n' })
  expect(pulled.stderr).toMatch(/^(tiny-chat\.gguf: \d+% of 158 KB\n)+$/)
  expect(pulled.stderr).toContain('100%')
  const path = join(dataDir, 'models/pulled/tiny-chat.gguf')
  expect(readFileSync(path).equals(content)).toBe(true)
  const unsure = await models.run('remove', 'pulled')
  expect(unsure).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
  expect(existsSync(path)).toBe(true)
  expect((await models.run('remove', 'pulled', '--yes')).stdout).toBe('Removed pulled and deleted its files.\n')
  expect(existsSync(join(dataDir, 'models/pulled'))).toBe(false)
})

test('hf: stands for a file on the model hub, whose address and token are settings', async () => {
  const dataDir = join(scratchPath(), 'data')
  const hub = await startWebServer((response, _, path) => {
    const isFile = path === '/owner/some-repository/resolve/main/q4/tiny%20chat.gguf'
    response.writeHead(isFile ? 200 : 404).end(isFile ? content : '')
  })
  const args = ['models', 'pull', 'hf:owner/some-repository/q4/tiny chat.gguf', '--name', 'tiny', '--data-dir', dataDir]
  const env = { HELIX_MODEL_HUB_URL: hub.url, HELIX_MODEL_HUB_TOKEN: 'hf_secret' }
  expect(await runProgram(args, { env })).toMatchObject({ code: 0 })
  expect(hub.requests[0]?.authorization).toBe('Bearer hf_secret')
})

test('Ctrl-C keeps what arrived, and the same command continues', async () => {
  const dataDir = join(scratchPath(), 'data')
  let isHeld = true
  const { url, requests } = await startWebServer((response, { range }) => {
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0)
    response.setHeader('etag', '"v1"')
    if (from > 0) response.setHeader('content-range', `bytes ${from}-${content.length - 1}/${content.length}`)
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': content.length - from })
    if (isHeld) response.write(content.subarray(0, 80_000))
    else response.end(content.subarray(from))
  })
  const args = ['models', 'pull', `${url}/tiny.gguf`, '--data-dir', dataDir]
  const child = spawn(helixPath, args, { cwd: scratchPath(), env: bareEnvironment() })
  const closed = once(child, 'close')
  const errors = watchLines(child.stderr)
  await errors.find((line) => line.includes('50%'))
  child.kill('SIGINT')
  const [code] = await closed
  expect(code).toBe(130)
  expect(errors.lines.at(-1)).toBe('Stopped. To continue the download, run the same command again.')
  const kept = statSync(join(dataDir, 'models/tiny/tiny.gguf.part')).size
  isHeld = false
  expect(await runProgram(args)).toMatchObject({ code: 0 })
  expect(requests.at(-1)?.range).toBe(`bytes=${kept}-`)
  expect(readFileSync(join(dataDir, 'models/tiny/tiny.gguf')).equals(content)).toBe(true)
})

test.skipIf(!canMount)('a disk that is too small is named before anything is stored (needs namespaces)', async () => {
  const dataDir = scratchPath()
  const { url } = await startFileServer({ content })
  const [command = '', ...words] = withinSmallFileSystem(dataDir)
  const args = [...words, helixPath, 'models', 'pull', `${url}/tiny.gguf`, '--data-dir', dataDir]
  const { code, stderr } = await runProgram(args, { command })
  expect(code).toBe(1)
  expect(stderr).toMatch(/^helix: .* cannot be stored in .*: the disk has space for 0 MB/m)
})

test('a running server serves what was added, and stops serving what was removed', async () => {
  const env = { HELIX_UPSTREAM_URL: 'http://127.0.0.1:1/v1', HELIX_UPSTREAM_MODEL: 'theirs' }
  const program = await startProgram({ env })
  const args = ['--data-dir', program.dataDir]
  const headers = { authorization: `Bearer ${await program.createKey()}` }
  const served = async (): Promise<string[]> => {
    const answer = await fetch(`${program.url}/v1/models`, { headers })
    const { data } = (await answer.json()) as { data: { id: string }[] }
    return data.map(({ id }) => id)
  }
  expect(await runProgram(['models', 'add', chatPath, ...args], { env })).toMatchObject({ code: 0, stderr: '' })
  expect(await served()).toEqual(['theirs', 'tiny-chat'])
  const { stdout } = await runProgram(['models', 'list', ...args], { env })
  expect(stdout).toMatch(/^tiny-chat +chat +158 KB +2048 +unloaded$/m)
  await runProgram(['models', 'remove', 'tiny-chat', ...args], { env })
  expect(await served()).toEqual(['theirs'])
})
