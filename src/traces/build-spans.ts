import type { RecordedTrace, TraceCall, TraceStep } from './request-trace.ts'
import type { Attributes, Span, SpanEvent } from './span.ts'
import { newSpanId } from './trace-ids.ts'

/** Each lasts from one step to the next one that was reached. */
const phases: readonly { name: string; from: TraceStep; to: readonly TraceStep[] }[] = [
  { name: 'render', from: 'accepted', to: ['rendered'] },
  { name: 'admit', from: 'rendered', to: ['admitted', 'queued'] },
  { name: 'queue', from: 'queued', to: ['started'] },
  { name: 'prefill', from: 'started', to: ['prefilled', 'first_token'] },
]

/** Moments rather than phases. */
const moments: readonly TraceStep[] = ['accepted', 'admitted', 'first_token', 'settled']

/**
 * The spans of a request: the HTTP request; under it the inference, if there was one; and under that its phases, its pauses and
 * the requests to upstreams.
 */
export const buildSpans = (trace: RecordedTrace): Span[] => {
  const { context, parent, link, startMs, response, steps, calls, pauses } = trace
  const { traceId, state } = context
  const common = { traceId, state, events: [], isError: false, link: null }
  const server: Span = {
    ...common,
    spanId: context.spanId,
    parentSpanId: parent?.spanId ?? '',
    name: response.name,
    kind: 'server',
    startMs,
    endMs: response.endMs,
    attributes: { ...response.describe(), 'error.type': response.error ?? undefined },
    isError: response.isError,
    link: link === null ? null : { traceId: link.traceId, spanId: link.spanId },
  }
  const acceptedMs = steps.get('accepted')
  if (acceptedMs === undefined) return [server, ...calls.map((call) => callSpan(call, server, response.endMs))]
  const request = trace.request()
  const inference: Span = {
    ...common,
    spanId: newSpanId(),
    parentSpanId: server.spanId,
    name: inferenceName(request),
    kind: 'internal',
    startMs: acceptedMs,
    endMs: steps.get('settled') ?? response.endMs,
    attributes: { ...request, ...settledAttributes(trace), ...trace.content() },
    events: moments.flatMap((step) => eventAt(steps, step)),
    isError: trace.settled?.outcome === 'failed' || (trace.settled === null && response.isError),
  }
  const under = (name: string, fromMs: number, toMs: number): Span => ({
    ...{ ...common, spanId: newSpanId(), parentSpanId: inference.spanId, name, kind: 'internal', attributes: {} },
    ...{ startMs: fromMs, endMs: toMs },
  })
  return [
    server,
    inference,
    ...phases.flatMap(({ name, from, to }) => {
      const fromMs = steps.get(from)
      const toMs = to.map((step) => steps.get(step)).find((ms) => ms !== undefined)
      // A phase that was not completed lasted until the end.
      return fromMs === undefined ? [] : [under(name, fromMs, toMs ?? inference.endMs)]
    }),
    ...pauses.map(({ fromMs, toMs }) => under('pause', fromMs, toMs)),
    ...calls.map((call) => callSpan(call, inference, inference.endMs)),
  ]
}

const eventAt = (steps: ReadonlyMap<TraceStep, number>, step: TraceStep): SpanEvent[] => {
  const atMs = steps.get(step)
  return atMs === undefined ? [] : [{ name: step, atMs }]
}

/** `chat helix-v1`. */
const inferenceName = (request: Attributes): string =>
  `${request['gen_ai.operation.name'] ?? 'chat'} ${request['gen_ai.request.model'] ?? ''}`.trim()

const settledAttributes = ({ settled, response, steps, startMs }: RecordedTrace): Attributes => {
  if (settled === null) return { 'error.type': response.error ?? undefined }
  const { outcome, error, finishReason, counts } = settled
  const firstMs = steps.get('first_token')
  return {
    'gen_ai.usage.input_tokens': counts.promptTokens,
    'gen_ai.usage.output_tokens': counts.completionTokens,
    'gen_ai.usage.cache_read.input_tokens': counts.cachedTokens,
    'gen_ai.usage.reasoning.output_tokens': counts.reasoningTokens,
    'gen_ai.response.time_to_first_chunk': firstMs === undefined ? undefined : (firstMs - startMs) / 1000,
    'gen_ai.response.finish_reasons': finishReason === null ? undefined : [finishReason],
    'helix.outcome': outcome,
    'error.type': error ?? undefined,
  }
}

const callSpan = (call: TraceCall, under: Span, endMs: number): Span => {
  const described = call.describe()
  return {
    traceId: under.traceId,
    spanId: call.spanId,
    parentSpanId: under.spanId,
    state: under.state,
    name: inferenceName(described),
    kind: 'client',
    startMs: call.startMs,
    endMs: call.endMs ?? endMs,
    attributes: {
      ...described,
      'http.response.status_code': call.status ?? undefined,
      'error.type': call.error ?? (isRefused(call) ? String(call.status) : undefined),
    },
    events: call.headMs === null ? [] : [{ name: 'response_started', atMs: call.headMs }],
    isError: hasFailed(call),
    link: null,
  }
}

const isRefused = ({ status }: TraceCall): boolean => status !== null && status >= 400

const hasFailed = (call: TraceCall): boolean => call.error !== null || isRefused(call)

/** The server that was called is at fault, not what it was asked. */
export const isServerFault = ({ error, status }: TraceCall): boolean =>
  error !== null || (status !== null && (status >= 500 || status === 429))
