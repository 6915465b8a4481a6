import { expect, test } from 'vitest'
import { postApart } from '../harness/ask-apart.ts'
import { claimServer } from '../harness/browser-session.ts'
import { liveEvents } from '../harness/live-events.ts'
import { doneEvent, finishEvent, pieceEvent, startUpstream, stream, usageEvent } from '../harness/scripted-upstream.ts'
import { startWithWorkers } from '../harness/start-with-workers.ts'

type Told = { type: string; data?: { id: string; outcome: string; completionTokens: number | null }[] }

const parts = [pieceEvent('Tides'), pieceEvent(' rise'), finishEvent(), usageEvent(5, 2), doneEvent]

test('the live log tells of requests that workers answer and refuse, while they run and at their end', async () => {
  const more = Promise.withResolvers<void>()
  const upstream = await startUpstream(async (response, { body }) => {
    if (JSON.stringify(body).includes('wait')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(pieceEvent('Tides'))
      await more.promise
      response.end(pieceEvent(' rise') + finishEvent() + usageEvent(5, 2) + doneEvent)
    } else stream(response, ...parts)
  })
  const helix = await startWithWorkers(upstream.baseUrl)
  const owner = await claimServer(helix)
  const { live } = (await (await owner.get('/requests')).json()) as { live: string }
  const events = liveEvents(await owner.get(`/requests/events?after=${live}`))
  /** What was told last of each request. */
  const heard = new Map<string, string>()
  const tokens = new Map<string, number | null>()
  const hear = async (): Promise<void> => {
    const event = await events.next()
    if (event === null) throw new Error('the live log has ended')
    const { type, data = [] } = JSON.parse(event.data) as Told
    for (const { id, outcome, completionTokens } of data) {
      if (type === 'requests') heard.set(id, outcome)
      tokens.set(id, completionTokens)
    }
  }
  const ask = (content: string, body: object = {}) =>
    postApart(helix, helix.key, '/v1/chat/completions', {
      ...{ model: 'big', messages: [{ role: 'user', content }] },
      ...body,
    })
  const idOf = ({ headers }: Awaited<ReturnType<typeof ask>>): string => String(headers['x-request-id'])

  // Connections of their own, so that both workers get some.
  const waiting = Promise.all(Array.from({ length: 8 }, () => ask('wait', { stream: true })))
  while (heard.size < 8 || tokens.size < 8 || [...tokens.values()].some((count) => count !== 1)) await hear()
  expect([...heard.values()]).toEqual(Array(8).fill('running'))
  more.resolve()
  const streamed = (await waiting).map(idOf)
  const answered = (await Promise.all(Array.from({ length: 8 }, () => ask('Hi')))).map(idOf)
  const refused = (await Promise.all(Array.from({ length: 8 }, () => ask('Hi', { temperature: 'hot' })))).map(idOf)
  const isOver = (id: string): boolean => ![undefined, 'running'].includes(heard.get(id))
  while (![...streamed, ...answered, ...refused].every(isOver)) await hear()
  expect(new Set([...streamed, ...answered].map((id) => heard.get(id)))).toEqual(new Set(['completed']))
  expect(new Set(refused.map((id) => heard.get(id)))).toEqual(new Set(['refused']))
  expect(new Set([...streamed, ...answered].map((id) => tokens.get(id)))).toEqual(new Set([2]))
  expect(heard.size).toBe(24)
  await events.leave()
})
