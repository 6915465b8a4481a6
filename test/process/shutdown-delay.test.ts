import { beforeAll, expect, test } from 'vitest'
import { postChat } from '../harness/post-chat.ts'
import { say, startUpstream } from '../harness/scripted-upstream.ts'
import { startProgram } from '../harness/start-program.ts'

/** A test that waits for it fails. */
const hourMs = '3600000'

let upstreamUrl: string
beforeAll(async () => {
  const upstream = await startUpstream((response) => say(response, 'Hello'))
  upstreamUrl = upstream.baseUrl
})

const start = async (delayMs: string) => {
  const env = {
    ...{ HELIX_UPSTREAM_URL: upstreamUrl, HELIX_UPSTREAM_MODEL: 'theirs', HELIX_MODEL_NAME: 'ours' },
    ...{ HELIX_SHUTDOWN_DELAY_MS: delayMs, HELIX_SHUTDOWN_GRACE_MS: hourMs },
  }
  const program = await startProgram({ env })
  const isReady = (): Promise<Response> => fetch(`${program.url}/readyz`)
  const wasDelayed = (): boolean => program.stderr.lines.some((line) => line.includes('"stop_delayed"'))
  return { program, isReady, wasDelayed }
}

test('after SIGTERM a server that was asked whether it is ready goes on serving, until a second signal', async () => {
  const { program, isReady } = await start(hourMs)
  const key = await program.createKey()
  expect((await isReady()).status).toBe(200)
  const stopped = program.stop('SIGTERM')
  await program.logged({ event: 'stop_delayed', delayMs: Number(hourMs) })
  const unready = await isReady()
  expect([unready.status, await unready.json()]).toMatchObject([503, { status: 'stopping' }])
  const answered = await postChat({ url: program.url, key }, 'Hi', { model: 'ours' })
  expect(answered.status).toBe(200)
  // The same signal within half a second counts as one, because npm and the terminal may both send it.
  const isDelayed = (): Promise<boolean> =>
    isReady().then(
      async (response) => (await response.text()).includes('"stopping"'),
      () => false,
    )
  while (await isDelayed()) program.child.kill('SIGTERM')
  expect(await stopped).toBe(0)
})

test('the delay ends by itself', async () => {
  const { program, isReady, wasDelayed } = await start('100')
  await isReady()
  expect(await program.stop('SIGTERM')).toBe(0)
  expect(wasDelayed()).toBe(true)
})

test('Ctrl-C and a closed terminal skip the delay, and so does SIGTERM if nobody asked', async () => {
  for (const signal of ['SIGINT', 'SIGHUP'] as const) {
    const { program, isReady, wasDelayed } = await start(hourMs)
    await isReady()
    expect(await program.stop(signal)).toBe(0)
    expect(wasDelayed()).toBe(false)
  }
  const { program, wasDelayed } = await start(hourMs)
  expect(await program.stop('SIGTERM')).toBe(0)
  expect(wasDelayed()).toBe(false)
})
