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

/** The organization belongs to the name: requests from the dashboard go by the same key name in all of them. */
const peakName = (of: Pick<Use, 'organizationId' | 'keyId'>, day: string) => `${of.organizationId} ${of.keyId} ${day}`
const countName = (use: Use, day: string) => `${peakName(use, day)} ${use.route} ${use.status}`

export type UsageCounter = ReturnType<typeof usageCounter>

/**
 * Counts requests in memory; adding one is a map look-up. What was counted is taken out together and written by
 * whoever took it, never on the way of a request.
 */
export function usageCounter() {
  let counts = new Map<string, Count & { count: number }>()
  let peaks = new Map<string, Peak & { peakPerMinute: number }>()
  let minute = Number.NaN
  let day = ''
  let perKey = new Map<string, { use: Use; count: number }>()

  function closeMinute(): void {
    for (const { use, count } of perKey.values()) {
      const name = peakName(use, day)
      const known = peaks.get(name)
      if (!known) {
        peaks.set(name, { organizationId: use.organizationId, keyId: use.keyId, day, peakPerMinute: count })
      } else if (count > known.peakPerMinute) known.peakPerMinute = count
    }
  }

  return {
    /** `aside`: counted, but not one of the key's requests of the minute. */
    add(use: Use, now: number, aside?: 'aside'): void {
      const current = Math.floor(now / 60_000)
      if (current !== minute) {
        closeMinute()
        perKey = new Map()
        minute = current
        day = new Date(now).toISOString().slice(0, 10)
      }
      const name = countName(use, day)
      const known = counts.get(name)
      if (known) known.count++
      else counts.set(name, { ...use, day, count: 1 })
      if (aside) return
      const keyName = peakName(use, day)
      const key = perKey.get(keyName)
      if (key) key.count++
      else perKey.set(keyName, { use, count: 1 })
    },

    /** Everything counted since it was last taken. */
    take(): { counts: Count[]; peaks: Peak[] } {
      closeMinute()
      const taken = { counts: [...counts.values()], peaks: [...peaks.values()] }
      counts = new Map()
      peaks = new Map()
      return taken
    },

    /** Puts back what could not be written. */
    giveBack(taken: { counts: readonly Count[]; peaks: readonly Peak[] }): void {
      for (const count of taken.counts) {
        const name = countName(count, count.day)
        const known = counts.get(name)
        if (known) known.count += count.count
        else counts.set(name, { ...count })
      }
      for (const peak of taken.peaks) {
        const name = peakName(peak, peak.day)
        const known = peaks.get(name)
        if (!known || known.peakPerMinute < peak.peakPerMinute) peaks.set(name, { ...peak })
      }
    },
  }
}
