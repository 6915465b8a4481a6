import { errorMessage } from '../base/caught-error.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { cannotUse } from './cannot-use.ts'
import { connectRedis, isErrorReply, type RedisConnection } from './connect-redis.ts'
import { type Redis, RedisAway } from './redis.ts'
import { createSubscriptions } from './subscriptions.ts'
import { withinTime } from './within-time.ts'

type OpenOptions = {
  /** `redis://` or `rediss://` URLs; several are nodes of a Redis cluster. */
  addresses: readonly string[]
  /** Time limit for connecting, and for each command. */
  timeoutMs: number
  /** Prepended to every key and channel. */
  prefix: string
  clock: Clock
  log: Log
}

/** The first delay before a retry; later ones are longer. */
const firstRetryMs = 100
const maxRetryMs = 2_000

/** Throws an `OperatorError` if Redis cannot be reached now. Later, lost connections are opened again. */
export const openRedis = async (options: OpenOptions): Promise<Redis> => {
  const { addresses, timeoutMs, prefix, clock, log } = options
  const returned = new Set<() => void>()
  const subscriptions = createSubscriptions()
  /** The scripts that Redis has received over a connection. */
  const sentScripts = new WeakMap<RedisConnection, Set<string>>()
  let connection: RedisConnection | null = null
  let isClosed = false
  let cancelRetry = (): void => {}

  /** Also writes, because a replica, or a server without free memory, can be reached but not used. */
  const connect = async (): Promise<RedisConnection> => {
    let lost: Error | null = null
    let opened: RedisConnection | null = null
    const onLost = (reason: Error): void => {
      lost = reason
      if (opened !== null && opened === connection) leave(reason)
    }
    opened = await withinTime(connectRedis({ addresses, timeoutMs, onLost }), 2 * timeoutMs, clock, (late) =>
      late.destroy(),
    )
    try {
      const key = `${prefix}{limits}:check`
      await withinTime(opened.send(key, ['SET', key, '1', 'PX', '60000']), timeoutMs, clock)
      for (const [channel, listener] of subscriptions.all())
        await withinTime(opened.subscribe(channel, listener), timeoutMs, clock)
      if (lost !== null) throw lost
      return opened
    } catch (error) {
      opened.destroy()
      throw error
    }
  }

  const leave = (reason: unknown): void => {
    if (connection === null || isClosed) return
    log.warn('redis_away', { reason: errorMessage(reason) })
    const leftAtMs = clock.monotonicMs()
    connection.destroy()
    connection = null
    const retry = (delayMs: number): void => {
      cancelRetry = clock.after(delayMs, () => {
        connect().then(
          (opened) => {
            if (isClosed) return opened.destroy()
            connection = opened
            log.info('redis_returned', { awayMs: Math.round(clock.monotonicMs() - leftAtMs) })
            for (const listener of [...returned]) listener()
          },
          () => {
            if (!isClosed) retry(Math.min(maxRetryMs, delayMs * 2))
          },
        )
      })
    }
    retry(firstRetryMs)
  }

  /** Fails at once while it is away. */
  const send = async <Reply>(act: (current: RedisConnection) => Promise<Reply>): Promise<Reply> => {
    const current = connection
    if (current === null) throw new RedisAway('Redis is away')
    try {
      return await withinTime(act(current), timeoutMs, clock)
    } catch (error) {
      if (isErrorReply(error) && !meansAway.test(error.message)) throw error
      if (current === connection) leave(error)
      throw new RedisAway(`Redis is away: ${errorMessage(error)}`, { cause: error })
    }
  }

  try {
    connection = await connect()
  } catch (error) {
    throw cannotUse(addresses, error)
  }

  return {
    run: (script, keys, args) => {
      const named = keys.map((key) => prefix + key)
      const rest = [String(named.length), ...named, ...args.map(String)]
      const [first = ''] = named
      return send(async (current) => {
        // A script is sent in full the first time, so that Redis runs commands in the order in which they are sent.
        const sent = sentScripts.get(current) ?? new Set()
        sentScripts.set(current, sent)
        if (!sent.has(script.sha1)) {
          sent.add(script.sha1)
          return current.send(first, ['EVAL', script.lua, ...rest])
        }
        try {
          return await current.send(first, ['EVALSHA', script.sha1, ...rest])
        } catch (error) {
          if (!isErrorReply(error) || !error.message.startsWith('NOSCRIPT')) throw error
          return await current.send(first, ['EVAL', script.lua, ...rest])
        }
      })
    },
    call: (command, key, ...args) =>
      send((current) => current.send(prefix + key, [command, prefix + key, ...args.map(String)])),
    publish: async (channel, text) => {
      await send((current) => current.publish(prefix + channel, text))
    },
    subscribe(channel, listener) {
      const { isFirst, deliver, remove } = subscriptions.add(prefix + channel, listener)
      // If it is away, the next connection subscribes.
      if (isFirst) send((current) => current.subscribe(prefix + channel, deliver)).catch(() => {})
      return () => {
        if (remove()) send((current) => current.unsubscribe(prefix + channel)).catch(() => {})
      }
    },
    get isAway() {
      return connection === null
    },
    onReturned(listener) {
      returned.add(listener)
      return () => returned.delete(listener)
    },
    async close() {
      isClosed = true
      cancelRetry()
      connection?.destroy()
      connection = null
    },
  }
}

/** Redis can be reached, but cannot execute commands. */
const meansAway =
  /^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MISCONF|OOM|BUSY|NOREPLICAS|NOAUTH|UNKILLABLE)\b|non.local key/
