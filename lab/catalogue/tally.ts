/** Counts agreements and disagreements with reference sets, by kind of fact. `label` describes a disagreement. */
export type Tally = {
  agree(kind: string): void
  disagree(kind: string, label: string): void
  unknown(kind: string, count?: number): void
  record(kind: string, agrees: boolean, label: string): void
  rows(): readonly TallyRow[]
}

export type TallyRow = {
  readonly kind: string
  readonly agreed: number
  readonly disagreed: readonly string[]
  readonly unknown: number
}

export function createTally(): Tally {
  const kinds = new Map<string, { agreed: number; disagreed: string[]; unknown: number }>()
  const countsOf = (kind: string) => {
    const counts = kinds.get(kind) ?? { agreed: 0, disagreed: [], unknown: 0 }
    kinds.set(kind, counts)
    return counts
  }
  return {
    agree: (kind) => void countsOf(kind).agreed++,
    disagree: (kind, label) => void countsOf(kind).disagreed.push(label),
    unknown(kind, count = 1) {
      countsOf(kind).unknown += count
    },
    record(kind, agrees, label) {
      if (agrees) countsOf(kind).agreed++
      else countsOf(kind).disagreed.push(label)
    },
    rows: () => [...kinds].map(([kind, counts]) => ({ kind, ...counts })),
  }
}
