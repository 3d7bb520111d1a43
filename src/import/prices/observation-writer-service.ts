/** Writes the newest price of each listing to the database in short transactions that announce the changed devices. */
import type { Database } from '../../db/database.ts'
import type { ObservationTable } from '../../db/schema.ts'
import type { NewObservation } from '../../pricing/model/observation.ts'
import {
  type EncodedObservations,
  findStoredListings,
  isSourceStored,
  type ObservationBatch,
  type ObservationScope,
  observationEncoder,
  type StoredListing,
  writeObservations,
} from '../../pricing/observations/observation-store.ts'
import type { RowReport } from '../row-report-service.ts'
import { nextStepRows } from '../step-writer-service.ts'

/** Limits how long a step holds SQLite's single write lock; shorter while other writers wait. */
const STEP_BOUNDS = { lockMs: 20, minRows: 500, maxRows: 4_000 }
const STEP_BOUNDS_WITH_OTHER_WRITERS = { ...STEP_BOUNDS, lockMs: 8 }
/** PostgreSQL has no such lock; its steps are larger, because each costs a round trip and a commit. */
const POSTGRES_STEP_ROWS = 10_000
/** Listings looked up per query. */
const LISTINGS_PER_QUERY = 500
/** From this many rows on, the planner statistics of the tables are refreshed. */
const ANALYZE_FROM_ROWS = 10_000

/** Writes step by step while the caller reads the next rows. Each step is one transaction: its rows and their change events. */
export function openObservationWriter(db: Database, runId: string, scope: ObservationScope, signal: AbortSignal) {
  const numbered = observationEncoder(db, runId, scope.organizationId)
  let written = 0
  let stepRows = db.bulk.hasSingleWriter ? STEP_BOUNDS.maxRows / 2 : POSTGRES_STEP_ROWS
  let under: Promise<void> = Promise.resolve()

  async function writeSteps(stored: EncodedObservations, left: ReadonlySet<string>): Promise<void> {
    const count = stored.subjects.length
    let before = Promise.resolve()
    for (let from = 0, to = 0; from < count && !signal.aborted; from = to) {
      // Prepared while the previous step is being written. No two steps of a batch contain the same listing.
      to = Math.min(from + stepRows, count)
      const rows = to - from
      const writing = writeObservations(db, stored, from, to, left, scope).then(
        ({ lockHeldMs: heldMs, hasOtherWriters: besideOthers }) => {
          written += rows
          if (!db.bulk.hasSingleWriter || rows !== stepRows) return
          stepRows = nextStepRows(rows, heldMs, besideOthers ? STEP_BOUNDS_WITH_OTHER_WRITERS : STEP_BOUNDS)
        },
      )
      writing.catch(() => {})
      await before
      before = writing
    }
    await before
  }

  return {
    /** Resolves when the previous rows are written and the writing of these has started. */
    async add(rows: ObservationBatch, { rowIndexes, formerDeviceIds: left, replaced }: NewestRows): Promise<void> {
      await under
      const stored = await numbered(rows, rowIndexes, replaced)
      under = writeSteps(stored, left)
      // The next call reports a failure; until then the rejection must not count as unhandled.
      under.catch(() => {})
    },
    async finish(): Promise<void> {
      await under
      if (written >= ANALYZE_FROM_ROWS) {
        await db.bulk.analyzeTable('observation_subject')
        await db.bulk.analyzeTable('observation')
      }
    },
    written: () => written,
  }
}

export type NewestRows = {
  /** Indexes of the rows to write. */
  readonly rowIndexes: Uint32Array
  /** Devices that a listing was assigned to before this import and no longer is. */
  readonly formerDeviceIds: ReadonlySet<string>
  /** The stored row that each row replaces, by row index. */
  readonly replaced: ReadonlyMap<number, ObservationTable>
}

/** Keeps the newest row per listing; drops rows that are older than the stored one or equal to it. */
export function createNewestFilter(
  db: Database,
  organizationId: string,
  report: RowReport,
): (rows: ObservationBatch) => Promise<NewestRows> {
  const wasHeld = createSourceLookup(db, organizationId)
  return async (rows) => {
    const isLeftOut = new Uint8Array(rows.listingIds.length)
    const left = new Set<string>()
    const replaced = new Map<number, ObservationTable>()
    for (const [source, placeOf] of newestBySource(rows, isLeftOut, report)) {
      if (!(await wasHeld(source))) continue
      const mine = [...placeOf]
      for (let from = 0; from < mine.length; from += LISTINGS_PER_QUERY) {
        const some = mine.slice(from, from + LISTINGS_PER_QUERY)
        const listings = some.map(([listing]) => listing)
        const held = await findStoredListings(db.query, source, listings, organizationId)
        for (const [listing, place] of some) {
          const known = held.get(listing)
          if (!known) continue
          if (isNewerThanStored(rows, place, known)) {
            if (known.deviceId !== rows.subjects[place]?.deviceId) left.add(known.deviceId)
            replaced.set(place, known.row)
            continue
          }
          isLeftOut[place] = 1
          report.remark(known.cents === rows.cents[place] ? 'unchanged' : 'older than the stored price')
        }
      }
    }
    return { rowIndexes: indexesOfZeros(isLeftOut), formerDeviceIds: left, replaced }
  }
}

function indexesOfZeros(marks: Uint8Array): Uint32Array {
  const places = new Uint32Array(marks.length)
  let count = 0
  for (let place = 0; place < marks.length; place++) if (marks[place] === 0) places[count++] = place
  return places.subarray(0, count)
}

function isNewerThanStored(rows: ObservationBatch, index: number, stored: StoredListing): boolean {
  const observedAt = rows.observedAt[index] as number
  if (stored.observedAt !== observedAt) return stored.observedAt < observedAt
  // Importing a list again with another country moves its prices to that market.
  return stored.cents !== rows.cents[index] || stored.market !== rows.terms[index]?.market
}

/** Index of the newest row of each listing; marks the others in `isSkipped`. */
function newestBySource(
  rows: ObservationBatch,
  isSkipped: Uint8Array,
  report: RowReport,
): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const bySource = new Map<string, Map<string, number>>()
  for (let place = 0; place < rows.listingIds.length; place++) {
    const listing = rows.listingIds[place] as string
    const source = rows.sources[place] as string
    let newest = bySource.get(source)
    if (!newest) {
      newest = new Map()
      bySource.set(source, newest)
    }
    const other = newest.get(listing)
    if (other === undefined) {
      newest.set(listing, place)
      continue
    }
    report.remark('listing repeated; newest price used')
    const isNewer = (rows.observedAt[other] as number) <= (rows.observedAt[place] as number)
    isSkipped[isNewer ? other : place] = 1
    if (isNewer) newest.set(listing, place)
  }
  return bySource
}

/** Whether the database already had a source before this run; only then its listings are looked up. */
function createSourceLookup(db: Database, organizationId: string): (source: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>()
  return (source) => {
    let held = known.get(source)
    if (!held) {
      held = isSourceStored(db.query, source, organizationId)
      known.set(source, held)
    }
    return held
  }
}

export function emptyObservations(): ObservationBatch {
  return { sources: [], listingIds: [], subjects: [], terms: [], cents: [], observedAt: [], listedAt: [] }
}

export function appendObservation(rows: ObservationBatch, row: NewObservation, listingId: string): void {
  rows.sources.push(row.source)
  rows.listingIds.push(listingId)
  rows.subjects.push(row.subject)
  rows.terms.push(row.terms)
  rows.cents.push(row.cents)
  rows.observedAt.push(row.observedAt)
  rows.listedAt.push(row.listedAt)
}
