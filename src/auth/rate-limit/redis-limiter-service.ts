import { RedisClient } from 'bun'
import {
  type LocalRateLimiter,
  type RateLimitDecision,
  type RateLimiter,
  toRateLimitDecision,
  WINDOW_MS,
} from './rate-limiter.ts'
import { SLIDING_WINDOW_SCRIPT } from './redis-script.ts'
import { SLOT_MS } from './sliding-window.ts'

const SCRIPT_SHA = Bun.SHA1.hash(SLIDING_WINDOW_SCRIPT, 'hex')
/** The id of a key is no secret; nothing else of the caller goes to Redis. */
const NAME_PREFIX = 'device-intelligence:rate:'
const RECONNECT_EVERY_MS = 250
const RECONNECT_TIMEOUT_MS = 1_000
const WARN_EVERY_MS = 10_000

type RedisLimiterOptions = {
  readonly url: string
  /** Decides whenever Redis cannot. It is told of everything that Redis allowed, so that a failure hands out no second quota. */
  readonly local: LocalRateLimiter
  readonly warn: (message: string, facts: Readonly<Record<string, unknown>>) => void
  /** How long one request may wait for Redis, once, before this process stops asking it. */
  readonly timeoutMs?: number
}

export type RedisLimiter = RateLimiter & {
  /** Whether Redis is being asked at the moment. */
  isConnected(): boolean
  /** Resolves when the first attempt to reach Redis has ended, either way. */
  readonly firstAttempt: Promise<void>
  close(): void
}

/**
 * Limits shared through Redis, one atomic script per request. When Redis is away or hangs, the local limiter decides and
 * requests stop asking at once; a probe in the background asks again, so no request ever pays for finding out.
 */
export function redisLimiter({ url, local, warn, timeoutMs = 50 }: RedisLimiterOptions): RedisLimiter {
  let client: RedisClient | undefined
  let usable = false
  let closed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let warnedAt = Number.NEGATIVE_INFINITY

  function onUnavailable(error: unknown): void {
    usable = false
    const now = performance.now()
    if (!closed && now - warnedAt >= WARN_EVERY_MS) {
      warnedAt = now
      warn('Redis cannot be reached; rate limits are kept in this process', { cause: reasonOf(error) })
    }
    if (!closed) timer ??= setTimeout(reconnect, RECONNECT_EVERY_MS)
  }

  async function reconnect(): Promise<void> {
    timer = undefined
    if (closed || usable) return
    const trying = client ?? connection()
    client = trying
    try {
      if (!trying.connected) await withTimeout(trying.connect(), RECONNECT_TIMEOUT_MS)
      await withTimeout(trying.send('PING', []), RECONNECT_TIMEOUT_MS)
      usable = !closed
    } catch (error) {
      client = undefined
      trying.close()
      onUnavailable(error)
    }
  }

  function connection(): RedisClient {
    const made = new RedisClient(url, {
      autoReconnect: false,
      enableOfflineQueue: false,
      connectionTimeout: RECONNECT_TIMEOUT_MS,
    })
    made.onclose = (error) => {
      if (client !== made) return
      client = undefined
      onUnavailable(error)
    }
    return made
  }

  async function ask(asked: RedisClient, key: string, limit: number, cost: number): Promise<unknown> {
    const parameters = ['1', NAME_PREFIX + key, String(limit), String(cost), String(WINDOW_MS), String(SLOT_MS)]
    try {
      return await withTimeout(asked.send('EVALSHA', [SCRIPT_SHA, ...parameters]), timeoutMs)
    } catch (error) {
      // Redis forgets scripts when it restarts; EVAL teaches it again.
      if (!String(error).includes('NOSCRIPT')) throw error
      return withTimeout(asked.send('EVAL', [SLIDING_WINDOW_SCRIPT, ...parameters]), timeoutMs)
    }
  }

  async function takeShared(
    asked: RedisClient,
    key: string,
    limit: number,
    cost: number,
    nowMs: number,
  ): Promise<RateLimitDecision> {
    try {
      const [allowed, spent, waitMs] = parseReply(await ask(asked, key, limit, cost))
      // What others let through counts too: where an answer is late, this process goes on from there.
      local.charge(key, Math.max(0, spent - local.spent(key)))
      return toRateLimitDecision(allowed, limit, Math.max(0, limit - spent), waitMs, waitMs, nowMs)
    } catch (error) {
      onUnavailable(error)
      return local.take(key, limit, cost, nowMs)
    }
  }

  const tried = reconnect()
  return {
    take(key, limitPerMinute, cost, nowMs) {
      if (!usable || !client || !(limitPerMinute >= 1)) return local.take(key, limitPerMinute, cost, nowMs)
      return takeShared(client, key, Math.floor(limitPerMinute), Math.min(cost, Math.floor(limitPerMinute)), nowMs)
    },
    isConnected: () => usable,
    firstAttempt: tried,
    close() {
      closed = true
      usable = false
      clearTimeout(timer)
      client?.close()
      client = undefined
    },
  }
}

function parseReply(reply: unknown): [allowed: boolean, spent: number, waitMs: number] {
  if (!Array.isArray(reply) || reply.length !== 3 || !reply.every(Number.isFinite)) {
    throw new Error('Redis answered the limit script with something else than three numbers')
  }
  return [reply[0] === 1, reply[1], reply[2]]
}

/** The outcome of `work`, or an error once it has taken too long. */
function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // After a stall of our own loop the timer fires before the answer that is already there is read: give it one turn.
      setImmediate(() => reject(new Error(`no answer within ${timeoutMs} ms`)))
    }, timeoutMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Never the address of Redis itself: it may carry a password. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error ? String(error.code) : error.message
}
