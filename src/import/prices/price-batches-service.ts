/** Accepted prices of a file, written in batches. A price that would move the organization's own too far is rejected. */
import { BASE_CURRENCY } from '../../contract/currency.ts'
import { formatAmount } from '../../currency/format-amount.ts'
import type { FirstPriceRanges } from '../../pricing/first-price-ranges.ts'
import type { NewObservation } from '../../pricing/model/observation.ts'
import { observationScope } from '../../pricing/observations/observation-store.ts'
import { openMoveLimits } from '../../pricing/observations/own-price-store.ts'
import type { MoveLimit } from '../../pricing/price-move.ts'
import type { ImportContext } from '../importer.ts'
import {
  appendObservation,
  createNewestFilter,
  emptyObservations,
  openObservationWriter,
} from './observation-writer-service.ts'
import type { PriceEffectMeasure } from './price-effect-service.ts'
import { movingPrice, type RowProblem, rejectMove } from './price-row.ts'

/** Rows that are collected before they are written; repeated listings are found within such a batch. */
const BATCH_ROWS = 20_000
const BATCHES_PER_GC = 2

/** A row that was read and has not been compared with the organization's own prices. */
export type AcceptedRow = {
  readonly line: number
  readonly parsed: NewObservation
  readonly listingId: string
  readonly fields: () => readonly string[]
}

export async function openPriceBatches(
  context: ImportContext,
  firstPriceOf: () => FirstPriceRanges,
  effect: PriceEffectMeasure | undefined,
) {
  const { db, organizationId, report, now } = context
  const scope = await observationScope(db.query, organizationId)
  const writer = openObservationWriter(db, context.runId, scope, context.signal)
  const filterNewest = createNewestFilter(db, organizationId, report)
  const moveLimits = openMoveLimits(db, firstPriceOf)
  const limitByDevice = new Map<string, MoveLimit>()
  const deviceIds = new Set<string>()
  let collected: AcceptedRow[] = []
  let accepted = 0
  let batches = 0

  async function findLargeMove({ parsed }: AcceptedRow): Promise<RowProblem | undefined> {
    const { deviceId } = parsed.subject
    const limit = limitByDevice.get(deviceId) ?? (await moveLimits(organizationId, deviceId, now()))
    limitByDevice.set(deviceId, limit)
    const price = movingPrice(parsed, organizationId)
    const ownCents = context.options['confirm-amounts'] ? undefined : limit.exceededBy(price)
    if (ownCents !== undefined) return rejectMove(formatAmount(parsed.cents, BASE_CURRENCY), ownCents)
    limit.add(price)
    return undefined
  }

  async function write(): Promise<void> {
    const batch = emptyObservations()
    for (const row of collected) {
      const move = await findLargeMove(row)
      if (move) {
        report.reject(row.line, move.problem, move.detail, row.fields())
        continue
      }
      accepted++
      deviceIds.add(row.parsed.subject.deviceId)
      effect?.addRow(row.parsed, row.listingId)
      appendObservation(batch, row.parsed, row.listingId)
    }
    collected = []
    // Written batches are garbage of the old generation, which is collected late: the heap would grow threefold.
    if (++batches % BATCHES_PER_GC === 0) Bun.gc(true)
    const newest = await filterNewest(batch)
    if (!context.dryRun) await writer.add(batch, newest)
  }

  return {
    isCommon: scope.isCommon,
    add(row: AcceptedRow): void {
      collected.push(row)
    },
    async writeIfFull(): Promise<void> {
      if (collected.length >= BATCH_ROWS) await write()
    },
    async finish(): Promise<void> {
      await write()
      await writer.finish()
    },
    written: writer.written,
    counts: () => ({ observations: accepted, written: writer.written(), devices: deviceIds.size }),
  }
}
