import type { Config } from '../config.ts'
import type { Metrics } from '../http/metrics.ts'
import type { Log } from '../log.ts'
import { memoryLimiter } from '../ratelimit/memory.ts'
import { redisLimiter } from '../ratelimit/redis.ts'
import { type SiblingChannel, siblingLimiter } from '../ratelimit/siblings.ts'

/** Limits per key: in this process, with the other processes of this machine, or shared through Redis when one is named. */
export function openLimits(config: Config, { registry }: Metrics, log: Log, siblings?: SiblingChannel) {
  const own = memoryLimiter()
  registry.gauge('rate_limit_keys', 'Keys whose spent requests this process remembers.', own.size)
  if (!config.redisUrl) {
    return { limiter: siblings ? siblingLimiter(own, config.workers, siblings) : own, close() {} }
  }
  const shared = redisLimiter({ url: config.redisUrl, local: own, warn: log.warn })
  registry.gauge(
    'rate_limit_shared',
    'Whether limits are shared through Redis (1) or, while it is away, kept in this process (0).',
    () => Number(shared.shared()),
  )
  return { limiter: shared, close: shared.close }
}
