import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { LedgerRow } from '../../src/store/ledger-contract.ts'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { readRows } from '../harness/ledger-rows.ts'
import { liveEvents } from '../harness/live-events.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { chatBody, rawRequests } from '../harness/raw-request.ts'
import { readEvents } from '../harness/read-events.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

const patience = { timeout: 30_000 }
/** No time passes: only what is generated ends a turn. Numbers are counted up to the one that was asked for, or without an end. */
const startCounting = async (slots: number, config = {}) => {
  const served: string[] = []
  let isHeld = true
  const clock = createManualClock()
  const helix = await startHelix({
    clock,
    engine: { slots, canPause: true, model: { contextTokens: 10_000_000 } },
    config: { signUpsPerHour: 1000, reservedSlots: 0, ...config },
    *answer([message]) {
      const asked = message?.content ?? ''
      served.push(asked)
      const length = Number(asked.split(' ')[1] ?? Number.POSITIVE_INFINITY)
      for (let number = 1; number <= length && (isHeld || !asked.startsWith('endless')); number += 1) yield `${number} `
    },
  })
  const end = (): void => {
    isHeld = false
  }
  onTestFinished(end)
  await claimServer(helix)
  const accountOf = async (email: string) => {
    const { firstKey, post } = await signUp(helix.url, email)
    return {
      key: firstKey.key,
      stop: () => post(`/keys/${firstKey.id}/pause`),
      ask: (content: string, more: object = {}, init: RequestInit = {}) =>
        fetch(`${helix.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${firstKey.key}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            ...{ model: modelName, messages: [{ role: 'user', content }], stream: true, max_tokens: 1_000_000 },
            ...more,
          }),
          ...init,
        }),
    }
  }
  const rowsOf = async (count: number): Promise<LedgerRow[]> => {
    await expect.poll(async () => (await settled()).length, patience).toBe(count)
    return settled()
  }
  const settled = async () => (await readRows(helix)).filter(({ settlement }) => settlement !== null)
  return { helix, clock, accountOf, served, rowsOf, end }
}

const counted = (length: number): string => Array.from({ length }, (_, index) => `${index + 1} `).join('')
const textOf = async (response: Response): Promise<string> =>
  (await readEvents(response))
    .filter((event) => event !== '[DONE]')
    .map(
      (event) => (JSON.parse(event) as { choices: { delta: { content?: string } }[] }).choices[0]?.delta.content ?? '',
    )
    .join('')

test('eight endless streams of two accounts do not keep a third account from its answer', async () => {
  const { accountOf, served, end } = await startCounting(4, { reservedSlots: 1 })
  const [one, two, three] = [await accountOf('1@a.test'), await accountOf('2@a.test'), await accountOf('3@a.test')]
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const flood = [one, one, one, one, two, two, two, two].map(({ ask }) =>
    ask('endless', {}, { signal: leaving.signal }).catch(() => null),
  )
  await expect.poll(() => served.length, patience).toBeGreaterThanOrEqual(4)
  for (let question = 0; question < 3; question += 1) expect(await textOf(await three.ask('to 5'))).toBe(counted(5))
  end()
  leaving.abort()
  await Promise.all(flood)
})

test('answers that are paused in turns are complete, billed once, and say how long they stood still', async () => {
  const { accountOf, rowsOf } = await startCounting(2)
  const accounts = await Promise.all(['1@b.test', '2@b.test', '3@b.test', '4@b.test'].map(accountOf))
  const answers = await Promise.all(accounts.map(({ ask }) => ask('to 3000')))
  for (const text of await Promise.all(answers.map(textOf))) expect(text).toBe(counted(3000))
  const rows = await rowsOf(4)
  expect(rows.map(({ settlement }) => settlement?.completionTokens)).toEqual([3000, 3000, 3000, 3000])
  const pauses = rows.map(({ settlement }) => settlement?.pauses?.count ?? 0)
  // Turns of 32 tokens on two slots: each of the four makes room for the others many times, however late they arrive.
  for (const count of pauses) expect(count).toBeGreaterThanOrEqual(1)
  for (const count of pauses) expect(count).toBeLessThanOrEqual(Math.ceil(3000 / 32))
})

test('an account that is alone is not paused, however much it sends', async () => {
  const { accountOf, rowsOf } = await startCounting(2)
  const { ask } = await accountOf('1@c.test')
  await Promise.all([1, 2, 3, 4].map(async () => textOf(await ask('to 200'))))
  for (const { settlement } of await rowsOf(4)) expect(settlement?.pauses).toBeUndefined()
})

test('several choices of one request are paused and complete, too', async () => {
  const { accountOf, rowsOf } = await startCounting(3)
  const [one, two] = [await accountOf('1@d.test'), await accountOf('2@d.test')]
  const many = one.ask('to 150', { n: 5, stream: false })
  const others = Promise.all([1, 2].map(async () => textOf(await two.ask('to 150'))))
  const { choices } = (await (await many).json()) as { choices: { message: { content: string } }[] }
  expect(choices.map(({ message }) => message.content)).toEqual(new Array(5).fill(counted(150)))
  expect(await others).toEqual([counted(150), counted(150)])
  const rows = await rowsOf(3)
  expect(rows.map(({ settlement }) => settlement?.completionTokens).sort()).toEqual([150, 150, 750])
})

test('a client that leaves while its answer is paused pays for what it received, and nothing stays behind', async () => {
  const { helix, accountOf, rowsOf, end } = await startCounting(1)
  const [one, two] = [await accountOf('1@e.test'), await accountOf('2@e.test')]
  const first = liveEvents(await one.ask('endless'))
  await first.next()
  const second = liveEvents(await two.ask('endless'))
  await second.next()
  await first.leave()
  await second.leave()
  await expect.poll(() => helix.engine.active(), patience).toBe(0)
  end()
  for (const { settlement } of await rowsOf(2)) {
    expect(settlement).toMatchObject({ outcome: 'client_closed' })
    expect(settlement?.completionTokens).toBeGreaterThan(0)
  }
  expect(await textOf(await one.ask('to 3'))).toBe(counted(3))
})

test('a paused answer whose key is stopped ends with an error, and the other goes on', async () => {
  const { helix, accountOf, rowsOf } = await startCounting(1)
  const [one, two] = [await accountOf('1@f.test'), await accountOf('2@f.test')]
  const first = one.ask('endless').then((response) => response.text())
  await expect.poll(() => helix.engine.active(), patience).toBe(1)
  const second = liveEvents(await two.ask('endless'))
  await second.next()
  expect((await one.stop()).ok).toBe(true)
  expect((await first).includes('"code":"key_paused"')).toBe(true)
  expect((await second.next())?.data).toContain('choices')
  await second.leave()
  await expect.poll(() => helix.engine.active(), patience).toBe(0)
  expect((await rowsOf(2)).map(({ settlement }) => settlement?.outcome).sort()).toEqual(['client_closed', 'failed'])
})

test('answers that take turns while the server stops are completed, and one that outlasts the grace ends with an error', async () => {
  const { helix, accountOf, clock } = await startCounting(1, { shutdownGraceMs: 3000 })
  const [one, two, three] = [await accountOf('1@h.test'), await accountOf('2@h.test'), await accountOf('3@h.test')]
  const endless = liveEvents(await three.ask('endless'))
  await endless.next()
  const answers = await Promise.all([one.ask('to 200'), two.ask('to 200')])
  const closing = helix.server.close()
  expect(await Promise.all(answers.map(textOf))).toEqual([counted(200), counted(200)])
  clock.advance(3000)
  let last = ''
  for (let event = await endless.next(); event !== null; event = await endless.next()) last = event.data
  expect(last).toContain('"code":"shutting_down"')
  await closing
})

test('four readers that read nothing, with the buffer full, do not hold their slots', async () => {
  const { helix, accountOf, served, end } = await startCounting(4, { answerBufferLimitBytes: 65_536 })
  const [slow, other] = [await accountOf('1@g.test'), await accountOf('2@g.test')]
  const { post } = rawRequests({ key: slow.key })
  for (let reader = 0; reader < 4; reader += 1) {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(helix.url).port) })
    onTestFinished(() => void socket.destroy())
    const body = chatBody('endless', { stream: true, max_tokens: 1_000_000 })
    socket.write(`${post('connection: close', `content-length: ${body.length}`)}${body}`)
  }
  await expect.poll(() => served.length, patience).toBe(4)
  expect(await textOf(await other.ask('to 100'))).toBe(counted(100))
  end()
})
