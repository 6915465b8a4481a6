/**
 * Traces of requests: recorded in memory while they run, and decided on when they have ended, so that every request that
 * failed or was slow is kept. May import `base` only. Promises that no request waits for a collector, and that text of prompts
 * and answers is part of a trace only if the operator has asked for it.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '../base/clock.ts'
import { buildSpans, isServerFault } from './build-spans.ts'
import { type RecordedTrace, RequestTrace } from './request-trace.ts'
import type { SpanExporter } from './span-exporter.ts'
import { readTraceParent } from './trace-context.ts'
import { isInSample, newSpanId, newTraceId } from './trace-ids.ts'
import { writeSpan } from './write-span.ts'

export interface Traces {
  /** A request has arrived. */
  begin(headers: IncomingHttpHeaders, startMs: number): RequestTrace
}

type TracesOptions = {
  /** Of the traces that began here and neither failed nor were slow, this part is kept. */
  sampleRatio: number
  /** From this duration on a trace is always kept; 0: none is for that reason. */
  slowMs: number
  /** A request that names a trace belongs to it, and is kept if that is. */
  followsCallers: boolean
  /** Traces contain the text of prompts and answers. */
  hasContent: boolean
  exporter: Pick<SpanExporter, 'add'>
  clock: Clock
}

export const createTraces = (options: TracesOptions): Traces => {
  const { sampleRatio, followsCallers, hasContent, exporter, clock } = options
  const onEnd = (trace: RecordedTrace): void => {
    if (isKept(trace, options)) exporter.add(buildSpans(trace).map((span) => writeSpan(span, trace.wallOffsetMs)))
  }
  const monotonicMs = (): number => clock.monotonicMs()
  return {
    begin(headers, startMs) {
      const named = readTraceParent(headers)
      const parent = followsCallers ? named : null
      const traceId = parent?.traceId ?? newTraceId()
      const isSampled = parent?.isSampled ?? isInSample(traceId, sampleRatio)
      return new RequestTrace({
        context: { traceId, spanId: newSpanId(), isSampled, state: parent?.state ?? '' },
        parent,
        link: parent === null ? named : null,
        startMs,
        wallOffsetMs: clock.now() - clock.monotonicMs(),
        hasContent,
        monotonicMs,
        onEnd,
      })
    },
  }
}

/** Decided at the end, when it is known how it went. */
const isKept = (trace: RecordedTrace, { slowMs }: TracesOptions): boolean => {
  const { context, response, settled, startMs, calls } = trace
  if (context.isSampled || response.isError || calls.some(isServerFault)) return true
  // The client had gone before an answer that can be replayed has failed.
  if (settled?.outcome === 'failed' && response.error === null) return true
  return slowMs > 0 && response.endMs - startMs >= slowMs
}
