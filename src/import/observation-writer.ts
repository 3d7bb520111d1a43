/** Puts a price list into the store: the newest of each listing, in short steps, told to the service as it goes. */
import type { Database } from '../db/open.ts'
import type { ObservationTable } from '../db/schema.ts'
import type { NewObservation } from '../pricing/observation.ts'
import {
  announceObserved,
  type HeldListing,
  heldListings,
  isHeldSource,
  observationNumbers,
  writeObservations,
} from '../pricing/observation-store.ts'
import type { RowReport } from './report.ts'

/** What one step holds SQLite's only write lock for: about 20 ms. */
const STEP_ROWS = 3_000
/** PostgreSQL has no such lock; its steps are larger, because each costs a round trip and a commit. */
const SHARED_STEP_ROWS = 10_000
/** The service hears of touched devices this often while an import is under way. */
const TELL_EVERY_MS = 500
/** Listings that are looked up with one question. */
const LOOK_UP_ROWS = 500
/** From so many rows on the store's own picture of the table is out of date. */
const FILLED_ROWS = 10_000

/**
 * Writes one step after the other while the next rows are being read. A device touched for the first time is told of before its
 * rows are written, so that an import which is killed leaves no unknown one behind; further rows are told of once they are in.
 */
export function openObservationWriter(db: Database, signal: AbortSignal) {
  const numbered = observationNumbers(db)
  const known = new Set<string>()
  let waiting = new Set<string>()
  let toldAt = performance.now()
  let written = 0
  let under: Promise<void> = Promise.resolve()

  async function tell(): Promise<void> {
    const told = waiting
    waiting = new Set()
    if (told.size) await announceObserved(db, told)
    toldAt = performance.now()
  }

  async function tellOfNew(deviceIds: ReadonlySet<string>): Promise<void> {
    const fresh = deviceIds.difference(known)
    if (fresh.size) await announceObserved(db, fresh)
    for (const id of fresh) known.add(id)
    for (const id of deviceIds) waiting.add(id)
  }

  async function writeSteps(rows: readonly ObservationTable[]): Promise<void> {
    const size = db.singleWriter ? STEP_ROWS : SHARED_STEP_ROWS
    let before = Promise.resolve()
    for (let from = 0; from < rows.length && !signal.aborted; from += size) {
      // Made ready while the one before is being written. No two steps of a batch hold the same listing.
      const step = rows.slice(from, from + size)
      const writing = writeObservations(db, step).then(() => {
        written += step.length
      })
      writing.catch(() => {})
      await before
      before = writing
    }
    await before
    if (performance.now() - toldAt > TELL_EVERY_MS) await tell()
  }

  return {
    /** Resolves as soon as these rows are under way, which is when those before them are in. */
    async add(rows: readonly NewObservation[], alsoTouched: ReadonlySet<string>): Promise<void> {
      await under
      await tellOfNew(new Set(rows.map((row) => row.subject.deviceId)).union(alsoTouched))
      const stored = await numbered(rows)
      // Rows of one subject lie together in the store's index: written together, they touch a fifth of its pages.
      // The rest of the order is for two imports at once, which could wait for each other's rows in PostgreSQL without it.
      stored.sort(
        (a, b) => a.subject_id - b.subject_id || a.source_id - b.source_id || (a.listing_id < b.listing_id ? -1 : 1),
      )
      under = writeSteps(stored)
      // A failure is met at the next call; until then it must not count as unhandled.
      under.catch(() => {})
    },
    async finish(): Promise<void> {
      await under
      if (written >= FILLED_ROWS) {
        await db.tableFilled('observation_subject')
        await db.tableFilled('observation')
      }
      await tell()
    },
    written: () => written,
  }
}

export type Newest = {
  readonly rows: readonly NewObservation[]
  /** Devices that a listing was of until now, and is no longer. */
  readonly left: ReadonlySet<string>
}

/** Finds one row per listing, the newest; a row that is older than what is stored, or just the same, is left out. */
export function newestOfListings(
  db: Database,
  report: RowReport,
): (rows: readonly NewObservation[]) => Promise<Newest> {
  const wasHeld = heldBefore(db)
  return async (rows) => {
    const fresh: NewObservation[] = []
    const left = new Set<string>()
    for (const [source, newest] of newestBySource(rows, report)) {
      if (!(await wasHeld(source))) {
        for (const row of newest.values()) fresh.push(row)
        continue
      }
      const mine = [...newest.values()]
      for (let from = 0; from < mine.length; from += LOOK_UP_ROWS) {
        const some = mine.slice(from, from + LOOK_UP_ROWS)
        const ids = some.map((row) => row.listingId)
        const held = await heldListings(db.query, source, ids)
        for (const row of some) {
          const known = held.get(row.listingId)
          if (known && !saysMore(row, known)) {
            report.remark(known.cents === row.cents ? 'known already' : 'older than the price that is known')
            continue
          }
          fresh.push(row)
          if (known && known.deviceId !== row.subject.deviceId) left.add(known.deviceId)
        }
      }
    }
    return { rows: fresh, left }
  }
}

function saysMore(row: NewObservation, known: HeldListing): boolean {
  return known.observedAt < row.observedAt || (known.observedAt === row.observedAt && known.cents !== row.cents)
}

function newestBySource(
  rows: readonly NewObservation[],
  report: RowReport,
): ReadonlyMap<string, ReadonlyMap<string, NewObservation>> {
  const bySource = new Map<string, Map<string, NewObservation>>()
  for (const row of rows) {
    let newest = bySource.get(row.source)
    if (!newest) {
      newest = new Map()
      bySource.set(row.source, newest)
    }
    const other = newest.get(row.listingId)
    if (other) report.remark('listing more than once; the newest price counts')
    if (!other || other.observedAt <= row.observedAt) newest.set(row.listingId, row)
  }
  return bySource
}

/** Which sources the store knew before this run; only their listings have to be looked up. */
function heldBefore(db: Database): (source: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>()
  return (source) => {
    let held = known.get(source)
    if (!held) {
      held = isHeldSource(db.query, source)
      known.set(source, held)
    }
    return held
  }
}
