import { dayOf, MINUTE_MS } from '../time.ts'
/** Days of usage that are kept. */
export const KEPT_DAYS = 90

/** One request as usage sees it. */
export type Use = {
  readonly organizationId: string
  readonly keyId: string
  readonly route: string
  readonly status: number
}

export type Count = Use & { readonly day: string; readonly count: number }
export type Peak = {
  readonly organizationId: string
  readonly keyId: string
  readonly day: string
  readonly peakPerMinute: number
}

/** What was counted in a while. */
export type Taken = { readonly counts: readonly Count[]; readonly peaks: readonly Peak[] }

type Tally = { perMinute: number; peakPerMinute: number; readonly byRoute: Map<string, Map<number, number>> }

/**
 * Counts requests in memory; adding one is four looks in small maps and makes no text. What was counted is taken out
 * together and written by whoever took it, never while a request waits.
 */
export function usageCounter() {
  /** By day, organization and key: requests from the dashboard go by the same key name in all organizations. */
  let days = new Map<string, Map<string, Map<string, Tally>>>()
  let minute = Number.NaN
  let day = ''
  /** The key that was counted last is often the next one too, so its tally is at hand. */
  let last: { organizationId: string; keyId: string; tally: Tally } | undefined

  function tallyOf(onDay: string, organizationId: string, keyId: string): Tally {
    const organizations = days.get(onDay) ?? new Map<string, Map<string, Tally>>()
    days.set(onDay, organizations)
    const keys = organizations.get(organizationId) ?? new Map<string, Tally>()
    organizations.set(organizationId, keys)
    let tally = keys.get(keyId)
    if (!tally) {
      tally = { perMinute: 0, peakPerMinute: 0, byRoute: new Map() }
      keys.set(keyId, tally)
    }
    return tally
  }

  function* tallies(): Generator<{ day: string; organizationId: string; keyId: string; tally: Tally }> {
    for (const [onDay, organizations] of days) {
      for (const [organizationId, keys] of organizations) {
        for (const [keyId, tally] of keys) yield { day: onDay, organizationId, keyId, tally }
      }
    }
  }

  function closeMinute(): void {
    for (const { tally } of tallies()) {
      tally.peakPerMinute = Math.max(tally.peakPerMinute, tally.perMinute)
      tally.perMinute = 0
    }
  }

  function count({ byRoute }: Tally, route: string, status: number): void {
    let byStatus = byRoute.get(route)
    if (!byStatus) {
      byStatus = new Map()
      byRoute.set(route, byStatus)
    }
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
  }

  return {
    /** `aside`: counted, but not one of the key's requests of the minute. */
    add(use: Use, now: number, aside?: 'aside'): void {
      const current = Math.floor(now / MINUTE_MS)
      if (current !== minute) {
        closeMinute()
        last = undefined
        minute = current
        day = dayOf(now)
      }
      const { organizationId, keyId } = use
      if (last === undefined || last.keyId !== keyId || last.organizationId !== organizationId) {
        last = { organizationId, keyId, tally: tallyOf(day, organizationId, keyId) }
      }
      const { tally } = last
      count(tally, use.route, use.status)
      if (!aside) tally.perMinute++
    },

    /** Everything counted since it was last taken. */
    take(): Taken {
      const counts: Count[] = []
      const peaks: Peak[] = []
      for (const { day: onDay, organizationId, keyId, tally } of tallies()) {
        const peakPerMinute = Math.max(tally.peakPerMinute, tally.perMinute)
        if (peakPerMinute > 0) peaks.push({ organizationId, keyId, day: onDay, peakPerMinute })
        for (const [route, byStatus] of tally.byRoute) {
          for (const [status, times] of byStatus) {
            counts.push({ organizationId, keyId, route, status, day: onDay, count: times })
          }
        }
      }
      const before = days
      days = new Map()
      last = undefined
      // The minute goes on: what it counted so far still belongs to its peak.
      for (const [organizationId, keys] of before.get(day) ?? []) {
        for (const [keyId, { perMinute }] of keys) {
          if (perMinute > 0) tallyOf(day, organizationId, keyId).perMinute = perMinute
        }
      }
      return { counts, peaks }
    },
  }
}
