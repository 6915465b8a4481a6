import type { IncomingHttpHeaders } from 'node:http'

/** Of a caller or of a span: who a span belongs under. W3C Trace Context, https://www.w3.org/TR/trace-context/ */
export type TraceParent = {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  readonly isSampled: boolean
  /** What other systems add to the trace, passed on as it is; empty: nothing. */
  readonly state: string
}

/** A later version may have more after the flags. */
const pattern = /^(?!ff)([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/
const zeros = /^0+$/
/** Vendors must accept as much, and may drop more. */
const maxStateLength = 512
/** A list of `key=value`. Anything else could not be sent as a header. */
const stateCharacters = /^[\t\x20-\x7e]+$/

/** The trace that a request belongs to; null if it names none, or not in the way that the standard asks for. */
export const readTraceParent = ({ traceparent, tracestate }: IncomingHttpHeaders): TraceParent | null => {
  if (typeof traceparent !== 'string' || traceparent.length > maxStateLength) return null
  const [, version, traceId = '', spanId = '', flags = '', more] = pattern.exec(traceparent) ?? []
  if (version === undefined || zeros.test(traceId) || zeros.test(spanId)) return null
  if (version === '00' && more !== undefined) return null
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1
  return { traceId, spanId, isSampled, state: readState(tracestate) }
}

const readState = (header: string | string[] | undefined): string => {
  const state = typeof header === 'string' ? header.trim() : (header?.join(',') ?? '')
  return state.length <= maxStateLength && stateCharacters.test(state) ? state : ''
}

/** The headers for a server that is called under this span. */
export const traceHeaders = ({ traceId, spanId, isSampled, state }: TraceParent): Record<string, string> => ({
  traceparent: `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`,
  ...(state === '' ? {} : { tracestate: state }),
})
