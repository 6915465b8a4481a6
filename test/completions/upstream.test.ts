import { expect, test } from 'vitest'
import { openRemoteEngine } from '../../src/engine/remote/remote-engine.ts'
import { createLogCatcher } from '../harness/log-catcher.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { readError } from '../harness/read-error.ts'
import { readEvents } from '../harness/read-events.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { doneEvent, startUpstream, stream } from '../harness/scripted-upstream.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

const start = async (answer: Parameters<typeof startUpstream>[0]) => {
  const upstream = await startUpstream(answer)
  const { log } = createLogCatcher({ clock: createManualClock(), format: 'json' })
  const settings = { baseUrl: upstream.baseUrl, key: null, upstreamModel: 'theirs', name: modelName }
  const helix = await startHelix({
    startEngine: () => openRemoteEngine({ ...settings, contextTokens: null, slots: 1, created: 0, log, kind: 'vllm' }),
  })
  const complete = (body: object) =>
    fetch(`${helix.baseUrl}/completions`, {
      method: 'POST',
      headers: helix.authorized,
      body: JSON.stringify({ model: modelName, prompt: 'Once', ...body }),
    })
  return { helix, upstream, complete }
}
const event = (choices: object[], more: object = {}): string => `data: ${JSON.stringify({ choices, ...more })}\n\n`
const sayText = (response: Parameters<typeof stream>[0], logprobs: object | null = null): Promise<void> =>
  stream(
    response,
    event([{ index: 0, text: 'Hello', logprobs }]),
    event([{ index: 0, text: '', finish_reason: 'stop' }]),
    event([], { usage: { prompt_tokens: 2, completion_tokens: 1 } }),
    doneEvent,
  )

test('each prompt is passed on to the completions of the upstream, and what it counts is billed', async () => {
  const { helix, upstream, complete } = await start((response, { body }) => {
    if (body.stream) return sayText(response)
    response.writeHead(200, { 'content-type': 'application/json' })
    const choices = [{ index: 0, text: `${body.prompt}!`, finish_reason: 'length' }]
    response.end(JSON.stringify({ choices, usage: { prompt_tokens: 3, completion_tokens: 2 } }))
  })
  const whole = await (await complete({ prompt: ['Once', 'Twice'], max_tokens: 2, seed: 7, echo: true })).json()
  expect(whole).toMatchObject({
    object: 'text_completion',
    model: modelName,
    choices: [
      { index: 0, text: 'OnceOnce!', finish_reason: 'length' },
      { index: 1, text: 'TwiceTwice!', finish_reason: 'length' },
    ],
    usage: { prompt_tokens: 6, completion_tokens: 4 },
  })
  expect(upstream.asked.map(({ url, body }) => [url, body])).toEqual([
    ['/v1/completions', { model: 'theirs', prompt: 'Once', max_tokens: 2, seed: 7 }],
    ['/v1/completions', { model: 'theirs', prompt: 'Twice', max_tokens: 2, seed: 7 }],
  ])
  const events = await readEvents(await complete({ prompt: [5, 6], stream: true }))
  expect(events.slice(0, -1).map((data) => JSON.parse(data).choices[0].text)).toEqual(['Hello', ''])
  expect(upstream.asked.at(-1)?.body).toMatchObject({ prompt: [5, 6], stream: true, max_tokens: 16 })
  const rows = await readLedger(helix)
  expect(rows.map(({ settlement }) => settlement?.promptTokens)).toEqual([6, 2])
})

test('log probabilities of the upstream are passed on', async () => {
  const lists = { tokens: ['Hel', 'lo'], token_logprobs: [-0.5, -1], top_logprobs: [{ Hel: -0.5 }, { la: -0.25 }] }
  const { upstream, complete } = await start((response) => sayText(response, lists))
  const events = await readEvents(await complete({ logprobs: 1, stream: true }))
  const sent = events.slice(0, -1).flatMap((data) => JSON.parse(data).choices[0].logprobs ?? [])
  expect(sent).toMatchObject([
    { tokens: ['Hel'], token_logprobs: [-0.5], top_logprobs: [{ Hel: -0.5 }], text_offset: [0] },
    { tokens: ['lo'], token_logprobs: [-1], top_logprobs: [{ la: -0.25 }], text_offset: [3] },
  ])
  expect(upstream.asked[0]?.body).toMatchObject({ logprobs: 1 })
})

test('an upstream without completions is named, with the endpoint to use instead', async () => {
  const { complete } = await start((response) => response.writeHead(404).end('{"detail":"Not Found"}'))
  const response = await complete({})
  expect(response.status).toBe(400)
  expect(await readError(response)).toMatchObject({
    code: 'model_not_supported',
    param: 'model',
    message: expect.stringContaining('Use it with POST /v1/chat/completions.'),
  })
})
