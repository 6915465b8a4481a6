import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import type { HookSetting } from '../../src/config/hook-setting.ts'
import { askApart } from '../harness/ask-apart.ts'
import { claimServer } from '../harness/browser-session.ts'
import { keyedChat } from '../harness/keyed-chat.ts'
import { liveEvents, textOf } from '../harness/live-events.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { parseMetrics } from '../harness/read-metrics.ts'
import { doneEvent, finishEvent, pieceEvent, startUpstream, stream, usageEvent } from '../harness/scripted-upstream.ts'
import type { Helix } from '../harness/start-helix.ts'
import { startWithWorkers } from '../harness/start-with-workers.ts'

const parts = [pieceEvent('Tides'), pieceEvent(' rise'), finishEvent(), usageEvent(5, 2), doneEvent]

const askAllApart = (helix: Pick<Helix, 'url'>, key: string, count: number): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, async () => (await askApart(helix, key)).status))

/** Says two tokens, and more once it is told to. */
const startHalfway = async () => {
  const more = Promise.withResolvers<void>()
  const upstream = await startUpstream(async (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(pieceEvent('Tides') + pieceEvent(' rise'))
    await more.promise
    response.end(pieceEvent(' twice') + finishEvent() + usageEvent(5, 3) + doneEvent)
  })
  return { upstream, more }
}

const beginStream = async (helix: Helix) => {
  const events = liveEvents(await helix.chat({ model: 'big', stream: true }))
  await events.until(' rise')
  return events
}

test('of 500 requests at once, exactly as many are admitted as the limit allows, and all are counted', async () => {
  const upstream = await startUpstream((response) => stream(response, ...parts))
  const helix = await startWithWorkers(upstream.baseUrl, { organisationRequestsPerMinute: 120, queueLimit: 600 })
  const made = (await helix.control('POST', '/control/keys', { name: 'metrics', scopes: ['metrics'] })) as {
    key: string
  }
  const statuses = await askAllApart(helix, helix.key, 500)
  expect(statuses.filter((status) => status === 200)).toHaveLength(120)
  expect(statuses.filter((status) => status === 429)).toHaveLength(380)
  expect(upstream.asked).toHaveLength(120)
  const scraped = await fetch(`${helix.url}/metrics`, { headers: { authorization: `Bearer ${made.key}` } })
  const metrics = parseMetrics(await scraped.text())
  expect(metrics.get('helix_workers')).toBe(2)
  const counted = [...metrics].filter(([series]) => series.startsWith('helix_requests_total{'))
  expect(counted.map(([, count]) => count).reduce((sum, count) => sum + count, 0)).toBe(120)
  expect(metrics.get('helix_upstream_requests_total{upstream="one"}')).toBe(120)
  const refused = [...metrics].filter(([series]) => series.startsWith('helix_refused_requests_total{'))
  expect(refused).toEqual([[expect.stringContaining('limit="requestsPerMinute",scope="organisation"'), 380]])
  for (const worker of ['0', '1']) {
    expect(metrics.get(`helix_worker_heap_size_used_bytes{worker="${worker}"}`)).toBeGreaterThan(1_000_000)
    expect(metrics.get(`helix_worker_external_memory_bytes{worker="${worker}"}`)).toBeGreaterThan(0)
    expect(metrics.get(`helix_worker_eventloop_lag_max_seconds{worker="${worker}"}`)).toBeGreaterThanOrEqual(0)
  }
  const rows = await readLedger(helix)
  expect(rows.filter(({ settlement }) => settlement?.outcome === 'completed')).toHaveLength(120)
})

test('a retry and a resumed stream get the answer of the first request, whichever worker they meet', async () => {
  const { upstream, more } = await startHalfway()
  const helix = await startWithWorkers(upstream.baseUrl)
  const body = { model: 'big', stream: true }
  const first = liveEvents(await keyedChat(helix, 'k', body))
  await first.next()
  const seen = await first.next()
  await first.leave()
  const resumed = await Promise.all(
    Array.from({ length: 6 }, async () =>
      liveEvents(await keyedChat(helix, 'k', body, { lastEventId: seen?.id ?? '' })),
    ),
  )
  more.resolve()
  for (const events of resumed)
    expect((await events.rest()).map(textOf)).toEqual([' rise', ' twice', undefined, '[DONE]'])
  expect(upstream.asked).toHaveLength(1)
  expect(await readLedger(helix)).toMatchObject([{ settlement: { outcome: 'completed', completionTokens: 3 } }])
})

test('a worker that dies is replaced; what it had sent is billed, and what it had reserved is free', async () => {
  const { upstream, more } = await startHalfway()
  const helix = await startWithWorkers(upstream.baseUrl, { organisationRequestsInFlight: 1 })
  const events = await beginStream(helix)
  await Promise.all([helix.workers.kill(0), helix.workers.kill(1)])
  await expect(events.rest()).rejects.toThrow()
  more.resolve()
  const again = async (): Promise<number> => {
    for (;;) {
      const status = await askApart(helix, helix.key).then(
        ({ status }) => status,
        () => null,
      )
      if (status !== null) return status
    }
  }
  expect(await again()).toBe(200)
  expect(helix.workers.deaths).toBe(2)
  expect(await readLedger(helix)).toMatchObject([
    { settlement: { outcome: 'server_died', completionTokens: 2 } },
    { settlement: { outcome: 'completed', completionTokens: 3 } },
  ])
})

test('a lower limit and a revoked key count at once for all workers, and the answers of the key end', async () => {
  const { upstream } = await startHalfway()
  const helix = await startWithWorkers(upstream.baseUrl)
  const other = (await helix.control('POST', '/control/keys', { name: 'other' })) as { id: string; key: string }
  // Both workers know the key.
  const events = liveEvents(
    await helix.chat(
      { model: 'big', stream: true },
      { headers: { ...helix.authorized, authorization: `Bearer ${other.key}` } },
    ),
  )
  await events.until(' rise')
  await Promise.all(Array.from({ length: 8 }, () => askApart(helix, other.key, { model: 5 })))
  await helix.control('POST', `/control/limits/${other.id}`, { requestsPerMinute: 1 })
  expect(new Set(await askAllApart(helix, other.key, 8))).toEqual(new Set([429]))
  await helix.control('POST', `/control/keys/${other.id}/revoke`)
  expect(new Set(await askAllApart(helix, other.key, 16))).toEqual(new Set([401]))
  const [last] = (await events.rest()).slice(-1)
  expect(JSON.parse(last?.data ?? '{}')).toMatchObject({ error: { code: 'invalid_api_key' } })
})

test('hooks run in every worker, and an answer in the cache is sent again, whichever worker is asked', async () => {
  const upstream = await startUpstream((response) => stream(response, ...parts))
  const numbers = { url: null, secrets: [], patterns: ['[0-9]{4}'], action: 'redact', onFailure: 'block' } as const
  const hooks: HookSetting[] = [{ ...numbers, name: 'numbers', phases: ['before'] }]
  const helix = await startWithWorkers(upstream.baseUrl, { hooks, cacheModels: ['big'] })
  const askAll = async (content: string, temperature: number): Promise<number[]> => {
    const body = { messages: [{ role: 'user', content }], temperature }
    const asked = Array.from({ length: 12 }, async () => (await askApart(helix, helix.key, body)).status)
    return Promise.all(asked)
  }
  expect(new Set(await askAll('Pin 1234', 1))).toEqual(new Set([200]))
  expect(upstream.asked).toHaveLength(12)
  for (const { body } of upstream.asked) expect(body).toMatchObject({ messages: [{ content: 'Pin [redacted]' }] })
  const question = { model: 'big', messages: [{ role: 'user', content: 'Tides?' }], temperature: 0 }
  // Answers are stored just after they were sent.
  for (let result: string | null = null; result !== 'hit'; ) {
    const response = await helix.chat(question)
    result = response.headers.get('x-helix-cache')
    expect(await response.text()).toContain('Tides rise')
  }
  const { length } = upstream.asked
  expect(new Set(await askAll('Tides?', 0))).toEqual(new Set([200]))
  expect(upstream.asked).toHaveLength(length)
  const rows = await readLedger(helix)
  expect(rows.filter(({ settlement }) => settlement?.hooks === 'numbers redacted 1')).toHaveLength(12)
  expect(rows.filter(({ cachedFrom }) => cachedFrom !== undefined)).toHaveLength(13)
})

test('a limit that was saved in the console counts at once for all workers', async () => {
  const upstream = await startUpstream((response) => stream(response, ...parts))
  const helix = await startWithWorkers(upstream.baseUrl)
  const owner = await claimServer(helix)
  expect((await askApart(helix, helix.key)).status).toBe(200)
  expect((await owner.post('/admin/settings', { changes: { requestsPerMinute: 1 } })).status).toBe(200)
  expect(new Set(await askAllApart(helix, helix.key, 8))).toEqual(new Set([429]))
})

test('when the server stops, workers complete their answers, and refuse new requests', async () => {
  const { upstream, more } = await startHalfway()
  const helix = await startWithWorkers(upstream.baseUrl)
  const events = await beginStream(helix)
  const closed = helix.server.close()
  // Refused by a worker, or not even accepted.
  expect(
    await askApart(helix, helix.key).then(
      ({ status }) => status,
      () => 503,
    ),
  ).toBe(503)
  more.resolve()
  expect((await events.rest()).map(textOf)).toEqual([' twice', undefined, '[DONE]'])
  await closed
})
