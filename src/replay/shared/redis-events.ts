import type { Redis } from '../../redis/redis.ts'
import { redisScript } from '../../redis/redis-script.ts'
import { readElements, writeElements } from './event-elements.ts'
import type { SharedEvents } from './shared-events.ts'

type RedisEventsOptions = {
  redis: Pick<Redis, 'run' | 'call' | 'subscribe'>
  /** For how long a response goes on without anybody reading it. */
  graceMs: number
}

/** Refreshed with every event. If events expire while the response runs, they are written again with the next one. */
const runningMs = 15 * 60_000
/** Long enough for current readers to get the end. Others find the stored response. */
const storedMs = 60_000
/** Until the settlement can be written. */
const completeMs = 60 * 60_000
/** Reading is repeated more often than this, so that it counts without a break. */
const attendedLongerMs = 5_000
const maxAtOnce = 256

/** One list for each response. Its length tells a writer what is there, so that nothing is added twice or left out. */
const append = redisScript(`local length = redis.call('LLEN', KEYS[1])
local from = tonumber(ARGV[1])
if length < from then return length end
for index = 3 + length - from, #ARGV do redis.call('RPUSH', KEYS[1], ARGV[index]) end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('PUBLISH', KEYS[1], '')
return redis.call('LLEN', KEYS[1])`)

export const createRedisEvents = ({ redis, graceMs }: RedisEventsOptions): SharedEvents => ({
  async append(requestId, from, part) {
    const expiresMs = {
      stored: storedMs,
      complete: completeMs,
      not_kept: runningMs,
      failed: storedMs,
      abandoned: storedMs,
    }
    const lifeMs = part.end === null ? runningMs : expiresMs[part.end.type]
    return asCount(await redis.run(append, [eventsKey(requestId)], [from, lifeMs, ...writeElements(part)]))
  },
  async read(requestId, from) {
    return readElements(asTexts(await redis.call('LRANGE', eventsKey(requestId), from, from + maxAtOnce - 1)))
  },
  // A script knows the whole name of its key, which therefore names the channel too.
  onMore: (requestId, callback) => redis.subscribe(eventsKey(requestId), callback),
  async attend(requestIds) {
    const lifeMs = graceMs + attendedLongerMs
    await Promise.all(requestIds.map((requestId) => redis.call('SET', readersKey(requestId), 1, 'PX', lifeMs)))
  },
  async attendedMs(requestId) {
    return Math.max(0, asCount(await redis.call('PTTL', readersKey(requestId))))
  },
})

const eventsKey = (requestId: string): string => `{replay:${requestId}}:events`
const readersKey = (requestId: string): string => `{replay:${requestId}}:readers`

/** True of these commands. */
const asCount = (reply: unknown): number => Number(reply)
/** True of the commands that are sent here: Redis answers them with texts. */
const asTexts = (reply: unknown): readonly string[] => reply as string[]
