import { redisScript } from '../../../redis/redis-script.ts'
import { sharedLua } from './shared-lua.ts'

/**
 * Releases what a node that has ended left registered, some at a time. The ledger has settled its requests before this, with
 * what is known of them: so the sums are read there again, and the minute counts all that was reserved.
 *
 * ARGV: time, node, '', day, how many. Answers with how many are left.
 */
export const releaseNodeScript = redisScript(`${sharedLua}
local today, left = ARGV[4], tonumber(ARGV[5])
local function forget(id, day)
  redis.call('DEL', base .. 'p:' .. day .. ':' .. id, base .. 'p:' .. string.sub(day, 1, 6) .. ':' .. id)
end
local page = redis.call('HSCAN', nodeKey, '0', 'COUNT', left)[2]
for at = 1, #page, 2 do
  if page[at] ~= '#' then
    local entry = entryOf(page[at + 1])
    register(entry, -1)
    for _, entity in ipairs(entitiesOf(entry)) do
      if entry.state == 'r' then add(entity, 's', entry.tokens) end
      if entry.state ~= 'e' then
        forget(entity.id, today)
        forget(entity.id, entry.day)
      end
    end
    redis.call('HDEL', nodeKey, page[at])
  end
end
save()
local size = redis.call('HLEN', nodeKey) - redis.call('HEXISTS', nodeKey, '#')
if size > 0 then return size end
redis.call('DEL', nodeKey)
redis.call('ZREM', base .. 'nodes', node)
return 0
`)
