import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { postChat } from '../harness/post-chat.ts'
import { readEvents } from '../harness/read-events.ts'
import { hasCurl, runProgram } from '../harness/run-program.ts'
import { scratchPath } from '../harness/scratch-path.ts'
import { doneEvent, finishEvent, pieceEvent, say, startUpstream, type Upstream } from '../harness/scripted-upstream.ts'
import { type Program, startProgram } from '../harness/start-program.ts'
import { untilRefused } from '../harness/until-refused.ts'

/** Everything about the running program that needs no model: in front of an upstream it starts at once. */
let upstream: Upstream
let env: Record<string, string>
/** Lets the answers end that were held back. */
let goOn = Promise.withResolvers<void>()
beforeAll(async () => {
  upstream = await startUpstream(async (response, { body }) => {
    if (!JSON.stringify(body).includes('slowly')) return say(response, 'Hello')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(pieceEvent('Hel'))
    await goOn.promise
    return response.end(pieceEvent('lo') + finishEvent() + doneEvent)
  })
  env = { HELIX_UPSTREAM_URL: upstream.baseUrl, HELIX_UPSTREAM_MODEL: 'theirs', HELIX_MODEL_NAME: 'ours' }
})
/** A stream whose answer has begun and is held back. */
const begin = async ({ url }: Program, key: string): Promise<Response> => {
  goOn = Promise.withResolvers()
  const response = await postChat({ url, key }, 'slowly', { model: 'ours', stream: true })
  expect(response.status).toBe(200)
  return response
}

test('the settings come from flags, then the environment, then the file', async () => {
  const cwd = scratchPath()
  const file = { modelName: 'of the file', upstreamModel: 'of the file', logFormat: 'text' }
  writeFileSync(join(cwd, 'helix.config.json'), JSON.stringify(file))
  const { HELIX_UPSTREAM_URL = '' } = env
  const variables = { HELIX_UPSTREAM_URL, HELIX_UPSTREAM_MODEL: 'of the environment', HELIX_LOG_FORMAT: 'text' }
  const program = await startProgram({ cwd, env: variables, args: ['--log-format', 'json'] })
  await program.logged({ event: 'listening', model: 'of the file' })
  expect(
    (await postChat({ url: program.url, key: await program.createKey() }, 'Hi', { model: 'of the file' })).status,
  ).toBe(200)
  expect(upstream.asked.at(-1)?.body.model).toBe('of the environment')
  expect(await program.stop()).toBe(0)
})

test('on SIGTERM the running answer is finished, and no new requests are accepted', async () => {
  const program = await startProgram({ env, args: ['--shutdown-grace-ms', '3600000'] })
  const key = await program.createKey()
  const response = await begin(program, key)
  const stopped = program.stop('SIGTERM')
  await program.logged({ event: 'stopping', signal: 'SIGTERM' })
  await untilRefused(program.url)
  goOn.resolve()
  expect((await readEvents(response)).at(-1)).toBe('[DONE]')
  expect(await stopped).toBe(0)
  expect(existsSync(join(program.dataDir, 'helix.sock'))).toBe(false)
})

test('when its terminal is closed the server finishes the running answer, then stops', async () => {
  const program = await startProgram({ env, args: ['--shutdown-grace-ms', '3600000'] })
  const response = await begin(program, await program.createKey())
  // Whatever it still has to say finds no reader.
  program.child.stdout?.destroy()
  program.child.stderr?.destroy()
  const stopped = program.stop('SIGHUP')
  await untilRefused(program.url)
  goOn.resolve()
  expect((await readEvents(response)).at(-1)).toBe('[DONE]')
  expect(await stopped).toBe(0)
})

test('an answer that outlasts the grace period ends with an error event', async () => {
  const program = await startProgram({ env, args: ['--shutdown-grace-ms', '0'] })
  const response = await begin(program, await program.createKey())
  const stopped = program.stop('SIGTERM')
  const events = await readEvents(response)
  expect(JSON.parse(events.at(-1) ?? '')).toMatchObject({ error: { code: 'shutting_down' } })
  expect(await stopped).toBe(0)
})

test('a double Ctrl-C, as passed on by npm, is one clean shutdown', async () => {
  const program = await startProgram({ env })
  const response = await begin(program, await program.createKey())
  program.child.kill('SIGINT')
  const stopped = program.stop('SIGINT')
  goOn.resolve()
  expect((await readEvents(response)).at(-1)).toBe('[DONE]')
  expect(await stopped).toBe(0)
})

test('a closed output pipe does not stop the server', async () => {
  const program = await startProgram({ env })
  const key = await program.createKey()
  program.child.stdout?.destroy()
  program.child.stderr?.destroy()
  for (const _ of [1, 2, 3])
    expect((await postChat({ url: program.url, key }, 'Hi', { model: 'ours' })).status).toBe(200)
  expect(await program.stop()).toBe(0)
})

test('a new server starts at once after the first was killed', async () => {
  const first = await startProgram({ env })
  const key = await first.createKey()
  await first.stop('SIGKILL')
  expect(existsSync(join(first.dataDir, 'helix.sock'))).toBe(true)
  const second = await startProgram({ env, dataDir: first.dataDir })
  expect((await postChat({ url: second.url, key }, 'Hi', { model: 'ours' })).status).toBe(200)
})

test('--tls self-signed serves HTTPS to clients that trust its certificate', async () => {
  const program = await startProgram({ env, args: ['--tls', 'self-signed'] })
  const { dataDir } = program
  expect(program.url).toMatch(/^https:/)
  const certificate = join(dataDir, 'tls/self-signed.crt')
  const headers = { authorization: `Bearer ${await program.createKey()}` }
  const models = await new Promise((resolve, reject) => {
    const options = { headers, ca: readFileSync(certificate), agent: false } as const
    get(`${program.url}/v1/models`, options, (response) => resolve(json(response))).on('error', reject)
  })
  expect(models).toMatchObject({ data: [{ id: 'ours' }] })
  expect((statSync(join(dataDir, 'tls/self-signed.key')).mode & 0o777).toString(8)).toBe('600')
})

test.skipIf(!hasCurl)('the printed curl command works as it is, even in a directory with spaces', async () => {
  const dataDir = join(scratchPath(), "it's a directory")
  const program = await startProgram({ env, dataDir, args: ['--tls', 'self-signed'] })
  const line = await program.stdout.find((text) => text.startsWith('Send a request:'))
  const command = line.replace('Send a request:', '').replace('YOUR_KEY', await program.createKey())
  const { stdout } = await runProgram(['-c', command], { command: '/bin/sh' })
  expect(JSON.parse(stdout)).toMatchObject({ object: 'chat.completion', model: 'ours' })
})
