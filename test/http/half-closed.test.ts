import { expect, test } from 'vitest'
import { settledRows } from '../harness/ledger-rows.ts'
import { openRawConnection, type RawAnswer, type RawConnection } from '../harness/raw-connection.ts'
import { chatBody, rawRequests } from '../harness/raw-request.ts'
import { startHelix } from '../harness/start-helix.ts'

/** An engine that says the rest when it is told to. */
const start = async () => {
  const more = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const helix = await startHelix({
    *answer() {
      begun.resolve()
      yield 'one '
      yield { pause: more.promise }
      yield 'two'
    },
  })
  return { helix, more, begun: begun.promise }
}

/** Whatever was on its way to the server has arrived there afterwards. */
const roundTrips = async ({ url }: { url: string }): Promise<void> => {
  for (let trip = 0; trip < 5; trip += 1) await (await fetch(`${url}/healthz`)).text()
}

/** What comes behind any number of interim answers, as a client reads it. */
const finalAnswer = async (connection: RawConnection): Promise<RawAnswer> => {
  for (;;) {
    const answer = await connection.answer()
    if (answer.status !== 100) return answer
  }
}

test.each([false, true])('a half-closed client gets its response (stream: %s)', async (stream) => {
  const { helix, more, begun } = await start()
  const connection = await openRawConnection(helix.url)
  connection.socket.end(rawRequests(helix).postBody('Hi', { stream }))
  await begun
  await roundTrips(helix)
  expect(helix.engine.active()).toBe(1)
  more.resolve()
  const answer = await finalAnswer(connection)
  expect(answer.status).toBe(200)
  expect(answer.body).toContain('two')
  if (stream) expect(answer.body).toContain('[DONE]')
  expect(await connection.ended()).toBe('')
  expect(await settledRows(helix, 1)).toMatchObject([{ outcome: 'completed', completionTokens: 2 }])
})

test('a half-closed HTTP/1.0 client gets its response, without interim responses', async () => {
  const { helix, more, begun } = await start()
  const json = chatBody('Hi')
  const request = rawRequests(helix).post(`content-length: ${json.length}`).replace('HTTP/1.1', 'HTTP/1.0') + json
  const connection = await openRawConnection(helix.url)
  connection.socket.end(request)
  await begun
  await roundTrips(helix)
  more.resolve()
  const text = await connection.ended()
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(text).not.toContain('100 Continue')
  expect(text).toContain('one two')
})

test.each([false, true])(
  'a client that disconnects is still noticed, and the engine stops (stream: %s)',
  async (stream) => {
    const { helix, begun } = await start()
    const connection = await openRawConnection(helix.url)
    connection.send(rawRequests(helix).postBody('Hi', { stream }))
    await begun
    if (stream) await connection.answer({ toHead: true })
    await roundTrips(helix)
    connection.socket.destroy()
    expect(await settledRows(helix, 1)).toMatchObject([{ outcome: 'client_closed' }])
    expect(helix.engine.active()).toBe(0)
  },
)

test('a half-closed client that then disconnects is noticed too', async () => {
  const { helix, begun } = await start()
  const connection = await openRawConnection(helix.url)
  connection.socket.end(rawRequests(helix).postBody('Hi'))
  await begun
  expect((await connection.answer()).status).toBe(100)
  connection.socket.destroy()
  expect(await settledRows(helix, 1)).toMatchObject([{ outcome: 'client_closed' }])
})

test('an incomplete request gets no response', async () => {
  const { helix } = await start()
  const connection = await openRawConnection(helix.url)
  connection.socket.end(rawRequests(helix).post('content-length: 1000'))
  expect(await connection.ended()).toBe('')
})
