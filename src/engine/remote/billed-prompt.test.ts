import { expect, test } from 'vitest'
import { openSampling, talk } from '../../../test/harness/engine-request.ts'
import { deltaEvent, startUpstream, stream } from '../../../test/harness/scripted-upstream.ts'
import type { EngineEvent } from '../contract.ts'
import { openRemoteEngine } from './remote-engine.ts'

const answer = { stream: false, calling: null, format: null, reasoningEffort: null }
const silent = { info: () => {}, warn: () => {}, error: () => {} }

const never = new AbortController().signal

type Asking = { signal?: AbortSignal; error?: () => void; isStream?: boolean }

/** The events of an answer that fails with this reason. */
const askInVain = async (
  baseUrl: string,
  reason: string,
  { signal = never, error = () => {}, isStream = false }: Asking,
): Promise<EngineEvent[]> => {
  const engine = openRemoteEngine({
    ...{ baseUrl, key: null, upstreamModel: 'm', name: 'm', contextTokens: null, slots: 1, created: 1 },
    ...{ capabilities: ['responses_for_chat'], log: { ...silent, error } },
  })
  const prompt = await engine.prepare(talk('Hi', { answer: { ...answer, stream: isStream } }), never)
  const events: EngineEvent[] = []
  const reading = async () => {
    for await (const event of prompt.generate(openSampling, signal)) events.push(event)
  }
  await expect(reading()).rejects.toThrow(reason)
  await engine.close()
  return events
}

test('a client that leaves while a refusal is read has no prompt to pay for', async () => {
  const leaving = new AbortController()
  const upstream = await startUpstream((response) => response.writeHead(401).write('{'))
  // It is said between the head and the body.
  const leave = () => leaving.abort(new Error('left'))
  expect(await askInVain(upstream.baseUrl, 'left', { error: leave, signal: leaving.signal })).toEqual([])
})

test('one that leaves while the request after a refused one is answered pays for its prompt', async () => {
  const leaving = new AbortController()
  const upstream = await startUpstream((response, { url }) =>
    url === '/v1/responses' ? response.writeHead(404).end('{}') : leaving.abort(new Error('left')),
  )
  const events = await askInVain(upstream.baseUrl, 'left', { signal: leaving.signal })
  expect(events).toMatchObject([{ type: 'accepted' }])
})

test('one that leaves before the first event of a stream pays for its prompt', async () => {
  const leaving = new AbortController()
  const upstream = await startUpstream((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    // More than connections hold: what was written has been read, and the head before it.
    response.write(`: processing\n\n`.repeat(1_500_000), () => leaving.abort(new Error('left')))
  })
  const events = await askInVain(upstream.baseUrl, 'left', { signal: leaving.signal, isStream: true })
  expect(events).toMatchObject([{ type: 'accepted' }])
})

const error = { message: 'overloaded', type: 'overloaded_error' }
const brokenStreams: [string, string][] = [
  ['nothing', ''],
  ['comments', ': processing\n\n'],
  ['a page', '<html>Welcome</html>'],
  ['an error', `data: ${JSON.stringify({ error })}\n\n`],
  ['half an event', 'data: {"choices":[{"delta":{"content":"He'],
]

test.each(brokenStreams)(
  'a stream with only %s has no prompt to pay for: the upstream has accepted none',
  async (_, body) => {
    const upstream = await startUpstream((response) => stream(response, body))
    const reason = body.includes('overloaded') ? 'overloaded' : 'invalid response'
    expect(await askInVain(upstream.baseUrl, reason, { isStream: true })).toEqual([])
  },
)

test('a stream that breaks off after its first event has, even if that has no text', async () => {
  const begun = Promise.withResolvers<void>()
  const upstream = await startUpstream(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(deltaEvent({ role: 'assistant' }))
    await begun.promise
    response.destroy()
  })
  const engine = openRemoteEngine({
    ...{ baseUrl: upstream.baseUrl, key: null, upstreamModel: 'm', name: 'm', contextTokens: null, slots: 1 },
    ...{ created: 1, log: silent },
  })
  const prompt = await engine.prepare(talk('Hi'), never)
  const events = prompt.generate(openSampling, never)[Symbol.asyncIterator]()
  expect(await events.next()).toMatchObject({ value: { type: 'accepted' } })
  begun.resolve()
  await expect(events.next()).rejects.toMatchObject({ errorName: 'upstream_failed' })
  await engine.close()
})
