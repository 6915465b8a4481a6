import { isRecord } from '../base/is-record.ts'
import { parseJsonText } from '../base/parse-json-text.ts'
import type { Redis } from '../redis/redis.ts'
import { redisScript } from '../redis/redis-script.ts'
import type { CachedRecord, CacheRecords } from '../store/cache-contract.ts'

type RedisCacheOptions = {
  redis: Pick<Redis, 'run' | 'call'>
  /** Whether the organisation exists, in the database. */
  exists(organisationId: string): Promise<boolean>
}

export type RedisCache = CacheRecords & {
  /** Removes all answers of organisations that do not exist any more. */
  removeDeleted(): Promise<void>
}

const removedAtOnce = 50
/** Asked at the same time. */
const maxAtOnce = 50
/** An organisation that sends nothing any more leaves nothing behind, whatever happens to the servers. */
const moreLifeMs = 3_600_000

/**
 * Each organisation has a hash with its answers, their order by when they expire, and their size. The keys share a hash tag, so that
 * scripts change all three in one step.
 */
const insert = redisScript(`local expires = redis.call('ZSCORE', KEYS[2], ARGV[1])
if expires and tonumber(expires) > tonumber(ARGV[4]) then return 0 end
local before = redis.call('HSTRLEN', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
redis.call('INCRBY', KEYS[3], #ARGV[2] - before)
for index = 1, 3 do redis.call('PEXPIRE', KEYS[index], ARGV[5]) end
return 1`)

/** By name, or the first of those that expire up to some time. */
const remove = redisScript(`local fields = { ARGV[2] }
if ARGV[1] == 'first' then fields = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[2], 'LIMIT', 0, ARGV[3]) end
for _, field in ipairs(fields) do
  redis.call('DECRBY', KEYS[3], redis.call('HSTRLEN', KEYS[1], field))
  redis.call('HDEL', KEYS[1], field)
  redis.call('ZREM', KEYS[2], field)
end
if redis.call('ZCARD', KEYS[2]) == 0 then redis.call('DEL', KEYS[1], KEYS[2], KEYS[3]) end
return #fields`)

const removeAll = redisScript("return redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])")

/** Those that may have answers. */
const organisationsKey = 'cache:organisations'
const keysOf = (organisationId: string): string[] =>
  ['answers', 'order', 'bytes'].map((name) => `{cache:${organisationId}}:${name}`)
const answersKey = (organisationId: string): string => `{cache:${organisationId}}:answers`
const bytesKey = (organisationId: string): string => `{cache:${organisationId}}:bytes`

/** The answer cache of a cluster in its Redis. What it loses, models answer again. */
export const createRedisCache = ({ redis, exists }: RedisCacheOptions): RedisCache => {
  const list = async (): Promise<string[]> => asTexts(await redis.call('SMEMBERS', organisationsKey))
  const forget = async (organisationId: string): Promise<void> => {
    await redis.run(removeAll, keysOf(organisationId), [])
    await redis.call('SREM', organisationsKey, organisationId)
  }
  const removeFirst = async (organisationId: string, until: string | number): Promise<number> =>
    asCount(await redis.run(remove, keysOf(organisationId), ['first', until, removedAtOnce]))
  const each = async (work: (organisationId: string) => Promise<void>): Promise<void> => {
    const all = await list()
    for (let from = 0; from < all.length; from += maxAtOnce)
      await Promise.all(all.slice(from, from + maxAtOnce).map(work))
  }
  return {
    async find(organisationId, keyHash, now) {
      const text = await redis.call('HGET', answersKey(organisationId), fieldOf(keyHash))
      if (typeof text !== 'string') return null
      const record = readRecord(text, organisationId, keyHash)
      return record.expiresAt > now ? record : null
    },
    async insert(record) {
      const { organisationId, keyHash, createdAt, expiresAt } = record
      if (!(await exists(organisationId))) return
      const lifeMs = Math.max(1, expiresAt - createdAt) + moreLifeMs
      // Before the answer, so that whatever removes answers finds it.
      await redis.call('SADD', organisationsKey, organisationId)
      const args = [fieldOf(keyHash), writeRecord(record), expiresAt, createdAt, lifeMs]
      await redis.run(insert, keysOf(organisationId), args)
      // It may have been deleted meanwhile. Either this sees it, or its deletion has seen the answer.
      if (!(await exists(organisationId))) await forget(organisationId)
    },
    async remove(organisationId, keyHash) {
      await redis.run(remove, keysOf(organisationId), ['field', fieldOf(keyHash)])
    },
    async removeExpired(now) {
      let removed = 0
      await each(async (organisationId) => {
        const count = await removeFirst(organisationId, now)
        // Added now, not before the answer of Redis: others have added theirs meanwhile.
        removed += count
      })
      return removed
    },
    removeOldest: (organisationId) => removeFirst(organisationId, '+inf'),
    async bytes() {
      const byOrganisation = new Map<string, number>()
      await each(async (organisationId) => {
        const bytes = Number(await redis.call('GET', bytesKey(organisationId)))
        if (bytes > 0) byOrganisation.set(organisationId, bytes)
      })
      return byOrganisation
    },
    removeDeleted: () =>
      each(async (organisationId) => {
        if (!(await exists(organisationId))) await forget(organisationId)
      }),
  }
}

const fieldOf = (keyHash: Uint8Array): string => Buffer.from(keyHash).toString('hex')

const writeRecord = ({ requestId, checksum, facts, content, createdAt, expiresAt }: CachedRecord): string =>
  JSON.stringify({
    requestId,
    checksum: Buffer.from(checksum).toString('base64'),
    facts,
    content,
    createdAt,
    expiresAt,
  })

/** What is cut short or changed has a checksum that does not fit, and is therefore removed. */
const readRecord = (text: string, organisationId: string, keyHash: Uint8Array): CachedRecord => {
  const damaged = { requestId: '', checksum: '', facts: '', content: '', createdAt: 0, expiresAt: Infinity }
  const read = { ...damaged, ...parsed(text) }
  return {
    ...{ organisationId, keyHash },
    requestId: String(read.requestId),
    checksum: Buffer.from(String(read.checksum), 'base64'),
    facts: String(read.facts),
    content: String(read.content),
    createdAt: Number(read.createdAt),
    expiresAt: Number(read.expiresAt),
  }
}

const parsed = (text: string): Record<string, unknown> => {
  try {
    const value = parseJsonText(text)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

/** True of these commands. */
const asTexts = (reply: unknown): string[] => (Array.isArray(reply) ? reply.map(String) : [])
const asCount = (reply: unknown): number => Number(reply)
