import { type Attributes, type AttributeValue, type Span, type SpanEvent, spanKinds } from './span.ts'

/**
 * Spans in the JSON encoding of OTLP: ids as hexadecimal digits, 64-bit integers as strings, enumerations as numbers. Written as
 * text at once, so that what waits to be sent is counted in characters, and is no work for the garbage collector.
 */
export const writeSpan = (span: Span, wallOffsetMs: number): string => {
  const { traceId, spanId, parentSpanId, state, name, kind, startMs, endMs, attributes, events, isError, link } = span
  return JSON.stringify({
    traceId,
    spanId,
    ...(state === '' ? {} : { traceState: state }),
    ...(parentSpanId === '' ? {} : { parentSpanId }),
    name,
    kind: spanKinds[kind],
    startTimeUnixNano: nanoseconds(startMs + wallOffsetMs),
    endTimeUnixNano: nanoseconds(Math.max(startMs, endMs) + wallOffsetMs),
    attributes: writeAttributes(attributes),
    ...(events.length === 0 ? {} : { events: events.map((event) => writeEvent(event, wallOffsetMs)) }),
    ...(link === null ? {} : { links: [link] }),
    ...(isError ? { status: { code: 2 } } : {}),
  })
}

const writeEvent = ({ name, atMs, attributes = {} }: SpanEvent, wallOffsetMs: number) => ({
  timeUnixNano: nanoseconds(atMs + wallOffsetMs),
  name,
  attributes: writeAttributes(attributes),
})

/** To the microsecond: a number has no more digits. */
const nanoseconds = (ms: number): string => `${Math.max(0, Math.round(ms * 1000))}000`

export const writeAttributes = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: writeValue(value) }]))

const writeValue = (value: AttributeValue) => {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  return { arrayValue: { values: value.map((text) => ({ stringValue: text })) } }
}
