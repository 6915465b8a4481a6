import { beforeAll, expect, test } from 'vitest'
import { readError } from '../harness/read-error.ts'
import { type Helix, modelName, openHelix } from '../harness/start-helix.ts'

let helix: Helix
/** The last message the engine was asked to answer, and all it was told to stop at. */
const seen: string[] = []
beforeAll(async () => {
  helix = await openHelix({
    config: { strictRequests: true },
    answer(messages) {
      seen.push(messages.at(-1)?.content ?? '')
      return ['👩', '👨']
    },
  })
  return helix.close
})

/** A whole body, with `content` as it would stand between the quotation marks of JSON. */
const saying = (content: string, more = ''): string =>
  `{"model":"${modelName}","messages":[{"role":"user","content":"${content}"}]${more}}`

test.each<[string, string | Uint8Array<ArrayBuffer>]>([
  ['an empty body', ''],
  ['spaces', '   '],
  ['[]', '[]'],
  ['null', 'null'],
  ['1', '1'],
  ['a string', '"x"'],
  ['a cut body', saying('Hi').slice(0, -1)],
  ['a trailing comma', `${saying('Hi').slice(0, -1)},}`],
  ['two documents', saying('Hi') + saying('Hi')],
  ['a raw line break in a string', saying('a\nb')],
  ['a raw tab in a string', saying('a\tb')],
  ['a raw zero in a string', saying('a\0b')],
  ['NaN', saying('Hi', ',"temperature":NaN')],
  ['an unquoted key', '{model:1}'],
  ['brackets that never close', '['.repeat(100_000)],
  ['an infinite number', saying('Hi', ',"temperature":Infinity')],
  ['a number with a leading zero', saying('Hi', ',"temperature":01')],
  ['bytes that are not UTF-8', Uint8Array.from([...Buffer.from('{"model":"'), 0xff, 0xfe, ...Buffer.from('"}')])],
  ['half a character of UTF-8', Uint8Array.from(Buffer.from(saying('猫')).subarray(0, -5))],
  ['UTF-16', Uint8Array.from(Buffer.from(saying('Hi'), 'utf16le'))],
])('%s is no JSON object: 400 without param and code', async (_, body) => {
  const response = await helix.post(body)
  expect(response.status).toBe(400)
  expect(await readError(response)).toMatchObject({
    param: null,
    code: null,
    message: expect.stringMatching(/^We could not parse the JSON body of your request\. \(.+\)/),
  })
})

test.each([
  ['{"secret": nonsense}', 'The body is not valid JSON.'],
  ['{"secret": "x" nonsense}', 'Invalid JSON at position 15.'],
  ['{"secret": ', 'Unexpected end of JSON input.'],
])('the error for %s gives the reason and contains nothing of it', async (body, reason) => {
  const { message } = await readError(await helix.post(body))
  expect(message).toContain(`(${reason})`)
  expect(message).not.toMatch(/secret|nonsense/)
})

test('a leading byte order mark is accepted', async () => {
  expect((await helix.post(`\ufeff${saying('Hi')}`)).status).toBe(200)
})

test('the last value of a duplicate key counts', async () => {
  const response = await helix.post(saying('Hi', ',"max_tokens":-1,"max_tokens":1'))
  expect(await response.json()).toMatchObject({ usage: { completion_tokens: 1 } })
})

test('names of built-in properties are keys like any other', async () => {
  const top = await helix.post(saying('Hi', ',"__proto__":{"stream":true}'))
  expect((await readError(top)).message).toBe('Unrecognized request argument supplied: __proto__')
  const nested = await helix.post(`{"model":"${modelName}","messages":[{"role":"user","content":"","__proto__":1}]}`)
  expect(await readError(nested)).toMatchObject({ code: 'unknown_parameter', param: 'messages[0].__proto__' })
  const inherited = await helix.post(`{"__proto__":{"model":"${modelName}"},"messages":[]}`)
  expect((await readError(inherited)).message).toBe('you must provide a model parameter')
})

test('a number that overflows is out of range, not infinite', async () => {
  for (const field of ['temperature', 'top_p', 'seed', 'max_tokens', 'n', 'presence_penalty']) {
    const response = await helix.post(saying('Hi', `,"${field}":1e400`))
    expect(response.status).toBe(400)
    expect(await readError(response)).toMatchObject({ param: field })
  }
})

test('negative zero and the largest seed are accepted', async () => {
  const numbers = ',"temperature":-0,"presence_penalty":-0,"seed":9223372036854775807'
  expect((await helix.post(saying('Hi', numbers))).status).toBe(200)
})

test('a lone surrogate becomes a replacement character before it reaches the engine', async () => {
  expect((await helix.post(saying('a\\ud83db'))).status).toBe(200)
  expect(seen.at(-1)).toBe('a\ufffdb')
  const parts = `[{"type":"text","text":"\\udc00"}]`
  await helix.post(`{"model":"${modelName}","messages":[{"role":"user","content":${parts},"name":"\\ud83d"}]}`)
  expect(seen.at(-1)).toBe('\ufffd')
})

test('a lone surrogate as a stop sequence cannot split a character of the answer', async () => {
  const response = await helix.post(saying('Hi', ',"stop":["\\udc69"]'))
  expect(await response.json()).toMatchObject({ choices: [{ message: { content: '👩👨' } }] })
})

test('an error never contains a lone surrogate', async () => {
  const half = await helix.post(saying('Hi', ',"\\ud83d":1'))
  expect((await readError(half)).message).toBe('Unrecognized request argument supplied: \ufffd')
  const model = await helix.post(`{"model":"\\ud83d","messages":[{"role":"user","content":"a"}]}`)
  expect((await readError(model)).message).toContain('`\ufffd`')
})

test('an error contains only part of a long name', async () => {
  const name = 'n'.repeat(5000)
  const bodies = [
    saying('Hi', `,"${name}":1`),
    saying('Hi', `,"stream":true,"stream_options":{"${name}":1}`),
    `{"model":"${name}","messages":[{"role":"user","content":"a"}]}`,
    `{"model":"${modelName}","messages":[{"role":"${name}","content":"a"}]}`,
  ]
  for (const body of bodies) expect(JSON.stringify(await readError(await helix.post(body))).length).toBeLessThan(500)
})

test('a NUL character reaches the engine unchanged', async () => {
  expect((await helix.post(saying('a\\u0000b'))).status).toBe(200)
  expect(seen.at(-1)).toBe('a\0b')
})
