import { redisScript } from '../../../redis/redis-script.ts'

/**
 * Sums of days and months are read from the ledger again when they are needed.
 *
 * KEYS: base. ARGV: PERIOD:ID of each.
 */
export const forgetSumsScript = redisScript(`
for at = 1, #ARGV do redis.call('DEL', KEYS[1] .. 'p:' .. ARGV[at]) end
return 'ok'
`)
