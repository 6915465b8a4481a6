import { hash } from 'node:crypto'
import { errorText, type Log } from '../../base/log.ts'
import { type Redis, RedisAway } from '../../redis/redis.ts'
import { redisScript } from '../../redis/redis-script.ts'
import { type AttemptLimit, type CreateAttemptLimit, currentRate } from './attempt-limit.ts'
import { tooManyAttempts } from './too-many-attempts.ts'

type RedisAttemptsOptions = {
  redis: Pick<Redis, 'run'>
  /** Counts what this server does as well, and decides while Redis is away. */
  createLocal: CreateAttemptLimit
  log: Log
}

type Action = 'consume' | 'look' | 'refund' | 'reset'

/** A bucket by the clock of Redis. It expires when it is full again. Returns whether there was one left, and how many were used. */
const change = redisScript(`local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local max, refillMs, action = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
local bucket = redis.call('HMGET', KEYS[1], 'used', 'at')
local before = 0
if bucket[1] then before = math.max(0, bucket[1] - math.max(0, now - bucket[2]) / refillMs) end
local left = before <= max - 1
local used = before
if action == 'consume' and left then used = before + 1 end
if action == 'refund' then used = math.max(0, before - 1) end
if action == 'reset' then used = 0 end
if used == 0 then
  redis.call('DEL', KEYS[1])
elseif action ~= 'look' then
  redis.call('HSET', KEYS[1], 'used', string.format('%.9f', used), 'at', string.format('%.3f', now))
  redis.call('PEXPIRE', KEYS[1], math.ceil(used * refillMs))
end
return { left and 1 or 0, string.format('%.9f', before) }`)

/** Limits that all nodes share. Nobody is locked out because Redis is away: each node then counts for itself. */
export const createRedisAttemptLimits = ({ redis, createLocal, log }: RedisAttemptsOptions): CreateAttemptLimit => {
  const run = async (kind: string, rate: Parameters<CreateAttemptLimit>[1], action: Action, name: string) => {
    const { max, perMs } = currentRate(rate)
    // Hashed, because names contain email and IP addresses.
    const key = `attempts:${kind}:${hash('sha256', name, 'base64url')}`
    try {
      return readChange(await redis.run(change, [key], [max, perMs / max, action]))
    } catch (error) {
      if (!(error instanceof RedisAway)) log.error('attempts_not_shared', { cause: errorText(error) })
      return null
    }
  }
  return (kind, rate): AttemptLimit => {
    const local = createLocal(kind, rate)
    return {
      async consume(name) {
        const shared = await run(kind, rate, 'consume', name)
        if (shared === null) return local.consume(name)
        if (!shared.isLeft) throw tooManyAttempts(shared.used, currentRate(rate))
        await local.tryConsume(name)
      },
      async tryConsume(name) {
        const shared = await run(kind, rate, 'consume', name)
        if (shared === null) return local.tryConsume(name)
        if (shared.isLeft) await local.tryConsume(name)
        return shared.isLeft
      },
      used: async (name) => (await run(kind, rate, 'look', name))?.used ?? local.used(name),
      async refund(name) {
        await local.refund(name)
        await run(kind, rate, 'refund', name)
      },
      async reset(name) {
        await local.reset(name)
        await run(kind, rate, 'reset', name)
      },
    }
  }
}

/** Sound because the script returns exactly this. */
const asReply = (reply: unknown): [left: number, used: string] => reply as [number, string]

const readChange = (reply: unknown): { isLeft: boolean; used: number } => {
  const [left, used] = asReply(reply)
  return { isLeft: left === 1, used: Number(used) }
}
