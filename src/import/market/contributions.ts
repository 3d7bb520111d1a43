/** Prices that an organization contributes over the API: the way of a price list, a request at a time. */
import type { Device } from '../../catalog/device.ts'
import { BASE_CURRENCY } from '../../contract/currency.ts'
import {
  type ContributionWire,
  type ObservationResultWire,
  type ObservationRowWire,
  observationRowSchema,
} from '../../contract/observations.ts'
import { minorDigits } from '../../currency/exchange.ts'
import type { Database } from '../../db/open.ts'
import { DomainError } from '../../errors.ts'
import { sortableId } from '../../id.ts'
import { SLICE_MS, yieldToRequests } from '../../in-slices.ts'
import { pricingStore } from '../../pricing/market/store.ts'
import { openSubjects } from '../../pricing/market/subject.ts'
import { readAs } from '../../read-as.ts'
import type { Resolver } from '../../resolver/resolver.ts'
import { openRowReport } from '../report.ts'
import { failureSentence } from '../run-import.ts'
import { failRun, finishRun, startRun } from '../run-store.ts'
import { addObservation, newestOfListings, noObservations, openObservationWriter } from './observation-writer.ts'
import { type Cells, COLUMN_NAMES } from './price-columns.ts'
import { priceRowReader, type RowReading, rateTable } from './price-row.ts'

export type Contributions = {
  /** What becomes of some rows of an organization; they are stored and recorded when it resolves. */
  add(organizationId: string, rows: readonly unknown[], now: number): Promise<ContributionWire>
}

export type ContributionParts = {
  readonly db: Database
  readonly devices: () => readonly Device[]
  /** Finds devices by their titles, learnt between requests. */
  readonly resolver: () => Promise<Resolver>
}

const FORMAT = 'observations'
const NEVER = new AbortController().signal

export function openContributions({ db, devices, resolver }: ContributionParts): Contributions {
  let known: { readonly resolve: Resolver; readonly findSubject: ReturnType<typeof openSubjects> } | undefined

  async function subjects() {
    const resolve = await resolver()
    // A change of the registry makes a new resolver, and with it the codes are learnt anew.
    if (known?.resolve !== resolve) known = { resolve, findSubject: openSubjects(devices(), resolve) }
    return known.findSubject
  }

  async function reader(rows: readonly unknown[], source: string, now: number): Promise<(cells: Cells) => RowReading> {
    const inDollars = (row: unknown) => ((row as { currency?: unknown } | null)?.currency ?? 'USD') === 'USD'
    return priceRowReader({
      findSubject: await subjects(),
      rateOf: rateTable(rows.every(inDollars) ? [] : await pricingStore(db).rates()),
      now,
      defaults: { source },
      grades: new Map(),
      ranges: 'refuse',
    })
  }

  async function run(runId: string, organizationId: string, rows: readonly unknown[], now: number) {
    const report = openRowReport({ path: null, show: () => {} })
    const readRow = await reader(rows, organizationId, now)
    const batch = noObservations()
    const results: ObservationResultWire[] = []
    let until = performance.now() + SLICE_MS
    for (const [index, sent] of rows.entries()) {
      const row = settled(index, sent)
      const reading = 'problem' in row ? row : readRow(cellsOf(row))
      const listingId = 'problem' in row ? listingIn(sent) : row.listing_id
      if ('problem' in reading) {
        report.reject(index, reading.problem, reading.detail)
        const detail = reading.detail.slice(0, 120)
        results.push({ index, accepted: false, listing_id: listingId, reason: reading.problem, detail })
      } else {
        const { subject, terms } = reading
        addObservation(batch, reading, reading.listingId)
        results.push({
          index,
          accepted: true,
          listing_id: reading.listingId,
          device_id: subject.deviceId,
          variant_id: subject.variantId,
          condition: terms.rung,
        })
      }
      if (performance.now() < until) continue
      await yieldToRequests()
      until = performance.now() + SLICE_MS
    }
    const writer = openObservationWriter(db, NEVER)
    await writer.add(batch, await newestOfListings(db, report)(batch))
    await writer.finish()
    const accepted = batch.listingIds.length
    const figures = {
      rows: rows.length,
      observations: accepted,
      written: writer.written(),
      rejected: report.rejected(),
    }
    return { figures, rejectedBy: report.rejectedBy(), results, runId }
  }

  return {
    async add(organizationId, rows, now) {
      const runId = sortableId('imp', now)
      await startRun(db, { id: runId, format: FORMAT, file: `contributed by ${organizationId}`, startedAt: now })
      try {
        const { figures, rejectedBy, results } = await run(runId, organizationId, rows, now)
        await finishRun(db, runId, Date.now(), { ...figures, rejectedBy }, { organizationId })
        const { observations: accepted, written, rejected } = figures
        return { run_id: runId, rows: rows.length, accepted, written, rejected, rejected_by: rejectedBy, results }
      } catch (error) {
        await failRun(db, runId, Date.now(), failureSentence(error), { organizationId }).catch(() => {})
        throw error
      }
    },
  }
}

/** A row as its schema reads it, or what is wrong with it in the words of a report. */
function settled(index: number, sent: unknown): ObservationRowWire | { problem: string; detail: string } {
  try {
    return readAs(observationRowSchema, sent, { whole: `observations[${index}]` })
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const [{ field, message } = { field: 'row', message: error.message }] = error.details
    return { problem: `${field.replace(/^observations\[\d+\]$/, 'row')} cannot be used`, detail: message }
  }
}

function listingIn(sent: unknown): string | null {
  const id = (sent as { listing_id?: unknown } | null)?.listing_id
  return typeof id === 'string' && id !== '' ? id.slice(0, 100) : null
}

const NO_CELLS = Object.fromEntries(COLUMN_NAMES.map((column) => [column, ''])) as Record<keyof Cells, string>

function cellsOf(row: ObservationRowWire): Cells {
  const { currency = BASE_CURRENCY, side = 'sold' } = row
  return {
    ...NO_CELLS,
    listing: row.listing_id,
    variant: row.variant_id ?? '',
    sku: row.sku ?? '',
    partNumber: row.part_number ?? '',
    model: row.title ?? '',
    make: row.make ?? '',
    storage: row.storage ?? '',
    ram: row.ram ?? '',
    color: row.color ?? '',
    condition: row.condition,
    // Four digits behind the point are no thousands, whatever the currency.
    amount: (row.amount / 10 ** minorDigits(currency)).toFixed(4),
    currency,
    date: row.observed_at,
    side,
    lock: row.lock ?? '',
  }
}
