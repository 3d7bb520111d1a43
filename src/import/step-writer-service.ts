/** Writes many rows in short transactions with gaps, so that other writers get their turn. */
import type { Database, Tx } from '../db/database.ts'

/** How long one step may hold SQLite's only write lock. */
const MAX_LOCK_MS = 8
/** A waiting process polls the lock every 2 ms, so a gap this long always lets it in. */
const GAP_MS = 6
const FIRST_STEP_ROWS = 200
const MIN_STEP_ROWS = 50
const MAX_STEP_ROWS = 2000

/** Last step size per database, so that an import of many calls does not start small each time. */
const lastStepRows = new WeakMap<Database, number>()
/** When the last step released the lock, per database. */
const releasedAt = new WeakMap<Database, number>()

/**
 * Writes `rows` in order, each step in a transaction of its own, and returns how many were written. Steps grow or shrink
 * until they hold the lock for about 8 ms. PostgreSQL has no such lock: there the steps are simply large.
 *
 * `inLastTransaction` runs in the last step's transaction, or in its own if `signal` aborted: announce changes there, so
 * that written rows are also served.
 */
export async function writeInSteps<Row, Ready = undefined>(
  db: Database,
  rows: readonly Row[],
  write: (tx: Tx, step: readonly Row[], ready: Ready) => Promise<void>,
  { prepare, inLastTransaction, signal }: StepOptions<Row, Ready> = {},
): Promise<number> {
  let stepRows = db.bulk.hasSingleWriter ? (lastStepRows.get(db) ?? FIRST_STEP_ROWS) : MAX_STEP_ROWS
  let at = 0
  while (at < rows.length) {
    if (signal?.aborted) {
      if (at > 0 && inLastTransaction) await db.transaction(inLastTransaction)
      return at
    }
    const step = rows.slice(at, at + stepRows)
    const isLast = at + step.length >= rows.length
    let heldMs = 0
    const ready = (await prepare?.(step)) as Ready
    await waitForGap(db)
    await db.transaction(async (tx) => {
      const startedAt = performance.now()
      await write(tx, step, ready)
      if (isLast) await inLastTransaction?.(tx)
      // Without the commit: on a slow disk it takes as long for few rows as for many, so smaller steps would not help.
      heldMs = performance.now() - startedAt
    })
    at += step.length
    if (db.bulk.hasSingleWriter) {
      stepRows = step.length < stepRows ? stepRows : nextStepRows(step.length, heldMs)
      lastStepRows.set(db, stepRows)
      releasedAt.set(db, performance.now())
    }
  }
  return at
}

type StepOptions<Row, Ready> = {
  /** Runs before a step takes the lock; its result is passed to `write`. */
  readonly prepare?: (step: readonly Row[]) => Promise<Ready>
  readonly inLastTransaction?: (tx: Tx) => Promise<unknown>
  readonly signal?: AbortSignal
}

/** Time since the last step released the lock counts as part of the gap. */
async function waitForGap(db: Database): Promise<void> {
  const restMs = GAP_MS - (performance.now() - (releasedAt.get(db) ?? Number.NEGATIVE_INFINITY))
  if (restMs > 0) await Bun.sleep(restMs)
}

type StepBounds = { readonly lockMs: number; readonly minRows: number; readonly maxRows: number }

const DEFAULT_BOUNDS: StepBounds = { lockMs: MAX_LOCK_MS, minRows: MIN_STEP_ROWS, maxRows: MAX_STEP_ROWS }

/** The size changes by a factor of two at most, so that one slow step does not slow down the rest. */
export function nextStepRows(rows: number, heldMs: number, { lockMs, minRows, maxRows } = DEFAULT_BOUNDS): number {
  const targetRows = rows * Math.min(2, Math.max(0.5, lockMs / Math.max(heldMs, 0.1)))
  return Math.max(minRows, Math.min(maxRows, Math.floor(targetRows)))
}
