import { redisScript } from '../../../redis/redis-script.ts'
import { sharedLua } from './shared-lua.ts'

/**
 * Registers what the ledger has open for a node that does not register again, some at a time: it stays reserved until the node
 * registers after all, or is released. Nothing is registered twice, whoever else does this.
 *
 * ARGV: time, node, '', '1' if these are the last; two for each request: id, 'state tokens micros day org key'. Answers with 'ok',
 * 'known' if the node has registered, or 'lost'.
 */
export const standInScript = redisScript(`${sharedLua}
if not open or origin ~= ownOrigin() then return 'lost' end
if redis.call('ZSCORE', base .. 'nodes', node) then return 'known' end
for at = 5, #ARGV, 2 do
  if redis.call('HSETNX', nodeKey, ARGV[at], ARGV[at + 1]) == 1 then register(entryOf(ARGV[at + 1]), 1) end
end
save()
if ARGV[4] == '1' then redis.call('ZADD', base .. 'nodes', text(now), node) end
return 'ok'
`)
