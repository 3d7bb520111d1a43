import { dayOf, HOUR_MS, MINUTE_MS } from '../lib/time.ts'
import { latencyBucket } from './latency-buckets.ts'

/** Days of usage that are kept. */
export const USAGE_RETENTION_DAYS = 90

/** One request. */
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

/** The counts of an interval. */
export type UsageBatch = {
  readonly counts: readonly DailyCount[]
  readonly hours: readonly HourlyCount[]
  readonly peaks: readonly DailyPeak[]
}

/** Status and latency bucket are encoded in one number, so that counting takes one map lookup. */
const BUCKET_CODES = 16
/** Bucket of counts that are not requests. */
const NO_LATENCY = 15

type Tally = {
  perMinute: number
  peakPerMinute: number
  /** The peak that was taken last. */
  takenPeak: number
  readonly byRoute: Map<string, Map<number, number>>
}

/**
 * Counts requests in memory with a few map lookups per request. The counts are written in batches in the background.
 */
export function usageCounter() {
  /** By hour, organization and key: all organizations use the same key name for dashboard requests. */
  let hours = new Map<number, Map<string, Map<string, Tally>>>()
  let minute = Number.NaN
  let hour = Number.NaN
  /** Caches the last key, which is often the next one too. */
  let last: { organizationId: string; keyId: string; tally: Tally } | undefined

  function findTally(inHour: number, organizationId: string, keyId: string): Tally {
    const organizations = hours.get(inHour) ?? new Map<string, Map<string, Tally>>()
    hours.set(inHour, organizations)
    const keys = organizations.get(organizationId) ?? new Map<string, Tally>()
    organizations.set(organizationId, keys)
    let tally = keys.get(keyId)
    if (!tally) {
      tally = { perMinute: 0, peakPerMinute: 0, takenPeak: 0, byRoute: new Map() }
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

  function increment({ byRoute }: Tally, route: string, code: number): void {
    let byStatus = byRoute.get(route)
    if (!byStatus) {
      byStatus = new Map()
      byRoute.set(route, byStatus)
    }
    byStatus.set(code, (byStatus.get(code) ?? 0) + 1)
  }

  return {
    /** `not_a_request`: excluded from latencies and from the key's peak per minute. */
    add(request: RequestUsage, now: number, exclusion?: 'not_a_request'): void {
      const currentMinute = Math.floor(now / MINUTE_MS)
      if (currentMinute !== minute) {
        closeMinute()
        last = undefined
        minute = currentMinute
        hour = Math.floor(now / HOUR_MS)
      }
      const { organizationId, keyId } = request
      if (last === undefined || last.keyId !== keyId || last.organizationId !== organizationId) {
        last = { organizationId, keyId, tally: findTally(hour, organizationId, keyId) }
      }
      const { tally } = last
      increment(
        tally,
        request.route,
        request.status * BUCKET_CODES + (exclusion ? NO_LATENCY : latencyBucket(request.durationMs ?? 0)),
      )
      if (!exclusion) tally.perMinute++
    },

    /** Returns all counts since the last call. */
    take(): UsageBatch {
      const counts = new Map<string, { -readonly [Name in keyof DailyCount]: DailyCount[Name] }>()
      const hourly: HourlyCount[] = []
      const peaks = new Map<string, DailyPeak>()
      for (const { hour: inHour, organizationId, keyId, tally } of tallies()) {
        const day = dayOf(inHour * HOUR_MS)
        const key = `${day} ${organizationId} ${keyId}`
        const peakPerMinute = Math.max(tally.peakPerMinute, tally.perMinute, peaks.get(key)?.peakPerMinute ?? 0)
        if (peakPerMinute > tally.takenPeak) peaks.set(key, { organizationId, keyId, day, peakPerMinute })
        for (const [route, byStatus] of tally.byRoute) {
          for (const [code, times] of byStatus) {
            const status = Math.floor(code / BUCKET_CODES)
            const latency = code % BUCKET_CODES
            const existing = counts.get(`${key} ${route} ${status}`)
            if (existing) existing.count += times
            else counts.set(`${key} ${route} ${status}`, { organizationId, keyId, route, status, day, count: times })
            if (latency !== NO_LATENCY) {
              hourly.push({ organizationId, keyId, route, status, hour: inHour, latencyBucket: latency, count: times })
            }
          }
        }
      }
      const previousHours = hours
      hours = new Map()
      last = undefined
      // The current minute still counts towards the peak.
      for (const [organizationId, keys] of previousHours.get(hour) ?? []) {
        for (const [keyId, { perMinute }] of keys) {
          if (perMinute > 0) Object.assign(findTally(hour, organizationId, keyId), { perMinute, takenPeak: perMinute })
        }
      }
      return { counts: [...counts.values()], hours: hourly, peaks: [...peaks.values()] }
    },
  }
}
