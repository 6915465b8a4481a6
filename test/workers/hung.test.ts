import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { lookMs } from '../../src/serve/workers/worker-silence.ts'
import { askApart } from '../harness/ask-apart.ts'
import { debugWorkers, type WorkerDebugger } from '../harness/debug-workers.ts'
import { liveEvents } from '../harness/live-events.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { doneEvent, finishEvent, pieceEvent, startUpstream, usageEvent } from '../harness/scripted-upstream.ts'
import { startHelix } from '../harness/start-helix.ts'
import { twoWorkers } from '../harness/start-with-workers.ts'

/** Its clock is for the main thread only: workers count by the time of the system. */
const start = async () => {
  const more = Promise.withResolvers<void>()
  const upstream = await startUpstream(async (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(pieceEvent('Tides') + pieceEvent(' rise'))
    await more.promise
    response.end(pieceEvent(' twice') + finishEvent() + usageEvent(5, 3) + doneEvent)
  })
  const clock = createManualClock()
  const helix = await startHelix({ ...twoWorkers(upstream.baseUrl), clock })
  const hung = () => helix.logLines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'worker_hung')
  const look = async (): Promise<void> => {
    clock.advance(lookMs)
    await nextTurn()
  }
  return { helix, more, hung, look, workers: await debugWorkers(helix) }
}

const untilTicked = async ({ ticks }: WorkerDebugger): Promise<void> => {
  const before = await ticks()
  await expect.poll(ticks).not.toBe(before)
}

/** The only request is at one of them. */
const hasRequest = async ({ evaluate }: WorkerDebugger): Promise<boolean> =>
  (await evaluate("process.getActiveResourcesInfo().includes('TCPSocketWrap')")) === true

test('a worker that hangs is ended and replaced, and what it had sent is billed; the other goes on', async () => {
  const { helix, more, hung, look, workers } = await start()
  const events = liveEvents(await helix.chat({ model: 'big', stream: true }))
  await events.until(' rise')
  const [first, second] = workers
  if (first === undefined || second === undefined) throw new Error('there are not two workers')
  const [hanging, other] = (await hasRequest(first)) ? [first, second] : [second, first]
  await untilTicked(hanging)
  await hanging.hang()
  while (hung().length === 0) {
    await untilTicked(other)
    for (let looks = 0; looks < 5; looks += 1) await look()
  }
  expect(hung()).toMatchObject([{ level: 'error', worker: hanging.index, silentMs: 30_000 }])
  await expect(events.rest()).rejects.toThrow()
  const died = await helix.logged({ event: 'worker_died' })
  expect(died).toMatchObject({ worker: hanging.index, cause: 'its event loop hung' })
  more.resolve()
  const answers = await Promise.all(Array.from({ length: 12 }, () => askApart(helix, helix.key)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(helix.server.workers?.deaths).toBe(1)
  const [row] = await readLedger(helix)
  expect(row).toMatchObject({ settlement: { outcome: 'server_died', completionTokens: 2 } })
})

test('a server that stops does not wait for workers that hang', async () => {
  const { helix, hung, look, workers } = await start()
  for (const worker of workers) {
    await untilTicked(worker)
    await worker.hang()
  }
  let isClosed = false
  const closed = helix.server.close().then(() => {
    isClosed = true
  })
  while (!isClosed) await look()
  await closed
  expect(hung().map(({ worker }) => worker)).toEqual([0, 1])
})
