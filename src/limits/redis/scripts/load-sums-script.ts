import { redisScript } from '../../../redis/redis-script.ts'
import { sumArguments } from './arguments.ts'

const sum = sumArguments.at('at')

/**
 * Adds what the ledger has to sums that were marked as loading before it was read. What was settled since the mark is in them
 * already: it may count twice, but never not at all. The first to answer for a mark wins.
 *
 * KEYS: base. ARGV: `sumArguments` for each sum; the unit is its letter.
 */
export const loadSumsScript = redisScript(`
for at = 1, #ARGV, ${sumArguments.size} do
  local key, unit = KEYS[1] .. 'p:' .. ${sum.key}, ${sum.unit}
  local found = redis.call('HMGET', key, 'l' .. unit, 'i' .. unit)
  if not found[1] and found[2] == ${sum.mark} then
    redis.call('HINCRBY', key, unit, ${sum.value})
    redis.call('HSET', key, 'l' .. unit, 1)
  end
end
return 'ok'
`)
