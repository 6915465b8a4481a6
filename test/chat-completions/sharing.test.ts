import { expect, test } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { readError } from '../harness/read-error.ts'
import { startHelix } from '../harness/start-helix.ts'

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
