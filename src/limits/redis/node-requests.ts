import type { Clock } from '../../base/clock.ts'
import { createCountersById } from '../counters-by-id.ts'
import type { LimitedEntity } from '../limited-entity.ts'
import type { Caller } from '../limiter-contract.ts'
import { addToWindow } from '../sliding-window.ts'
import { type Amount, beginRequest, endRequest, releaseRequest, type UsageCounters } from '../usage-counters.ts'
import { createEndedRequests } from './ended-requests.ts'
import type { LimitsConnection } from './limits-connection.ts'
import { idsOf, type LiveRequest } from './live-request.ts'

/** For how long prechecks that are far from all limits may be decided by the counters as last seen. */
const freshMs = 5_000
type Seen = { nowMs: number; day: number }

export type NodeRequests = ReturnType<typeof createNodeRequests>

/**
 * The requests of this node: what it has counted itself, by which it decides while Redis is away; and what it has last seen of
 * the counters of all nodes, for headers.
 */
export const createNodeRequests = (connection: LimitsConnection, clock: Clock) => {
  const own = createCountersById()
  const seen = createCountersById()
  const { live, nowMs } = connection
  /** Those that have passed a precheck at this node alone and were not sent to Redis yet, by their entities. */
  const waiting = new Map<string, Set<string>>()
  const seenAt = new WeakMap<UsageCounters, Seen>()
  const ended = createEndedRequests(connection, clock)

  const countersOf = (request: LiveRequest): UsageCounters[] => idsOf(request).map(own.of)
  const allOf = (request: LiveRequest): UsageCounters[] => [...countersOf(request), ...idsOf(request).map(seen.of)]
  const leave = (request: LiveRequest, counters: readonly UsageCounters[]): void => {
    for (const one of counters) {
      if (request.state === 'e') one.entering -= 1
      else releaseRequest(one, { tokens: request.tokens, costMicros: request.micros })
    }
  }
  const isWaiting = (id: string, request: LiveRequest): boolean => waiting.get(request.organisationId)?.has(id) === true
  const startWaiting = (id: string, request: LiveRequest): void => {
    for (const entity of idsOf(request)) {
      const ids = waiting.get(entity) ?? new Set()
      waiting.set(entity, ids.add(id))
      seen.of(entity).entering += 1
    }
  }
  const stopWaiting = (id: string, request: LiveRequest): void => {
    if (!isWaiting(id, request)) return
    for (const entity of idsOf(request)) {
      const ids = waiting.get(entity)
      ids?.delete(id)
      if (ids?.size === 0) waiting.delete(entity)
      seen.of(entity).entering -= 1
    }
  }

  return {
    own,
    seen,
    /** How many requests of an entity have passed a precheck at this node alone, and are not decided about yet. */
    waiting: (entityId: string): number => waiting.get(entityId)?.size ?? 0,
    /** Redis decides about it now. Returns whether it was far from all limits. */
    stopWaiting(id: string): boolean {
      const request = live.get(id)
      if (request?.isUnregistered !== true) return false
      stopWaiting(id, request)
      return true
    },
    /** Sends the ends of requests that Redis does not have yet. */
    sendEnded: ended.send,
    /** The counters of these entities are those of all nodes now, and of this node's waiting requests. */
    noteSeen(entities: readonly LimitedEntity[], at: Seen): void {
      for (const { id, counters } of entities) {
        counters.entering += waiting.get(id)?.size ?? 0
        seenAt.set(counters, at)
      }
    },
    /** Whether the counters of these entities were seen a moment ago. */
    areFresh: (entities: readonly LimitedEntity[], { nowMs, day }: Seen): boolean =>
      entities.every(({ counters }) => {
        const at = seenAt.get(counters)
        return at !== undefined && at.day === day && nowMs - at.nowMs < freshMs
      }),
    sweep(): void {
      own.sweep(nowMs())
      seen.sweep(nowMs())
    },
    /** It has passed the precheck, in Redis or at this node alone. */
    enter(id: string, { organisationId, key }: Caller, day: number, isUnregistered: boolean): void {
      const amounts = { tokens: 0, micros: 0, day, beganAtMs: nowMs() }
      const request: LiveRequest = { state: 'e', ...amounts, organisationId, keyId: key?.id ?? null }
      if (isUnregistered) {
        request.isUnregistered = true
        startWaiting(id, request)
      }
      live.set(id, request)
      for (const counters of countersOf(request)) counters.entering += 1
    },
    /** It was decided about, and does not count as entering any more. Returns whether it was far from all limits. */
    leaveEntering(id: string): boolean {
      const request = live.get(id)
      if (request?.state !== 'e') return false
      leave(request, countersOf(request))
      stopWaiting(id, request)
      live.delete(id)
      return request.isUnregistered === true
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
      if (request.isUnregistered) throw new Error('a request that generates nothing must be checked by Redis')
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
    /** Before it was admitted, one that generates nothing, or one that is not in the ledger. */
    release(id: string): void {
      const request = live.get(id)
      if (request === undefined || request.state === 'u') return
      live.delete(id)
      leave(request, request.isUnregistered ? countersOf(request) : allOf(request))
      stopWaiting(id, request)
      if (request.isUnregistered !== true)
        connection.change([{ what: request.state === 'e' ? 'leave' : 'stop', id, request }])
    },
    refuse({ organisationId, key }: Caller, count: number): void {
      const ids = key === null ? [organisationId] : [organisationId, key.id]
      for (const id of ids) for (const counters of [own, seen]) addToWindow(counters.of(id).refused, nowMs(), count)
      connection.countRefused(ids, count)
    },
    end(id: string, used: Amount, day: number, isWritten: Promise<unknown>): void {
      const request = live.get(id)
      if (request?.state !== 'r') return
      const reserved = { tokens: request.tokens, costMicros: request.micros }
      for (const counters of allOf(request)) endRequest(counters, { nowMs: nowMs(), day, reserved, used })
      Object.assign(request, { state: 'u', tokens: used.tokens, micros: used.costMicros, day })
      ended.end(id, request, isWritten)
    },
  }
}
