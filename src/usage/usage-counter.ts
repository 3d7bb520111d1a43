import { dayOf, HOUR_MS, MINUTE_MS } from '../lib/time.ts'
import { latencyBucket } from './latency-buckets.ts'

/** Days of usage that are kept. */
export const USAGE_RETENTION_DAYS = 90

/** One request as usage sees it. */
export type RequestUsage = {
  readonly organizationId: string
  readonly keyId: string
  readonly route: string
  readonly status: number
  readonly durationMs?: number
}

export type DailyCount = Omit<RequestUsage, 'durationMs'> & { readonly day: string; readonly count: number }
export type HourlyCount = Omit<DailyCount, 'day'> & { readonly hour: number; readonly latencyBucket: number }
export type DailyPeak = {
  readonly organizationId: string
  readonly keyId: string
  readonly day: string
  readonly peakPerMinute: number
}

/** What was counted in a while. */
export type UsageBatch = {
  readonly counts: readonly DailyCount[]
  readonly hours: readonly HourlyCount[]
  readonly peaks: readonly DailyPeak[]
}

/** Status and class of time in one number, so that counting takes no look more than counting by status does. */
const BUCKET_CODES = 16
/** The class of what is no request of its own. */
const NO_LATENCY = 15

type Tally = { perMinute: number; peakPerMinute: number; readonly byRoute: Map<string, Map<number, number>> }

/**
 * Counts requests in memory; adding one is four looks in small maps and makes no text. What was counted is taken out
 * together and written by whoever took it, never while a request waits.
 */
export function usageCounter() {
  /** By hour, organization and key: requests from the dashboard go by the same key name in all organizations. */
  let hours = new Map<number, Map<string, Map<string, Tally>>>()
  let minute = Number.NaN
  let hour = Number.NaN
  /** The key that was counted last is often the next one too, so its tally is at hand. */
  let last: { organizationId: string; keyId: string; tally: Tally } | undefined

  function tallyOf(inHour: number, organizationId: string, keyId: string): Tally {
    const organizations = hours.get(inHour) ?? new Map<string, Map<string, Tally>>()
    hours.set(inHour, organizations)
    const keys = organizations.get(organizationId) ?? new Map<string, Tally>()
    organizations.set(organizationId, keys)
    let tally = keys.get(keyId)
    if (!tally) {
      tally = { perMinute: 0, peakPerMinute: 0, byRoute: new Map() }
      keys.set(keyId, tally)
    }
    return tally
  }

  function* tallies(): Generator<{ hour: number; organizationId: string; keyId: string; tally: Tally }> {
    for (const [inHour, organizations] of hours) {
      for (const [organizationId, keys] of organizations) {
        for (const [keyId, tally] of keys) yield { hour: inHour, organizationId, keyId, tally }
      }
    }
  }

  function closeMinute(): void {
    for (const { tally } of tallies()) {
      tally.peakPerMinute = Math.max(tally.peakPerMinute, tally.perMinute)
      tally.perMinute = 0
    }
  }

  function count({ byRoute }: Tally, route: string, code: number): void {
    let byStatus = byRoute.get(route)
    if (!byStatus) {
      byStatus = new Map()
      byRoute.set(route, byStatus)
    }
    byStatus.set(code, (byStatus.get(code) ?? 0) + 1)
  }

  return {
    /** `aside`: counted, but not one of the key's requests of the minute. */
    add(use: RequestUsage, now: number, aside?: 'aside'): void {
      const current = Math.floor(now / MINUTE_MS)
      if (current !== minute) {
        closeMinute()
        last = undefined
        minute = current
        hour = Math.floor(now / HOUR_MS)
      }
      const { organizationId, keyId } = use
      if (last === undefined || last.keyId !== keyId || last.organizationId !== organizationId) {
        last = { organizationId, keyId, tally: tallyOf(hour, organizationId, keyId) }
      }
      const { tally } = last
      count(tally, use.route, use.status * BUCKET_CODES + (aside ? NO_LATENCY : latencyBucket(use.durationMs ?? 0)))
      if (!aside) tally.perMinute++
    },

    /** Everything counted since it was last taken. */
    take(): UsageBatch {
      const counts = new Map<string, { -readonly [Name in keyof DailyCount]: DailyCount[Name] }>()
      const hourly: HourlyCount[] = []
      const peaks = new Map<string, DailyPeak>()
      for (const { hour: inHour, organizationId, keyId, tally } of tallies()) {
        const day = dayOf(inHour * HOUR_MS)
        const whose = `${day} ${organizationId} ${keyId}`
        const peakPerMinute = Math.max(tally.peakPerMinute, tally.perMinute, peaks.get(whose)?.peakPerMinute ?? 0)
        if (peakPerMinute > 0) peaks.set(whose, { organizationId, keyId, day, peakPerMinute })
        for (const [route, byStatus] of tally.byRoute) {
          for (const [code, times] of byStatus) {
            const status = Math.floor(code / BUCKET_CODES)
            const latency = code % BUCKET_CODES
            const known = counts.get(`${whose} ${route} ${status}`)
            if (known) known.count += times
            else counts.set(`${whose} ${route} ${status}`, { organizationId, keyId, route, status, day, count: times })
            if (latency !== NO_LATENCY) {
              hourly.push({ organizationId, keyId, route, status, hour: inHour, latencyBucket: latency, count: times })
            }
          }
        }
      }
      const before = hours
      hours = new Map()
      last = undefined
      // The minute goes on: what it counted so far still belongs to its peak.
      for (const [organizationId, keys] of before.get(hour) ?? []) {
        for (const [keyId, { perMinute }] of keys) {
          if (perMinute > 0) tallyOf(hour, organizationId, keyId).perMinute = perMinute
        }
      }
      return { counts: [...counts.values()], hours: hourly, peaks: [...peaks.values()] }
    },
  }
}
