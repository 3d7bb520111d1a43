/** Consecutive failures after which a source counts as down; one response resets it. */
const FAILURES_UNTIL_DOWN = 3

export type SourceOutage = {
  readonly name: string
  /** Time of the first failure in a row. */
  readonly since: number
  readonly reason: string
}

export type SourceHealth = {
  readonly recordFailure: (name: string, reason: string) => void
  readonly recordSuccess: (name: string) => void
  /** In the order in which they failed. */
  readonly listOutages: () => readonly SourceOutage[]
}

/** Health of the outside sources, as seen by this process. */
export function sourceHealth(now: () => number): SourceHealth {
  const failing = new Map<string, { since: number; times: number; reason: string }>()
  return {
    recordFailure(name, reason) {
      const outage = failing.get(name)
      if (outage) {
        outage.times++
        outage.reason = reason
      } else failing.set(name, { since: now(), times: 1, reason })
    },
    recordSuccess: (name) => void failing.delete(name),
    listOutages: () =>
      [...failing]
        .filter(([, { times }]) => times >= FAILURES_UNTIL_DOWN)
        .map(([name, { since, reason }]) => ({ name, since, reason })),
  }
}
