import { expect, test } from 'vitest'
import { type BrowserSession, claimServer, joinAs, signUp } from '../harness/browser-session.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { readError } from '../harness/read-error.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

const patience = { timeout: 30_000 }

/** One slot, which the first request of the flooding organisation keeps until `go`. */
const startFlooded = async (flooding: number, config: Record<string, number> = {}) => {
  const gate = Promise.withResolvers<void>()
  const served: string[] = []
  const helix = await startHelix({
    engine: { slots: 1 },
    config,
    *answer([message]) {
      served.push(message?.content ?? '')
      yield { pause: gate.promise }
      yield 'ok'
    },
  })
  const owner = await claimServer(helix)
  const other = await signUp(helix.url, 'other@example.com')
  const waiting = async (): Promise<number> => {
    const { slots } = (await (await owner.get('/admin/engine')).json()) as { slots: { waiting: number } }
    return slots.waiting
  }
  const ask = (content: string, key = helix.key): Promise<Response> =>
    helix.chat(
      { messages: [{ role: 'user', content }] },
      { headers: { ...helix.authorized, authorization: `Bearer ${key}` } },
    )
  const flood: Promise<Response>[] = []
  for (let request = 0; request < flooding; request += 1) {
    flood.push(ask(`flood ${request}`))
    await expect.poll(async () => served.length + (await waiting()), patience).toBe(request + 1)
  }
  return { flood, served, waiting, askOther: (content: string) => ask(content, other.firstKey.key), go: gate.resolve }
}

test('a request of one organisation does not wait behind the flood of another', async () => {
  const { flood, served, waiting, askOther, go } = await startFlooded(6)
  const asked = askOther('other')
  await expect.poll(waiting, patience).toBe(6)
  go()
  expect((await asked).status).toBe(200)
  await Promise.all(flood)
  expect(served).toEqual(['flood 0', 'other', 'flood 1', 'flood 2', 'flood 3', 'flood 4', 'flood 5'])
})

test('an organisation that fills the queue is refused itself, and does not keep others out of it', async () => {
  const { flood, askOther, go } = await startFlooded(4, { queueLimit: 3 })
  const asked = askOther('other')
  const refused = await Promise.race(flood)
  expect(refused.status).toBe(503)
  expect(await readError(refused)).toMatchObject({ code: 'queue_full' })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  go()
  expect((await asked).status).toBe(200)
  expect((await Promise.all(flood)).map(({ status }) => status)).toEqual([200, 200, 200, 503])
})

/** Four slots. Every answer but those to 'short' waits for `go`. */
const startHeld = async () => {
  const gate = Promise.withResolvers<void>()
  const clock = createManualClock()
  const helix = await startHelix({
    clock,
    engine: { slots: 4 },
    *answer([message]) {
      if (message?.content !== 'short') yield { pause: gate.promise }
      yield 'ok'
    },
  })
  const bodyOf = (content: string, more: object = {}) => ({
    ...{ model: modelName, messages: [{ role: 'user', content }] },
    ...more,
  })
  const ask = (key: string, content: string, more: object = {}): Promise<Response> =>
    fetch(`${helix.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(bodyOf(content, more)),
    })
  const slotsSeenBy = (owner: BrowserSession) => async () => {
    const { slots } = (await (await owner.get('/admin/engine')).json()) as { slots: Record<string, number> }
    return [slots.running, slots.waiting]
  }
  return { helix, clock, bodyOf, ask, slotsSeenBy, go: gate.resolve }
}

test('an organisation that is alone since the start leaves a slot to the first request of another owner, claimed or not', async () => {
  const { helix, ask, slotsSeenBy, go } = await startHeld()
  const flood = Array.from({ length: 6 }, () => ask(helix.key, 'long'))
  flood.push(ask(helix.key, 'long', { n: 8 }))
  const owner = await claimServer(helix)
  await expect.poll(slotsSeenBy(owner), patience).toEqual([3, 4])
  const other = await signUp(helix.url, 'other@example.com')
  for (let turn = 0; turn < 3; turn += 1) expect((await ask(other.firstKey.key, 'short')).status).toBe(200)
  expect(await slotsSeenBy(owner)()).toEqual([3, 4])
  go()
  for (const { status } of await Promise.all(flood)) expect(status).toBe(200)
})

test('the organisations of one account count as one, with keys and in the playground, until one is handed over', async () => {
  const { helix, clock, bodyOf, ask, slotsSeenBy, go } = await startHeld()
  const owner = await claimServer(helix)
  const slots = slotsSeenBy(owner)
  const flooder = await signUp(helix.url, 'flooder@example.com')
  await flooder.post('/organisations', { name: 'Second' })
  await flooder.load()
  const made = await flooder.post('/keys', { name: 'second' })
  expect(made.status).toBe(201)
  const { key: second } = (await made.json()) as { key: string }
  const colleague = await joinAs(helix.url, flooder, 'admin', 'colleague@example.com')
  const flood = [flooder.firstKey.key, second].flatMap((key) => [ask(key, 'long'), ask(key, 'long')])
  flood.push(flooder.post('/playground/chat/completions', bodyOf('long')))
  await expect.poll(slots, patience).toEqual([3, 2])
  const other = await signUp(helix.url, 'other@example.com')
  expect((await ask(other.firstKey.key, 'short')).status).toBe(200)
  expect((await ask(owner.firstKey.key, 'short')).status).toBe(200)
  expect(await slots()).toEqual([3, 2])
  const { account } = await colleague.load()
  expect((await flooder.post('/organisation/hand-over', { accountId: account?.id })).status).toBe(204)
  clock.advance(1_000)
  // Another owner's now: it finds the slot that was kept.
  expect((await ask(second, 'short')).status).toBe(200)
  go()
  for (const { status } of await Promise.all(flood)) expect(status).toBe(200)
})
