import { expect, test } from 'vitest'
import { type BrowserSession, claimServer, signUp } from '../harness/browser-session.ts'
import { answerMixed, runMixedLoad } from '../harness/mixed-load.ts'
import { startHelix } from '../harness/start-helix.ts'

type Limit = { name: string; used: number }

const inFlightOf = async (member: BrowserSession): Promise<number | undefined> => {
  const { organisation } = (await (await member.get('/limits')).json()) as { organisation: Limit[] }
  return organisation.find(({ name }) => name === 'requestsInFlight')?.used
}

test('after a mixed load with random aborts every slot is free, nobody waits, and no limit counts anything as running', async () => {
  const config = { queueLimit: 12, organisationRequestsInFlight: 1000 }
  const helix = await startHelix({ engine: { slots: 4 }, answer: answerMixed, config })
  const owner = await claimServer(helix)
  const other = await signUp(helix.url, 'other@example.com')
  const requests = 200
  const keys = [helix.key, helix.key, other.firstKey.key]
  const outcomes = await runMixedLoad({ url: helix.url, keys, requests, concurrency: 24, seed: 1 })
  expect(outcomes.answered + outcomes.left + outcomes.refused).toBe(requests)
  expect(outcomes.answered).toBeGreaterThan(0)
  expect(outcomes.left).toBeGreaterThan(0)
  const left = async () => {
    const { slots } = (await (await owner.get('/admin/engine')).json()) as {
      slots: { running: number; waiting: number }
    }
    return {
      active: helix.engine.active(),
      running: slots.running,
      waiting: slots.waiting,
      inFlight: [await inFlightOf(owner), await inFlightOf(other)],
    }
  }
  await expect.poll(left, { timeout: 30_000 }).toEqual({ active: 0, running: 0, waiting: 0, inFlight: [0, 0] })
})
