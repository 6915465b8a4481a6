import { errorMessage } from '../base/caught-error.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { cannotUse } from './cannot-use.ts'
import { connectRedis, isErrorReply, type RedisConnection } from './connect-redis.ts'
import { RedisAway } from './redis.ts'
import { withinTime } from './within-time.ts'

export type LinkOptions = {
  /** `redis://` or `rediss://` URLs; several are nodes of a Redis cluster. */
  addresses: readonly string[]
  /** Time limit for connecting, and for each command. */
  timeoutMs: number
  /** Prepended to every key and channel. */
  prefix: string
  clock: Clock
  log: Log
}

/**
 * While Redis is away, connecting is tried again and again; commands fail at once.
 *
 *     connected ⇄ away
 *         └──────┴──→ closed
 */
type LinkState =
  | { type: 'connected'; connection: RedisConnection }
  | { type: 'away'; cancelRetry(): void }
  | { type: 'closed' }

/** The first delay before a retry; later ones are longer. */
const firstRetryMs = 100
const maxRetryMs = 2_000

/** Keeps a connection to Redis open. */
export class RedisLink {
  readonly #options: LinkOptions
  /** The channels that every new connection subscribes to. */
  readonly #channels: () => [channel: string, deliver: (text: string) => void][]
  readonly #returned = new Set<() => void>()
  #state: LinkState = { type: 'closed' }

  constructor(options: LinkOptions, channels: () => [channel: string, deliver: (text: string) => void][]) {
    this.#options = options
    this.#channels = channels
  }

  /** Throws an `OperatorError` if Redis cannot be reached now. */
  async open(): Promise<void> {
    try {
      this.#state = { type: 'connected', connection: await this.#connect() }
    } catch (error) {
      throw cannotUse(this.#options.addresses, error)
    }
  }

  get isAway(): boolean {
    return this.#state.type !== 'connected'
  }

  /** Fails at once while Redis is away. */
  async send<Reply>(act: (connection: RedisConnection) => Promise<Reply>): Promise<Reply> {
    const { timeoutMs, clock } = this.#options
    if (this.#state.type !== 'connected') throw new RedisAway('Redis is away')
    const { connection } = this.#state
    try {
      return await withinTime(act(connection), timeoutMs, clock)
    } catch (error) {
      if (isErrorReply(error) && !meansAway.test(error.message)) throw error
      this.#leave(connection, error)
      throw new RedisAway(`Redis is away: ${errorMessage(error)}`, { cause: error })
    }
  }

  onReturned(listener: () => void): () => void {
    this.#returned.add(listener)
    return () => this.#returned.delete(listener)
  }

  close(): void {
    if (this.#state.type === 'away') this.#state.cancelRetry()
    if (this.#state.type === 'connected') this.#state.connection.destroy()
    this.#state = { type: 'closed' }
  }

  /** Also writes, because a replica, or a server without free memory, can be reached but not used. */
  async #connect(): Promise<RedisConnection> {
    const { addresses, timeoutMs, prefix, clock } = this.#options
    let lost: Error | null = null
    let opened: RedisConnection | null = null
    const onLost = (reason: Error): void => {
      lost = reason
      if (opened !== null) this.#leave(opened, reason)
    }
    opened = await withinTime(connectRedis({ addresses, timeoutMs, onLost }), 2 * timeoutMs, clock, (late) =>
      late.destroy(),
    )
    try {
      const key = `${prefix}{limits}:check`
      await withinTime(opened.send(key, ['SET', key, '1', 'PX', '60000']), timeoutMs, clock)
      for (const [channel, deliver] of this.#channels())
        await withinTime(opened.subscribe(channel, deliver), timeoutMs, clock)
      if (lost !== null) throw lost
      return opened
    } catch (error) {
      opened.destroy()
      throw error
    }
  }

  /** Without effect if another connection is in use by now. */
  #leave(connection: RedisConnection, reason: unknown): void {
    const { clock, log } = this.#options
    if (this.#state.type !== 'connected' || this.#state.connection !== connection) return
    log.warn('redis_away', { reason: errorMessage(reason) })
    this.#retry(firstRetryMs, clock.monotonicMs())
    connection.destroy()
  }

  #retry(delayMs: number, leftAtMs: number): void {
    const { clock } = this.#options
    const connectAgain = (): void =>
      void this.#connect().then(
        (connection) => this.#return(connection, leftAtMs),
        () => {
          if (this.#state.type === 'away') this.#retry(Math.min(maxRetryMs, delayMs * 2), leftAtMs)
        },
      )
    this.#state = { type: 'away', cancelRetry: clock.after(delayMs, connectAgain) }
  }

  #return(connection: RedisConnection, leftAtMs: number): void {
    const { clock, log } = this.#options
    if (this.#state.type === 'closed') {
      connection.destroy()
      return
    }
    this.#state = { type: 'connected', connection }
    log.info('redis_returned', { awayMs: Math.round(clock.monotonicMs() - leftAtMs) })
    for (const listener of [...this.#returned]) listener()
  }
}

/** Redis can be reached, but cannot execute commands. */
const meansAway =
  /^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MISCONF|OOM|BUSY|NOREPLICAS|NOAUTH|UNKILLABLE)\b|non.local key/
