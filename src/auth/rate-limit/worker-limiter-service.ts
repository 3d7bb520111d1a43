import type { RateLimitDecision } from '../../http/admission.ts'
import type { LocalRateLimiter, RateLimiter } from './rate-limiter.ts'

/** Requests taken by key. */
export type SpentByKey = Readonly<Record<string, number>>

/** Between the workers of a machine. Every worker receives all reports, in the same order. */
export type WorkerChannel = {
  report(spent: SpentByKey): void
  onReport(listener: (spent: SpentByKey, isOwn: boolean) => void): void
}

const REPORT_EVERY_MS = 15
/** After this long every worker has received every report. */
const REPORTS_SETTLED_MS = 2 * REPORT_EVERY_MS + 10
/** What is left halves with every wait, so a dozen would be enough; more, because reports are late on a busy machine. */
const MAX_WAITS = 50

/**
 * One limit shared by the workers of a machine, without Redis. Each worker reports what it let through every 15 ms and
 * counts the reports of the others. Between reports it lets through its share of what was left, so that together they
 * never exceed the limit; requests beyond that share wait some 40 ms for the next reports.
 */
export function workerLimiter(local: LocalRateLimiter, workers: number, channel: WorkerChannel): RateLimiter {
  /** Let through here but not yet in a report that all have received. */
  const pending = new Map<string, number>()
  let unreported = new Map<string, number>()

  channel.onReport((spent, isOwn) => {
    for (const [key, cost] of Object.entries(spent)) {
      if (!isOwn) local.charge(key, cost)
      else {
        const stillPending = (pending.get(key) ?? 0) - cost
        if (stillPending > 0) pending.set(key, stillPending)
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
    const remaining = limitPerMinute - local.spent(key)
    // Rejected whatever the others do.
    if (remaining < cost) return true
    const ownPending = pending.get(key) ?? 0
    return ownPending + cost <= Math.max(1, (remaining + ownPending) / workers)
  }

  function take(key: string, limitPerMinute: number, cost: number, nowMs: number): RateLimitDecision {
    const decision = local.take(key, limitPerMinute, cost, nowMs)
    if (decision.allowed) recordSpent(key, cost)
    return decision
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
    take(key, limitPerMinute, requestedCost, nowMs) {
      const cost = Math.min(requestedCost, limitPerMinute)
      return isWithinShare(key, limitPerMinute, cost)
        ? take(key, limitPerMinute, cost, nowMs)
        : takeLater(key, limitPerMinute, cost, nowMs)
    },
  }
}
