import type { RedisClient } from 'bun'
import type { RateLimitDecision } from '../../http/admission.ts'
import { memoryLimiter } from './memory-limiter-service.ts'
import { type LocalRateLimiter, type RateLimiter, toRateLimitDecision, WINDOW_MS } from './rate-limiter.ts'
import type { RedisAddress } from './redis-address.ts'
import { findRedisPrimary, newRedisClient } from './redis-primary-service.ts'
import { SLIDING_WINDOW_SCRIPT } from './redis-script.ts'
import { SLOT_MS } from './sliding-window.ts'

const SCRIPT_SHA = Bun.SHA1.hash(SLIDING_WINDOW_SCRIPT, 'hex')
/** A key's or organization's id is not secret; nothing else about the caller is stored in Redis. */
const NAME_PREFIX = 'device-intelligence:rate:'
const RECONNECT_EVERY_MS = 250
const RECONNECT_TIMEOUT_MS = 1_000
const WARN_EVERY_MS = 10_000

/** The processes that share the limits: each one's id with the time of its last heartbeat on Redis's clock. */
const PROCESSES_NAME = 'device-intelligence:processes'
const HEARTBEAT_EVERY_MS = 2_000
/** Adds this process, forgets those without a heartbeat for 10 s, and returns how many there are. */
const HEARTBEAT_SCRIPT = `
local now = redis.call('TIME')[1]
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - 10)
redis.call('EXPIRE', KEYS[1], 60)
return redis.call('ZCARD', KEYS[1])`

/** Checks without any reply after which Redis is taken for unavailable. */
const MAX_SILENT_CHECKS = 5

type RedisLimiterOptions = {
  readonly address: RedisAddress
  /** Decides while Redis is unavailable. It is charged with everything that Redis allowed. */
  readonly local: LocalRateLimiter
  readonly warn: (message: string, facts: Readonly<Record<string, unknown>>) => void
  /** Called for each decision that this process made without Redis. */
  readonly onLocalDecision?: () => void
  /**
   * How long Redis may be silent with requests in flight before it is taken for unavailable. Measured in checks, so that a
   * stall of our own event loop, in which replies arrive but are not read, does not count.
   */
  readonly timeoutMs?: number
}

export type RedisLimiter = RateLimiter & {
  isConnected(): boolean
  /** How many processes shared the limits at the last heartbeat. */
  processes(): number
  /** Resolves when the first attempt to connect has succeeded or failed. */
  readonly firstAttempt: Promise<void>
  close(): void
}

/**
 * Limits shared through Redis, one atomic script per request. While Redis is unavailable each process lets through its
 * share of what was left when it last heard from Redis: divided by the number of processes, so that together they do not
 * exceed the limit. Requests do not wait for Redis then; a background task reconnects.
 */
export function redisLimiter({
  address,
  local,
  warn,
  onLocalDecision,
  timeoutMs = 250,
}: RedisLimiterOptions): RedisLimiter {
  const processId = crypto.randomUUID()
  /** What this process let through on its own; `local` has that too, and what Redis reported. */
  const unshared = memoryLimiter()
  const inFlight = new Set<(error: Error) => void>()
  let client: RedisClient | undefined
  let isUsable = false
  let isClosed = false
  let processes = 1
  let replies = 0
  let reconnectTimer: ReturnType<typeof setTimeout> | undefined
  let checkTimer: ReturnType<typeof setTimeout> | undefined
  let warnedAt = Number.NEGATIVE_INFINITY

  function onUnavailable(error: unknown): void {
    isUsable = false
    const now = performance.now()
    if (!isClosed && now - warnedAt >= WARN_EVERY_MS) {
      warnedAt = now
      warn('Redis is unavailable: rate limits are counted per process', { cause: describeError(error) })
    }
    for (const reject of inFlight) reject(new Error('Redis is unavailable'))
    inFlight.clear()
    if (!isClosed) reconnectTimer ??= setTimeout(reconnect, RECONNECT_EVERY_MS)
  }

  async function reconnect(): Promise<void> {
    reconnectTimer = undefined
    if (isClosed || isUsable) return
    let connection: RedisClient | undefined
    try {
      connection = client ?? newConnection(await findRedisPrimary(address, RECONNECT_TIMEOUT_MS))
      if (isClosed) return connection.close()
      client = connection
      if (!connection.connected) await withTimeout(connection.connect(), RECONNECT_TIMEOUT_MS)
      await withTimeout(sendHeartbeat(connection), RECONNECT_TIMEOUT_MS)
      isUsable = !isClosed
    } catch (error) {
      client = undefined
      connection?.close()
      onUnavailable(error)
    }
  }

  async function sendHeartbeat(connection: RedisClient): Promise<void> {
    processes = Number(await connection.send('EVAL', [HEARTBEAT_SCRIPT, '1', PROCESSES_NAME, processId]))
  }

  function newConnection(url: string): RedisClient {
    const connection = newRedisClient(url, address, RECONNECT_TIMEOUT_MS)
    connection.onclose = (error) => {
      if (client !== connection) return
      client = undefined
      onUnavailable(error)
    }
    return connection
  }

  function checkReplies(silentChecks: number, repliesBefore: number): void {
    checkTimer = undefined
    if (inFlight.size === 0) return
    const silentNow = replies === repliesBefore ? silentChecks + 1 : 0
    if (silentNow >= MAX_SILENT_CHECKS) onUnavailable(new Error(`no reply within ${timeoutMs} ms`))
    else scheduleCheck(silentNow)
  }

  function scheduleCheck(silentChecks: number): void {
    checkTimer ??= setTimeout(checkReplies, timeoutMs / MAX_SILENT_CHECKS, silentChecks, replies)
  }

  function send(connection: RedisClient, command: string, parameters: string[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      inFlight.add(reject)
      scheduleCheck(0)
      connection
        .send(command, parameters)
        .then(resolve, reject)
        .finally(() => {
          replies++
          inFlight.delete(reject)
        })
    })
  }

  async function runScript(connection: RedisClient, key: string, limit: number, cost: number): Promise<unknown> {
    const parameters = ['1', NAME_PREFIX + key, String(limit), String(cost), String(WINDOW_MS), String(SLOT_MS)]
    try {
      return await send(connection, 'EVALSHA', [SCRIPT_SHA, ...parameters])
    } catch (error) {
      // A restarted Redis has no scripts; EVAL loads it again.
      if (!String(error).includes('NOSCRIPT')) throw error
      return send(connection, 'EVAL', [SLIDING_WINDOW_SCRIPT, ...parameters])
    }
  }

  async function takeShared(
    connection: RedisClient,
    key: string,
    limit: number,
    cost: number,
    nowMs: number,
  ): Promise<RateLimitDecision> {
    try {
      const [allowed, spent, waitMs] = parseReply(await runScript(connection, key, limit, cost))
      // Includes what other processes let through, for the time when Redis is unavailable.
      local.charge(key, Math.max(0, spent - local.spent(key)))
      return toRateLimitDecision(allowed, limit, Math.max(0, limit - spent), waitMs, waitMs, nowMs)
    } catch (error) {
      if (isUsable) onUnavailable(error)
      return takeLocal(key, limit, cost, nowMs)
    }
  }

  /**
   * This process's share of what was left when Redis last replied; at least one request, or low limits would let none
   * through.
   */
  function takeLocal(key: string, limit: number, cost: number, nowMs: number): RateLimitDecision {
    onLocalDecision?.()
    const spentShared = Math.max(0, local.spent(key) - unshared.spent(key))
    const remaining = limit - spentShared
    const share = Math.max(Math.min(1, remaining), Math.floor(remaining / processes))
    const chargedCost = Math.max(1, Math.min(cost, share))
    const decision = local.take(key, spentShared + share, chargedCost, nowMs)
    if (decision.allowed) unshared.charge(key, chargedCost)
    return { ...decision, limit }
  }

  const heartbeat = setInterval(() => {
    if (isUsable && client) sendHeartbeat(client).catch(onUnavailable)
  }, HEARTBEAT_EVERY_MS)
  heartbeat.unref()
  const firstAttempt = reconnect()
  return {
    take(key, limitPerMinute, cost, nowMs) {
      if (!(limitPerMinute >= 1)) return local.take(key, limitPerMinute, cost, nowMs)
      const limit = Math.floor(limitPerMinute)
      if (!isUsable || !client) return takeLocal(key, limit, cost, nowMs)
      return takeShared(client, key, limit, Math.min(cost, limit), nowMs)
    },
    isConnected: () => isUsable,
    processes: () => processes,
    firstAttempt,
    close() {
      const connection = client
      const wasUsable = isUsable
      isClosed = true
      isUsable = false
      client = undefined
      clearTimeout(reconnectTimer)
      clearTimeout(checkTimer)
      clearInterval(heartbeat)
      if (!connection) return
      if (!wasUsable) return connection.close()
      withTimeout(connection.send('ZREM', [PROCESSES_NAME, processId]), RECONNECT_TIMEOUT_MS)
        .catch(() => {})
        .finally(() => connection.close())
    },
  }
}

function parseReply(reply: unknown): [allowed: boolean, spent: number, waitMs: number] {
  if (!Array.isArray(reply) || reply.length !== 3 || !reply.every(Number.isFinite)) {
    throw new Error('Redis returned something else than three numbers for the rate limit script')
  }
  return [reply[0] === 1, reply[1], reply[2]]
}

function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no reply within ${timeoutMs} ms`)), timeoutMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Never the URL of Redis: it may contain a password. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error ? String(error.code) : error.message
}
