import { redisScript } from '../../../redis/redis-script.ts'
import { missedArguments } from './arguments.ts'
import { sharedLua } from './shared-lua.ts'

const missed = missedArguments.at('at')

/**
 * Replaces what is registered for a node by what it says that it has: after it has started, after Redis was away, and after
 * Redis has lost its data. With a new epoch, so that commands which the node has given up and Redis still runs have no effect.
 *
 * ARGV: time, node, epoch, number of requests; two for each: id, 'state tokens micros day org key'; then
 * `missedArguments` for what was counted while Redis was away.
 */
export const registerScript = redisScript(`${sharedLua}
if not open or origin ~= ownOrigin() then return 'lost' end
local count = tonumber(ARGV[4])
local before = redis.call('HGETALL', nodeKey)
for at = 1, #before, 2 do
  if before[at] ~= '#' then register(entryOf(before[at + 1]), -1) end
end
redis.call('DEL', nodeKey)
redis.call('HSET', nodeKey, '#', epoch)
for at = 5, 4 + 2 * count, 2 do
  register(entryOf(ARGV[at + 1]), 1)
  redis.call('HSET', nodeKey, ARGV[at], ARGV[at + 1])
end
for at = 5 + 2 * count, #ARGV, ${missedArguments.size} do
  local entity = entityOf(${missed.id})
  add(entity, 'r', tonumber(${missed.requests}))
  add(entity, 's', tonumber(${missed.settled}))
  add(entity, 'f', tonumber(${missed.refused}))
  local requests, tokens, micros = ${missed.writtenRequests}, ${missed.writtenTokens}, ${missed.writtenMicros}
  addToSums(entity.id, ${missed.day}, tonumber(requests), tonumber(tokens), tonumber(micros))
end
save()
redis.call('ZADD', base .. 'nodes', text(now), node)
return 'ok'
`)
