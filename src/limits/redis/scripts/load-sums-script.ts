import { redisScript } from '../../../redis/redis-script.ts'

/**
 * Adds what the ledger has to sums that were marked as loading before it was read. What was settled since the mark is in them
 * already: it may count twice, but never not at all. The first to answer for a mark wins.
 *
 * KEYS: base. ARGV: four for each sum: key, t or m, mark, value.
 */
export const loadSumsScript = redisScript(`
for at = 1, #ARGV, 4 do
  local key, of, mark, value = KEYS[1] .. 'p:' .. ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  local found = redis.call('HMGET', key, 'l' .. of, 'i' .. of)
  if not found[1] and found[2] == mark then
    redis.call('HINCRBY', key, of, value)
    redis.call('HSET', key, 'l' .. of, 1)
  end
end
return 'ok'
`)
