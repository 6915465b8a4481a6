import { join } from 'node:path'
import { expect, test } from 'vitest'
import { postChat } from '../harness/post-chat.ts'
import { processGone } from '../harness/process-gone.ts'
import { readEvents } from '../harness/read-events.ts'
import { runProgram } from '../harness/run-program.ts'
import { scratchPath } from '../harness/scratch-path.ts'
import { startProgram } from '../harness/start-program.ts'
import { untilRefused } from '../harness/until-refused.ts'

/** Every test starts where the one before stopped: on the same directory, at once. */
const dataDir = join(scratchPath(), 'data')
const { stdout } = await runProgram(['keys', 'create', '--name', 'x', '--json', '--data-dir', dataDir])
const { key }: { key: string } = JSON.parse(stdout)

type Options = { args?: string[]; ownGroup?: boolean }
/** A server with the real model, in the middle of an answer. */
const startAnswering = async (options: Options, body: Record<string, unknown>) => {
  const program = await startProgram({ ...options, dataDir })
  const enginePid = await program.engineReady()
  const question = 'Count from one to one hundred, in words.'
  const response = await postChat({ url: program.url, key }, question, { ...body, stream: true })
  expect(response.status).toBe(200)
  return { program, enginePid, response }
}

test('SIGTERM: the running answer is finished, no new requests are accepted, nothing is left behind', async () => {
  const { program, enginePid, response } = await startAnswering({}, { max_tokens: 40 })
  const stopped = program.stop('SIGTERM')
  await program.logged({ event: 'stopping', signal: 'SIGTERM' })
  await untilRefused(program.url)
  const events = await readEvents(response)
  expect(events.at(-1)).toBe('[DONE]')
  expect(await stopped).toBe(0)
  await processGone(enginePid)
})

test('SIGTERM with a short grace period: a long answer ends with an error event', async () => {
  const { program, enginePid, response } = await startAnswering({ args: ['--shutdown-grace-ms', '100'] }, {})
  const stopped = program.stop('SIGTERM')
  const events = await readEvents(response)
  expect(JSON.parse(events.at(-1) ?? '')).toMatchObject({ error: { type: 'server_error', code: 'shutting_down' } })
  expect(await stopped).toBe(0)
  await processGone(enginePid)
})

test('Ctrl-C reaches the engine too, and npm passes it on once more: still one clean shutdown', async () => {
  const { program, enginePid, response } = await startAnswering({ ownGroup: true }, { max_tokens: 20 })
  process.kill(-program.pid, 'SIGINT')
  const stopped = program.stop('SIGINT')
  expect((await readEvents(response)).at(-1)).toBe('[DONE]')
  expect(await stopped).toBe(0)
  await processGone(enginePid)
  expect(program.stderr.lines.filter((line) => /"level":"(warn|error)"|^(?!\{)/.test(line))).toEqual([])
})

test('kill -9: the engine exits by itself', async () => {
  const { program, enginePid, response } = await startAnswering({}, {})
  await program.stop('SIGKILL')
  await expect(response.text()).rejects.toThrow()
  await processGone(enginePid)
})

test('a shutdown while the model is loading is as clean', async () => {
  const program = await startProgram({ dataDir })
  const early = await postChat({ url: program.url, key }, 'Hi')
  expect([200, 503]).toContain(early.status)
  expect(await program.stop('SIGINT')).toBe(0)
})
