import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ApiError } from '../../src/base/api-error.ts'
import { claimServer } from '../harness/browser-session.ts'
import { createKeyMaker } from '../harness/key-maker.ts'
import { parseMetrics, readMetrics } from '../harness/read-metrics.ts'
import { openHelix, startHelix } from '../harness/start-helix.ts'

const called = 'endpoint="chat.completions",model="helix-v1"'
const conventional = 'gen_ai_operation_name="chat",gen_ai_request_model="helix-v1"'

test('requests, tokens and times of the metrics are those of the ledger', async () => {
  const helix = await startHelix({
    config: { metricsPort: 0, prices: { 'helix-v1': { prompt: 1, cached: 1, completion: 2 } } },
  })
  const answered = await helix.chat({})
  const { usage } = JSON.parse(await answered.text())
  await (await helix.chat({ stream: true })).text()
  const samples = await readMetrics(helix)
  expect(samples.get(`helix_requests_total{${called},outcome="completed"}`)).toBe(2)
  expect(samples.get('helix_prompt_tokens_total{model="helix-v1"}')).toBe(2 * usage.prompt_tokens)
  expect(samples.get('helix_generation_tokens_total{model="helix-v1"}')).toBe(2 * usage.completion_tokens)
  expect(samples.get(`gen_ai_server_request_duration_seconds_count{${conventional}}`)).toBe(2)
  expect(samples.get(`gen_ai_server_time_to_first_token_seconds_count{${conventional}}`)).toBe(2)
  // Both answers are too short for a speed.
  expect(samples.get(`gen_ai_server_time_per_output_token_seconds_bucket{${conventional},le="+Inf"}`)).toBe(0)
  expect(samples.get('helix_request_queue_time_seconds_count{model="helix-v1"}')).toBe(2)
})

test('an answer that fails and one whose client leaves are counted with their outcomes', async () => {
  const reached = Promise.withResolvers<void>()
  const helix = await startHelix({
    config: { metricsPort: 0 },
    *answer([message]) {
      if (message?.content === 'fail') return yield { fail: ApiError.of('engine_failed', {}) }
      yield 'x'
      reached.resolve()
      yield { pause: new Promise(() => {}) }
    },
  })
  await (await helix.chat({ messages: [{ role: 'user', content: 'fail' }] })).text()
  const leaving = new AbortController()
  const left = helix.chat({}, { signal: leaving.signal }).catch(() => {})
  await reached.promise
  leaving.abort()
  await left
  const outcome = async (name: string) =>
    (await readMetrics(helix)).get(`helix_requests_total{${called},outcome="${name}"}`)
  await expect.poll(() => outcome('client_closed')).toBe(1)
  expect(await outcome('failed')).toBe(1)
  const samples = await readMetrics(helix)
  expect(samples.get('helix_request_errors_total{endpoint="chat.completions",error="engine_failed"}')).toBe(1)
})

test('a refused request is counted with the limit that refused it', async () => {
  const helix = await startHelix({ config: { metricsPort: 0 } })
  const limited = await createKeyMaker(helix)({ limits: { requestsPerMinute: 1 } })
  const body = { model: 'helix-v1', messages: [{ role: 'user', content: 'Hi' }] }
  for (const status of [200, 429]) {
    const response = await limited.call('POST', '/v1/chat/completions', body)
    expect(response.status).toBe(status)
    await response.text()
  }
  const samples = await readMetrics(helix)
  const labels = 'endpoint="chat.completions",error="rate_limit_requests",limit="requestsPerMinute",scope="key"'
  const refused = [...samples].filter(([name]) => name.startsWith('helix_refused_requests_total'))
  expect(refused).toEqual([[`helix_refused_requests_total{${labels}}`, 1]])
})

test('only the organisations of the settings are counted one by one', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'helix-test-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const first = await openHelix({ config: { dataDir, metricsPort: 0 } })
  const { organisation_id: id } = await createKeyMaker(first)()
  await (await first.chat({})).text()
  const perOrganisation = (samples: Map<string, number>) =>
    [...samples].filter(([name]) => name.includes('organisation'))
  expect(perOrganisation(await readMetrics(first))).toEqual([])
  await first.close()

  const second = await startHelix({ config: { dataDir, metricsPort: 0, metricsOrganisations: [id] } })
  const { usage } = JSON.parse(await (await second.chat({})).text())
  expect(perOrganisation(await readMetrics(second))).toEqual([
    [`helix_organisation_requests_total{organisation="${id}"}`, 1],
    [`helix_organisation_tokens_total{organisation="${id}"}`, usage.total_tokens],
    [`helix_organisation_cost_total{organisation="${id}"}`, 0],
  ])
})

test('the state of the server is read when it is asked', async () => {
  const helix = await startHelix({ config: { metricsPort: 0 } })
  const samples = await readMetrics(helix)
  expect(samples.get('helix_model_state{model="helix-v1",state="ready"}')).toBe(1)
  expect(samples.get('helix_model_state{model="helix-v1",state="failed"}')).toBe(0)
  expect(samples.get('helix_num_requests_waiting{model="helix-v1"}')).toBe(0)
  expect(samples.get('helix_data_directory_free_bytes')).toBeGreaterThan(0)
  expect(samples.get('process_cpu_seconds_total')).toBeGreaterThan(0)
})

test('answers that are sent again are counted apart from those that are generated', async () => {
  const helix = await startHelix({ config: { metricsPort: 0 } })
  const headers = { ...helix.authorized, 'idempotency-key': 'one' }
  for (let attempt = 0; attempt < 2; attempt += 1) expect((await helix.chat({}, { headers })).status).toBe(200)
  const samples = await readMetrics(helix)
  expect(samples.get('helix_admitted_requests_total{endpoint="chat.completions"}')).toBe(1)
  expect(samples.get('helix_replayed_answers_total{kind="replay"}')).toBe(1)
  expect(samples.get('helix_store_operation_duration_seconds_count{operation="reserveRequests"}')).toBe(1)
})

test('without a port there is no listener, and the public one has metrics only for a key with the scope', async () => {
  const helix = await startHelix()
  expect(helix.logLines.filter((line) => line.includes('metrics_listening'))).toEqual([])
  expect((await fetch(`${helix.url}/metrics`)).status).toBe(401)
  expect((await helix.get('/metrics')).status).toBe(403)
  const scraper = await createKeyMaker(helix)({ scopes: ['metrics'] })
  const scraped = await scraper.call('GET', '/metrics')
  expect(scraped.headers.get('content-type')).toContain('application/openmetrics-text')
  expect(parseMetrics(await scraped.text()).get('helix_model_state{model="helix-v1",state="ready"}')).toBe(1)
  expect((await scraper.call('GET', '/v1/models')).status).toBe(403)
})

test('only the command line creates keys that read the metrics', async () => {
  const helix = await startHelix()
  const owner = await claimServer(helix)
  const asked = await owner.post('/keys', { name: 'scraper', scopes: ['metrics'] })
  expect([asked.status, await asked.text()]).toEqual([
    400,
    expect.stringContaining('only be created on the command line'),
  ])
  const manager = await createKeyMaker(helix)({ scopes: ['manage'] })
  const created = await manager.call('POST', '/v1/keys', { name: 'scraper', scopes: ['metrics'] })
  expect(created.status).toBe(400)
})
