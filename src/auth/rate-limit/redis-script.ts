/**
 * The sliding window of sliding-window.ts inside Redis: all processes share one count and no two can take the same
 * request. One hash per key: `n` spent in total, `h` and `t` the first and last slot, and under each slot's
 * number "first request, last request, how many". Old slots are dropped as the first one moves on, so a call touches a
 * few fields whatever the limit. The clock is Redis's own: processes on several machines need not agree on the time.
 *
 * KEYS[1] the key; ARGV limit, cost, window in ms, slot in ms. Returns allowed (1 or 0), spent, and milliseconds until the
 * oldest counted requests (or, if rejected, enough of them) expire.
 */
export const SLIDING_WINDOW_SCRIPT = `
local key, limit, cost = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local window, slot_ms = tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function slot(i)
  local text = redis.call('HGET', key, i)
  if not text then return now, now, 0 end
  local first, last, count = string.match(text, '(%d+) (%d+) (%d+)')
  return tonumber(first), tonumber(last), tonumber(count)
end
local function put(i, first, last, count)
  redis.call('HSET', key, i, string.format('%d %d %d', first, last, count))
end

local state = redis.call('HMGET', key, 'n', 'h', 't')
local spent, head, tail = tonumber(state[1]) or 0, tonumber(state[2]) or 1, tonumber(state[3]) or 0

if tail >= head then
  local _, newest = slot(tail)
  if newest > now then
    -- The clock was set back. What was spent stays spent, for one window from now and no longer.
    redis.call('DEL', key)
    head, tail = 1, 1
    put(1, now, now, spent)
  elseif now - newest >= window then
    redis.call('DEL', key)
    spent, head, tail = 0, 1, 0
  end
end
while head <= tail do
  local _, last, count = slot(head)
  if now - last < window then break end
  spent = spent - count
  redis.call('HDEL', key, head)
  head = head + 1
end

local over = spent + cost - limit
local allowed = over <= 0
if allowed and cost > 0 then
  local first, last, count = now, now, 0
  if tail >= head then first, last, count = slot(tail) end
  if tail < head or now - first >= slot_ms then
    tail, first, count = tail + 1, now, 0
  end
  put(tail, first, now, count + cost)
  spent = spent + cost
end

local back, wait = 0, 0
for i = head, tail do
  local _, last, count = slot(i)
  back, wait = back + count, last + window - now
  if back > 0 and back >= over then break end
end
if tail >= head then
  redis.call('HSET', key, 'n', spent, 'h', head, 't', tail)
  redis.call('PEXPIRE', key, window + 1000)
end
return { allowed and 1 or 0, spent, wait }
`
