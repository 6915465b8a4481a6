import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { newOrganisationLimits } from '../../src/config/new-organisation-limits.ts'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { settledRows } from '../harness/ledger-rows.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { postChat } from '../harness/post-chat.ts'
import { chatBody, rawRequests } from '../harness/raw-request.ts'
import { startHelix } from '../harness/start-helix.ts'

const { requestsInFlight } = newOrganisationLimits
const defaultLimits = {
  organisationRequestsPerMinute: null,
  organisationTokensPerMinute: null,
  organisationRequestsInFlight: null,
}

/** More than the kernel buffers for a connection. */
const longTokens = 1500
const piece = 'x'.repeat(10_000)

/** Two organisations with what new ones may do. Asked for 'much', the model says more than any socket holds. */
const startTwo = async (readers: number, config = {}) => {
  const clock = createManualClock()
  let ended = 0
  const said = Promise.withResolvers<void>()
  const helix = await startHelix({
    clock,
    engine: { slots: 4 },
    config: { ...defaultLimits, ...config },
    *answer(messages) {
      if (messages[0]?.content !== 'much') return yield 'ok'
      for (let token = 0; token < longTokens; token += 1) yield piece
      ended += 1
      if (ended === readers) said.resolve()
    },
  })
  await claimServer(helix)
  const keyOf = async (email: string): Promise<string> => (await signUp(helix.url, email)).firstKey.key
  const [slow, other] = [await keyOf('slow@example.com'), await keyOf('other@example.com')]
  /** Sends a request and reads nothing. */
  const askSlowly = (): Socket => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(helix.url).port) })
    onTestFinished(() => void socket.destroy())
    const body = chatBody('much', { stream: true, max_tokens: longTokens + 1, stream_options: { include_usage: true } })
    const { post } = rawRequests({ key: slow })
    socket.write(`${post('connection: close', `content-length: ${body.length}`)}${body}`)
    return socket
  }
  return { helix, clock, other, askSlowly, said: said.promise }
}

test('four slow readers of one organisation do not delay another organisation', async () => {
  const { helix, other, askSlowly, said } = await startTwo(requestsInFlight, { queueLimit: 1 })
  const readers = Array.from({ length: requestsInFlight }, askSlowly)
  // No time has passed, and none of the four has read a byte.
  await said
  expect((await postChat({ url: helix.url, key: other }, 'Hi')).status).toBe(200)
  for (const reader of readers) {
    const answer = await text(reader)
    expect(answer.split(piece)).toHaveLength(longTokens + 1)
    expect(answer).toContain(`"completion_tokens":${longTokens}`)
    expect(answer).toContain('data: [DONE]')
  }
  const rows = await settledRows(helix, readers.length + 1)
  expect(rows.filter(({ completionTokens }) => completionTokens === longTokens)).toHaveLength(readers.length)
})

test('output that was generated but not sent is not billed when the client disconnects', async () => {
  const { helix, askSlowly, said } = await startTwo(1)
  const reader = askSlowly()
  await said
  reader.destroy()
  const [row] = await settledRows(helix, 1)
  expect(row).toMatchObject({ outcome: 'client_closed' })
  expect(row?.completionTokens).toBeGreaterThan(0)
  expect(row?.completionTokens).toBeLessThan(longTokens)
})

test('a client that reads nothing is disconnected after the stall timeout, even if the model has finished', async () => {
  const { helix, clock, askSlowly, said } = await startTwo(1)
  const reader = askSlowly()
  await said
  await clock.awaited(30_000)
  clock.advance(30_000)
  const [row] = await settledRows(helix, 1)
  expect(row).toMatchObject({ outcome: 'client_closed' })
  await expect(text(reader)).resolves.not.toContain('[DONE]')
})
