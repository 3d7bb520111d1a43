/**
 * Group commit: concurrent writers share one commit. A commit waits for the disk however little it writes, so writes that
 * arrive during one go into the next. A write resolves after its group is on the disk.
 */
export type GroupCommit<Unit, Outcome> = {
  readonly write: (unit: Unit) => Promise<Outcome>
  /** Resolves when no write is pending. */
  readonly drain: () => Promise<void>
}

export type GroupCommitOptions<Unit> = {
  /** Number of rows of a unit; a unit is never split over two commits. */
  readonly countRows: (unit: Unit) => number
  /** Bounds the time a group holds the event loop; a larger unit is committed alone. */
  readonly maxRows: number
  /** An outage fails every unit alike, so none is retried alone. */
  readonly isDatabaseUnavailable: (error: unknown) => boolean
}

const MAX_GATHER_TURNS = 4

type PendingWrite<Unit, Outcome> = {
  readonly unit: Unit
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
}

/** `commit` returns one outcome per unit, in order. */
export function groupCommit<Unit, Outcome>(
  commit: (units: readonly Unit[]) => Promise<readonly Outcome[]>,
  { countRows, maxRows, isDatabaseUnavailable }: GroupCommitOptions<Unit>,
): GroupCommit<Unit, Outcome> {
  const pending: PendingWrite<Unit, Outcome>[] = []
  let running: Promise<void> | undefined

  function nextGroup(): PendingWrite<Unit, Outcome>[] {
    let rows = 0
    let count = 0
    for (const { unit } of pending) {
      rows += countRows(unit)
      if (count > 0 && rows > maxRows) break
      count++
    }
    return pending.splice(0, count)
  }

  async function commitGroup(group: readonly PendingWrite<Unit, Outcome>[]): Promise<void> {
    let outcomes: readonly Outcome[]
    try {
      outcomes = await commit(group.map(({ unit }) => unit))
    } catch (error) {
      // During an outage the waiting writes would only wait for the same error.
      const failedWrites = isDatabaseUnavailable(error) ? [...group, ...pending.splice(0)] : group
      if (failedWrites !== group || group.length === 1) {
        for (const { reject } of failedWrites) reject(error)
        return
      }
      // One bad unit must not fail the others.
      for (const write of group) await commitGroup([write])
      return
    }
    group.forEach(({ resolve }, index) => {
      resolve(outcomes[index] as Outcome)
    })
  }

  /**
   * Waits for up to four turns of the event loop while each brings more writes: callers that were answered together send
   * their next requests together, and one commit for all is cheaper than two. A full group does not wait.
   */
  async function gather(): Promise<void> {
    for (let turns = 0, countBefore = 0; turns < MAX_GATHER_TURNS && pending.length > countBefore; turns++) {
      if (pending.length >= maxRows) return
      countBefore = pending.length
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  async function run(): Promise<void> {
    while (pending.length > 0) {
      await gather()
      await commitGroup(nextGroup())
    }
  }

  function start(): void {
    running ??= run().finally(() => {
      running = undefined
      if (pending.length > 0) start()
    })
  }

  return {
    write: (unit) =>
      new Promise<Outcome>((resolve, reject) => {
        pending.push({ unit, resolve, reject })
        start()
      }),
    async drain() {
      while (running) await running
    },
  }
}
