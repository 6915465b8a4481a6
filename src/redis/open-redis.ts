import { isErrorReply, type RedisConnection } from './connect-redis.ts'
import type { Redis } from './redis.ts'
import { type LinkOptions, RedisLink } from './redis-link.ts'
import type { RedisScript } from './redis-script.ts'
import { createSubscriptions } from './subscriptions.ts'

/** Throws an `OperatorError` if Redis cannot be reached now. Later, lost connections are opened again. */
export const openRedis = async (options: LinkOptions): Promise<Redis> => {
  const { prefix } = options
  const subscriptions = createSubscriptions()
  const link = new RedisLink(options, subscriptions.all)
  const runScript = createScriptRunner()
  await link.open()
  return {
    run: (script, keys, args) => {
      const named = keys.map((key) => prefix + key)
      const rest = [String(named.length), ...named, ...args.map(String)]
      return link.send((connection) => runScript(connection, script, named[0] ?? '', rest))
    },
    call: (command, key, ...args) =>
      link.send((connection) => connection.send(prefix + key, [command, prefix + key, ...args.map(String)])),
    publish: async (channel, text) => {
      await link.send((connection) => connection.publish(prefix + channel, text))
    },
    subscribe(channel, listener) {
      const { isFirst, deliver, remove } = subscriptions.add(prefix + channel, listener)
      // If it is away, the next connection subscribes.
      if (isFirst) link.send((connection) => connection.subscribe(prefix + channel, deliver)).catch(() => {})
      return () => {
        if (remove()) link.send((connection) => connection.unsubscribe(prefix + channel)).catch(() => {})
      }
    },
    get isAway() {
      return link.isAway
    },
    onReturned: (listener) => link.onReturned(listener),
    close: async () => link.close(),
  }
}

/** A script is sent in full the first time, so that Redis runs commands in the order in which they are sent. */
const createScriptRunner = () => {
  /** The scripts that Redis has received over a connection. */
  const sentScripts = new WeakMap<RedisConnection, Set<string>>()
  return async (
    connection: RedisConnection,
    script: RedisScript,
    key: string,
    rest: readonly string[],
  ): Promise<unknown> => {
    const sent = sentScripts.get(connection) ?? new Set()
    sentScripts.set(connection, sent)
    if (!sent.has(script.sha1)) {
      sent.add(script.sha1)
      return connection.send(key, ['EVAL', script.lua, ...rest])
    }
    try {
      return await connection.send(key, ['EVALSHA', script.sha1, ...rest])
    } catch (error) {
      if (!isErrorReply(error) || !error.message.startsWith('NOSCRIPT')) throw error
      return await connection.send(key, ['EVAL', script.lua, ...rest])
    }
  }
}
