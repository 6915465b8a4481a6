import { expect, test } from 'vitest'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { startCollector } from '../../test/harness/start-collector.ts'
import { createSpanPost } from './post-spans.ts'
import { createSpanExporter, exportDelayMs, flushLimitMs } from './span-exporter.ts'

const span = (name: string): string =>
  JSON.stringify({
    name,
    traceId: '1',
    spanId: '2',
    kind: 1,
    startTimeUnixNano: '0',
    endTimeUnixNano: '0',
    attributes: [],
  })
const wrap = (spans: readonly string[]): string =>
  `{"resourceSpans":[{"resource":{"attributes":[]},"scopeSpans":[{"spans":[${spans.join(',')}]}]}]}`

const open = (url: string) => {
  const clock = createManualClock()
  const events: string[] = []
  const note = (event: string): void => void events.push(event)
  const collector = createSpanPost({ url: `${url}/v1/traces`, headers: { 'x-key': 'abc' }, clock })
  const exporter = createSpanExporter({ collector, wrap, clock, log: { info: note, warn: note, error: note } })
  return { clock, events, exporter }
}

test('spans are sent together after a while, with the headers of the settings', async () => {
  const collector = await startCollector()
  const { clock, exporter } = open(collector.url)
  exporter.add([span('a')])
  exporter.add([span('b')])
  await clock.awaited(exportDelayMs)
  expect(collector.received).toEqual([])
  clock.advance(exportDelayMs)
  await expect.poll(() => exporter.counts().exported).toBe(2)
  expect(collector.spans().map(({ name }) => name)).toEqual(['a', 'b'])
  expect(collector.received).toMatchObject([{ headers: { 'x-key': 'abc', 'content-type': 'application/json' } }])
  await exporter.close()
})

test('a batch that a collector cannot take now is sent again, at the earliest when it says', async () => {
  let requests = 0
  const collector = await startCollector((response) => {
    requests += 1
    if (requests === 1) response.writeHead(503, { 'retry-after': '7' }).end()
    else response.end('{}')
  })
  const { clock, events, exporter } = open(collector.url)
  exporter.add([span('a')])
  clock.advance(exportDelayMs)
  await clock.awaited(7_000)
  expect(events).toEqual(['traces_export_failed'])
  clock.advance(7_000)
  await expect.poll(() => exporter.counts().exported).toBe(1)
  expect(events).toEqual(['traces_export_failed', 'traces_export_recovered'])
  await exporter.close()
})

test('what a collector refuses, and what has no space, is counted', async () => {
  const collector = await startCollector((response) => response.writeHead(400).end())
  const { clock, exporter } = open(collector.url)
  exporter.add([span('a')])
  clock.advance(exportDelayMs)
  await expect.poll(() => exporter.counts().dropped.rejected).toBe(1)
  exporter.add(Array.from({ length: 10_000 }, () => span('b')))
  expect(exporter.counts()).toMatchObject({ dropped: { queue_full: 10_000 }, waiting: 0 })
  await exporter.close()
})

test('spans that a collector rejects one by one are counted', async () => {
  const collector = await startCollector((response) => response.end('{"partialSuccess":{"rejectedSpans":"1"}}'))
  const { events, exporter } = open(collector.url)
  exporter.add([span('a'), span('b')])
  await exporter.close()
  expect(exporter.counts()).toMatchObject({ exported: 1, dropped: { rejected: 1 } })
  expect(events).toEqual(['trace_spans_rejected'])
})

test('the end does not wait for a collector that does not answer', async () => {
  const collector = await startCollector(() => {})
  const { clock, exporter } = open(collector.url)
  exporter.add([span('a')])
  const closed = exporter.close()
  await expect.poll(() => collector.received.length).toBe(1)
  await clock.awaited(flushLimitMs)
  clock.advance(flushLimitMs)
  await closed
  expect(exporter.counts()).toMatchObject({ exported: 0, dropped: { unreachable: 1 } })
})
