import { createServer } from 'node:http'
import { beforeAll, expect, test } from 'vitest'
import { createBodyChecks } from './check-bodies.ts'

/** A server that answers as the query specifies. */
let url: string
beforeAll(async () => {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://x')
    response.writeHead(Number(searchParams.get('status') ?? 200), {
      'content-type': searchParams.get('type') ?? 'application/json',
    })
    response.end(searchParams.get('body') ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  url = `http://127.0.0.1:${address.port}/v1`
  return () => server.close()
})

const check = async (method: string, path: string, answer: Record<string, string>, body?: object) => {
  const checks = createBodyChecks()
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await checks.fetch(`${url}${path}?${new URLSearchParams(answer)}`, { method, ...sent })
  expect(await response.text()).toBe(answer.body)
  return checks.takeFaults()
}
const question = { model: 'helix-v1', messages: [{ role: 'user', content: 'Hi' }] }
const message = { role: 'assistant', content: 'Hello', refusal: null }
const choice = { index: 0, message, logprobs: null, finish_reason: 'stop' }
const head = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'helix-v1' }
const completion = { ...head, object: 'chat.completion', choices: [choice] }
const chunk = {
  ...head,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: null }],
}

test('a right completion passes, a wrong one is told with its place', async () => {
  const post = (answer: object) => check('POST', '/chat/completions', { body: JSON.stringify(answer) }, question)
  expect(await post(completion)).toEqual([])
  for (const [wrong, place] of [
    [{ ...completion, created: 1.5 }, '/created must be integer'],
    [{ ...completion, choices: [{ ...choice, finish_reason: 'end' }] }, '/choices/0/finish_reason must be equal'],
    [{ ...completion, choices: [{ ...choice, message: { ...message, tool_calls: null } }] }, '/tool_calls must be'],
    [{ error: 'none' }, "must have required property 'choices'"],
  ] as const)
    expect(await post(wrong)).toEqual([expect.stringContaining(place)])
})

test('each chunk of a stream is checked, and an error within it', async () => {
  const stream = (...events: unknown[]) => {
    const body = `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`
    return check('POST', '/chat/completions', { type: 'text/event-stream; charset=utf-8', body }, question)
  }
  const error = { message: 'no', type: 'server_error', param: null, code: null }
  expect(await stream(chunk, chunk, { error })).toEqual([])
  expect(await stream(chunk, { ...chunk, object: 'chunk' }, { error: { message: 'no' } })).toHaveLength(2)
})

test('errors, requests and unknown operations are checked too', async () => {
  expect(await check('GET', '/models', { status: '401', body: '{"error":{"message":"no"}}' })).toHaveLength(1)
  const body = JSON.stringify(completion)
  expect(await check('POST', '/chat/completions', { body }, { ...question, messages: 'Hi' })).toHaveLength(1)
  expect(await check('GET', '/none', { body })).not.toEqual([])
})
