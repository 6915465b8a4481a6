import { expect, test } from 'vitest'
import { fullVersion } from '../../src/base/version.ts'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

type Overview = {
  version: string
  problems: { kind: string }[]
  nodes: unknown
  models: unknown
  usage: { slots: string[]; total: { requests: number; failed: number }; previous: { total: { requests: number } } }
  organisations: { id: string; name: string | null; figures: { requests: number } }[]
  usedModels: { id: string; figures: { requests: number } }[]
  refusals: unknown[]
}

const dayMs = 86_400_000

test('the owner sees who used the server over several days, what was refused and what is wrong', async () => {
  const clock = createManualClock()
  const helix = await startHelix({ clock, config: { organisationRequestsPerMinute: 2, timeZone: 'UTC' } })
  const owner = await claimServer(helix)
  const anna = await signUp(helix.url, 'anna@example.com')
  const ask = async (key: string, model = modelName) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] })
    return (await fetch(`${helix.baseUrl}/chat/completions`, { method: 'POST', headers, body })).status
  }
  expect(await ask(anna.firstKey.key)).toBe(200)
  clock.advance(8 * dayMs)
  expect(await ask(owner.firstKey.key)).toBe(200)
  expect(await ask(anna.firstKey.key)).toBe(200)
  expect(await ask(anna.firstKey.key)).toBe(200)
  expect(await ask(anna.firstKey.key)).toBe(429)
  expect(await ask(owner.firstKey.key, 'unknown')).toBe(404)
  const read = async (days: number): Promise<Overview> =>
    (await (await owner.get(`/admin/overview?days=${days}`)).json()) as Overview
  await expect
    .poll(async () => {
      clock.advance(10_000)
      return (await read(7)).refusals
    })
    .toEqual([
      { error: 'model_not_found', limit: null, scope: null, requests: 1 },
      { error: 'rate_limit_requests', limit: 'requestsPerMinute', scope: 'organisation', requests: 1 },
    ])
  const week = await read(7)
  expect(week).toMatchObject({
    version: fullVersion,
    nodes: { total: 1, silent: 0 },
    models: { total: 1, failed: 0 },
    certificateEndsAt: null,
    backedUpAt: null,
    // Eight days without one.
    problems: [{ kind: 'backup', level: 'warn', at: null }],
    usage: { total: { requests: 3, failed: 0 }, previous: { total: { requests: 1 } } },
    usedModels: [{ id: modelName, name: null, figures: { requests: 3 } }],
  })
  expect(week.usage.slots).toHaveLength(7)
  expect(week.organisations.map(({ name, figures }) => [typeof name, figures.requests])).toEqual([
    ['string', 2],
    ['string', 1],
  ])
  expect((await read(30)).usage.total.requests).toBe(4)
  expect((await anna.get('/admin/overview')).status).toBe(403)
})
