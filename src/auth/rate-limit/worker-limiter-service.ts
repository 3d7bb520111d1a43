import type { LocalRateLimiter, RateLimitDecision, RateLimiter } from './rate-limiter.ts'

/** What was spent of each key's limit. */
export type SpentByKey = Readonly<Record<string, number>>

/** Between the serving processes of a machine. `heard` gets what each of them reported, in one order for all. */
export type WorkerChannel = {
  report(spent: SpentByKey): void
  onReport(heard: (spent: SpentByKey, isOwn: boolean) => void): void
}

const REPORT_EVERY_MS = 15
/** After so long everything that anybody had let through has been reported and heard. */
const REPORTS_SETTLED_MS = 2 * REPORT_EVERY_MS + 10
/**
 * What is left halves with every wait, so that a dozen are enough for any limit. Many more, because on a machine with too
 * much to do a report may be late: for two seconds nothing is let through beyond a share that nobody confirmed.
 */
const MAX_WAITS = 50

/**
 * One limit over the serving processes of a machine, without a Redis. Each reports what it let through some sixty times a
 * second and counts what the others report. Between two reports a process may let through its share of what was left
 * when it last heard from all, so that together they never pass the limit; whoever comes after that share waits some
 * forty milliseconds for what is then left. One that hears nobody counts for itself.
 */
export function workerLimiter(own: LocalRateLimiter, workers: number, channel: WorkerChannel): RateLimiter {
  /** Let through here and not yet heard back. */
  const pending = new Map<string, number>()
  let unreported = new Map<string, number>()

  channel.onReport((spent, isOwn) => {
    for (const [key, cost] of Object.entries(spent)) {
      if (!isOwn) own.charge(key, cost)
      else {
        const left = (pending.get(key) ?? 0) - cost
        if (left > 0) pending.set(key, left)
        else pending.delete(key)
      }
    }
  })

  function report(): void {
    const spent = Object.fromEntries(unreported)
    unreported = new Map()
    channel.report(spent)
  }

  function recordSpent(key: string, cost: number): void {
    if (unreported.size === 0) setTimeout(report, REPORT_EVERY_MS)
    pending.set(key, (pending.get(key) ?? 0) + cost)
    unreported.set(key, (unreported.get(key) ?? 0) + cost)
  }

  function isWithinShare(key: string, limitPerMinute: number, cost: number): boolean {
    const left = limitPerMinute - own.spent(key)
    // Then it is refused, whatever the others do.
    if (left < cost) return true
    const mine = pending.get(key) ?? 0
    return mine + cost <= Math.max(1, (left + mine) / workers)
  }

  function take(key: string, limitPerMinute: number, cost: number, nowMs: number): RateLimitDecision {
    const taken = own.take(key, limitPerMinute, cost, nowMs)
    if (taken.allowed) recordSpent(key, cost)
    return taken
  }

  async function takeLater(
    key: string,
    limitPerMinute: number,
    cost: number,
    nowMs: number,
  ): Promise<RateLimitDecision> {
    for (let waits = 0; waits < MAX_WAITS && !isWithinShare(key, limitPerMinute, cost); waits++)
      await Bun.sleep(REPORTS_SETTLED_MS)
    return take(key, limitPerMinute, cost, nowMs)
  }

  return {
    take(key, limitPerMinute, given, nowMs) {
      const cost = Math.min(given, limitPerMinute)
      return isWithinShare(key, limitPerMinute, cost)
        ? take(key, limitPerMinute, cost, nowMs)
        : takeLater(key, limitPerMinute, cost, nowMs)
    },
  }
}
