import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { openRemoteEngine } from '../../src/engine/remote/remote-engine.ts'
import { keyedChat } from '../harness/keyed-chat.ts'
import { ledgerRows, settledRows } from '../harness/ledger-rows.ts'
import { lockWrites } from '../harness/lock-writes.ts'
import { createLogCatcher } from '../harness/log-catcher.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { readChunks } from '../harness/read-events.ts'
import { refuseRows } from '../harness/refuse-rows.ts'
import { say, startUpstream } from '../harness/scripted-upstream.ts'
import { type Helix, modelName, startHelix } from '../harness/start-helix.ts'

/** An upstream that is asked while the reservation of its request is written, with one slot; `asked` counts its requests. */
const start = async (answer: (response: ServerResponse) => unknown = (response) => say(response, 'ok')) => {
  let waiting = Promise.withResolvers<void>()
  const upstream = await startUpstream((response) => {
    waiting.resolve()
    waiting = Promise.withResolvers()
    return answer(response)
  })
  const catcher = createLogCatcher({ clock: createManualClock(), format: 'json' })
  const helix = await startHelix({
    config: { organisationRequestsInFlight: 1 },
    startEngine: () =>
      openRemoteEngine({
        ...{ baseUrl: upstream.baseUrl, key: null, upstreamModel: 'theirs', name: modelName },
        ...{ contextTokens: null, slots: 1, created: 0, log: catcher.log },
      }),
  })
  return { helix, upstream, nextAsked: () => waiting.promise }
}

/** Whatever the server has written before is in the client's hands afterwards. */
const roundTrips = async ({ url }: Helix): Promise<void> => {
  for (let trip = 0; trip < 10; trip += 1) await (await fetch(`${url}/healthz`)).text()
}

const hasCome = (promise: Promise<unknown>): (() => boolean) => {
  let come = false
  const note = (): void => {
    come = true
  }
  promise.then(note, note)
  return () => come
}

test.each([
  ['a stream', true],
  ['a JSON answer', false],
])('nothing of %s is sent before its reservation is durable, although the upstream has answered', async (_, stream) => {
  const { helix, nextAsked } = await start()
  const lock = await lockWrites(helix)
  const asked = nextAsked()
  const answer = helix.chat({ stream })
  const hasAnswer = hasCome(answer)
  await asked
  await roundTrips(helix)
  expect(hasAnswer()).toBe(false)
  await lock.unlock()
  const response = await answer
  expect(response.status).toBe(200)
  if (stream) expect(await readChunks(response)).not.toEqual([])
  else expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'ok' } }] })
  expect(await settledRows(helix, 1)).toMatchObject([{ outcome: 'completed', completionTokens: 1 }])
})

test('a request with an Idempotency-Key is sent to the upstream once its reservation is durable', async () => {
  const { helix, upstream } = await start()
  const lock = await lockWrites(helix)
  const answer = keyedChat(helix, 'k')
  await roundTrips(helix)
  expect(upstream.asked).toHaveLength(0)
  await lock.unlock()
  expect((await answer).status).toBe(200)
})

test('while reservations fail only the first request reaches the upstream, and its answer is given up', async () => {
  const abandoned = Promise.withResolvers<void>()
  let isWell = false
  const { helix, upstream } = await start((response) => {
    if (isWell) return say(response, 'ok')
    response.on('close', () => abandoned.resolve())
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
  })
  const refusal = await refuseRows(helix, 'ledger_reservations')
  for (const stream of [true, false, true]) {
    const response = await helix.chat({ stream })
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ error: { code: 'ledger_unavailable' } })
  }
  expect(upstream.asked.length).toBeLessThanOrEqual(1)
  if (upstream.asked.length === 1) await abandoned.promise
  isWell = true
  await refusal.allowAgain()
  // The slot, and the only request that the limit allows at a time, are free again.
  expect((await helix.chat({})).status).toBe(200)
  expect((await helix.chat({})).status).toBe(200)
  expect(await ledgerRows(helix)).toMatchObject([{ outcome: 'completed' }, { outcome: 'completed' }])
})

test('a client that leaves while its reservation is written leaves nothing running', async () => {
  const { helix, nextAsked } = await start()
  const lock = await lockWrites(helix)
  const leaving = new AbortController()
  const asked = nextAsked()
  const answer = helix.chat({ stream: true }, { signal: leaving.signal })
  answer.catch(() => {})
  await asked
  leaving.abort()
  await helix.logged({ status: 499 })
  await lock.unlock()
  expect(await settledRows(helix, 1)).toMatchObject([{ outcome: 'client_closed', completionTokens: 0 }])
  expect((await helix.chat({})).status).toBe(200)
})
