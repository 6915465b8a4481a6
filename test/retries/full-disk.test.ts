import { expect, test } from 'vitest'
import { keyedChat } from '../harness/keyed-chat.ts'
import { ledgerRows, settledRows } from '../harness/ledger-rows.ts'
import { readError } from '../harness/read-error.ts'
import { startHelix } from '../harness/start-helix.ts'

const asked = 120
const words = Array.from({ length: 99 }, () => 'word ')

test.each([
  ['disk', { replayDiskLimitBytes: 2_000_000 }],
  ['memory', { replayMemoryLimitBytes: 2_000_000 }],
])('with %s nearly full, an answer is either refused before it starts or can be replayed', async (_, config) => {
  let runs = 0
  const all = Promise.withResolvers<void>()
  const helix = await startHelix({
    config: { ...config, queueLimit: asked },
    engine: { slots: asked },
    // No answer ends before every request was admitted or refused: all need space at the same time.
    *answer() {
      runs += 1
      yield* words
      yield { pause: all.promise }
    },
  })
  const body = { stream: true, max_tokens: 100 }
  let refused = 0
  const first = await Promise.all(
    Array.from({ length: asked }, async (_, index) => {
      const response = await keyedChat(helix, `k${index}`, body)
      if (response.status === 200) return { index, response, text: response.text() }
      refused += 1
      expect(response.status).toBe(503)
      expect(await readError(response)).toMatchObject({ code: 'replay_buffer_full' })
      expect(response.headers.has('retry-after')).toBe(true)
      return null
    }),
  )
  all.resolve()
  const given = first.filter((one) => one !== null)
  expect(given.length).toBeGreaterThan(0)
  expect(refused).toBeGreaterThan(0)
  const texts = await Promise.all(given.map(({ text }) => text))
  // What was refused did not start and is not billed.
  expect(runs).toBe(given.length)
  expect(await ledgerRows(helix)).toHaveLength(given.length)
  for (const [place, { index }] of given.entries()) {
    const again = await keyedChat(helix, `k${index}`, body)
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
    expect(await again.text()).toBe(texts[place])
  }
})

test('an upstream with long pieces is known after its first answer: the next ones are refused or can be replayed', async () => {
  let runs = 0
  let all = Promise.resolve()
  const helix = await startHelix({
    config: { replayDiskLimitBytes: 2_000_000, queueLimit: asked },
    engine: { slots: asked },
    *answer() {
      runs += 1
      yield* Array.from({ length: 20 }, () => 'x'.repeat(10_000))
      yield { pause: all }
    },
  })
  const body = { stream: true, max_tokens: 30 }
  await keyedChat(helix, 'first', body).then(readWhole)
  const more = Promise.withResolvers<void>()
  all = more.promise
  const sent = await Promise.all(Array.from({ length: 40 }, (_, index) => keyedChat(helix, `k${index}`, body)))
  more.resolve()
  const given = sent.flatMap((response, index) => (response.status === 200 ? [{ index, response }] : []))
  expect(given.length).toBeGreaterThan(0)
  expect(runs).toBe(given.length + 1)
  for (const { index, response } of given) {
    const text = await response.text()
    const again = await keyedChat(helix, `k${index}`, body)
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
    expect(await again.text()).toBe(text)
  }
})

/** Each answer has 200 KB, and may have 300 KB. */
const longPieces = Array.from({ length: 20 }, () => 'x'.repeat(10_000))
const longBody = { stream: true, max_tokens: 30 }

test.each([
  ['disk', { replayDiskLimitBytes: 2_000_000 }],
  ['memory', { replayMemoryLimitBytes: 2_000_000 }],
])(
  'right after a start, with little %s, answers of long pieces are refused unbilled or can be replayed',
  async (_, config) => {
    const all = Promise.withResolvers<void>()
    const helix = await startHelix({
      config: { ...config, queueLimit: asked },
      engine: { slots: asked },
      *answer() {
        yield* longPieces.slice(1)
        yield { pause: all.promise }
        yield* longPieces.slice(0, 1)
      },
    })
    const sent = await Promise.all(Array.from({ length: 40 }, (_, index) => keyedChat(helix, `k${index}`, longBody)))
    all.resolve()
    const given = sent.flatMap((response, index) => (response.status === 200 ? [{ index, response }] : []))
    expect(given.length).toBeGreaterThan(0)
    expect(given.length).toBeLessThan(40)
    for (const { index, response } of given) {
      const text = await response.text()
      expect(text).toContain('[DONE]')
      const again = await keyedChat(helix, `k${index}`, longBody)
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
      expect(await again.text()).toBe(text)
    }
    for (const response of sent.filter(({ status }) => status !== 200)) {
      expect([response.status, response.headers.has('retry-after')]).toEqual([503, true])
      expect(await readError(response)).toMatchObject({ code: 'replay_buffer_full' })
    }
    const rows = await ledgerRows(helix)
    const billed = rows.filter((row) => row.promptTokens !== 0 || row.completionTokens !== 0)
    expect(billed).toHaveLength(given.length)
  },
)

test('right after a start, forty answers of long pieces keep their space while others ask for it', async () => {
  const all = Promise.withResolvers<void>()
  const helix = await startHelix({
    // A busy machine takes longer than a heartbeat for them, and pings are not replayed.
    config: { replayDiskLimitBytes: 16_000_000, queueLimit: 1_000, heartbeatMs: 600_000 },
    engine: { slots: 1_000 },
    *answer() {
      yield* longPieces.slice(1)
      yield { pause: all.promise }
      yield* longPieces.slice(0, 1)
    },
  })
  const ask = (index: number) => keyedChat(helix, `k${index}`, longBody)
  const first = await Promise.all(Array.from({ length: 40 }, (_, index) => ask(index)))
  expect(first.map(({ status }) => status)).toEqual(first.map(() => 200))
  const others = await Promise.all(Array.from({ length: 200 }, (_, index) => ask(40 + index)))
  all.resolve()
  for (const [index, response] of [...first, ...others].entries()) {
    if (response.status !== 200) continue
    const text = await response.text()
    const again = await ask(index)
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
    expect(await again.text()).toBe(text)
  }
})

test.each([
  ['a stream, with little disk', true, { replayDiskLimitBytes: 2_000_000 }],
  ['a stream, with little memory', true, { replayMemoryLimitBytes: 2_000_000 }],
  ['a JSON response, with little disk', false, { replayDiskLimitBytes: 2_000_000 }],
])(
  'an answer whose first piece is short and whose others are long can be replayed or is not billed: %s',
  async (_, stream, config) => {
    const all = Promise.withResolvers<void>()
    const helix = await startHelix({
      config: { ...config, queueLimit: asked },
      engine: { slots: asked },
      *answer() {
        yield 'x'
        yield { pause: all.promise }
        yield* longPieces
      },
    })
    const body = { stream, max_tokens: 30 }
    const sending = Array.from({ length: 40 }, (_, index) => keyedChat(helix, `k${index}`, body))
    if (stream) await Promise.all(sending)
    all.resolve()
    let billed = 0
    let refused = 0
    for (const [index, response] of (await Promise.all(sending)).entries()) {
      const text = await response.text()
      if (text.includes('replay_buffer_full')) {
        refused += 1
        continue
      }
      billed += 1
      const again = await keyedChat(helix, `k${index}`, body)
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
      expect(await again.text()).toBe(text)
    }
    // How many fit depends on how many run side by side. Memory is free again once an answer has ended, so all of them may fit.
    if ('replayDiskLimitBytes' in config) expect(refused).toBeGreaterThan(0)
    const rows = await settledRows(helix, sending.length)
    expect(rows.filter((row) => row.promptTokens !== 0 || row.completionTokens !== 0)).toHaveLength(billed)
  },
)

test('after an answer that did not fit, the next one is refused before it begins', async () => {
  const half = Array.from({ length: 5 }, () => 'x'.repeat(80_000))
  const answers = [half, ['x', ...longPieces, ...longPieces, ...longPieces]]
  let runs = 0
  const helix = await startHelix({
    config: { replayDiskLimitBytes: 1_000_000 },
    answer() {
      runs += 1
      return answers.shift() ?? ['x']
    },
  })
  const ask = (key: string, max_tokens: number) => keyedChat(helix, key, { stream: true, max_tokens })
  expect(await (await ask('first', 5)).text()).toContain('[DONE]')
  expect(await (await ask('second', 70)).text()).toContain('replay_buffer_full')
  const next = await ask('third', 70)
  expect([next.status, runs]).toEqual([503, 2])
  expect((await ask('second', 5)).status).toBe(200)
})

test('space that an answer did not use is released when it ends', async () => {
  const helix = await startHelix({ config: { replayDiskLimitBytes: 200_000, replayMemoryLimitBytes: 200_000 } })
  // Each may use half of the space, and uses a hundredth of it.
  for (let index = 0; index < 20; index += 1)
    expect((await keyedChat(helix, `k${index}`, { stream: true, max_tokens: 200 }).then(readWhole)).status).toBe(200)
})

const readWhole = async (response: Response): Promise<Response> => {
  await response.text()
  return response
}
