import {
  type BudgetName,
  budgetNames,
  type LimitUnit,
  type LimitWindow,
  limitKinds,
  limitNames,
} from '../../../config/limit-kinds.ts'
import { redisScript } from '../../../redis/redis-script.ts'
import { entityArguments, questionArguments } from './arguments.ts'
import { commonArguments } from './script-arguments.ts'
import { entityFields, sharedLua } from './shared-lua.ts'
import { unitLetters } from './unit-letters.ts'

/** The fields of an entity in an answer. Of each window: t and l. */
export const shownCounters = ['n', 'g', 'v', 'm', 'rt', 'rl', 'st', 'sl', 'ft', 'fl'] as const

const firstOfQuestion = commonArguments + 1
const question = questionArguments.at(firstOfQuestion)
const given = entityArguments.at('at')
const { requests, tokens, money } = unitLetters
/** Of the first entity; the limits are the last of its arguments. */
const firstOfLimits = firstOfQuestion + questionArguments.size + entityArguments.size - limitNames.length

/** Lua: the limit of an entity with this unit and window, or nil. */
const rateArgument = (unit: LimitUnit, window: LimitWindow): string => {
  const name = limitNames.find((one) => limitKinds[one].unit === unit && limitKinds[one].window === window)
  return name === undefined ? 'nil' : `tonumber(${given[name]})`
}

/** Lua: reads what is settled of a budget, if it is set. */
const readBudget = (name: BudgetName, index: number): string => {
  const { unit, window } = limitKinds[name]
  const limit = given[name]
  return `if ${limit} ~= '' then budget(${index + 1}, tonumber(${limit}), ${window}, '${unitLetters[unit]}') end`
}

/**
 * Decides about one request and changes the counters in the same step. After a loss of data, one with a limit waits until all
 * nodes have registered again.
 *
 * ARGV: time, node, epoch; `questionArguments`, where what is precheck, admit, extend or read; then `entityArguments` for each of
 * the key, the organisation and the server. '' is none. `extend` asks for completion tokens in addition to those that the request
 * has.
 *
 * Answers with: status (ok, no, load, wait, resync, lost), time, tokens, micros, sums to load, and for each of the three its
 * counters (`shownCounters`, then what is settled of each budget); if the request does not fit, with the buckets that say how
 * long to wait. What the error is and when to try again is decided from these by the same code as without Redis.
 */
export const decideScript = redisScript(`${sharedLua}
local what, id, day, month = ${question.what}, ${question.id}, ${question.day}, ${question.month}
local organisation, key = ${question.organisation}, ${question.key}
local prompt, most = tonumber(${question.promptTokens}), tonumber(${question.completionTokens})
local enough, least = tonumber(${question.enoughTokens}), tonumber(${question.leastTokens})
local promptPrice, completionPrice = tonumber(${question.promptPrice}), tonumber(${question.completionPrice})
local leastCost = tonumber(${question.leastCostMicros})
local million = 1000000

-- Whether some node has not registered again.
local function isAwaiting()
  local collect = redis.call('HMGET', base .. 'collect', 'nodes', 'until', 'awaited')
  local count, untilMs, awaited = tonumber(collect[1] or 0), collect[2] or '0', collect[3] or ''
  if now >= tonumber(untilMs) then return false end
  if string.sub(awaited, 1, #untilMs + 1) ~= untilMs .. ' ' then return redis.call('ZCARD', base .. 'nodes') < count end
  for id in string.gmatch(string.sub(awaited, #untilMs + 2), '%S+') do
    if not redis.call('ZSCORE', base .. 'nodes', id) then return true end
  end
  return false
end
-- By the unit of a budget: what running requests have reserved, and what has ended but is not written.
local reservedField = { ${requests} = 'g', ${tokens} = 'v', ${money} = 'm' }
local endedField = { ${requests} = 'c', ${tokens} = 'u', ${money} = 'k' }

if not isComplete() then return { 'lost', text(now) } end
local found = redis.call('HMGET', nodeKey, '#', id)
if found[1] ~= epoch then return { 'resync', text(now) } end
if open ~= '1' then
  local function isLimited()
    for at = ${firstOfLimits}, #ARGV, ${entityArguments.size} do
      for limit = at, at + ${limitNames.length - 1} do
        if ARGV[limit] ~= '' then return true end
      end
    end
    return false
  end
  if not isAwaiting() then redis.call('SET', base .. 'open', '1')
  elseif isLimited() then return { 'wait', text(now) } end
end

local limited, loads = {}, {}
local function sumOf(entity, period, of)
  local sums = base .. 'p:' .. period .. ':' .. entity.id
  local found = redis.call('HMGET', sums, of, 'l' .. of, 'i' .. of)
  local mark = found[3]
  if mark and string.sub(mark, 1, #origin) ~= origin then
    -- Of before a loss of data.
    redis.call('HDEL', sums, 'l' .. of)
    found = {}
  end
  if found[2] then return tonumber(found[1]) end
  if not found[1] then
    -- Never the same again, even if Redis loses the number.
    mark = origin .. '.' .. epoch .. '.' .. redis.call('INCR', base .. 'marks')
    redis.call('HSET', sums, of, 0, 'i' .. of, mark)
    redis.call('PEXPIRE', sums, 3600000)
  end
  loads[#loads + 1] = entity.id .. ' ' .. period .. ' ' .. of .. ' ' .. mark
  return 0
end

for at = ${firstOfQuestion + questionArguments.size}, #ARGV, ${entityArguments.size} do
  local entity = entityOf(${given.id})
  local one = {
    entity = entity, refused = tonumber(${given.refused}), waiting = tonumber(${given.waiting}),
    requests = ${rateArgument('requests', 'minute')}, minute = ${rateArgument('tokens', 'minute')}, inFlight = ${rateArgument('requests', 'in_flight')},
    budgets = {}, settled = {},
  }
  local function budget(index, limit, period, unit)
    local settled = sumOf(entity, period, unit) + entity[endedField[unit]]
    one.settled[index] = settled
    one.budgets[#one.budgets + 1] = { most = limit, settled = settled, unit = unit }
  end
  ${budgetNames.map(readBudget).join('\n  ')}
  limited[#limited + 1] = one
end
if #loads > 0 then
  save()
  return { 'load', text(now), '0', '0', table.concat(loads, ',') }
end

local own = found[2] and entryOf(found[2])
if what == 'admit' and own and own.state == 'e' then
  register(own, -1)
  redis.call('HDEL', nodeKey, id)
end

-- Of the minute, of the budgets in tokens, and of those in money.
local function remaining()
  local minute, left = math.huge, { ${requests} = math.huge, ${tokens} = math.huge, ${money} = math.huge }
  for _, one in ipairs(limited) do
    local entity = one.entity
    if one.minute then minute = math.min(minute, one.minute - entity.v - entity.st) end
    for _, budget in ipairs(one.budgets) do
      local unit = budget.unit
      left[unit] = math.min(left[unit], budget.most - budget.settled - entity[reservedField[unit]])
    end
  end
  return minute, left.${tokens}, left.${money}
end

-- Whether the requests of the minute and those in flight have room for one more.
local function hasRoom(one)
  local entity = one.entity
  local entering = entity.n + one.waiting + 1
  return not (one.requests and entity.rt + entering > one.requests) and not (one.inFlight and entity.g + entering > one.inFlight)
end

local function costOf(completion)
  if not promptPrice then return 0 end
  local total = prompt * promptPrice + completion * completionPrice
  local rest = math.fmod(total, million)
  return (total - rest) / million + (rest > 0 and 1 or 0)
end

-- How many completion tokens so many micros pay for beside the prompt, without numbers that are too large to be exact.
local function affordable(micros)
  if not promptPrice or micros == math.huge then return math.huge end
  micros = math.max(0, micros)
  if completionPrice == 0 then return costOf(0) <= micros and math.huge or 0 end
  local function divide(number)
    local rest = math.fmod(number, completionPrice)
    return (number - rest) / completionPrice, rest
  end
  local whole, part = divide(micros)
  local more, rest = divide(part * million)
  local taken, takenRest = divide(prompt * promptPrice)
  local tokens = whole * million + more - taken - (rest < takenRest and 1 or 0)
  return math.max(0, tokens)
end

local tokens, micros, fits = 0, 0, true
if what == 'precheck' then
  local needs = { ${requests} = 1, ${tokens} = 1, ${money} = leastCost }
  for _, one in ipairs(limited) do
    if one.refused and one.entity.ft >= one.refused then fits = false end
    if not hasRoom(one) then fits = false end
    for _, budget in ipairs(one.budgets) do
      local needed = needs[budget.unit]
      if needed > 0 and needed <= budget.most and budget.settled + needed > budget.most then fits = false end
    end
  end
  if fits then
    own = { state = 'e', tokens = 0, micros = 0, day = day, organisation = organisation, key = key }
    register(own, 1)
    redis.call('HSET', nodeKey, id, packed(own))
  end
elseif what == 'admit' then
  local minute, left, money = remaining()
  local completion = math.min(most, math.max(enough, minute - prompt))
  if least < completion then
    completion = math.max(least, math.min(completion, left - prompt, affordable(money)))
  end
  tokens, micros = prompt + completion, costOf(completion)
  local needs = { ${requests} = 1, ${tokens} = tokens, ${money} = micros }
  for _, one in ipairs(limited) do
    local entity = one.entity
    if not hasRoom(one) then fits = false end
    if one.minute and entity.v + entity.st + tokens > one.minute then fits = false end
    for _, budget in ipairs(one.budgets) do
      local unit = budget.unit
      local needed = needs[unit]
      local used = budget.settled + entity[reservedField[unit]]
      if (needed > 0 or unit ~= '${money}') and used + needed > budget.most then fits = false end
    end
  end
  if fits then
    own = { state = 'r', tokens = tokens, micros = micros, day = day, organisation = organisation, key = key }
    register(own, 1)
    for _, one in ipairs(limited) do add(one.entity, 'r', 1) end
    redis.call('HSET', nodeKey, id, packed(own))
  end
elseif what == 'extend' and own and own.state == 'r' then
  local minute, left, money = remaining()
  local paid = math.huge
  if promptPrice and money ~= math.huge then
    if money < 0 then
      paid = completionPrice == 0 and math.huge or 0
    else
      paid = affordable(own.micros + money) - (own.tokens - prompt)
    end
  end
  tokens = math.max(0, math.min(most, minute, left, paid))
  if tokens > 0 then
    register(own, -1)
    own.tokens = own.tokens + tokens
    own.micros = costOf(own.tokens - prompt)
    register(own, 1)
    redis.call('HSET', nodeKey, id, packed(own))
  end
  micros = own.micros
end
save()

local function bucketsOf(entity, window)
  local buckets = redis.call('LRANGE', listOf(entity, window), 0, -1)
  if entity[window .. 'a'] > 0 then
    buckets[#buckets + 1] = text(entity[window .. 'l']) .. ' ' .. text(entity[window .. 'a'])
  end
  return table.concat(buckets, ',')
end

local shown = { ${shownCounters.map((name) => entityFields.indexOf(name) + 1).join(', ')} }
local answer = { fits and 'ok' or 'no', text(now), text(tokens), text(micros), '' }
for _, one in ipairs(limited) do
  local entity, numbers = one.entity, {}
  for _, index in ipairs(shown) do numbers[#numbers + 1] = written(entity, index) end
  for index = 1, ${budgetNames.length} do
    local settled = one.settled[index]
    numbers[#numbers + 1] = settled and text(settled) or ''
  end
  answer[#answer + 1] = table.concat(numbers, ' ')
  -- Of the windows that refuse the request: they say when it fits.
  local function buckets(window, limit, used)
    answer[#answer + 1] = (not fits and limit and used > limit) and bucketsOf(entity, window) or ''
  end
  buckets('r', one.requests, entity.rt + entity.n + one.waiting + 1)
  buckets('s', one.minute, entity.v + entity.st + tokens)
  buckets('f', one.refused, entity.ft + 1)
end
return answer
`)
