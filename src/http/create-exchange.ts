import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../base/clock.ts'
import { newRequestId } from '../base/ids.ts'
import type { Traces } from '../traces/traces.ts'
import { type ApiStyle, openAiStyle } from './api-style.ts'
import { type BodyBudget, unlimitedBodies } from './body-budget.ts'
import type { Exchange } from './exchange.ts'
import type { LocateRequest } from './forwarded.ts'
import type { Peer } from './passed-on.ts'
import type { Match } from './route.ts'
import { isTraced } from './trace-exchange.ts'

export type Arrival = {
  viaSocket: boolean
  /** What the Expect header requests: an interim response, or something unknown. */
  expects: 'nothing' | 'continue' | 'unknown'
  /** Only of a request that another thread passed on: who it came from. */
  peer?: Peer
}

type CreateExchangeDependencies = { clock: Clock; locate: LocateRequest; bodies: BodyBudget; traces?: Traces | null }

export const createExchange = (
  request: IncomingMessage,
  response: ServerResponse,
  arrival: Arrival,
  found: Match,
  signal: AbortSignal,
  { clock, locate, bodies, traces = null }: CreateExchangeDependencies,
): Exchange => {
  const startedMs = clock.monotonicMs()
  return {
    requestId: newRequestId(clock.now()),
    request,
    response,
    style: chooseStyle(request, found),
    params: found.outcome === 'found' ? found.params : {},
    startedMs,
    elapsedMs: () => clock.monotonicMs() - startedMs,
    signal,
    origin: locate(
      arrival.peer?.address ?? request.socket.remoteAddress,
      request.headers,
      arrival.peer?.isEncrypted ?? 'encrypted' in request.socket,
    ),
    expectsContinue: arrival.expects === 'continue',
    cpuMs: 0,
    // The operator's commands must work even if requests from the network have used up the memory for bodies.
    bodies: arrival.viaSocket ? unlimitedBodies() : bodies,
    releaseBody() {},
    mayCompress: false,
    caller: null,
    progress: null,
    errorName: null,
    isPassedOn: false,
    logFields: {},
    trace: traces !== null && isTraced(found) ? traces.begin(request.headers, startedMs) : null,
    failMidway: null,
    ping: null,
  }
}

const chooseStyle = ({ headers }: IncomingMessage, found: Match): ApiStyle => {
  const { style } = found.outcome === 'found' ? found.route : found
  return (typeof style === 'function' ? style(headers) : style) ?? openAiStyle
}
