import { unitLetters } from './unit-letters.ts'

const { requests, tokens, money } = unitLetters

/** The fields of an entity in Redis, `e:ID`. */
export const entityFields = [
  ...['n', 'g', 'v', 'm', 'u', 'k', 'c'],
  ...['rt', 'rx', 'rf', 'rl', 'ra', 'st', 'sx', 'sf', 'sl', 'sa', 'ft', 'fx', 'ff', 'fl', 'fa'],
]

/**
 * The beginning of every script: the time, the counters of keys, organisations and the server, and the requests that nodes
 * have registered. All keys begin with KEYS[1], whose hash tag keeps them on one node of a Redis cluster.
 *
 *   open                  '1' once the windows are complete; '0' while nodes register again after a loss of data
 *   origin                the server in whose history of writes the counters are complete; a replica that takes over has
 *                         another, and may have older counters
 *   current               exists for a moment after the origin was compared with the server, which takes long
 *   collect               while open is '0': how many nodes are awaited, until when, and which: 'until id id …'. A node of an
 *                         earlier version writes the first two alone
 *   nodes                 the nodes that have registered, or for which the ledger's open requests were, by when they did
 *   n:NODE                '#' is the epoch of the node; each other field one request: 'state tokens micros day org key'
 *   e:ID                  counters: n entering, g running, v and m reserved tokens and micros; u, k and c tokens, micros and
 *                         requests that have ended but are not written;
 *                         of each window (r requests, s settled tokens, f refused): t total, x when the oldest closed bucket
 *                         leaves, and the open bucket: f first, l last, a amount; z the origin of the windows
 *   w:WINDOW:ID           the closed buckets of a window, oldest first: 'last amount'
 *   p:PERIOD:ID           sums of a day or month, by the letter of their unit: q requests, t tokens, m micros; with l before
 *                         it once loaded, with i by which mark, which begins with the origin
 *
 * Redis gives scripts doubles, which are exact for integers below 2^53, and writes numbers with 17 digits.
 */
export const sharedLua = `
local base, now = KEYS[1], tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  -- A multiple of 1/1024 ms, as at the nodes: differences have no rounding errors.
  now = math.floor((time[1] * 1000 + time[2] / 1000) * 1024) / 1024
end
local node, epoch = ARGV[2], ARGV[3]
local nodeKey = base .. 'n:' .. node
local windowMs, bucketMs, keptMs = 60000, 100, 172800000
local state = redis.call('MGET', base .. 'open', base .. 'origin', base .. 'current')
local open, origin = state[1], state[2] or ''

-- Of this server's history of writes: a replica begins another when it takes over.
local function ownOrigin()
  local info = redis.pcall('INFO', 'replication')
  local id = type(info) == 'string' and string.match(info, 'master_replid:(%x+)')
  return id and string.sub(id, 1, 8) or 'unknown.'
end

-- Compared only now and then, because it takes long; a failover takes longer than this moment. A node that has lost its
-- connection compares before anything else.
local function isComplete()
  if not open then return false end
  if state[3] then return true end
  if origin ~= ownOrigin() then return false end
  redis.call('SET', base .. 'current', '1', 'PX', 100)
  return true
end

local fields = { ${entityFields.map((name) => `'${name}'`).join(', ')} }
-- From the first of a window.
local firstOfWindows = ${entityFields.indexOf('rt') + 1}

-- Written out, because building the names takes longer than the rest of a decision.
local names = {
  r = { 'rt', 'rx', 'rf', 'rl', 'ra' }, s = { 'st', 'sx', 'sf', 'sl', 'sa' }, f = { 'ft', 'fx', 'ff', 'fl', 'fa' },
}

local function text(number) return string.format('%.17g', number) end

local function isRegistered() return redis.call('HGET', nodeKey, '#') == epoch end

local function listOf(entity, window) return base .. 'w:' .. window .. ':' .. entity.id end

local function expire(entity, window)
  local t, x, f, l, a = unpack(names[window])
  if entity[t] == 0 then return end
  -- The clock was set back, or another server with another clock has taken over: all of it counts as added now. If it is only
  -- a little behind, the windows are a little longer.
  if entity[a] > 0 and entity[l] > now + 2 * windowMs then
    redis.call('DEL', listOf(entity, window))
    entity[x], entity[f], entity[l], entity[a] = 0, now, now, entity[t]
  end
  while entity[x] > 0 and entity[x] <= now do
    local list = listOf(entity, window)
    local oldest = redis.call('LPOP', list)
    if oldest then entity[t] = entity[t] - tonumber(string.match(oldest, ' (%S+)$')) end
    local following = redis.call('LINDEX', list, 0)
    entity[x] = following and tonumber(string.match(following, '^%S+')) + windowMs or 0
  end
  if entity[a] > 0 and entity[l] + windowMs <= now then entity[a] = 0 end
  if entity[x] == 0 then entity[t] = entity[a] end
end

local function add(entity, window, amount)
  if amount == 0 then return end
  local t, x, f, l, a = unpack(names[window])
  if entity[a] > 0 and now - entity[f] < bucketMs then
    entity[l] = math.max(entity[l], now)
    entity[a] = entity[a] + amount
  else
    if entity[a] > 0 then
      local list = listOf(entity, window)
      redis.call('RPUSH', list, text(entity[l]) .. ' ' .. text(entity[a]))
      redis.call('PEXPIRE', list, 3 * windowMs)
      if entity[x] == 0 then entity[x] = entity[l] + windowMs end
    end
    entity[f], entity[l], entity[a] = now, now, amount
    entity.isRenewed = true
  end
  entity[t] = entity[t] + amount
end

local known = {}
-- Windows without an origin are those of older versions. While they are filled from the ledger, they would count twice.
local isRestoring = false
local function entityOf(id)
  local entity = known[id]
  if entity then return entity end
  local values = redis.call('HMGET', base .. 'e:' .. id, 'z', unpack(fields))
  entity = { id = id, read = {}, z = values[1] }
  for index, name in ipairs(fields) do
    local value = tonumber(values[index + 1]) or 0
    entity[name], entity.read[name] = value, value
  end
  entity.values = values
  if entity.z ~= origin and (entity.z or isRestoring) then
    -- Of before a loss of data. The ledger has what counts.
    for index = firstOfWindows, #fields do entity[fields[index]] = 0 end
    redis.call('DEL', listOf(entity, 'r'), listOf(entity, 's'), listOf(entity, 'f'))
  end
  expire(entity, 'r')
  expire(entity, 's')
  expire(entity, 'f')
  known[id] = entity
  return entity
end

-- As it was read, where it is still the same: writing a number takes longer than reading one.
local function written(entity, index)
  local name = fields[index]
  if entity[name] ~= entity.read[name] then return text(entity[name]) end
  return entity.values[index + 1] or '0'
end

local function save()
  for _, entity in pairs(known) do
    local changed = {}
    if entity.z ~= origin then changed = { 'z', origin } end
    for _, name in ipairs(fields) do
      if entity[name] ~= entity.read[name] then
        changed[#changed + 1] = name
        changed[#changed + 1] = text(entity[name])
      end
    end
    local key = base .. 'e:' .. entity.id
    if #changed > 0 then redis.call('HSET', key, unpack(changed)) end
    if entity.isRenewed then redis.call('PEXPIRE', key, keptMs) end
  end
end

local function entryOf(packed)
  local state, tokens, micros, day, organisation, key = string.match(packed, '^(%a) (%S+) (%S+) (%S+) (%S+) ?(%S*)$')
  return {
    state = state, tokens = tonumber(tokens), micros = tonumber(micros), day = day,
    organisation = organisation, key = key,
  }
end

local function entitiesOf(entry)
  local all = { entityOf(entry.organisation), entityOf('server') }
  if entry.key ~= '' then all[3] = entityOf(entry.key) end
  return all
end

local function register(entry, sign)
  for _, entity in ipairs(entitiesOf(entry)) do
    if entry.state == 'e' then
      entity.n = entity.n + sign
    elseif entry.state == 'r' then
      entity.g = entity.g + sign
      entity.v = entity.v + sign * entry.tokens
      entity.m = entity.m + sign * entry.micros
    else
      entity.u = entity.u + sign * entry.tokens
      entity.k = entity.k + sign * entry.micros
      -- A node of an earlier version has not counted the requests that it registered.
      entity.c = math.max(0, entity.c + sign)
    end
  end
end

local function packed(entry)
  local amounts = text(entry.tokens) .. ' ' .. text(entry.micros)
  return table.concat({ entry.state, amounts, entry.day, entry.organisation, entry.key }, ' ')
end

-- A sum that is not marked as loading is read from the ledger when it is needed, and includes this.
local function addToSums(id, day, requests, tokens, micros)
  for _, period in ipairs({ day, string.sub(day, 1, 6) }) do
    local key = base .. 'p:' .. period .. ':' .. id
    local known = redis.call('HMGET', key, '${requests}', '${tokens}', '${money}')
    if known[1] and requests > 0 then redis.call('HINCRBY', key, '${requests}', string.format('%.0f', requests)) end
    if known[2] and tokens > 0 then redis.call('HINCRBY', key, '${tokens}', string.format('%.0f', tokens)) end
    if known[3] and micros > 0 then redis.call('HINCRBY', key, '${money}', string.format('%.0f', micros)) end
  end
end
`
