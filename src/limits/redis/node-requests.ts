import { createCountersById } from '../counters-by-id.ts'
import type { Caller } from '../limiter-contract.ts'
import { addToWindow } from '../sliding-window.ts'
import { type Amount, beginRequest, endRequest, type UsageCounters } from '../usage-counters.ts'
import type { Change, LimitsConnection } from './limits-connection.ts'
import { idsOf, type LiveRequest } from './live-request.ts'

export type NodeRequests = ReturnType<typeof createNodeRequests>

/**
 * The requests of this node: what it has counted itself, by which it decides while Redis is away; and what it has last seen of
 * the counters of all nodes, for headers.
 */
export const createNodeRequests = (connection: LimitsConnection) => {
  const own = createCountersById()
  const seen = createCountersById()
  const { live, nowMs } = connection
  let written: Change[] = []

  const countersOf = (request: LiveRequest): UsageCounters[] => idsOf(request).map(own.of)
  const allOf = (request: LiveRequest): UsageCounters[] => [...countersOf(request), ...idsOf(request).map(seen.of)]
  const leave = (request: LiveRequest, counters: readonly UsageCounters[]): void => {
    for (const one of counters) {
      if (request.state === 'e') one.entering -= 1
      else one.running -= 1
    }
  }
  /** Groups of requests are written at once. */
  const sendWritten = (): void => {
    const changes = written
    written = []
    connection.change(changes)
    for (const { id } of changes) live.delete(id)
  }

  return {
    own,
    seen,
    sweep(): void {
      own.sweep(nowMs())
      seen.sweep(nowMs())
    },
    /** It has passed the precheck. */
    enter(id: string, { organisationId, key }: Caller, day: number): void {
      const amounts = { tokens: 0, micros: 0, day, beganAtMs: nowMs() }
      const request: LiveRequest = { state: 'e', ...amounts, organisationId, keyId: key?.id ?? null }
      live.set(id, request)
      for (const counters of countersOf(request)) counters.entering += 1
    },
    /** It was decided about, and does not count as entering any more. */
    leaveEntering(id: string): void {
      const request = live.get(id)
      if (request?.state !== 'e') return
      leave(request, countersOf(request))
      live.delete(id)
    },
    /** Admitted, by Redis or without it. */
    begin(id: string, { organisationId, key }: Caller, day: number, { tokens, costMicros }: Amount): LiveRequest {
      const amounts = { tokens, micros: costMicros, day, beganAtMs: nowMs() }
      const request: LiveRequest = { state: 'r', ...amounts, organisationId, keyId: key?.id ?? null }
      live.set(id, request)
      for (const counters of countersOf(request)) beginRequest(counters, nowMs(), { tokens, costMicros })
      return request
    },
    /** One that generates nothing. */
    start(id: string): void {
      const request = live.get(id)
      if (request?.state !== 'e') return
      leave(request, allOf(request))
      Object.assign(request, { state: 'r', beganAtMs: nowMs() })
      for (const counters of allOf(request)) beginRequest(counters, nowMs(), { tokens: 0, costMicros: 0 })
      connection.change([{ what: 'start', id, request }])
    },
    extend(id: string, tokens: number, costMicros: number): void {
      const request = live.get(id)
      if (request?.state !== 'r') return
      for (const counters of countersOf(request)) {
        counters.reserved += tokens
        counters.reservedMicros += costMicros - request.micros
      }
      request.tokens += tokens
      request.micros = costMicros
    },
    /** Before it was admitted, or one that generates nothing. */
    release(id: string): void {
      const request = live.get(id)
      if (request === undefined || request.state === 'u') return
      live.delete(id)
      leave(request, allOf(request))
      connection.change([{ what: request.state === 'e' ? 'leave' : 'stop', id, request }])
    },
    refuse({ organisationId, key }: Caller): void {
      const ids = key === null ? [organisationId] : [organisationId, key.id]
      for (const id of ids) addToWindow(own.of(id).refused, nowMs(), 1)
      connection.countRefused(ids)
    },
    end(id: string, used: Amount, day: number, isWritten: Promise<unknown>): void {
      const request = live.get(id)
      if (request?.state !== 'r') return
      const reserved = { tokens: request.tokens, costMicros: request.micros }
      for (const counters of allOf(request)) endRequest(counters, { nowMs: nowMs(), day, reserved, used })
      Object.assign(request, { state: 'u', tokens: used.tokens, micros: used.costMicros, day })
      connection.change([{ what: 'settle', id, request }])
      const onWritten = (): void => {
        if (written.length === 0) queueMicrotask(sendWritten)
        written.push({ what: 'written', id, request })
      }
      isWritten.then(onWritten, onWritten)
    },
  }
}
