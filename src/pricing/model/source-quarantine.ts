import { isPriceOf } from '../country-market.ts'
import { estimateDevice, type FittedMarkets, type SideEstimate } from './estimate.ts'
import { type DeviceInput, type Observation, tradeOf } from './observation.ts'
import { GRADE_COUNT, gradeIndex } from './observation-columns.ts'
import { quotedCellFor } from './quoted-rows.ts'
import { isContributed } from './source-weights.ts'

/** A contributed price this many times above or below the 80 % range of all other prices needs a second source. */
const QUARANTINE_FACTOR = 1.5
/** The same for a device without other observations, because launch price and age alone may be far off. */
const UNOBSERVED_QUARANTINE_FACTOR = 3
/** A price of another source within this distance (ln) confirms it. */
const CONFIRMING_DISTANCE = 0.15
/** So many prices of other sources confirm it. */
const CONFIRMING_PRICES = 2

/** Whether a contributed price is so far from a served interval that it needs confirmation by a second source. */
export function isFarFromRange(
  cents: number,
  { low, high }: { readonly low: number; readonly high: number },
  isObserved: boolean,
): boolean {
  const factor = isObserved ? QUARANTINE_FACTOR : UNOBSERVED_QUARANTINE_FACTOR
  return cents > high * factor || cents < low / factor
}

/**
 * Removes contributed rows far outside the interval that imported prices (or, without any, launch price and age) give for
 * their variant and grade. They stay stored and enter estimates once another source has a price near theirs.
 */
export function withoutQuarantined<Row extends Observation>(
  markets: FittedMarkets,
  device: DeviceInput,
  rows: readonly Row[],
  now: number,
): readonly Row[] {
  const { country } = markets.resale
  const contributed = rows.filter(({ source, market }) => isContributed(source) && isPriceOf(country, market))
  if (!contributed.length) return rows
  const sides = estimateDevice(
    markets,
    device,
    rows.filter(({ source }) => !isContributed(source)),
    now,
  )
  const farRows = new Set(contributed.filter((row) => isFarOutside(row, sides[tradeOf(row)])))
  if (!farRows.size) return rows
  const byCell = Map.groupBy(rows, cellKey)
  const isConfirmed = (row: Observation) =>
    (byCell.get(cellKey(row)) ?? []).filter(
      (other) => other.source !== row.source && Math.abs(Math.log(other.cents / row.cents)) < CONFIRMING_DISTANCE,
    ).length >= CONFIRMING_PRICES
  return rows.filter((row) => !farRows.has(row) || isConfirmed(row))
}

const cellKey = ({ variantId, grade, side }: Observation) => `${variantId}\t${grade}\t${side === 'quote'}`

function isFarOutside(row: Observation, { rows, quotedLevel, lowerHalfWidth, upperHalfWidth, hasBasis }: SideEstimate) {
  const variant = rows.device.variants.findIndex(({ variantId }) => variantId === row.variantId)
  if (!hasBasis || variant < 0) return false
  const cell = quotedCellFor(variant * GRADE_COUNT + gradeIndex(row.grade))
  const level = quotedLevel[cell]!
  const range = {
    low: Math.exp(level - lowerHalfWidth[cell]!),
    high: Math.exp(level + upperHalfWidth[cell]!),
  }
  return isFarFromRange(row.cents, range, rows.size > 0)
}
