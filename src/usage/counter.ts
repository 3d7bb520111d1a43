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
      const name = `${use.keyId} ${day}`
      const known = peaks.get(name)
      if (!known) {
        peaks.set(name, { organizationId: use.organizationId, keyId: use.keyId, day, peakPerMinute: count })
      } else if (count > known.peakPerMinute) known.peakPerMinute = count
    }
  }

  return {
    add(use: Use, now: number): void {
      const current = Math.floor(now / 60_000)
      if (current !== minute) {
        closeMinute()
        perKey = new Map()
        minute = current
        day = new Date(now).toISOString().slice(0, 10)
      }
      const name = `${use.keyId} ${use.route} ${use.status} ${day}`
      const known = counts.get(name)
      if (known) known.count++
      else counts.set(name, { ...use, day, count: 1 })
      const key = perKey.get(use.keyId)
      if (key) key.count++
      else perKey.set(use.keyId, { use, count: 1 })
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
        const name = `${count.keyId} ${count.route} ${count.status} ${count.day}`
        const known = counts.get(name)
        if (known) known.count += count.count
        else counts.set(name, { ...count })
      }
      for (const peak of taken.peaks) {
        const name = `${peak.keyId} ${peak.day}`
        const known = peaks.get(name)
        if (!known || known.peakPerMinute < peak.peakPerMinute) peaks.set(name, { ...peak })
      }
    },
  }
}
