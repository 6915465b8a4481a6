import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { openRemoteEngine } from '../../src/engine/remote/remote-engine.ts'
import { createLogCatcher } from '../harness/log-catcher.ts'
import { sayJson, startUpstream } from '../harness/scripted-upstream.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

const { log } = createLogCatcher({ clock: systemClock, format: 'json' })

const startWith = (baseUrl: string) => {
  const model = { upstreamModel: 'theirs', name: modelName, contextTokens: null }
  const engine = openRemoteEngine({ baseUrl, key: null, ...model, slots: 4, created: 0, kind: 'vllm', log })
  return startHelix({ startEngine: () => engine })
}

const schema = { enum: Array.from({ length: 900 }, (_, index) => `${index} ${'猫'.repeat(100)}`) }
const look = {
  type: 'function',
  function: { name: 'look', parameters: { type: 'object', properties: { at: schema } } },
}
const conversation = Array.from({ length: 300 }, (_, index) => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: `${index} "猫" 😀\n`.repeat(200),
}))
const short = [{ role: 'user', content: 'Hi' }]

test.each([
  ['a long text', { messages: [{ role: 'user', content: 'a "猫" 😀\n'.repeat(200_000) }] }],
  ['many messages', { messages: conversation }],
  ['large tools', { messages: short, tools: [look], tool_choice: 'auto' }],
  [
    'a large schema',
    {
      messages: short,
      response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: false, schema } },
    },
  ],
])('a long prompt arrives at the upstream whole and in order: %s', async (_, body) => {
  const upstream = await startUpstream((response) => sayJson(response, { content: 'ok' }))
  const helix = await startWith(upstream.baseUrl)
  expect(await (await helix.chat({ ...body, max_tokens: 5 })).json()).toMatchObject({ object: 'chat.completion' })
  expect(upstream.asked.map((asked) => asked.body)).toEqual([{ ...body, model: 'theirs', max_tokens: 5 }])
})

test('the tokens of a long prompt are estimated if the upstream does not report them, or too many', async () => {
  const reported = [null, { prompt_tokens: 1_000_000, completion_tokens: 1 }]
  const upstream = await startUpstream((response) => sayJson(response, { content: 'ok' }, {}, reported.shift()))
  const helix = await startWith(upstream.baseUrl)
  const ask = async (): Promise<unknown> => {
    const response = await helix.chat({ messages: [{ role: 'user', content: 'word '.repeat(40_000) }] })
    const { usage } = (await response.json()) as { usage: { prompt_tokens: number } }
    return usage.prompt_tokens
  }
  expect([await ask(), await ask()]).toEqual([40_000, 40_000])
})

/** Unlike `startUpstream`, it need not read a request before it answers. */
const startServer = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}
const long = [{ role: 'user', content: 'word '.repeat(700_000) }]

test('an upstream that refuses a long prompt before it has read it answers the next one', async () => {
  const answers = [
    (response: ServerResponse) => response.writeHead(400).end('{"error":{"message":"too long"}}'),
    (response: ServerResponse) => sayJson(response, { content: 'ok' }),
  ]
  const helix = await startWith(await startServer((_, response) => answers.shift()?.(response)))
  expect((await helix.chat({ messages: long })).status).toBe(400)
  expect((await helix.chat({ messages: short })).status).toBe(200)
})

test('a long prompt is sent again from its beginning if an idle connection turns out to be closed', async () => {
  const used = new WeakSet<Socket>()
  const received: unknown[] = []
  const baseUrl = await startServer(async (request, response) => {
    if (used.has(request.socket)) return request.socket.resetAndDestroy()
    used.add(request.socket)
    received.push(JSON.parse(await text(request)).messages)
    sayJson(response, { content: 'ok' })
  })
  const helix = await startWith(baseUrl)
  expect((await helix.chat({ messages: short })).status).toBe(200)
  expect((await helix.chat({ messages: long })).status).toBe(200)
  expect(received).toEqual([short, long])
})
