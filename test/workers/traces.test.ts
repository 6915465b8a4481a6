import { expect, test } from 'vitest'
import { askApart } from '../harness/ask-apart.ts'
import { parseMetrics } from '../harness/read-metrics.ts'
import { sayJson, startUpstream } from '../harness/scripted-upstream.ts'
import { startCollector } from '../harness/start-collector.ts'
import { startWithWorkers } from '../harness/start-with-workers.ts'

test('the metrics count the spans that workers send', async () => {
  const collector = await startCollector()
  const upstream = await startUpstream((response) => sayJson(response, { content: 'Hi' }))
  const helix = await startWithWorkers(upstream.baseUrl, {
    ...{ tracesEndpoint: `${collector.url}/v1/traces`, tracesSampleRatio: 1 },
  })
  const { key } = (await helix.control('POST', '/control/keys', { name: 'metrics', scopes: ['metrics'] })) as {
    key: string
  }
  const count = async (): Promise<number> => {
    const scraped = await fetch(`${helix.url}/metrics`, { headers: { authorization: `Bearer ${key}` } })
    const metrics = parseMetrics(await scraped.text())
    // Some may have been sent by then.
    return ['waiting', 'exported_total'].reduce((sum, name) => sum + (metrics.get(`helix_trace_spans_${name}`) ?? 0), 0)
  }
  const before = await count()
  await Promise.all(Array.from({ length: 12 }, () => askApart(helix, helix.key)))
  // Of each request one, and one of the call of the upstream.
  await expect.poll(async () => (await count()) - before).toBeGreaterThanOrEqual(24)
})
