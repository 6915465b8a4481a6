import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { endsWithFile } from '../harness/ends-with-file.ts'
import { watchLines } from '../harness/line-watch.ts'
import { bareEnvironment, helixPath, runProgram } from '../harness/run-program.ts'
import { scratchPath } from '../harness/scratch-path.ts'
import { pieceEvent, say, startUpstream, type Upstream } from '../harness/scripted-upstream.ts'
import { type Program, startProgram } from '../harness/start-program.ts'

let upstream: Upstream & { close(): Promise<void> }
let program: Program
beforeAll(async () => {
  upstream = await startUpstream((response, { body }) => {
    const messages = body.messages as { content: string }[] | undefined
    // A probe has none.
    const last = messages?.at(-1)?.content ?? ''
    if (last === 'break off') response.writeHead(200).write(pieceEvent('Hel'), () => response.destroy())
    else if (last === 'refuse') response.writeHead(400).end('{"error":{"message":"not this one"}}')
    else if (last === 'wait')
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(pieceEvent('Hel\n'))
    else say(response, 'You said: ', last)
  })
  program = await startProgram({ env: { HELIX_UPSTREAM_URL: upstream.baseUrl, HELIX_UPSTREAM_MODEL: 'theirs' } })
})
beforeEach(() => {
  upstream.asked.length = 0
})

const chat = (args: string[], options: { input?: string; env?: Record<string, string> } = {}) =>
  runProgram(['chat', ...args, '--data-dir', program.dataDir], options)
const messagesAsked = () => upstream.asked.map(({ body }) => body.messages).filter((messages) => messages !== undefined)
const keyStates = async (): Promise<string[]> => {
  const { stdout } = await runProgram(['keys', 'list', '--json', '--data-dir', program.dataDir])
  return JSON.parse(stdout)
    .filter(({ name }: { name: string }) => name === 'helix chat')
    .map(({ state }: { state: string }) => state)
}

test('a message on the command line gets its answer and nothing else', async () => {
  expect(await chat(['日本の', '首都は?'])).toEqual({ code: 0, stdout: 'You said: 日本の 首都は?\n', stderr: '' })
  expect(await chat(['--system', 'Be brief.', 'Hi'])).toMatchObject({ stdout: 'You said: Hi\n' })
  expect(messagesAsked().at(-1)).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi' },
  ])
})

test('lines on standard input are a conversation that remembers', async () => {
  expect(await chat([], { input: 'one\n\n二つ\n' })).toEqual({
    code: 0,
    stdout: 'You said: one\nYou said: 二つ\n',
    stderr: '',
  })
  expect(messagesAsked()).toEqual([
    [{ role: 'user', content: 'one' }],
    [
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'You said: one' },
      { role: 'user', content: '二つ' },
    ],
  ])
})

test('a conversation continues after a failure, without the failed question', async () => {
  const { code, stdout, stderr } = await chat([], { input: 'refuse\none' })
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'You said: one\n' })
  expect(stderr).toMatch(/^[^\n]*not this one\n$/)
  expect(messagesAsked().at(-1)).toEqual([{ role: 'user', content: 'one' }])
})

test('a failure of the only question is one line and exit code 1', async () => {
  for (const [question, reason] of [
    ['refuse', 'not this one'],
    ['break off', 'returned an invalid response or did not respond'],
  ] as const) {
    const { code, stderr } = await chat([question])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^helix: [^\n]+\n$/)
    expect(stderr).toContain(reason)
  }
})

test('Ctrl-C ends the answer and leaves no working key behind', async () => {
  const child = spawn(helixPath, ['chat', 'wait', '--data-dir', program.dataDir], {
    cwd: scratchPath(),
    env: bareEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  endsWithFile(() => child.kill('SIGKILL'))
  const ended = once(child, 'close')
  await watchLines(child.stdout).find((line) => line === 'Hel')
  child.kill('SIGINT')
  expect(await ended).toEqual([130, null])
  await program.logged({ event: 'request', path: '/v1/chat/completions', clientClosed: true })
  const states = await keyStates()
  expect(states.length).toBeGreaterThan(0)
  expect(new Set(states)).toEqual(new Set(['revoked']))
})

test('another service can be called by its URL, with the key from the environment', async () => {
  const key = await program.createKey()
  for (const ending of ['/v1', '/v1/', '']) {
    const asked = await runProgram(['chat', '--url', `${program.url}${ending}`, 'Hi'], { env: { HELIX_API_KEY: key } })
    expect(asked).toEqual({ code: 0, stdout: 'You said: Hi\n', stderr: '' })
  }
})

test.each([
  ['no server runs on the directory', ['--data-dir', join(scratchPath(), 'none')], 1, "'helix serve'"],
  ['nobody answers at the URL', ['--url', 'http://127.0.0.1:1/v1'], 1, 'http://127.0.0.1:1'],
  ['the URL is none', ['--url', 'localhost'], 2, '--url'],
])('where %s, one line says so', async (_, args, expectedCode, named) => {
  const { code, stdout, stderr } = await runProgram(['chat', 'Hi', ...args], { env: { HELIX_API_KEY: 'x' } })
  expect({ code, stdout }).toEqual({ code: expectedCode, stdout: '' })
  expect(stderr).toMatch(/^helix: [^\n]+\n$/)
  expect(stderr).toContain(named)
})

test('a service that refuses the key or is not compatible is a one-line error', async () => {
  const env = { HELIX_API_KEY: 'wrong' }
  const refused = await runProgram(['chat', '--url', `${program.url}/v1`, 'Hi'], { env })
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^helix: Incorrect API key[^\n]*\n$/) })
  const website = await startUpstream((response) => response.end('<html>'))
  const foreign = await runProgram(['chat', '--url', website.baseUrl, 'Hi'], { env })
  expect(foreign).toMatchObject({ code: 1, stderr: expect.stringMatching(/^helix: [^\n]*not JSON[^\n]*\n$/) })
})

test('the first chat model of a service answers, and a service without one is a one-line error', async () => {
  const env = { HELIX_API_KEY: 'any' }
  const listed = [{ id: 'vectors', kind: 'embedding' }, { id: 'talker' }]
  const service = await startUpstream((response, { body }) => {
    if ('model' in body) say(response, `I am ${body.model}`)
    else response.end(JSON.stringify({ data: listed }))
  })
  const chatWith = () => runProgram(['chat', '--url', service.baseUrl, 'Hi'], { env })
  expect(await chatWith()).toMatchObject({ code: 0, stdout: 'I am talker\n' })
  listed.pop()
  expect(await chatWith()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^helix: [^\n]*no chat model[^\n]*\n$/),
  })
})
