import { expect, test } from 'vitest'
import { say, startUpstream } from '../harness/scripted-upstream.ts'
import { startCollector } from '../harness/start-collector.ts'
import { postJson, startWithUpstreams } from '../harness/upstream-helix.ts'

test('each attempt at an upstream is a span of the trace, which the upstream is told of', async () => {
  const collector = await startCollector()
  const broken = await startUpstream((response) => response.writeHead(503).end('{}'))
  const working = await startUpstream((response) => say(response, 'Hi'))
  const entry = (name: string, baseUrl: string, priority: number) => ({
    ...{ name, baseUrl, priority, key: 'sk-secret-0123456789' },
    models: [{ name: 'shared', upstreamName: 'theirs' }],
  })
  const helix = await startWithUpstreams(
    [entry('first', broken.baseUrl, 0), entry('second', working.baseUrl, 1)],
    // A failed attempt is reason enough to keep a trace.
    { tracesEndpoint: `${collector.url}/v1/traces`, tracesSampleRatio: 0 },
  )
  const asked = { model: 'shared', stream: false, messages: [{ role: 'user', content: 'Hi' }] }
  expect((await postJson(helix, '/chat/completions', asked)).status).toBe(200)
  await helix.server.close()
  const spans = collector.spans()
  const calls = spans.filter(({ kind }) => kind === 3)
  expect(calls).toMatchObject([
    { attributes: { 'helix.upstream': 'first', 'http.response.status_code': 503, 'error.type': '503' } },
    { attributes: { 'helix.upstream': 'second', 'gen_ai.request.model': 'theirs', 'server.address': '127.0.0.1' } },
  ])
  const [server] = spans
  const told = [broken, working].flatMap((upstream) => upstream.asked.flatMap(({ headers }) => headers.traceparent ?? []))
  expect(told).toEqual(calls.map(({ spanId }) => `00-${server?.traceId}-${spanId}-00`))
  expect(JSON.stringify(collector.received)).not.toContain('sk-secret')
})
