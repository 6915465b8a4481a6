import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { validBody, wrongBody } from '../../../test/harness/chat-bodies.ts'
import { gridRuns } from '../../../test/harness/grid.ts'
import { ApiError } from '../../base/api-error.ts'
import { systemClock } from '../../base/clock.ts'
import type { BodyBlocks } from '../../http/read-body.ts'
import type { NeededExtracts } from '../generation/request/body-extracts.ts'
import { openApiBodyReaders } from './api-body-readers.ts'

const options = { clock: systemClock, bodyLimitBytes: 4_194_304 }
const onMainThread = openApiBodyReaders({ ...options, inlineBytes: Number.POSITIVE_INFINITY })
const onThreads = openApiBodyReaders({ ...options, inlineBytes: -1 })
afterAll(() => Promise.all([onMainThread.close(), onThreads.close()]))
const [here, apart] = [onMainThread.reader('chat'), onThreads.reader('chat')]

const { signal } = new AbortController()

/** In two blocks, however short it is. */
const toBlocks = (body: string | Uint8Array): BodyBlocks => {
  const bytes = Uint8Array.from(Buffer.from(body))
  const middle = Math.floor(bytes.length / 2)
  return [bytes.slice(0, middle), bytes.slice(middle)]
}

/** The request, or everything of the error that a caller sees. */
const readOutcome = async (reader: typeof here, body: string | Uint8Array, needs: NeededExtracts): Promise<unknown> => {
  try {
    return await reader.read(toBlocks(body), { ownerId: 'usr_1', needs, exchange: { signal, cpuMs: 0 } })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { errorName, status, type, code, message, options } = error
    return { errorName, status, type, code, message, options }
  }
}

const needs = fc.record({ hash: fc.boolean(), copy: fc.boolean(), strict: fc.boolean() })
const body = fc.oneof(
  validBody.map((value) => JSON.stringify(value)),
  wrongBody.map((wrong) => JSON.stringify(wrong.body)),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.uint8Array({ maxLength: 50 }),
  // Half a character, a number without end, a key that means something to JavaScript.
  fc.constantFrom(
    '{"model":"m","messages":[{"role":"user","content":"\\ud83d"}],"__proto__":1}',
    '{"model":"m","messages":[{"role":"user","content":"a"}],"chat_template_kwargs":{"__proto__":{"a":1e999},"b":-0}}',
    '{"model":"m","messages":[{"role":"user","content":"a"}],"metadata":{"__proto__":"x","constructor":"y"}}',
  ),
)

test('a body, valid or not, has the same result on the main thread and on another', async () => {
  const alike = fc.asyncProperty(body, needs, async (sent, wanted) => {
    const [near, far] = await Promise.all([readOutcome(here, sent, wanted), readOutcome(apart, sent, wanted)])
    expect(far).toEqual(near)
  })
  await fc.assert(alike, { numRuns: gridRuns(1500) })
}, 120_000)

test('a prompt that cannot fit the context of its model is refused where its body is read, and one for another model is not', async () => {
  const contexts = new Map([['small', 100]])
  const extracts = { hash: false, copy: false, strict: false, contexts }
  const content = 'x'.repeat(30_000)
  const asked = (model: string): string => JSON.stringify({ model, messages: [{ role: 'user', content }] })
  for (const reader of [here, apart]) {
    for (const maxTextBytes of [null, 100 * 128])
      expect(await readOutcome(reader, asked('small'), { ...extracts, maxTextBytes })).toMatchObject({
        errorName: 'context_length_exceeded',
        message: expect.stringContaining('more than 100 tokens'),
      })
    expect(await readOutcome(reader, asked('other'), extracts)).toMatchObject({ prompt: { messages: [{ content }] } })
  }
})

test('the bytes are freed once they were read', async () => {
  for (const reader of [here, apart]) {
    const blocks = toBlocks('{"model":"m","messages":[{"role":"user","content":"a"}]}')
    await reader.read(blocks, {
      ownerId: 'usr_1',
      needs: { hash: false, copy: false, strict: true },
      exchange: { signal, cpuMs: 0 },
    })
    expect(blocks.map(({ buffer }) => buffer.detached)).toEqual([true, true])
  }
})

test('a client that disconnects ends the wait with its reason', async () => {
  const gone = new AbortController()
  const reason = new Error('gone')
  const read = apart.read(toBlocks('{}'), {
    ownerId: 'usr_1',
    needs: { hash: false, copy: false, strict: true },
    exchange: { signal: gone.signal, cpuMs: 0 },
  })
  gone.abort(reason)
  await expect(read).rejects.toBe(reason)
})

test('an owner with many bodies does not delay the body that another sends to another endpoint', async () => {
  const exchange = { signal, cpuMs: 0 }
  const needs = { hash: false, copy: false, strict: false }
  const message = { role: 'user', content: 'x'.repeat(200_000) }
  const chat = JSON.stringify({ model: 'm', messages: [message] })
  let read = 0
  const many = Array.from({ length: 30 }, async () => {
    await apart.read(toBlocks(chat), { ownerId: 'usr_many', needs, exchange })
    read += 1
  })
  const body = toBlocks(JSON.stringify({ model: 'm', prompt: 'Hi' }))
  const other = await onThreads.reader('completions').read(body, { ownerId: 'usr_other', needs, exchange })
  expect(other).toMatchObject({ model: 'm' })
  // As many as there are threads may have been read before it, and as many while it was.
  expect(read).toBeLessThan(10)
  await Promise.all(many)
  expect(read).toBe(30)
})
