import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { openRemoteEngine } from '../../src/engine/remote/remote-engine.ts'
import { openTokenCounters } from '../../src/engine/remote/tokenizer/token-counters.ts'
import { createLogCatcher } from '../harness/log-catcher.ts'
import { readLedger } from '../harness/read-ledger.ts'
import {
  deltaEvent,
  doneEvent,
  finishEvent,
  pieceEvent,
  sayJson,
  startUpstream,
  usageEvent,
} from '../harness/scripted-upstream.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'
import { writeTokenizer } from '../harness/tiny-tokenizer.ts'

const { log } = createLogCatcher({ clock: systemClock, format: 'json' })

const start = async (answer: (response: ServerResponse) => unknown, { tokenizer = false } = {}) => {
  const upstream = await startUpstream(answer)
  const counters = openTokenCounters({ clock: systemClock, log })
  onTestFinished(() => counters.close())
  const engine = openRemoteEngine({
    ...{ baseUrl: upstream.baseUrl, key: null, upstreamModel: 'theirs', name: modelName, contextTokens: null },
    ...{ slots: 4, created: 0, log, ...(tokenizer ? { counter: counters.of(writeTokenizer()) } : {}) },
  })
  return startHelix({ startEngine: () => engine })
}
type Helix = Awaited<ReturnType<typeof start>>

/** Sends the same event until the other side closes the connection. */
const endless = (event: string, onClosed: () => void = () => {}) => {
  return (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const write = (): void => {
      while (!response.destroyed && response.write(event));
    }
    response.on('drain', write)
    response.on('close', onClosed)
    write()
  }
}
type Chunk = {
  choices: { delta: { content?: string; reasoning_content?: string }; finish_reason: string | null }[]
  usage?: { completion_tokens: number }
}
const read = async (helix: Helix, body: object) => {
  const streamed = { stream: true, stream_options: { include_usage: true } }
  const text = await (await helix.chat({ ...streamed, ...body })).text()
  const chunks = text.split('\n').filter((line) => line.startsWith('data: {'))
  const parsed = chunks.map((line) => JSON.parse(line.slice(6)) as Chunk)
  const deltas = parsed.flatMap(({ choices: [choice] }) => choice ?? [])
  return {
    said: deltas.map(({ delta }) => (delta.content ?? '') + (delta.reasoning_content ?? '')).join(''),
    finish: deltas.map(({ finish_reason }) => finish_reason).findLast((reason) => reason !== null),
    tokens: parsed.at(-1)?.usage?.completion_tokens,
  }
}

test.each([
  ['text in large parts', pieceEvent('x'.repeat(100_000))],
  ['reasoning in large parts', deltaEvent({ reasoning_content: 'why '.repeat(20_000) })],
  ['three-byte characters', pieceEvent('日'.repeat(30_000))],
  ['white space, which hardly counts', pieceEvent(' '.repeat(50_000))],
])('an upstream that does not stop is cut at the limit and closed, and the limit is billed: %s', async (_, event) => {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const helix = await start(endless(event, resolve))
  const { said, finish, tokens } = await read(helix, { max_tokens: 50 })
  await closed
  expect(Buffer.byteLength(said)).toBeLessThanOrEqual(50 * 256)
  expect(said).not.toContain('\ufffd')
  expect(finish).toBe('length')
  const [row] = await readLedger(helix)
  expect(row?.settlement).toMatchObject({ completionTokens: tokens, isEstimated: true })
  expect(tokens).toBeLessThanOrEqual(50)
  expect(tokens).toBeGreaterThan(0)
})

test('one that sends a word in each part is cut soon after as many parts', async () => {
  const helix = await start(endless(pieceEvent('word ')))
  const { said, finish, tokens } = await read(helix, { max_tokens: 50 })
  expect(said.length).toBeGreaterThanOrEqual(5 * 50)
  expect(said.length).toBeLessThanOrEqual(1.5 * 5 * 50)
  expect([finish, tokens]).toEqual(['length', 50])
})

test('tokens that come with log probabilities are counted as they are', async () => {
  const token = deltaEvent({ content: ' a' }, { logprobs: { content: [{ token: ' a', logprob: -1 }] } })
  const helix = await start(endless(token))
  const { said, finish, tokens } = await read(helix, { max_tokens: 50, logprobs: true })
  expect([said, finish, tokens]).toEqual([' a'.repeat(50), 'length', 50])
})

test('each of several choices has the limit', async () => {
  const helix = await start(endless(pieceEvent('words ')))
  const text = await (await helix.chat({ n: 2, max_tokens: 20, stream: true })).text()
  const lengthOf = (index: number) =>
    text
      .split('\n')
      .filter((line) => line.includes(`"index":${index}`))
      .join('').length
  expect(text).not.toContain('"error"')
  expect(lengthOf(0)).toBeGreaterThan(0)
  expect(Math.max(lengthOf(0), lengthOf(1))).toBeLessThan(40 * 400)
})

test.each([100_000, 8_000_000])('a JSON answer of %d characters is cut too', async (length) => {
  const long = await start((response) => sayJson(response, { content: 'y'.repeat(length) }))
  const answer = (await (await long.chat({ max_tokens: 50 })).json()) as {
    choices: { message: { content: string }; finish_reason: string }[]
  }
  expect(answer.choices[0]).toMatchObject({ message: { content: 'y'.repeat(50 * 256) }, finish_reason: 'length' })
})

test.each([
  ['single characters', [...'Twelve tokens are written here one by one.'], 12],
  ['whole sentences', ['It is ', 'all in few parts, '.repeat(3)], 20],
  ['long runs of spaces and lines', [' '.repeat(128), '='.repeat(128), '\n'.repeat(64)], 3],
])('an honest upstream is never cut, whatever a part is: %s', async (_, parts, limit) => {
  const helix = await start((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end([...parts.map(pieceEvent), finishEvent(), usageEvent(7, limit), doneEvent].join(''))
  })
  const { said, finish, tokens } = await read(helix, { max_tokens: limit })
  expect(said).toBe(parts.join(''))
  expect([finish, tokens]).toEqual(['stop', limit])
})

test('with a tokenizer the limit is exact, however the answer is cut into parts', async () => {
  for (const part of [' cat', ' cat cat cat', ' cat'.repeat(5000)]) {
    const helix = await start(endless(pieceEvent(part)), { tokenizer: true })
    const { said, finish, tokens } = await read(helix, { max_tokens: 50 })
    expect([said, finish, tokens]).toEqual([' cat'.repeat(50), 'length', 50])
    const [row] = await readLedger(helix)
    expect(row?.settlement?.completionTokens).toBe(50)
  }
})

test('with a tokenizer an honest answer of exactly the limit is whole', async () => {
  const helix = await start(
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const parts = Array.from({ length: 40 }, () => pieceEvent(' cat'))
      response.end([...parts, finishEvent('length'), usageEvent(7, 40), doneEvent].join(''))
    },
    { tokenizer: true },
  )
  expect(await read(helix, { max_tokens: 40 })).toEqual({ said: ' cat'.repeat(40), finish: 'length', tokens: 40 })
})

test('the connection of an answer that was cut is not used again', async () => {
  const sockets = new Set<unknown>()
  const helix = await start((response) => {
    sockets.add(response.socket)
    endless(pieceEvent('x'.repeat(100_000)))(response)
  })
  await read(helix, { max_tokens: 1 })
  await read(helix, { max_tokens: 1 })
  expect(sockets.size).toBe(2)
})
