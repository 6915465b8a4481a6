import { expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { Config } from '../../src/config/settings.ts'
import { createUpstreamSet } from '../../src/upstreams/upstream-set.ts'
import { scriptModels } from '../harness/scripted-models.ts'
import { deltaEvent, doneEvent, finishEvent, pieceEvent, sayJson, startUpstream } from '../harness/scripted-upstream.ts'
import { startHelix } from '../harness/start-helix.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }
const ownKey = 'sk-own-0123456789abcdef'
const otherKey = 'sk-other-fedcba9876543210'
const password = 'hunter2-of-the-database'

type UpstreamHandler = Parameters<typeof startUpstream>[0]
const start = async (answer: UpstreamHandler) => {
  const set = createUpstreamSet({ clock: systemClock, log: silent, secrets: [password] })
  const local = scriptModels([{ id: 'helix-v1' }])
  const helix = await startHelix({
    upstreams: set,
    openModels: (config: Config) => local.open(config, systemClock, set),
  })
  const upstream = await startUpstream(answer)
  const models = [{ name: 'small' }]
  await helix.control('POST', '/control/upstreams', { name: 'own', url: upstream.baseUrl, key: ownKey, models })
  const other = { name: 'other', url: 'http://127.0.0.1:1/v1', key: otherKey, models: [{ name: 'unused' }] }
  await helix.control('POST', '/control/upstreams', other)
  return helix
}
const refusing = (status: number, body: unknown): UpstreamHandler => {
  return (response) => response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
}
const messageOf = async (response: Response): Promise<string> => {
  const body = (await response.json()) as { error: { message: string } }
  return body.error.message
}

test.each([400, 413, 422])('no secret that is known here is passed on in an error: %i', async (status) => {
  const caller: string[] = []
  const message = (): string =>
    `Bad ${ownKey} or ${otherKey}, ${encodeURIComponent(password)}, ${caller[0]}: use 0 to 2`
  const helix = await start((response) => refusing(status, { error: { message: message() } })(response, {} as never))
  caller.push(helix.authorized.authorization.replace('Bearer ', ''))
  const answer = await messageOf(await helix.chat({ model: 'small' }))
  expect(answer).toContain('Bad [redacted] or [redacted], [redacted], hx_live_[hidden]: use 0 to 2')
  for (const secret of [ownKey, otherKey, password, caller[0]]) expect(answer).not.toContain(secret)
})

test('an error in a stream is no exception', async () => {
  const helix = await start((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`data: ${JSON.stringify({ error: { code: 400, message: `no ${ownKey}` } })}\n\n`)
  })
  const text = await (await helix.chat({ model: 'small', stream: true })).text()
  expect(text).toContain('no [redacted]')
  expect(text).not.toContain(ownKey)
})

test.each([
  ['control characters', 'a\u0000b\u001b[31m\r\n\tc\u202ed\u2028e', 'a b [31m c d e'],
  ['a page', '<!DOCTYPE html><html><body>nginx</body></html>', 'status 400'],
  ['nothing but spaces', ' \n ', 'status 400'],
])('the message of an upstream is one readable line: %s', async (_, message, shown) => {
  const helix = await start(refusing(400, { error: { message } }))
  expect(await messageOf(await helix.chat({ model: 'small' }))).toBe(
    `The upstream inference engine rejected the request: ${shown}`,
  )
})

test('the message of an upstream has a bounded length, and no half of a secret at its end', async () => {
  const helix = await start(refusing(422, { detail: [{ msg: `${'x'.repeat(490)} ${ownKey} ${'y'.repeat(20_000)}` }] }))
  const message = await messageOf(await helix.chat({ model: 'small' }))
  expect(message.length).toBeLessThan(600)
  expect(message).toMatch(/x \[redac.*…$/)
})

test('a page instead of JSON says nothing but its status', async () => {
  const helix = await start(refusing(400, '<html><title>proxy-7.internal</title></html>'))
  expect(await messageOf(await helix.chat({ model: 'small' }))).toMatch(/: status 400$/)
})

test("an upstream's own key is removed from its answers, however they are cut", async () => {
  const said = `The key is ${ownKey}, and again ${ownKey}; sk-own-012345 is not.`
  const expected = 'The key is [redacted], and again [redacted]; sk-own-012345 is not.'
  let size = 1
  const helix = await start((response, { body }) => {
    if (body.stream !== true) return sayJson(response, { content: said, reasoning_content: ownKey })
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const parts = said.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []
    return response.end([...parts.map(pieceEvent), finishEvent(), doneEvent].join(''))
  })
  const json = (await (await helix.chat({ model: 'small' })).json()) as { choices: { message: unknown }[] }
  expect(json.choices[0]?.message).toMatchObject({ content: expected, reasoning_content: '[redacted]' })
  for (size = 1; size < 40; size += 3) {
    const text = await (await helix.chat({ model: 'small', stream: true, max_tokens: 4000 })).text()
    const parts = [...text.matchAll(/"content":"([^"]*)"/g)].map(([, part]) => part)
    const whole = parts.join('')
    expect(whole.replaceAll(/s?k?-?o?w?n?-?(?=\[redacted\])/g, '')).toBe(expected)
    expect(whole).not.toContain(ownKey)
  }
})

test('nor is it in the arguments of a call, or in what breaks off', async () => {
  const call = (text: string) =>
    deltaEvent({ tool_calls: [{ index: 0, id: 'call_1', function: { name: 'look', arguments: text } }] })
  const helix = await start((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const parts = ['{"a":"', ownKey.slice(0, 10), ownKey.slice(10), '","b":"', ownKey.slice(0, 12)]
    response.end([...parts.map(call), finishEvent('tool_calls'), doneEvent].join(''))
  })
  const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }]
  const text = await (await helix.chat({ model: 'small', stream: true, tools })).text()
  const said = [...text.matchAll(/"arguments":"((?:[^"\\]|\\.)*)"/g)].map(([, part]) => part).join('')
  expect(said).toBe(`{\\"a\\":\\"[redacted]\\",\\"b\\":\\"${ownKey.slice(0, 12)}`)
})

test('an upstream does not tell callers its address', async () => {
  const asked: string[] = []
  const helix = await start((response, { headers }) => {
    asked.push(String(headers.host))
    return refusing(400, { error: { message: `no GET at http://${headers.host}/v1/x, ${headers.host} or api` } })(
      response,
      {} as never,
    )
  })
  const answer = await messageOf(await helix.chat({ model: 'small' }))
  expect(answer).toContain('no GET at [redacted]/v1/x, [redacted] or api')
  expect(answer).not.toContain(asked[0])
})
