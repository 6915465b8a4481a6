import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStoreReader } from '../harness/open-store-reader.ts'
import { runProgram } from '../harness/run-program.ts'
import { scratchPath } from '../harness/scratch-path.ts'
import { sayJson, startUpstream } from '../harness/scripted-upstream.ts'
import { startHelix } from '../harness/start-helix.ts'
import { writeTokenizer } from '../harness/tiny-tokenizer.ts'

const secret = 'sk-upstream-0123456789-end4'

test('the commands manage the upstreams of a running server, and the key is on no command line', async () => {
  const upstream = await startUpstream((response, { body }) =>
    body.model === undefined ? response.writeHead(404).end() : sayJson(response, { content: 'OK' }),
  )
  const dataDir = scratchPath()
  await startHelix({ config: { dataDir } })
  const run = (args: string[], options = {}) => runProgram(['upstreams', ...args, '--data-dir', dataDir], options)
  const add = ['add', 'gpu', upstream.baseUrl, '--models', 'large=org/large', '--price', '1,0.1,2']
  expect(await run([...add, '--key-from', 'GPU_KEY'])).toMatchObject({
    ...{ code: 1, stderr: 'helix: The environment variable GPU_KEY is not set\n' },
  })
  expect(await run([...add, '--key-stdin'], { input: `${secret}\n` })).toMatchObject({ code: 0, stderr: '' })
  expect((await run(['test', 'gpu'])).stdout).toBe('gpu works: org/large answered.\n')
  expect(upstream.asked.at(-1)?.headers.authorization).toBe(`Bearer ${secret}`)
  expect((await run(['drain', 'gpu'])).stdout).toBe('gpu gets no new requests.\n')
  const { stdout } = await run(['list'])
  expect(stdout).toMatch(/^gpu +http:\S+ +compatible +…end4 +draining +0\/64 +0 +large$/m)
  const edit = ['edit', 'gpu', '--max-in-flight', '3', '--models', 'large', '--key-stdin']
  expect(await run(edit, { input: 'sk-another-0123456789-new5\n' })).toMatchObject({ code: 0, stderr: '' })
  expect((await run(['resume', 'gpu'])).stdout).toBe('gpu gets requests again.\n')
  expect((await run(['list'])).stdout).toMatch(/^gpu +http:\S+ +compatible +…new5 +active +0\/3 +0 +large$/m)
  expect(await run(['edit', 'gpu'])).toMatchObject({ code: 2, stderr: expect.stringContaining('nothing to change') })
  expect(await run(['remove', 'other'])).toMatchObject({ code: 1, stderr: 'helix: There is no upstream `other`.\n' })
})

test('without a server the commands change the store', async () => {
  const dataDir = join(scratchPath(), 'data')
  const run = (args: string[], options = {}) => runProgram(['upstreams', ...args, '--data-dir', dataDir], options)
  const env = { GPU_KEY: secret }
  const tokenizer = writeTokenizer()
  const add = ['add', 'gpu', 'http://127.0.0.1:1/v1', '--key-from', 'GPU_KEY']
  const more = [
    '--features',
    'tools,seed',
    '--connect-timeout-ms',
    '2000',
    '--tokenizer',
    tokenizer,
    '--canary-expect',
    'OK',
  ]
  const alone = await run([...add, ...more], { env })
  expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining('--tokenizer requires --models') })
  expect(await run([...add, ...more, '--models', 'a'], { env })).toMatchObject({
    code: 0,
    stderr: '127.0.0.1:1 refuses connections. Is the server running?\n',
  })
  await using store = openStoreReader({ dataDir })
  const [stored] = await store.upstreams.list()
  expect(JSON.parse(stored?.definition ?? '')).toMatchObject({
    ...{ features: ['tools', 'seed'], connectTimeoutMs: 2000, silenceTimeoutMs: 300_000 },
    ...{ canary: { expect: 'OK', intervalMs: 300_000 }, models: [{ name: 'a', tokenizer }] },
  })
  expect(await run(['test', 'gpu'])).toMatchObject({ code: 1, stdout: expect.stringContaining('refuses connections') })
  expect((await run(['remove', 'gpu', '--json'])).stdout).toBe('{"name":"gpu"}\n')
})
