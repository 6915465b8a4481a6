import { beforeAll, expect, test } from 'vitest'
import { keyedChat } from '../harness/keyed-chat.ts'
import { openRawConnection } from '../harness/raw-connection.ts'
import { expectRawError } from '../harness/raw-request.ts'
import { type Helix, modelName, openHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix()
  return helix.close
})
const askRaw = async (...lines: string[]) => {
  const json = JSON.stringify({ model: modelName, messages: [{ role: 'user', content: 'Hi' }] })
  const head = ['POST /v1/chat/completions HTTP/1.1', 'host: x', `authorization: Bearer ${helix.key}`, ...lines]
  const connection = await openRawConnection(helix.url)
  connection.send(`${head.join('\r\n')}\r\ncontent-length: ${json.length}\r\n\r\n${json}`)
  return connection.answer()
}

test.each([
  ['empty', ['idempotency-key:']],
  ['blank', ['idempotency-key:   ']],
  ['too long', [`idempotency-key: ${'x'.repeat(256)}`]],
  ['sent twice', ['idempotency-key: a', 'idempotency-key: a']],
  ['sent twice in other letters', ['Idempotency-Key: a', 'IDEMPOTENCY-KEY: b']],
  ['not ASCII', ['idempotency-key: schl\u00fcssel']],
])('a key that is %s is refused', async (_, lines) => {
  const answer = await askRaw(...lines)
  expectRawError(answer, 400, 'invalid_idempotency_key')
  expect(answer.headers.get('x-should-retry')).toBe('false')
})

test('a key may have 255 characters, and may be a sentence', async () => {
  expect((await keyedChat(helix, '~'.repeat(255))).status).toBe(200)
  expect((await keyedChat(helix, 'order 17, "try" 2')).status).toBe(200)
})

test('an invalid body is reported first, and the error is not stored', async () => {
  const wrong = await keyedChat(helix, 'wrong', { temperature: 7 })
  expect(wrong.status).toBe(400)
  expect(await wrong.json()).toMatchObject({ error: { param: 'temperature' } })
  const right = await keyedChat(helix, 'wrong', { temperature: 1 })
  expect(right.status).toBe(200)
  expect(right.headers.has('idempotent-replayed')).toBe(false)
})
