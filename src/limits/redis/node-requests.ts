import type { Clock } from '../../base/clock.ts'
import { createCountersById } from '../counters-by-id.ts'
import type { LimitedEntity } from '../limited-entity.ts'
import type { Caller } from '../limiter-contract.ts'
import { addToWindow } from '../sliding-window.ts'
import { type Amount, beginRequest, endRequest, releaseRequest, type UsageCounters } from '../usage-counters.ts'
import { createEndedRequests } from './ended-requests.ts'
import type { LimitsConnection } from './limits-connection.ts'
import { entityIds, type LiveRequest } from './live-request.ts'
import { WaitingRequests } from './waiting-requests.ts'

/** For how long prechecks that are far from all limits may be decided by the counters as last seen. */
const freshMs = 5_000
type Seen = { nowMs: number; day: number }
type ReservedAmount = Pick<Amount, 'tokens' | 'costMicros'>

/**
 * The requests of this node. Each step below moves a request from one state of `live-request.ts` to the next, and
 * updates two sets of counters: what the node has counted itself, by which it decides while Redis is away, and what it
 * last saw of the counters of all nodes. A step does nothing if the request is in no state that allows it.
 */
export class NodeRequests {
  /** What this node has counted itself. */
  readonly own = createCountersById()
  /** What it has last seen of the counters of all nodes, with its own waiting requests. */
  readonly seen = createCountersById()
  readonly #connection: LimitsConnection
  readonly #ended: ReturnType<typeof createEndedRequests>
  readonly #waiting = new WaitingRequests()
  readonly #seenAt = new WeakMap<UsageCounters, Seen>()

  constructor(connection: LimitsConnection, clock: Clock) {
    this.#connection = connection
    this.#ended = createEndedRequests(connection, clock)
  }

  /** precheck → waiting, where this node alone has decided. */
  wait(id: string, caller: Caller, day: number): void {
    const request = this.#add(id, caller, { state: 'waiting', tokens: 0, micros: 0, day, isFarFromLimits: true })
    this.#waiting.add(id, entityIds(request))
    for (const counters of [...this.#ownCounters(request), ...this.#seenCounters(request)]) counters.entering += 1
  }

  /** precheck → entering, where Redis has decided, or this node while Redis is away. */
  enter(id: string, caller: Caller, day: number): void {
    const request = this.#add(id, caller, { state: 'entering', tokens: 0, micros: 0, day, isFarFromLimits: false })
    for (const counters of this.#ownCounters(request)) counters.entering += 1
  }

  /** A waiting request does not count as one any more, because Redis decides about it now. Returns whether it was waiting. */
  stopWaiting(id: string): boolean {
    const request = this.#connection.live.get(id)
    if (request?.state !== 'waiting') return false
    this.#stopWaiting(id, request)
    return true
  }

  /** waiting or entering → decided about: it is begun next, or was refused. Returns whether it was waiting. */
  leaveEntering(id: string): boolean {
    const request = this.#connection.live.get(id)
    if (request?.state !== 'waiting' && request?.state !== 'entering') return false
    for (const counters of this.#ownCounters(request)) counters.entering -= 1
    this.#stopWaiting(id, request)
    this.#connection.live.delete(id)
    return request.state === 'waiting'
  }

  /** → running: admitted, by Redis or without it. */
  begin(id: string, caller: Caller, day: number, reserved: ReservedAmount, isFarFromLimits: boolean): LiveRequest {
    const { tokens, costMicros: micros } = reserved
    const request = this.#add(id, caller, { state: 'running', tokens, micros, day, isFarFromLimits })
    for (const counters of this.#ownCounters(request)) beginRequest(counters, this.#nowMs(), reserved)
    return request
  }

  /** entering → running, for one that generates nothing. */
  start(id: string): void {
    const request = this.#connection.live.get(id)
    if (request?.state === 'waiting') throw new Error('a request that generates nothing must be checked by Redis')
    if (request?.state !== 'entering') return
    request.state = 'running'
    request.beganAtMs = this.#nowMs()
    for (const counters of [...this.#ownCounters(request), ...this.#seenCounters(request)]) {
      counters.entering -= 1
      beginRequest(counters, this.#nowMs(), { tokens: 0, costMicros: 0 })
    }
    this.#connection.change([{ what: 'start', id, request }])
  }

  /** running → running, with more tokens. */
  extend(id: string, tokens: number, costMicros: number): void {
    const request = this.#connection.live.get(id)
    if (request?.state !== 'running') return
    for (const counters of this.#ownCounters(request)) {
      counters.reserved += tokens
      counters.reservedMicros += costMicros - request.micros
    }
    request.tokens += tokens
    request.micros = costMicros
  }

  /** running → ended → written, once `isWritten` is resolved. */
  end(id: string, used: Amount, day: number, isWritten: Promise<unknown>): void {
    const request = this.#connection.live.get(id)
    if (request?.state !== 'running') return
    const reserved = { tokens: request.tokens, costMicros: request.micros }
    for (const counters of [...this.#ownCounters(request), ...this.#seenCounters(request)])
      endRequest(counters, { nowMs: this.#nowMs(), day, reserved, used })
    request.state = 'ended'
    request.tokens = used.tokens
    request.micros = used.costMicros
    request.day = day
    this.#ended.end(id, request, isWritten)
  }

  /** waiting, entering or running → released: it was not admitted, generates nothing, or is not in the ledger. */
  release(id: string): void {
    const request = this.#connection.live.get(id)
    if (request === undefined || request.state === 'ended') return
    this.#connection.live.delete(id)
    const { state } = request
    const counted =
      state === 'waiting' ? this.#ownCounters(request) : [...this.#ownCounters(request), ...this.#seenCounters(request)]
    for (const counters of counted) {
      if (state === 'running') releaseRequest(counters, { tokens: request.tokens, costMicros: request.micros })
      else counters.entering -= 1
    }
    if (state === 'waiting') this.#stopWaiting(id, request)
    else this.#connection.change([{ what: state === 'entering' ? 'leave' : 'stop', id, request }])
  }

  refuse({ organisationId, key }: Caller, count: number): void {
    const ids = key === null ? [organisationId] : [organisationId, key.id]
    for (const id of ids)
      for (const counters of [this.own, this.seen]) addToWindow(counters.of(id).refused, this.#nowMs(), count)
    this.#connection.countRefused(ids, count)
  }

  /** How many requests of an entity have passed a precheck at this node alone, and are not decided about yet. */
  waiting(entityId: string): number {
    return this.#waiting.count(entityId)
  }

  /** Sends the ends of requests that Redis does not have yet. */
  sendEnded(): void {
    this.#ended.send()
  }

  /** Sets the counters of these entities to those of all nodes, plus this node's waiting requests. */
  noteSeen(entities: readonly LimitedEntity[], at: Seen): void {
    for (const { id, counters } of entities) {
      counters.entering += this.#waiting.count(id)
      this.#seenAt.set(counters, at)
    }
  }

  /** Whether the counters of these entities were seen a moment ago. */
  areFresh(entities: readonly LimitedEntity[], { nowMs, day }: Seen): boolean {
    return entities.every(({ counters }) => {
      const at = this.#seenAt.get(counters)
      return at !== undefined && at.day === day && nowMs - at.nowMs < freshMs
    })
  }

  sweep(): void {
    this.own.sweep(this.#nowMs())
    this.seen.sweep(this.#nowMs())
  }

  #add(id: string, { organisationId, key }: Caller, first: FirstState): LiveRequest {
    const request = { ...first, organisationId, keyId: key?.id ?? null, beganAtMs: this.#nowMs() }
    this.#connection.live.set(id, request)
    return request
  }

  #stopWaiting(id: string, request: LiveRequest): void {
    if (!this.#waiting.remove(id, entityIds(request))) return
    for (const counters of this.#seenCounters(request)) counters.entering -= 1
  }

  #ownCounters(request: LiveRequest): UsageCounters[] {
    return entityIds(request).map(this.own.of)
  }

  #seenCounters(request: LiveRequest): UsageCounters[] {
    return entityIds(request).map(this.seen.of)
  }

  #nowMs(): number {
    return this.#connection.nowMs()
  }
}

type FirstState = Omit<LiveRequest, 'organisationId' | 'keyId' | 'beganAtMs'>
