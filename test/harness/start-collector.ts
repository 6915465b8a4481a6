import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

type Value = { stringValue?: string; intValue?: string; boolValue?: boolean; doubleValue?: number; arrayValue?: object }
type Pairs = { key: string; value: Value }[]
type WireSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  traceState?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Pairs
  events?: { name: string; timeUnixNano: string }[]
  links?: { traceId: string; spanId: string }[]
  status?: { code: number }
}
type WireRequest = {
  resourceSpans: { resource: { attributes: Pairs }; scopeSpans: { spans: WireSpan[] }[] }[]
}

/** A span as tests read it: attributes by name, the names of events in order. */
export type ReceivedSpan = Omit<WireSpan, 'attributes' | 'events'> & {
  attributes: Record<string, unknown>
  events: string[]
}

const toRecord = (pairs: Pairs): Record<string, unknown> =>
  Object.fromEntries(
    pairs.map(({ key, value }) => [
      key,
      value.intValue === undefined ? (Object.values(value)[0] as unknown) : Number(value.intValue),
    ]),
  )

/** A real HTTP server in place of an OpenTelemetry collector. */
export const startCollector = async (
  answer: (response: ServerResponse) => unknown = (response) => response.end('{}'),
) => {
  const received: { headers: IncomingHttpHeaders; url: string; body: WireRequest }[] = []
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, url: request.url ?? '', body: JSON.parse(await text(request)) })
    answer(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    resource: () => toRecord(received[0]?.body.resourceSpans[0]?.resource.attributes ?? []),
    spans: (): ReceivedSpan[] =>
      received
        .flatMap(({ body }) => body.resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans)
        .map(({ attributes, events = [], ...span }) => ({
          ...span,
          attributes: toRecord(attributes),
          events: events.map(({ name }) => name),
        })),
  }
}
