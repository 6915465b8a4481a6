import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { createManualClock } from '../harness/manual-clock.ts'
import { openRawConnection } from '../harness/raw-connection.ts'
import { chatBody, rawRequests } from '../harness/raw-request.ts'
import { type Helix, openHelix, startHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix()
  return helix.close
})

type Ask = (helix: Helix) => Promise<Response>
const answered: [string, number, Ask][] = [
  ['an answer', 200, (helix) => helix.chat({})],
  ['a stream', 200, (helix) => helix.chat({ stream: true })],
  ['a list', 200, (helix) => helix.get('/v1/models')],
  ['a refused body', 400, (helix) => helix.post('{')],
  ['an unknown model', 404, (helix) => helix.chat({ model: 'none' })],
  ['a compressed body', 415, (helix) => helix.post(Uint8Array.from(gzipSync('{}')), { 'content-encoding': 'gzip' })],
  ['a body over the limit', 413, (helix) => helix.post('x'.repeat(5_000_000))],
]
const refusedEarly: [string, number, Ask][] = [
  ['no key', 401, (helix) => fetch(`${helix.url}/v1/models`)],
  ['an unknown path', 404, (helix) => helix.get('/v1/nowhere')],
  ['a wrong method', 405, (helix) => fetch(`${helix.baseUrl}/models`, { method: 'POST' })],
]

test.each([...answered, ...refusedEarly])(
  '%s (%i) has an id of its own, the time it took and the version',
  async (_, status, ask) => {
    const ids = new Set<string | null>()
    for (let count = 0; count < 3; count += 1) {
      const { headers, status: actual } = await ask(helix)
      expect(actual).toBe(status)
      expect(headers.get('x-request-id')).toMatch(/^req_\w{24}$/)
      ids.add(headers.get('x-request-id'))
      expect(headers.get('openai-processing-ms')).toMatch(/^\d+$/)
      expect(headers.get('openai-version')).toBe('2020-10-01')
      expect(headers.get('openai-project')).toBeNull()
    }
    expect(ids.size).toBe(3)
  },
)

test.each(answered)('%s (%i) names the organisation of the key', async (_, __, ask) => {
  const { headers } = await ask(helix)
  const { organisationId } = await helix.logged({ requestId: headers.get('x-request-id') })
  expect(organisationId).toMatch(/^org_/)
  expect(headers.get('openai-organization')).toBe(organisationId)
})

test.each(refusedEarly)('%s (%i) names no organisation', async (_, __, ask) => {
  expect((await ask(helix)).headers.get('openai-organization')).toBeNull()
})

test.each([false, true])('the time is that until the answer began, not until it ended (stream: %s)', async (stream) => {
  const clock = createManualClock()
  const first = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const slow = await startHelix({
    clock,
    *answer() {
      asked.resolve()
      yield { pause: first.promise }
      yield 'Hi'
    },
  })
  const answer = slow.chat({ stream })
  await asked.promise
  clock.advance(1234)
  first.resolve()
  expect((await answer).headers.get('openai-processing-ms')).toBe('1234')
})

test.each([false, true])('accept-encoding has no effect (stream: %s)', async (stream) => {
  const json = chatBody('Hi', { stream })
  const heads = []
  for (const lines of [[], ['accept-encoding: gzip, br, deflate'], ['accept-encoding: *;q=1, identity;q=0']]) {
    const connection = await openRawConnection(helix.url)
    connection.send(rawRequests(helix).post(`content-length: ${json.length}`, ...lines) + json)
    const { status, headers, body } = await connection.answer()
    expect(status).toBe(200)
    expect(headers.get('content-encoding')).toBeNull()
    expect(body).toContain(stream ? 'data: [DONE]' : '"chat.completion"')
    heads.push([...headers.keys()])
  }
  expect(heads[1]).toEqual(heads[0])
  expect(heads[2]).toEqual(heads[0])
})
