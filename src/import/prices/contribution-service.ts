/** Imports prices that an organization contributes over the API, with the same rules as a price list. */

import type { Actor } from '../../auth/actor.ts'
import { type AuditEntry, writeAuditEntry } from '../../auth/audit-store.ts'
import { type Device, nameWithoutMake } from '../../catalog/device.ts'
import { isDefectGrade } from '../../catalog/grade.ts'
import type { TitleIndex } from '../../catalog/matching/matching-service.ts'
import { CONDITIONS } from '../../contract/condition-grades.ts'
import { BASE_CURRENCY } from '../../contract/currency.ts'
import {
  type ContributionWire,
  type ObservationResultWire,
  type ObservationRowWire,
  observationRowSchema,
} from '../../contract/observations.ts'
import { exchangeRateStore } from '../../currency/exchange-rate-store.ts'
import { formatAmount } from '../../currency/format-amount.ts'
import { minorUnitDigits } from '../../currency/minor-units.ts'
import { createRateLookup } from '../../currency/rate-lookup.ts'
import type { Database, Tx } from '../../db/database.ts'
import { newJobId } from '../../jobs/job-store.ts'
import { DomainError } from '../../lib/errors.ts'
import { runTimeSliced, timeSlice } from '../../lib/event-loop.ts'
import { failureOf } from '../../lib/failure.ts'
import { memoizeWeak } from '../../lib/memoize.ts'
import { englishRejection } from '../../lib/rejection-texts.ts'
import { parseOrThrow } from '../../lib/validate.ts'
import { configurationOf } from '../../pricing/configuration.ts'
import type { ObservationSubject, ObservationTerms } from '../../pricing/model/observation.ts'
import { isFarFromRange } from '../../pricing/model/source-quarantine.ts'
import { type ObservationBatch, observationScope } from '../../pricing/observations/observation-store.ts'
import { buildSubjectMatcher } from '../../pricing/observations/subject-matcher.ts'
import { type ExpectedPrice, isPlausible, plausibleRange } from '../../pricing/plausible-amount.ts'
import { affectsPrice } from '../../pricing/price-attributes.ts'
import type { MoveLimit, MoveLimits } from '../../pricing/price-move.ts'
import type { ConditionValues } from '../../pricing/quotes/device-quotes.ts'
import type { QuoteService } from '../../pricing/quotes/quote-service.ts'
import { failRun, finishRun, startRun } from '../import-run-store.ts'
import { createRowReport } from '../row-report-service.ts'
import {
  appendObservation,
  createNewestFilter,
  emptyObservations,
  openObservationWriter,
} from './observation-writer-service.ts'
import { EMPTY_CELLS, type PriceCells } from './price-columns.ts'
import {
  createPriceRowParser,
  movingPrice,
  type ParsedPriceRow,
  type PriceRowRules,
  type RowProblem,
  rejectAmount,
  rejectMove,
} from './price-row.ts'

export type ContributionService = {
  /** Imports rows of an organization. Resolves with a result per row after rows and audit entry are stored. */
  add(
    contributor: { readonly organizationId: string; readonly actor: Actor },
    rows: readonly unknown[],
    now: number,
  ): Promise<ContributionWire>
  /** Reads rows as an import would, without checking amounts against current prices. Writes nothing. */
  read(
    rows: readonly PriceCells[],
    rules: Pick<PriceRowRules, 'defaultMarket' | 'defaults' | 'grades'>,
    now: number,
  ): Promise<readonly ReadRow[]>
}

/** What an import would make of a row. */
export type ReadRow = {
  readonly parsed: ParsedPriceRow
  /** Name of the device; null if the row is rejected. */
  readonly deviceName: string | null
}

export type ContributionOptions = {
  readonly db: Database
  /** Current price of a variant. Contributed prices far from it are quarantined until a second source confirms them. */
  readonly priceOf: QuoteService<NonNullable<unknown>>['valueOf']
  /** Market of an organization's rows without a country. */
  readonly marketOf: (organizationId: string) => string
  /** The devices, and how titles are resolved to them. */
  readonly titleIndex: () => Promise<TitleIndex>
  readonly moveLimits: MoveLimits
}

/** Finds the subjects of rows in one state of the registry; released with it. */
const subjectIndexOf = memoizeWeak(({ devices, resolve }: TitleIndex) => ({
  findSubject: runTimeSliced(buildSubjectMatcher(devices, resolve)),
  deviceById: new Map(devices.map((device) => [device.id, device])),
}))

const FORMAT = 'observations'
const NEVER_ABORTED = new AbortController().signal

export function createContributionService({
  db,
  priceOf,
  marketOf,
  titleIndex,
  moveLimits,
}: ContributionOptions): ContributionService {
  const registryIndex = async () => subjectIndexOf(await titleIndex())

  async function createRowReader(
    rows: readonly unknown[],
    source: string,
    now: number,
  ): Promise<(cells: PriceCells) => ParsedPriceRow> {
    const isInDollars = (row: unknown) => ((row as { currency?: unknown } | null)?.currency ?? 'USD') === 'USD'
    return createPriceRowParser({
      findSubject: await (await registryIndex()).findSubject,
      rates: createRateLookup(rows.every(isInDollars) ? [] : await exchangeRateStore(db).all()),
      now,
      defaultMarket: marketOf(source),
      defaults: { source },
      grades: new Map(),
      firstPriceOf: null,
      ranges: 'refuse',
    })
  }

  /** Rejects a price that would move the organization's own price too far, unless the row confirms it. */
  function limitMoves(organizationId: string, now: number) {
    const limits = new Map<string, Promise<MoveLimit>>()
    return async (parsed: ParsedPriceRow, row: ObservationRowWire): Promise<ParsedPriceRow> => {
      if ('problem' in parsed) return parsed
      const { deviceId } = parsed.subject
      const limit = await limits.getOrInsertComputed(deviceId, () => moveLimits(organizationId, deviceId, now))
      const price = movingPrice(parsed, organizationId)
      const ownCents = row.confirm_amount ? undefined : limit.exceededBy(price)
      if (ownCents !== undefined) return rejectMove(sentAmount(row, parsed.terms), ownCents)
      limit.add(price)
      return parsed
    }
  }

  async function run(runId: string, organizationId: string, rows: readonly unknown[], now: number) {
    const report = createRowReport({ path: null, show: () => {} })
    const readRow = await createRowReader(rows, organizationId, now)
    const batch = emptyObservations()
    const results: ObservationResultWire[] = []
    const yieldIfDue = timeSlice()
    const limitMove = limitMoves(organizationId, now)
    for (const [index, input] of rows.entries()) {
      const row = parseContributedRow(index, input)
      const parsed = 'problem' in row ? row : await limitMove(await checkAmount(readRow(toPriceCells(row)), row), row)
      const listingId = 'problem' in row ? findListingId(input) : row.listing_id
      if ('problem' in parsed) {
        report.reject(index, parsed.problem, parsed.detail)
        const detail = parsed.detail.slice(0, 120)
        results.push({
          index,
          accepted: false,
          listing_id: listingId,
          reason: parsed.problem,
          message: englishRejection(parsed.problem),
          detail,
        })
      } else {
        const { subject, terms } = parsed
        appendObservation(batch, parsed, parsed.listingId)
        results.push({
          index,
          accepted: true,
          listing_id: parsed.listingId,
          device_id: subject.deviceId,
          variant_id: subject.variantId,
          condition: terms.grade,
        })
      }
      await yieldIfDue()
    }
    const writer = openObservationWriter(db, runId, await observationScope(db.query, organizationId), NEVER_ABORTED)
    await writer.add(batch, await createNewestFilter(db, organizationId, report)(batch))
    await writer.finish()
    const accepted = batch.listingIds.length
    const quarantined = await countQuarantined(batch)
    const counts = {
      rows: rows.length,
      observations: accepted,
      written: writer.written(),
      quarantined,
      rejected: report.rejectedCount(),
    }
    return { counts, rejectedBy: report.rejectedBy(), results, runId }
  }

  /** Rejects an amount that the current price does not allow, unless the row confirms it. */
  async function checkAmount(parsed: ParsedPriceRow, row: ObservationRowWire): Promise<ParsedPriceRow> {
    if ('problem' in parsed || row.confirm_amount) return parsed
    const { subject, terms, cents } = parsed
    const { deviceById } = await registryIndex()
    // All variants of the configuration have the same price.
    const variant = deviceById
      .get(subject.deviceId)
      ?.variants.find((candidate) => configurationOf(candidate) === subject.configuration)
    const value = variant && (await priceOf(variant.id))
    const side = terms.side === 'quote' ? value?.buyback : value?.resale
    const expected = side && expectedPrice(side, terms.grade, value?.source === 'market')
    const range = plausibleRange(expected ?? null, variant?.listCents ?? 0, {
      isNew: terms.grade === 'New',
      isDefective: isDefectGrade(terms.grade),
    })
    if (!range || isPlausible(cents, range)) return parsed
    return rejectAmount(sentAmount(row, terms), range)
  }

  /** Counts accepted rows that do not affect prices until another source confirms them. */
  async function countQuarantined({ subjects, terms, cents }: ObservationBatch): Promise<number> {
    let count = 0
    for (const [at, { variantId }] of subjects.entries()) {
      const value = variantId === null ? undefined : await priceOf(variantId)
      const { side, grade } = terms[at] as ObservationTerms
      if (isDefectGrade(grade)) continue
      const condition = CONDITIONS.find((candidate) => candidate === grade) ?? 'Good'
      const range = (side === 'quote' ? value?.buyback : value?.resale)?.[condition]
      if (value && range && isFarFromRange(cents[at] as number, range, value.source === 'market')) count += 1
    }
    return count
  }

  return {
    async read(rows, rules, now) {
      const { findSubject, deviceById } = await registryIndex()
      const readRow = createPriceRowParser({
        findSubject: await findSubject,
        rates: createRateLookup(await exchangeRateStore(db).all()),
        now,
        ...rules,
        firstPriceOf: null,
        ranges: 'sizes',
        openSizes: 'base',
      })
      return rows.map((cells) => {
        const parsed = readRow(cells)
        if ('problem' in parsed) return { parsed, deviceName: null }
        return { parsed, deviceName: describeSubject(parsed.subject, deviceById.get(parsed.subject.deviceId)) }
      })
    },

    async add({ organizationId, actor }, rows, now) {
      const runId = newJobId(now)
      const file = `contributed by ${organizationId}`
      await startRun(db, { id: runId, kind: 'contribution', format: FORMAT, file, startedAt: now, organizationId })
      try {
        const { counts, rejectedBy, results } = await run(runId, organizationId, rows, now)
        const alsoWrite = (tx: Tx) => writeAuditEntry(tx, organizationId, actor, auditEntry(runId, counts), now)
        await finishRun(db, runId, Date.now(), { ...counts, rejectedBy }, { alsoWrite })
        const { observations: accepted, written, rejected } = counts
        return { run_id: runId, rows: rows.length, accepted, written, rejected, rejected_by: rejectedBy, results }
      } catch (error) {
        await failRun(db, runId, Date.now(), failureOf(error)).catch(() => {})
        throw error
      }
    },
  }
}

/** The range of the prices of a grade; of all grades if the row states none. */
function expectedPrice(side: ConditionValues, grade: ObservationTerms['grade'], isObserved: boolean): ExpectedPrice {
  const condition = CONDITIONS.find((candidate) => candidate === grade)
  const worst = side[condition ?? 'Poor']
  const best = side[condition ?? 'Excellent']
  return { low: worst.low, high: best.high, isObserved }
}

/** `Apple iPhone 13 128GB`. */
function describeSubject({ deviceId, configuration }: ObservationSubject, device: Device | undefined): string {
  if (!device) return deviceId
  const variant = device.variants.find((candidate) => configurationOf(candidate) === configuration)
  const values = variant?.attributes.filter(({ name }) => affectsPrice(name)).map(({ value }) => value) ?? []
  return [device.make, nameWithoutMake(device), ...values].join(' ')
}

/** What the caller sent, in the unit of people: a message about the unit must not have the wrong one itself. */
const sentAmount = (row: ObservationRowWire, { currency }: ObservationTerms) => formatAmount(row.amount, currency)

const auditEntry = (runId: string, counts: Readonly<Record<string, number>>): AuditEntry => ({
  action: 'observations.contributed',
  subject: runId,
  detail: Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, String(value)])),
})

/** Validates a row against its schema; a problem is worded as in import reports. */
function parseContributedRow(index: number, input: unknown): ObservationRowWire | RowProblem {
  try {
    return parseOrThrow(observationRowSchema, input, { root: `observations[${index}]` })
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const [{ field, message } = { field: 'row', message: error.message }] = error.details
    return { problem: 'value_invalid', detail: `${field.replace(/^observations\[\d+\]$/, 'row')}: ${message}` }
  }
}

function findListingId(input: unknown): string | null {
  const id = (input as { listing_id?: unknown } | null)?.listing_id
  return typeof id === 'string' && id !== '' ? id.slice(0, 100) : null
}

function toPriceCells(row: ObservationRowWire): PriceCells {
  const { currency = BASE_CURRENCY, side = 'sold' } = row
  return {
    ...EMPTY_CELLS,
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
    // Four decimals, so that the amount parser never takes them for thousands.
    amount: (row.amount / 10 ** minorUnitDigits(currency)).toFixed(4),
    currency,
    date: row.observed_at,
    side,
    country: row.country ?? '',
    lock: row.lock ?? '',
  }
}
