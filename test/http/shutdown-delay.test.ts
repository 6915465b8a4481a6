import { expect, test } from 'vitest'
import { createManualClock } from '../harness/manual-clock.ts'
import { startHelix } from '../harness/start-helix.ts'

const delayMs = 10_000

const start = async () => {
  const clock = createManualClock()
  const helix = await startHelix({ clock, config: { shutdownDelayMs: delayMs } })
  const isReady = (): Promise<Response> => fetch(`${helix.url}/readyz`)
  return { helix, clock, isReady }
}

test('a server that a load balancer asks serves everything for a while after it is stopped, and says that it is not ready', async () => {
  const { helix, clock, isReady } = await start()
  expect((await isReady()).status).toBe(200)
  const closed = helix.server.close()
  await clock.awaited(delayMs)
  const unready = await isReady()
  expect([unready.status, await unready.json()]).toMatchObject([503, { status: 'stopping' }])
  const answered = await helix.chat({})
  expect([answered.status, answered.headers.get('connection')]).toEqual([200, 'keep-alive'])
  clock.advance(delayMs)
  // Connections stay open for a while, for requests that are on their way.
  await clock.awaited(2000)
  clock.advance(2000)
  await closed
  await expect(isReady()).rejects.toThrow()
})

test('the delay ends early on request', async () => {
  const { helix, clock, isReady } = await start()
  await isReady()
  const closed = helix.server.close()
  await clock.awaited(delayMs)
  expect(helix.server.skipDelay()).toBe(true)
  await closed
  expect(helix.server.skipDelay()).toBe(false)
})

test('a server that nobody has asked for a minute stops at once, and so does one that is told to', async () => {
  const alone = await start()
  await alone.isReady()
  alone.clock.advance(60_001)
  await alone.helix.server.close()
  const told = await start()
  await told.isReady()
  told.helix.server.skipDelay()
  await told.helix.server.close()
})

test('health probes are not logged', async () => {
  const helix = await startHelix()
  for (const path of ['/healthz', '/readyz', '/v1/models']) await helix.get(path)
  await helix.logged({ event: 'request', path: '/v1/models' })
  expect(helix.logLines.filter((line) => /healthz|readyz/.test(line))).toEqual([])
})
