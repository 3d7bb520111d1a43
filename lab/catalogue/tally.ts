/** What came of holding facts of one kind against a reference set. */
export type Tally = {
  agree(kind: string): void
  disagree(kind: string, what: string): void
  unknown(kind: string, count?: number): void
  record(kind: string, agrees: boolean, what: string): void
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
  const of = (kind: string) => {
    const known = kinds.get(kind) ?? { agreed: 0, disagreed: [], unknown: 0 }
    kinds.set(kind, known)
    return known
  }
  return {
    agree: (kind) => void of(kind).agreed++,
    disagree: (kind, what) => void of(kind).disagreed.push(what),
    unknown(kind, count = 1) {
      of(kind).unknown += count
    },
    record(kind, agrees, what) {
      if (agrees) of(kind).agreed++
      else of(kind).disagreed.push(what)
    },
    rows: () => [...kinds].map(([kind, counts]) => ({ kind, ...counts })),
  }
}
