import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { openEmbeddedEngine } from '../../src/engine/embedded/embedded-engine.ts'
import { readModel } from '../../src/engine/model-folder.ts'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { engineThreads } from '../harness/engine-threads.ts'
import { readRows } from '../harness/ledger-rows.ts'
import { liveEvents } from '../harness/live-events.ts'
import { openTinyEngine } from '../harness/open-tiny-engine.ts'
import { chatBody, rawRequests } from '../harness/raw-request.ts'
import { type Helix, startHelix } from '../harness/start-helix.ts'

const patience = { timeout: 600_000 }

const accountOf = async (helix: Helix, model: string, email: string) => {
  const { firstKey } = await signUp(helix.url, email)
  const ask = (body: object, signal: AbortSignal | null = null): Promise<Response> =>
    fetch(`${helix.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${firstKey.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Tell me a story.' }], ...body }),
      signal,
    })
  return { key: firstKey.key, ask }
}

const answers = {
  greedy: { temperature: 0, max_tokens: 150, ignore_eos: true },
  seeded: { temperature: 1, seed: 7, max_tokens: 150, ignore_eos: true },
  'with log probabilities': { temperature: 0, max_tokens: 100, ignore_eos: true, logprobs: true, top_logprobs: 3 },
  'of a schema': {
    temperature: 1,
    seed: 3,
    max_tokens: 400,
    response_format: {
      type: 'json_schema',
      json_schema: {
        name: 'list',
        schema: { type: 'array', items: { type: 'integer' }, minItems: 40, maxItems: 60 },
      },
    },
  },
  'of two choices': { temperature: 1, seed: 5, n: 2, max_tokens: 100, ignore_eos: true },
  speculated: { temperature: 0, max_tokens: 120, ignore_eos: true, logit_bias: { 50: 60 } },
}

test('answers of owners that take turns are those of each alone, to the last token', patience, async () => {
  // On one slot: with several, this model's sums depend a little on how many answers a step has.
  const engine = await openTinyEngine('tiny-chat', 'tiny-chat', 1)
  await engine.firstLoad
  const helix = await startHelix({ startEngine: () => engine, config: { reservedSlots: 0, signUpsPerHour: 1000 } })
  await claimServer(helix)
  const accounts = await Promise.all(
    Object.values(answers).map((body, index) =>
      accountOf(helix, engine.model.id, `${index}@example.com`).then(({ ask }) => async () => {
        const response = await ask(body)
        expect(response.status).toBe(200)
        const { choices, usage } = (await response.json()) as { choices: unknown[]; usage: object }
        return { choices, usage: { ...usage, prompt_tokens_details: null } }
      }),
    ),
  )
  const alone = []
  for (const answer of accounts) alone.push(await answer())
  const paused = async (): Promise<number> =>
    (await readRows(helix)).reduce((sum, { settlement }) => sum + (settlement?.pauses?.count ?? 0), 0)
  expect(await paused()).toBe(0)
  expect(await Promise.all(accounts.map((answer) => answer()))).toEqual(alone)
  // Six owners on one slot, each with several turns to take.
  expect(await paused()).toBeGreaterThanOrEqual(6)
})

const modelFolder = fileURLToPath(new URL('../../models/helix-v1', import.meta.url))
const workerPath = fileURLToPath(new URL('../../src/engine-process.ts', import.meta.url))

const startModel = async (slots: number) => {
  const engine = openEmbeddedEngine({
    ...{ modelFiles: await readModel(modelFolder), slots, threads: engineThreads, clock: systemClock, workerPath },
    log: { info: () => {}, warn: () => {}, error: () => {} },
  })
  onTestFinished(() => engine.close())
  await engine.firstLoad
  const helix = await startHelix({
    startEngine: () => engine,
    config: { signUpsPerHour: 1000, queueTimeoutMs: 600_000, reservedSlots: 0 },
  })
  await claimServer(helix)
  const [one, two, three] = await Promise.all(
    ['1@example.com', '2@example.com', '3@example.com'].map((email) => accountOf(helix, engine.model.id, email)),
  )
  if (one === undefined || two === undefined || three === undefined) throw new Error('there are three')
  return { helix, one, two, three }
}
const long = { stream: true, max_tokens: 2000, ignore_eos: true }
const short = { max_tokens: 4, ignore_eos: true }

test('eight long streams of two accounts make room for a third within a turn', patience, async () => {
  const { helix, one, two, three } = await startModel(4)
  const leaving = new AbortController()
  const streams = [one, two, one, two, one, two, one, two].map(({ ask }) => ask(long, leaving.signal))
  const tokens = new Array<number>(8).fill(0)
  const read = streams.map(async (stream, index) => {
    const events = liveEvents(await stream)
    while (((await events.next())?.data ?? '[DONE]') !== '[DONE]') tokens[index] = (tokens[index] ?? 0) + 1
  })
  for (const reading of read) reading.catch(() => {})
  await expect.poll(() => tokens.filter((count) => count > 2).length, patience).toBe(4)
  const before = tokens.reduce((sum, count) => sum + count)
  expect((await three.ask(short)).status).toBe(200)
  const during = tokens.reduce((sum, count) => sum + count) - before
  // At most a turn of each slot until it started, and while it ran its few tokens and read its prompt.
  expect(during).toBeLessThan(4 * 32 * 2)
  leaving.abort()
  await Promise.allSettled(read)
  const rows = await readRows(helix)
  expect(rows.filter(({ settlement }) => settlement?.outcome === 'completed')).toHaveLength(1)
})

test('four clients that do not read make room, too', patience, async () => {
  const { helix, one, two, three } = await startModel(4)
  for (const { key } of [one, one, two, two]) {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(helix.url).port) })
    onTestFinished(() => void socket.destroy())
    const body = chatBody('Tell me a story.', { ...long, max_tokens: 4000 })
    const { post } = rawRequests({ key })
    socket.write(`${post('connection: close', `content-length: ${body.length}`)}${body}`)
  }
  await expect.poll(async () => (await readRows(helix)).length, patience).toBe(4)
  expect((await three.ask(short)).status).toBe(200)
  const rows = await readRows(helix)
  // None of the four has ended: the third did not wait for that.
  expect(rows.filter(({ settlement }) => settlement === null)).toHaveLength(4)
})
