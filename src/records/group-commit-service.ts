/**
 * Concurrent writers share one commit. A commit costs a wait for the disk however little it writes, so what arrives
 * while one is under way goes into the next. A writer is told only after its own group is on the disk.
 */
export type GroupCommit<Unit, Outcome> = {
  readonly write: (unit: Unit) => Promise<Outcome>
  /** Resolves when nothing is waiting any more. */
  readonly drain: () => Promise<void>
}

export type GroupCommitOptions<Unit> = {
  /** How many rows a unit is; a unit is never split over two commits. */
  readonly countRows: (unit: Unit) => number
  /** Few enough that one group never holds the event loop for long; a larger unit goes alone. */
  readonly maxRows: number
  /** The store itself is away: every unit would fail alike, so none is tried alone. */
  readonly isDatabaseUnavailable: (error: unknown) => boolean
}

const MAX_GATHER_TURNS = 4

type PendingWrite<Unit, Outcome> = {
  readonly unit: Unit
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
}

/** `commit` gives one outcome per unit, in their order. */
export function groupCommit<Unit, Outcome>(
  commit: (units: readonly Unit[]) => Promise<readonly Outcome[]>,
  { countRows: rowsOf, maxRows: mostRows, isDatabaseUnavailable: isStoreAway }: GroupCommitOptions<Unit>,
): GroupCommit<Unit, Outcome> {
  const waiting: PendingWrite<Unit, Outcome>[] = []
  let running: Promise<void> | undefined

  function nextGroup(): PendingWrite<Unit, Outcome>[] {
    let rows = 0
    let count = 0
    for (const { unit } of waiting) {
      rows += rowsOf(unit)
      if (count > 0 && rows > mostRows) break
      count++
    }
    return waiting.splice(0, count)
  }

  async function commitGroup(group: readonly PendingWrite<Unit, Outcome>[]): Promise<void> {
    let outcomes: readonly Outcome[]
    try {
      outcomes = await commit(group.map(({ unit }) => unit))
    } catch (error) {
      // Those who waited meanwhile would only wait as long again for the same answer.
      const failed = isStoreAway(error) ? [...group, ...waiting.splice(0)] : group
      if (failed !== group || group.length === 1) {
        for (const { reject } of failed) reject(error)
        return
      }
      // One bad unit must not take its neighbours with it.
      for (const each of group) await commitGroup([each])
      return
    }
    group.forEach(({ resolve }, at) => {
      resolve(outcomes[at] as Outcome)
    })
  }

  /**
   * Whatever is being handled in this turn of the loop gets to join, and so does the next turn's as long as each brings
   * more: callers who were answered together ask again together, and one commit for all of them beats two for halves.
   * A group that is full waits for nobody: when the loop has more to do than it can, each of its turns is long.
   */
  async function gather(): Promise<void> {
    for (let turns = 0, before = 0; turns < MAX_GATHER_TURNS && waiting.length > before; turns++) {
      if (waiting.length >= mostRows) return
      before = waiting.length
      await new Promise((turn) => setImmediate(turn))
    }
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      await gather()
      await commitGroup(nextGroup())
    }
  }

  function start(): void {
    running ??= run().finally(() => {
      running = undefined
      if (waiting.length > 0) start()
    })
  }

  return {
    write: (unit) =>
      new Promise<Outcome>((resolve, reject) => {
        waiting.push({ unit, resolve, reject })
        start()
      }),
    async drain() {
      while (running) await running
    },
  }
}
