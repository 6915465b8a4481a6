import { type Attributes, type AttributeValue, type Span, type SpanEvent, spanKinds } from './span.ts'

/**
 * Spans in the JSON encoding of OTLP: ids as hexadecimal digits, 64-bit integers as strings, enumerations as numbers. Written as
 * text at once and without objects in between, which would cost twice the time: what waits to be sent is counted in characters,
 * and is no work for the garbage collector.
 */
export const writeSpan = (span: Span, wallOffsetMs: number): string => {
  const { traceId, spanId, parentSpanId, state, name, kind, startMs, endMs, attributes, events, isError, link } = span
  let text = `{"traceId":"${traceId}","spanId":"${spanId}","name":${JSON.stringify(name)},"kind":${spanKinds[kind]}`
  if (state !== '') text += `,"traceState":${JSON.stringify(state)}`
  if (parentSpanId !== '') text += `,"parentSpanId":"${parentSpanId}"`
  text += `,"startTimeUnixNano":"${nanoseconds(startMs + wallOffsetMs)}"`
  text += `,"endTimeUnixNano":"${nanoseconds(Math.max(startMs, endMs) + wallOffsetMs)}"`
  text += `,"attributes":${writeAttributes(attributes)}`
  if (events.length > 0) text += `,"events":[${events.map((event) => writeEvent(event, wallOffsetMs)).join(',')}]`
  if (link !== null) text += `,"links":[{"traceId":"${link.traceId}","spanId":"${link.spanId}"}]`
  if (isError) text += ',"status":{"code":2}'
  return `${text}}`
}

const writeEvent = ({ name, atMs }: SpanEvent, wallOffsetMs: number): string =>
  `{"timeUnixNano":"${nanoseconds(atMs + wallOffsetMs)}","name":${JSON.stringify(name)},"attributes":[]}`

/** To the microsecond: a number has no more digits. */
const nanoseconds = (ms: number): string => `${Math.max(0, Math.round(ms * 1000))}000`

export const writeAttributes = (attributes: Attributes): string => {
  let text = ''
  for (const key in attributes) {
    const value = attributes[key]
    if (value === undefined) continue
    if (text !== '') text += ','
    text += `{"key":${JSON.stringify(key)},"value":${writeValue(value)}}`
  }
  return `[${text}]`
}

const writeValue = (value: AttributeValue): string => {
  if (typeof value === 'string') return `{"stringValue":${JSON.stringify(value)}}`
  if (typeof value === 'boolean') return `{"boolValue":${value}}`
  if (typeof value === 'number') return Number.isInteger(value) ? `{"intValue":"${value}"}` : `{"doubleValue":${value}}`
  return `{"arrayValue":{"values":[${value.map(writeValue).join(',')}]}}`
}
