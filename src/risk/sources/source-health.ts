/** So many failures one after the other are no accident; a source that is asked again and answers is well again. */
const FAILURES_UNTIL_DOWN = 3

export type SourceOutage = {
  readonly name: string
  /** When the first of the failures came, since which nothing was answered. */
  readonly since: number
  readonly reason: string
}

export type SourceHealth = {
  readonly recordFailure: (name: string, reason: string) => void
  readonly recordSuccess: (name: string) => void
  /** In the order in which they went down. */
  readonly listOutages: () => readonly SourceOutage[]
}

/** Which outside sources answer, as this process sees it. */
export function sourceHealth(now: () => number): SourceHealth {
  const failing = new Map<string, { since: number; times: number; reason: string }>()
  return {
    recordFailure(name, reason) {
      const known = failing.get(name)
      if (known) {
        known.times++
        known.reason = reason
      } else failing.set(name, { since: now(), times: 1, reason })
    },
    recordSuccess: (name) => void failing.delete(name),
    listOutages: () =>
      [...failing]
        .filter(([, { times }]) => times >= FAILURES_UNTIL_DOWN)
        .map(([name, { since, reason }]) => ({ name, since, reason })),
  }
}
