import { createHash } from 'node:crypto'

/** A Lua script, which Redis runs atomically. */
export type RedisScript = { lua: string; sha1: string }

/** Redis knows a script by the hash of its text. */
export const redisScript = (lua: string): RedisScript => ({ lua, sha1: createHash('sha1').update(lua).digest('hex') })
