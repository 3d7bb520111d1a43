/** Hours of hourly usage that are kept. */
export const HOURLY_RETENTION_HOURS = 14 * 24

/** Upper bounds of the latency buckets in milliseconds; the last bucket is unbounded. */
export const LATENCY_BUCKETS_MS = [1, 2, 5, 10, 25, 50, 100, 250, 1000] as const

export function latencyBucket(ms: number): number {
  let bucket = 0
  while (bucket < LATENCY_BUCKETS_MS.length && ms > (LATENCY_BUCKETS_MS[bucket] ?? 0)) bucket++
  return bucket
}
