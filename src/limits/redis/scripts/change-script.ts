import { redisScript } from '../../../redis/redis-script.ts'
import { changeArguments } from './arguments.ts'
import { commonArguments } from './script-arguments.ts'
import { sharedLua } from './shared-lua.ts'

const change = changeArguments.at('at')

/**
 * What happens to registered requests after they were decided about. None of it can exceed a limit.
 *
 * ARGV: time, node, epoch; then `changeArguments` for each change. `leave`: it does not enter any more. `start`: one without tokens is admitted. `stop`: that one has ended. `settle`: it has ended with so many.
 * `written`: the ledger has it. `finish`: both at once. `refuse`: its key and organisation had so many more refused
 * (nodes of an earlier version say 0 for one); the id is theirs.
 *
 * A request that is not registered was released for a node that had ended, with all its tokens.
 */
export const changeScript = redisScript(`${sharedLua}
if not isComplete() then return 'lost' end
if not isRegistered() then return 'resync' end
for at = ${commonArguments + 1}, #ARGV, ${changeArguments.size} do
  local what, id, day = ${change.what}, ${change.id}, ${change.day}
  local tokens, micros = tonumber(${change.tokens}), tonumber(${change.micros})
  if what == 'refuse' then
    for one in string.gmatch(id, '%S+') do add(entityOf(one), 'f', math.max(1, tokens)) end
  else
    local registered = redis.call('HGET', nodeKey, id)
    local entry = registered and entryOf(registered)
    if entry and what == 'start' and entry.state == 'e' then
      register(entry, -1)
      entry.state = 'r'
      register(entry, 1)
      for _, entity in ipairs(entitiesOf(entry)) do add(entity, 'r', 1) end
      redis.call('HSET', nodeKey, id, packed(entry))
    elseif entry and entry.state == ({ leave = 'e', stop = 'r' })[what] then
      register(entry, -1)
      redis.call('HDEL', nodeKey, id)
    elseif entry and what == 'settle' and entry.state == 'r' then
      register(entry, -1)
      for _, entity in ipairs(entitiesOf(entry)) do add(entity, 's', tokens) end
      entry.state, entry.tokens, entry.micros, entry.day = 'u', tokens, micros, day
      register(entry, 1)
      redis.call('HSET', nodeKey, id, packed(entry))
    elseif entry and what == 'finish' and entry.state == 'r' then
      register(entry, -1)
      for _, entity in ipairs(entitiesOf(entry)) do
        add(entity, 's', tokens)
        addToSums(entity.id, day, 1, tokens, micros)
      end
      redis.call('HDEL', nodeKey, id)
    elseif entry and what == 'written' and entry.state == 'u' then
      register(entry, -1)
      for _, entity in ipairs(entitiesOf(entry)) do addToSums(entity.id, entry.day, 1, entry.tokens, entry.micros) end
      redis.call('HDEL', nodeKey, id)
    end
  end
end
save()
return 'ok'
`)
