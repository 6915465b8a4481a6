import { once } from 'node:events'
import { statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeTinyModel } from '../../scripts/tiny-models/tiny-models.ts'
import { createSelfSigned } from '../../src/http/tls/self-signed.ts'
import { runProgram } from '../harness/run-program.ts'
import { scratchPath } from '../harness/scratch-path.ts'
import { startProgram } from '../harness/start-program.ts'

const scratch = scratchPath()
const dataDir = join(scratch, 'data')
type Finding = { check: string; ok: boolean; state: string; detail: string }

const examine = async (args: string[], env: Record<string, string> = {}) => {
  const { code, stdout, stderr } = await runProgram(['doctor', '--json', ...args], { env })
  expect(stderr).toBe('')
  const { ok, source, checks }: { ok: boolean; source: string; checks: Finding[] } = JSON.parse(stdout)
  expect(source).toBe('settings')
  expect(code).toBe(ok ? 0 : 1)
  expect(checks.map(({ check }) => check)).toEqual([
    'runtime',
    'data directory',
    'database',
    'redis',
    'port',
    'model',
    'tokenizers',
    'threads',
    'gpu',
    'memory',
    'tls',
    'public address',
    'clock',
    'disk',
    'backup',
  ])
  const failed = checks.filter((finding) => !finding.ok)
  return { ok, failed, detail: (name: string) => checks.find(({ check }) => check === name)?.detail ?? '' }
}

test('on a working machine every check is ok, with the real model', async () => {
  const { ok, detail } = await examine(['--data-dir', dataDir, '--port', '0'])
  expect(ok).toBe(true)
  expect(detail('runtime')).toMatch(/Node 2\d\./)
  expect(detail('data directory')).toContain(dataDir)
  expect(detail('model')).toContain('checksums match')
  expect(detail('threads')).toMatch(/^up to \d+ on \d+ core/)
  expect(detail('memory')).toMatch(
    /^helix-v1 needs [\d.]+ GB \([\d.]+ GB of weights, [\d.]+ GB of cache for 4 × \d+ tokens, [\d.]+ GB of buffers\); [\d.]+ GB available$/,
  )
})

test('all problems are found at once, each with its remedy', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = String((server.address() as AddressInfo).port)
  const [cert, key] = [join(scratch, 'a.crt'), join(scratch, 'b.key')]
  writeFileSync(cert, createSelfSigned({ now: Date.now() }).certPem)
  writeFileSync(key, createSelfSigned({ now: Date.now() }).keyPem)
  const args = ['--data-dir', '/dev/null', '--port', port, '--model', join(scratch, 'none')]
  const tokenizer = join(scratch, 'tokenizer.json')
  const upstreams = [{ name: 'gpu', url: 'http://127.0.0.1:1/v1', models: [{ name: 'big', tokenizer }] }]
  const env = {
    ...{ HELIX_TLS_CERT: cert, HELIX_TLS_KEY: key, HELIX_ENGINE_THREADS: '1024' },
    HELIX_UPSTREAMS: JSON.stringify(upstreams),
  }
  const { failed, detail } = await examine(args, env)
  expect(failed.map(({ check }) => check)).toEqual(['data directory', 'port', 'model', 'tokenizers', 'threads', 'tls'])
  expect(detail('data directory')).toContain('/dev/null')
  expect(detail('port')).toContain('HELIX_PORT')
  expect(detail('model')).toContain(join(scratch, 'none'))
  expect(detail('tokenizers')).toBe(`upstreams: the tokenizer of gpu cannot be used: ${tokenizer} does not exist`)
  expect(detail('threads')).toContain('HELIX_ENGINE_THREADS')
  expect(detail('tls')).toContain('HELIX_TLS_KEY')

  const table = await runProgram(['doctor', ...args], { env })
  server.close()
  expect(table.code).toBe(1)
  expect(table.stdout.match(/^FAILED /gm)).toHaveLength(6)
  expect(table.stdout).toMatch(/^No server is running on \/dev\/null\. This command has checked its own settings:\n\n/)
})

test('a model that cannot fit in memory is named with the figures', async () => {
  const env = { HELIX_MODEL_MEMORY_LIMIT_BYTES: '268435456' }
  const { failed, detail } = await examine(['--data-dir', dataDir, '--port', '0'], env)
  expect(failed.map(({ check }) => check)).toEqual(['memory'])
  expect(detail('memory')).toMatch(/^helix-v1 needs .* of weights, .* of cache and .* of buffers\).*0\.3 GB/)
})

test('changed weights are detected and named', async () => {
  const folder = scratchPath()
  const bytes = statSync(writeTinyModel(folder, 'tiny-chat')).size
  const files = [{ name: 'tiny-chat.gguf', sha256: '0'.repeat(64), bytes }]
  const manifest = {
    name: 'm',
    created: 1,
    ownedBy: 'x',
    contextTokens: 100,
    licence: 'none',
    weights: 'tiny-chat.gguf',
  }
  writeFileSync(join(folder, 'model.json'), JSON.stringify({ ...manifest, files }))
  const { failed, detail } = await examine(['--data-dir', dataDir, '--port', '0', '--model', folder])
  expect(failed.map(({ check }) => check)).toEqual(['model'])
  expect(detail('model')).toMatch(/tiny-chat\.gguf is damaged .* restore the file/)
})

test('a model that cannot be served is named, with the reason', async () => {
  const path = writeTinyModel(scratchPath(), 'tiny-no-template')
  const { failed, detail } = await examine(['--data-dir', dataDir, '--port', '0', '--model', path])
  expect(failed.map(({ check }) => check)).toEqual(['model'])
  expect(detail('model')).toBe(`${path} does not contain a chat template: choose a chat model.`)
})

test('with --local, the port of its own running server is not a problem', async () => {
  const env = { HELIX_UPSTREAM_URL: 'http://127.0.0.1:1/v1', HELIX_UPSTREAM_MODEL: 'theirs' }
  const program = await startProgram({ env })
  const { port } = new URL(program.url)
  const { ok, detail } = await examine(['--local', '--data-dir', program.dataDir, '--port', port], env)
  expect(ok).toBe(true)
  expect(detail('data directory')).toContain('running server')
  expect(detail('port')).toContain('running server')
  expect(detail('model')).toContain('theirs')
})
