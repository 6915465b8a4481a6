import { startServiceWithUpstream } from '../start-service.ts'
import { type AcceptedSpan, type Collector, startCollector } from './start-collector.ts'

/**
 * Lets the receiver of OpenTelemetry's collector accept the traces of two servers, one of which is the upstream of the other.
 * Returns the exit code: 2 if there is no collector.
 */
export const tryTraces = async (signal: AbortSignal): Promise<number> => {
  console.log('traces: fetching and building the collector')
  const collector = await startCollector(signal)
  if (collector === null) {
    console.error('traces: not tried: there is no collector')
    return 2
  }
  try {
    const service = await startServiceWithUpstream({
      tracesEndpoint: `${collector.url}/v1/traces`,
      tracesSampleRatio: 1,
    })
    try {
      await ask(service, true)
      await ask(service, false)
    } finally {
      // It sends what is left.
      await service.close()
    }
  } finally {
    // All that it has written is read.
    await collector.close()
  }
  const faults = checkTraces(collector)
  for (const fault of faults) console.error(`FAIL ${fault}`)
  console.log(`traces: the collector accepted ${collector.spans().length} spans, ${faults.length} faults`)
  return faults.length === 0 ? 0 : 1
}

const traceId = '0af7651916cd43dd8448eb211c80319c'

const ask = async ({ baseUrl, key }: { baseUrl: string; key: string }, stream: boolean): Promise<void> => {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      // The first request belongs to a trace of its caller.
      ...(stream ? { traceparent: `00-${traceId}-b7ad6b7169203331-01` } : {}),
    },
    body: JSON.stringify({ model: 'helix-v1', stream, messages: [{ role: 'user', content: 'Hello' }] }),
  })
  await response.text()
}

/** Of both servers, and the request of one to the other. */
const expected = [
  ...['POST /v1/chat/completions', 'chat helix-v1', 'render', 'admit', 'queue', 'prefill', 'chat helix-v1'],
  ...['POST /v1/chat/completions', 'chat helix-v1', 'render', 'admit', 'queue', 'prefill'],
]

const required = [
  ...['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.request.model', 'gen_ai.response.model'],
  ...['gen_ai.usage.input_tokens', 'gen_ai.usage.output_tokens', 'gen_ai.response.finish_reasons'],
]

const checkTraces = (collector: Collector): string[] => {
  const spans = collector.spans()
  const faults: string[] = []
  const traces = Map.groupBy(spans, (span) => span.traceId)
  if (traces.size !== 2 || !traces.has(traceId))
    faults.push(`${traces.size} traces instead of 2, one of them the caller's`)
  for (const [id, own] of traces) {
    const names = own.map(({ name }) => name).toSorted()
    if (names.join() !== expected.toSorted().join()) faults.push(`${id} has the spans ${names.join(', ')}`)
    faults.push(...checkParents(id, own))
  }
  for (const { kind, name, attributes = [] } of spans) {
    const missing = required.filter((key) => !attributes.some((attribute) => attribute.key === key))
    if (kind === 1 && name.startsWith('chat') && missing.length > 0) faults.push(`${name} lacks ${missing.join(', ')}`)
  }
  return faults
}

/** One span has none here: that of the server which was asked first. */
const checkParents = (id: string, spans: readonly AcceptedSpan[]): string[] => {
  const known = new Set(spans.map(({ spanId }) => spanId))
  const roots = spans.filter(({ parentSpanId = '' }) => !known.has(parentSpanId))
  return roots.length === 1 ? [] : [`${id} has ${roots.length} spans without a parent`]
}
