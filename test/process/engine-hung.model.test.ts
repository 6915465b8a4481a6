import { beforeAll, expect, test } from 'vitest'
import { postChat } from '../harness/post-chat.ts'
import { readError } from '../harness/read-error.ts'
import { readEvents } from '../harness/read-events.ts'
import { type Program, startProgram } from '../harness/start-program.ts'

/** One server whose engine process is stopped from outside, as a debugger or a frozen machine does. */
let program: Program
let service: { url: string; key: string }
let enginePid: number
beforeAll(async () => {
  program = await startProgram({ env: { HELIX_ENGINE_SILENCE_LIMIT_MS: '7000', HELIX_RESERVED_SLOTS: '0' } })
  enginePid = await program.engineReady()
  service = { url: program.url, key: await program.createKey() }
})
const long = 'Count from one to one hundred, in words.'
const readiness = async () => (await fetch(`${program.url}/readyz`)).status

test('an engine that hangs is killed: running answers end with an error, and the server is not ready', async () => {
  const whole = postChat(service, long)
  const stream = await postChat(service, long, { stream: true })
  expect(stream.status).toBe(200)
  process.kill(enginePid, 'SIGSTOP')

  const events = (await readEvents(stream)).map((data) => JSON.parse(data))
  expect(events.at(-1).error).toMatchObject({ type: 'server_error', code: 'engine_failed' })
  expect(await readiness()).toBe(503)
  const response = await whole
  expect(response.status).toBe(500)
  expect(await readError(response)).toMatchObject({ code: 'engine_failed' })
})

test('the log says what happened, and a new process answers', async () => {
  expect(await program.logged({ event: 'engine_hung' })).toMatchObject({
    level: 'error',
    pid: enginePid,
    reason: 'silent',
  })
  expect(await program.logged({ event: 'engine_exited' })).toMatchObject({ signal: 'SIGKILL' })
  const { pid } = await program.logged({ event: 'engine_ready' }, 2)
  expect(pid).not.toBe(enginePid)
  expect(await readiness()).toBe(200)
  // As many at once as there are slots: all of them came back.
  const answers = await Promise.all([1, 2, 3, 4].map(() => postChat(service, 'Hi', { max_tokens: 4 })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
})

test('an engine that reads a long prompt is not killed', async () => {
  const prompt = 'The quick brown fox jumps over the lazy dog. '.repeat(60)
  const response = await postChat(service, prompt, { max_tokens: 2 })
  expect(response.status).toBe(200)
  expect(program.stderr.lines.filter((line) => line.includes('engine_hung'))).toHaveLength(1)
  expect(await program.stop()).toBe(0)
})
