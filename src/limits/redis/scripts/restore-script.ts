import { redisScript } from '../../../redis/redis-script.ts'
import { bucketArguments } from './arguments.ts'
import { sharedLua } from './shared-lua.ts'

const given = bucketArguments.at('at')

/**
 * Redis is empty, because it is new or has lost its data, or a replica has taken over, whose data may be older. The first node
 * to notice fills the windows of the last 60 seconds from the ledger; the limits apply again once all nodes have registered what
 * they run, or after a while.
 *
 * ARGV: time, node, '', the ids of the nodes that are awaited, for how long; then `bucketArguments` for each bucket, oldest
 * first. Answers with 'ok', or with 'open' if another node was faster.
 */
export const restoreScript = redisScript(`${sharedLua}
local own = ownOrigin()
if open and origin == own then return 'open' end
origin = own
isRestoring = true
for _, id in ipairs(redis.call('ZRANGE', base .. 'nodes', 0, -1)) do
  local registered = redis.call('HGETALL', base .. 'n:' .. id)
  for at = 1, #registered, 2 do
    if registered[at] ~= '#' then register(entryOf(registered[at + 1]), -1) end
  end
  redis.call('DEL', base .. 'n:' .. id)
end
local awaited = 0
for _ in string.gmatch(ARGV[4], '%S+') do awaited = awaited + 1 end
local moment = now
for at = 6, #ARGV, ${bucketArguments.size} do
  local last, amount = string.match(${given.bucket}, '^(%S+) (%S+)$')
  now = tonumber(last)
  add(entityOf(${given.id}), ${given.window}, tonumber(amount))
end
now = moment
save()
redis.call('DEL', base .. 'nodes')
redis.call('SET', base .. 'origin', origin)
local untilMs = text(now + tonumber(ARGV[5]))
redis.call('HSET', base .. 'collect', 'nodes', awaited, 'until', untilMs, 'awaited', untilMs .. ' ' .. ARGV[4])
redis.call('SET', base .. 'open', awaited > 1 and '0' or '1')
return 'ok'
`)
