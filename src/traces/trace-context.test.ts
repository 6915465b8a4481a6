import { expect, test } from 'vitest'
import { readTraceParent, traceHeaders } from './trace-context.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'

test.each([
  ['a sampled parent', `00-${traceId}-${spanId}-01`, { traceId, spanId, isSampled: true, state: '' }],
  ['one that is not', `00-${traceId}-${spanId}-00`, { traceId, spanId, isSampled: false, state: '' }],
  ['further flags', `00-${traceId}-${spanId}-03`, { traceId, spanId, isSampled: true, state: '' }],
  ['a later version', `01-${traceId}-${spanId}-01-more`, { traceId, spanId, isSampled: true, state: '' }],
  ['more in this version', `00-${traceId}-${spanId}-01-more`, null],
  ['the forbidden version', `ff-${traceId}-${spanId}-01`, null],
  ['capital letters', `00-${traceId.toUpperCase()}-${spanId}-01`, null],
  ['a trace of zeros', `00-${'0'.repeat(32)}-${spanId}-01`, null],
  ['a span of zeros', `00-${traceId}-${'0'.repeat(16)}-01`, null],
  ['no trace', 'nothing', null],
])('%s', (_, traceparent, parent) => {
  expect(readTraceParent({ traceparent })).toEqual(parent)
})

test('the state of other systems is passed on, unless it is too long or no header', () => {
  const traceparent = `00-${traceId}-${spanId}-01`
  const passed = (tracestate: string) => {
    const parent = readTraceParent({ traceparent, tracestate })
    return parent === null ? null : traceHeaders(parent)
  }
  expect(passed('a=1,b=2')).toEqual({ traceparent, tracestate: 'a=1,b=2' })
  expect(passed('x'.repeat(513))).toEqual({ traceparent })
  expect(passed('a=\n')).toEqual({ traceparent, tracestate: 'a=' })
  expect(passed('a=\u0001b')).toEqual({ traceparent })
})
