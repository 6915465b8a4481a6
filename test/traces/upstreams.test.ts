import { expect, test } from 'vitest'
import { sayJson, startUpstream } from '../harness/scripted-upstream.ts'
import { startCollector } from '../harness/start-collector.ts'
import { postJson, startWithUpstreams } from '../harness/upstream-helix.ts'

test('each attempt at an upstream is a span of the trace, which the upstream is told of', async () => {
  const collector = await startCollector()
  const told: unknown[] = []
  const startNamed = () =>
    startUpstream((response, { headers, body }) => {
      if (body.model === undefined) return response.writeHead(404).end()
      told.push(headers.traceparent)
      return told.length === 1 ? response.writeHead(503).end('{}') : sayJson(response, { content: 'Hi' })
    })
  const entry = (name: string, { baseUrl: url }: { baseUrl: string }) => ({
    ...{ name, url, key: 'sk-secret-0123456789' },
    models: [{ name: 'shared', upstreamName: 'theirs' }],
  })
  const helix = await startWithUpstreams(
    [entry('one', await startNamed()), entry('other', await startNamed())],
    // A failed attempt is reason enough to keep a trace.
    { tracesEndpoint: `${collector.url}/v1/traces`, tracesSampleRatio: 0 },
  )
  const asked = { model: 'shared', stream: false, messages: [{ role: 'user', content: 'Hi' }] }
  expect((await postJson(helix, '/chat/completions', asked)).status).toBe(200)
  await helix.server.close()
  const spans = collector.spans()
  const calls = spans.filter(({ kind }) => kind === 3)
  expect(calls).toMatchObject([
    { attributes: { 'http.response.status_code': 503, 'error.type': '503', 'gen_ai.operation.name': 'chat' } },
    {
      attributes: { 'http.response.status_code': 200, 'gen_ai.request.model': 'theirs', 'server.address': '127.0.0.1' },
    },
  ])
  expect(calls.map(({ attributes }) => attributes['helix.upstream']).toSorted()).toEqual(['one', 'other'])
  expect(told).toEqual(calls.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-00`))
  expect(JSON.stringify(collector.received)).not.toContain('sk-secret')
})
