import { expect, test } from 'vitest'
import { openRawConnection } from '../harness/raw-connection.ts'
import { chatBody, rawRequests } from '../harness/raw-request.ts'
import { startHelix } from '../harness/start-helix.ts'

const countingLetters = {
  answer: (messages: readonly { content: string }[]) => [`${messages.at(-1)?.content.length}`],
  engine: { model: { contextTokens: 10_000_000 } },
}

test('while a message near the limit arrives, and after it, other requests are answered', async () => {
  const helix = await startHelix(countingLetters)
  const connection = await openRawConnection(helix.url)
  const long = '猫'.repeat(1_300_000)
  const request = rawRequests(helix).postBody(long)
  const bytes = Buffer.from(request)
  expect(bytes.length).toBeGreaterThan(3_900_000)
  connection.send(bytes.subarray(0, -1))
  expect(await (await helix.chat({})).json()).toMatchObject({ choices: [{ message: { content: '2' } }] })
  connection.send(bytes.subarray(-1))
  const others = await Promise.all([1, 2, 3].map(() => helix.chat({ stream: true })))
  for (const other of others) expect(await other.text()).toContain('[DONE]')
  expect((await connection.answer()).body).toContain(`"content":"${long.length}"`)
})

test('a message of a million escapes, or sent in the smallest pieces, is read like any other', async () => {
  const helix = await startHelix(countingLetters)
  const escapes = chatBody('').replace('"content":""', `"content":"${'\\n'.repeat(1_000_000)}"`)
  expect(await (await helix.post(escapes)).text()).toContain('"content":"1000000"')
  const connection = await openRawConnection(helix.url)
  connection.send(rawRequests(helix).post('transfer-encoding: chunked'))
  const json = chatBody('x'.repeat(100_000))
  connection.send(`${[...json].map((letter) => `1\r\n${letter}\r\n`).join('')}0\r\n\r\n`)
  expect((await connection.answer()).body).toContain('"content":"100000"')
})
