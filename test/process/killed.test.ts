import { beforeAll, expect, test } from 'vitest'
import { ledgerRows } from '../harness/ledger-rows.ts'
import { liveEvents, textOf } from '../harness/live-events.ts'
import {
  doneEvent,
  finishEvent,
  pieceEvent,
  say,
  startUpstream,
  type Upstream,
  usageEvent,
} from '../harness/scripted-upstream.ts'
import { startProgram } from '../harness/start-program.ts'

/** The first time somebody asks slowly, the answer stops in the middle for good. */
let upstream: Upstream
let env: Record<string, string>
let halted = false
beforeAll(async () => {
  upstream = await startUpstream((response, { body }) => {
    if (!JSON.stringify(body).includes('slowly')) return say(response, 'Hello')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(pieceEvent('Hel'))
    if (halted) return response.end(pieceEvent('lo') + finishEvent() + usageEvent(7, 2) + doneEvent)
    halted = true
  })
  env = { HELIX_UPSTREAM_URL: upstream.baseUrl, HELIX_UPSTREAM_MODEL: 'theirs', HELIX_MODEL_NAME: 'ours' }
})

type Question = { url: string; key: string; content: string; lastEventId?: string }
const ask = ({ url, key, content, lastEventId }: Question): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': content,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    body: JSON.stringify({ model: 'ours', stream: true, messages: [{ role: 'user', content }] }),
  })

test('kill -9 during an answer: a settled answer is replayed, another starts again as a new record', async () => {
  const first = await startProgram({ env })
  const { dataDir } = first
  const key = await first.createKey()
  const whole = await liveEvents(await ask({ url: first.url, key, content: 'quickly' })).rest()
  expect(whole.map(textOf)).toEqual(['', 'Hello', undefined, '[DONE]'])
  const broken = liveEvents(await ask({ url: first.url, key, content: 'slowly' }))
  await broken.next()
  const seen = await broken.next()
  expect(seen === null ? null : textOf(seen)).toBe('Hel')
  await first.stop('SIGKILL')

  const second = await startProgram({ env, dataDir })
  const { url } = second
  const again = await ask({ url, key, content: 'quickly' })
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(await liveEvents(again).rest()).toEqual(whole)

  expect((await ask({ url, key, content: 'slowly', lastEventId: seen?.id ?? '' })).status).toBe(409)
  const anew = await ask({ url, key, content: 'slowly' })
  expect(anew.headers.has('idempotent-replayed')).toBe(false)
  expect((await liveEvents(anew).rest()).map(textOf)).toEqual(['', 'Hel', 'lo', undefined, '[DONE]'])
  const outcomes = (await ledgerRows(second)).map(({ outcome }) => outcome)
  expect(outcomes).toEqual(['completed', 'server_died', 'completed'])
  expect(await second.stop()).toBe(0)
})
