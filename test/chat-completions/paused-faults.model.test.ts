import { expect, test } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { readRows } from '../harness/ledger-rows.ts'
import { liveEvents, textOf } from '../harness/live-events.ts'
import { openTinyEngine } from '../harness/open-tiny-engine.ts'
import { startHelix } from '../harness/start-helix.ts'

const patience = { timeout: 600_000 }
const length = 400
/** Nearly all of the model's context: whatever ends such an answer comes long before its end. */
const endless = 1900
/** Each then has made room for another one. */
const overATurn = 40

/** The tokens of single letters: none of them waits for the rest of its character. */
const letters = Array.from({ length: 26 }, (_, index) => 'a'.charCodeAt(0) + index)

/** One sequence, so every pause evicts an answer from it. */
const startTurns = async (config = {}) => {
  const engine = await openTinyEngine('tiny-chat', 'tiny-chat', 1)
  await engine.firstLoad
  const helix = await startHelix({
    startEngine: () => engine,
    config: { reservedSlots: 0, signUpsPerHour: 1000, ...config },
  })
  await claimServer(helix)
  const accountOf = async (email: string) => {
    const { firstKey, post } = await signUp(helix.url, email)
    const ask = async (content: string, maxTokens: number) => {
      const response = await fetch(`${helix.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${firstKey.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ model: engine.model.id, messages: [{ role: 'user', content }], stream: true },
          ...{ temperature: 0, max_tokens: maxTokens, ignore_eos: true, logprobs: true, allowed_token_ids: letters },
        }),
      })
      return liveEvents(response)
    }
    const revoke = () => post(`/keys/${firstKey.id}/revoke`, { name: firstKey.name })
    /** Its only row of the ledger that has been paused. */
    const bill = async () => {
      const settled = async () =>
        (await readRows(helix)).find(
          ({ keyId, settlement }) => keyId === firstKey.id && settlement?.pauses !== undefined,
        )?.settlement
      await expect.poll(settled, patience).toBeDefined()
      return settled()
    }
    return { ask, revoke, bill }
  }
  const [one, two, three] = [
    await accountOf('1@example.com'),
    await accountOf('2@example.com'),
    await accountOf('3@example.com'),
  ]
  return { engine, helix, one, two, three }
}

type Live = Awaited<ReturnType<Awaited<ReturnType<typeof startTurns>>['one']['ask']>>

/** Reads up to this many tokens: a token is a log probability, whatever its text. Also the code of an error. */
const read = async (events: Live, limit = Number.POSITIVE_INFINITY) => {
  const [texts, found]: [string[], { tokens: number; code: string | null }] = [[], { tokens: 0, code: null }]
  for (let event = await events.next(); event !== null; event = await events.next()) {
    if (event.data === '[DONE]') break
    const { error, choices } = JSON.parse(event.data)
    if (error !== undefined) found.code = error.code
    texts.push(textOf(event) ?? '')
    found.tokens += choices?.[0]?.logprobs?.content?.length ?? 0
    if (found.tokens >= limit) break
  }
  return { ...found, text: texts.join('') }
}

test('an answer is the same beside others whose client leaves or whose key is revoked', patience, async () => {
  const { engine, one, two, three } = await startTurns()
  const alone = await read(await one.ask('Who lives by the river?', length))
  expect(alone).toMatchObject({ tokens: length, code: null })
  const [kept, left, revoked] = await Promise.all([
    one.ask('Who lives by the river?', length),
    two.ask('What grows there?', endless),
    three.ask('Where does it end?', endless),
  ])
  const leave = async () => {
    const part = await read(left, overATurn)
    await left.leave()
    return part
  }
  const revoke = async () => {
    const part = await read(revoked, overATurn)
    expect((await three.revoke()).ok).toBe(true)
    const rest = await read(revoked)
    return { tokens: part.tokens + rest.tokens, code: rest.code }
  }
  const [complete, received, refused] = await Promise.all([read(kept), leave(), revoke()])
  expect(complete).toEqual(alone)
  expect(await one.bill()).toMatchObject({ outcome: 'completed', completionTokens: length })
  const billed = await two.bill()
  expect(billed?.outcome).toBe('client_closed')
  expect(billed?.completionTokens).toBeGreaterThanOrEqual(received.tokens)
  expect(billed?.completionTokens).toBeLessThan(endless)
  expect(refused.code).toBe('invalid_api_key')
  expect(await three.bill()).toMatchObject({ outcome: 'failed', completionTokens: refused.tokens })
  await expect.poll(() => engine.active(), patience).toBe(0)
})

test(
  'answers that take turns fail with the engine process, billed as sent, and the next one is as before',
  patience,
  async () => {
    const { engine, one, two } = await startTurns()
    const alone = await read(await one.ask('Who lives by the river?', length))
    const running = await Promise.all([one.ask('And then?', endless), two.ask('What grows there?', endless)])
    const parts = await Promise.all(running.map((events) => read(events, overATurn)))
    process.kill(engine.pid() ?? 0, 'SIGKILL')
    const rests = await Promise.all(running.map((events) => read(events)))
    const [first, second] = [await one.bill(), await two.bill()]
    for (const [index, bill] of [first, second].entries()) {
      expect(rests[index]?.code).toBe('engine_failed')
      const tokens = (parts[index]?.tokens ?? 0) + (rests[index]?.tokens ?? 0)
      expect(bill).toMatchObject({ outcome: 'failed', completionTokens: tokens })
    }
    await expect.poll(() => engine.state(), patience).toBe('ready')
    expect(await read(await one.ask('Who lives by the river?', length))).toEqual(alone)
  },
)
