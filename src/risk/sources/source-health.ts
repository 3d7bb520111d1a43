/** So many failures one after the other are no accident; a source that is asked again and answers is well again. */
const DOWN_AFTER = 3

export type SourceDown = {
  readonly name: string
  /** When the first of the failures came, since which nothing was answered. */
  readonly since: number
  readonly reason: string
}

export type SourceHealth = {
  readonly failed: (name: string, reason: string) => void
  readonly answered: (name: string) => void
  /** In the order in which they went down. */
  readonly down: () => readonly SourceDown[]
}

/** Which outside sources answer, as this process sees it. */
export function sourceHealth(now: () => number): SourceHealth {
  const failing = new Map<string, { since: number; times: number; reason: string }>()
  return {
    failed(name, reason) {
      const known = failing.get(name)
      if (known) {
        known.times++
        known.reason = reason
      } else failing.set(name, { since: now(), times: 1, reason })
    },
    answered: (name) => void failing.delete(name),
    down: () =>
      [...failing]
        .filter(([, { times }]) => times >= DOWN_AFTER)
        .map(([name, { since, reason }]) => ({ name, since, reason })),
  }
}
