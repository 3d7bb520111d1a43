import { memoryLimiter } from '../auth/rate-limit/memory-limiter-service.ts'
import { redisLimiter } from '../auth/rate-limit/redis-limiter-service.ts'
import { type WorkerChannel, workerLimiter } from '../auth/rate-limit/worker-limiter-service.ts'
import type { Config } from '../config.ts'
import type { Metrics } from '../http/metrics.ts'
import type { Log } from '../lib/log.ts'

/** Rate limits per key: in this process, shared by the processes of this machine, or shared through Redis. */
export function openRateLimiter(config: Config, { registry }: Metrics, log: Log, workerChannel?: WorkerChannel) {
  const local = memoryLimiter()
  registry.gauge('rate_limit_keys', 'Keys whose spent requests this process remembers.', local.size)
  if (!config.redis) {
    return { limiter: workerChannel ? workerLimiter(local, config.workers, workerChannel) : local, close() {} }
  }
  const localDecisions = registry.counter(
    'rate_limit_local_decisions_total',
    'Decisions that this process made alone because Redis was unavailable.',
  )()
  const shared = redisLimiter({
    address: config.redis,
    local,
    warn: log.warn,
    onLocalDecision: () => localDecisions.add(),
  })
  registry.gauge(
    'rate_limit_shared',
    'Whether limits are shared through Redis (1) or, while it is unavailable, kept in this process (0).',
    () => Number(shared.isConnected()),
  )
  registry.gauge('rate_limit_processes', 'Processes that share limits through Redis.', shared.processes)
  return { limiter: shared, close: shared.close }
}
