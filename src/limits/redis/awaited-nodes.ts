import type { Clock } from '../../base/clock.ts'
import { errorText, type Log } from '../../base/log.ts'
import { type Redis, RedisAway } from '../../redis/redis.ts'
import type { ClusterNodes } from './cluster-nodes.ts'
import { limitKeys } from './limit-keys.ts'
import { packRequest } from './live-request.ts'
import type { RedisTime } from './redis-time.ts'
import { standInScript } from './scripts/stand-in-script.ts'

type Dependencies = {
  redis: Redis
  nodes: ClusterNodes
  nodeId(): string
  time: RedisTime
  clock: Clock
  log: Log
}

const lookMs = 500
/** A node with heartbeats that does not register by then cannot reach Redis: it admits its share, and nothing with a budget. */
const maxSilenceMs = 10_000
const registeredAtOnce = 200
/** By then limits apply whoever is missing: see `registration.ts`. */
const maxWatchMs = 20_000

/**
 * After a loss of data, limits apply again once every node has registered its requests. Nodes that have died never will: what the
 * ledger has open for them is registered in their place. It counts in full until it is settled, so no limit is exceeded.
 */
export class AwaitedNodes {
  readonly #dependencies: Dependencies
  #isLooking = false
  #isClosed = false
  #isFailing = false
  #cancel = (): void => {}

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** Every node that notices does it: the one that restored the windows may die, too. */
  watch(today: number): void {
    if (this.#isLooking || this.#isClosed) return
    this.#isLooking = true
    void this.#watch(today).finally(() => {
      this.#isLooking = false
    })
  }

  close(): void {
    this.#isClosed = true
    this.#cancel()
  }

  async #watch(today: number): Promise<void> {
    const { clock, log } = this.#dependencies
    const startedMs = clock.monotonicMs()
    const waitedMs = (): number => Math.round(clock.monotonicMs() - startedMs)
    let named = ''
    for (let look = 0; !this.#isClosed && waitedMs() < maxWatchMs; look += 1) {
      const awaited = await this.#tryLook(waitedMs(), today)
      if (awaited?.length === 0) break
      // At the first look the others may not have heard of it.
      const names = awaited?.join(' ') ?? named
      if (look > 0 && names !== named) log.warn('limits_awaiting_nodes', { nodes: names })
      if (look > 0) named = names
      await new Promise<void>((resolve) => {
        this.#cancel = clock.after(lookMs, resolve)
      })
    }
    if (named !== '') log.info('limits_complete', { waitedMs: waitedMs() })
  }

  /** Null: PostgreSQL or Redis cannot be reached. */
  async #tryLook(waitedMs: number, today: number): Promise<string[] | null> {
    try {
      const awaited = await this.#look(waitedMs, today)
      this.#isFailing = false
      return awaited
    } catch (error) {
      if (!this.#isFailing && !(error instanceof RedisAway))
        this.#dependencies.log.warn('nodes_not_listed', { error: errorText(error) })
      this.#isFailing = true
      return null
    }
  }

  /** Resolves to the nodes that are still awaited. */
  async #look(waitedMs: number, today: number): Promise<string[]> {
    const { nodes, nodeId } = this.#dependencies
    const missing = await this.#missing()
    if (missing.length === 0) return []
    const living = new Map((await nodes.list()).map((node) => [node.id, node]))
    const isAwaited = (id: string): boolean => living.get(id)?.isSilent === false && waitedMs < maxSilenceMs
    for (const id of missing) if (id !== nodeId() && !isAwaited(id)) await this.#standIn(id, today)
    return missing.filter(isAwaited)
  }

  async #missing(): Promise<string[]> {
    const { redis } = this.#dependencies
    if ((await redis.call('GET', `${limitKeys}open`)) !== '0') return []
    const [awaited, registered] = await Promise.all([
      redis.call('HGET', `${limitKeys}collect`, 'awaited'),
      redis.call('ZRANGE', `${limitKeys}nodes`, 0, -1),
    ])
    const known = new Set(Array.isArray(registered) ? registered.map(String) : [])
    // The first word is the time until when.
    const [, ...ids] = typeof awaited === 'string' ? awaited.split(' ') : []
    return ids.filter((id) => !known.has(id))
  }

  async #standIn(id: string, today: number): Promise<void> {
    const { redis, nodes, time, log } = this.#dependencies
    const send = (requests: readonly string[], isLast: boolean): Promise<unknown> =>
      redis.run(standInScript, [limitKeys], [time.argument(), id, '', isLast ? 1 : '', ...requests])
    const counted = { requests: 0, tokens: 0 }
    for (let after = 0; ; ) {
      const page = await nodes.openRequests(id, after)
      for (let from = 0; from < page.length; from += registeredAtOnce) {
        const some = page.slice(from, from + registeredAtOnce)
        const packed = some.flatMap((request) => [request.requestId, packOpen(request, today)])
        if ((await send(packed, false)) !== 'ok') return
      }
      counted.requests += page.length
      counted.tokens += page.reduce((sum, { tokens }) => sum + tokens, 0)
      const last = page.at(-1)
      if (last === undefined) break
      after = last.sequence
    }
    if ((await send([], true)) === 'ok') log.warn('limits_counted_for_node', { node: id, ...counted })
  }
}

type Open = Awaited<ReturnType<ClusterNodes['openRequests']>>[number]

/** As its node would have registered it while it ran. */
const packOpen = ({ tokens, costMicros, organisationId, keyId }: Open, day: number): string =>
  packRequest({ state: 'running', tokens, micros: costMicros, day, organisationId, keyId }) ?? ''
