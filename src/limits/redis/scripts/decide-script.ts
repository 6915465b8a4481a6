import { redisScript } from '../../../redis/redis-script.ts'
import { sharedLua } from './shared-lua.ts'

/**
 * Decides about one request and changes the counters in the same step.
 *
 * ARGV: time, node, epoch, what (precheck, admit, extend, read), id, day, month, organisation, key, prompt tokens, completion
 * tokens, enough of them if the minute has fewer left, and if a budget has, price of a million prompt tokens, of completion
 * tokens, least cost; then ten for each of the key, the organisation and the server: id, seven limits, refused requests per
 * minute, requests that have passed a precheck at the node alone. '' is none. `extend` asks for completion tokens in addition to those that the request has.
 *
 * Answers with: status (ok, no, load, wait, resync, lost), time, tokens, micros, sums to load, and for each of the three its
 * counters; if the request does not fit, with the buckets that say how long to wait. What the error is and when to try again is
 * decided from these by the same code as without Redis.
 */
export const decideScript = redisScript(`${sharedLua}
local what, id, day, month = ARGV[4], ARGV[5], ARGV[6], ARGV[7]
local organisation, key = ARGV[8], ARGV[9]
local prompt, most, enough, least = tonumber(ARGV[10]), tonumber(ARGV[11]), tonumber(ARGV[12]), tonumber(ARGV[13])
local promptPrice, completionPrice, leastCost = tonumber(ARGV[14]), tonumber(ARGV[15]), tonumber(ARGV[16])
local million = 1000000

if not isComplete() then return { 'lost', text(now) } end
local found = redis.call('HMGET', nodeKey, '#', id)
if found[1] ~= epoch then return { 'resync', text(now) } end
if open ~= '1' then
  local collect = redis.call('HMGET', base .. 'collect', 'nodes', 'until')
  if redis.call('ZCARD', base .. 'nodes') < tonumber(collect[1] or 0) and now < tonumber(collect[2] or 0) then
    return { 'wait', text(now) }
  end
  redis.call('SET', base .. 'open', '1')
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

for at = 17, #ARGV, 10 do
  local entity = entityOf(ARGV[at])
  local one = {
    entity = entity,
    requests = tonumber(ARGV[at + 1]), minute = tonumber(ARGV[at + 2]), inFlight = tonumber(ARGV[at + 3]),
    refused = tonumber(ARGV[at + 8]), waiting = tonumber(ARGV[at + 9]),
  }
  -- Each budget: its limit, what is settled of it, and whether it is one in money.
  one.budgets = {}
  local function budget(index, period, of)
    local limit = tonumber(ARGV[at + index])
    if limit then one.budgets[index] = { most = limit, settled = sumOf(entity, period, of), isCost = of == 'm' } end
  end
  budget(4, day, 't')
  budget(5, month, 't')
  budget(6, day, 'm')
  budget(7, month, 'm')
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

local function settledIn(one, budget)
  return budget.settled + (budget.isCost and one.entity.k or one.entity.u)
end

-- Of the minute, of the budgets in tokens, and of those in money.
local function remaining()
  local minute, tokens, micros = math.huge, math.huge, math.huge
  for _, one in ipairs(limited) do
    local entity = one.entity
    if one.minute then minute = math.min(minute, one.minute - entity.v - entity.st) end
    for _, budget in pairs(one.budgets) do
      local left = budget.most - settledIn(one, budget)
      if budget.isCost then micros = math.min(micros, left - entity.m) else tokens = math.min(tokens, left - entity.v) end
    end
  end
  return minute, tokens, micros
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
  for _, one in ipairs(limited) do
    local entity = one.entity
    if one.refused and entity.ft >= one.refused then fits = false end
    if one.requests and entity.rt + entity.n + one.waiting + 1 > one.requests then fits = false end
    if one.inFlight and entity.g + entity.n + one.waiting + 1 > one.inFlight then fits = false end
    for _, budget in pairs(one.budgets) do
      local needed = budget.isCost and leastCost or 1
      if needed > 0 and needed <= budget.most and settledIn(one, budget) + needed > budget.most then fits = false end
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
  for _, one in ipairs(limited) do
    local entity = one.entity
    if one.requests and entity.rt + entity.n + one.waiting + 1 > one.requests then fits = false end
    if one.inFlight and entity.g + entity.n + one.waiting + 1 > one.inFlight then fits = false end
    if one.minute and entity.v + entity.st + tokens > one.minute then fits = false end
    for _, budget in pairs(one.budgets) do
      local needed, reserved = tokens, entity.v
      if budget.isCost then needed, reserved = micros, entity.m end
      if (needed > 0 or not budget.isCost) and settledIn(one, budget) + reserved + needed > budget.most then fits = false end
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

-- Of the fields: n, g, v, m, u, k, and of each window t and l.
local shown = { 1, 2, 3, 4, 5, 6, 7, 10, 12, 15, 17, 20 }
local answer = { fits and 'ok' or 'no', text(now), text(tokens), text(micros), '' }
for _, one in ipairs(limited) do
  local entity, numbers = one.entity, {}
  for _, index in ipairs(shown) do numbers[#numbers + 1] = written(entity, index) end
  for index = 4, 7 do
    local budget = one.budgets[index]
    numbers[#numbers + 1] = budget and text(settledIn(one, budget)) or ''
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
