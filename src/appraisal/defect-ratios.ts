import bundled from '../../data/repairs/defect-ratios.json'
import { type Device, isFoldable } from '../catalog/device.ts'
import type { DefectGrade } from '../catalog/grade.ts'
import { CONDITIONS, type Condition } from '../contract/condition-grades.ts'
import type { DefectRule } from './defect.ts'
import type { ByGrade, Estimate80 } from './evaluate-plan.ts'

/** Shares of the price of a Good device that remain in each state. */
export type DefectRatios = Readonly<Record<DefectGrade, number>> & {
  /** Relative half-width of the 80 % interval that a ratio adds to that of the price. */
  readonly halfWidth80: number
}

/** When a device is sold, and when it is traded in. */
export type DefectRatioSides = { readonly resale: DefectRatios; readonly buyback: DefectRatios }

/** Ratios for devices whose Good trade-in price is `good_cents` (US). */
export type DefectRatioPoint = Readonly<Record<DefectGrade, number>> & { readonly good_cents: number }

export type BundledDefectRatios = {
  /** What remains of a foldable phone in each state, relative to other phones of its family. */
  readonly foldable: Readonly<Record<DefectGrade, number>>
  readonly families: Readonly<Record<'iphone' | 'galaxy' | 'other', readonly DefectRatioPoint[]>>
}

const { families: BUNDLED_FAMILIES, foldable: FOLDABLE_FACTORS }: BundledDefectRatios = bundled

/** Relative spread of dealers' prices for the same defect. */
const PHONE_HALF_WIDTH80 = 0.15
/** No dealer's list covers other devices: the ratios of phones are borrowed. */
const BORROWED_HALF_WIDTH80 = 0.35

/**
 * Ratios of trade-in prices by family and price, learned from dealers' lists (`data/repairs/defect-ratios.json`), interpolated
 * in the logarithm of the price so that a price band has no edge.
 */
export function tradeInDefectRatios(
  device: Pick<Device, 'make' | 'category' | 'specifications'>,
  goodCents: number,
  families = BUNDLED_FAMILIES,
): DefectRatios {
  const { make, category } = device
  const isPhone = /smartphone/i.test(category)
  const family = isPhone && make === 'Apple' ? 'iphone' : isPhone && make === 'Samsung' ? 'galaxy' : 'other'
  const points = families[family]
  const upperIndex = points.findIndex((point) => point.good_cents >= goodCents)
  const upper = points[upperIndex < 0 ? points.length - 1 : upperIndex] as DefectRatioPoint
  const lower = points[upperIndex < 0 ? points.length - 1 : Math.max(0, upperIndex - 1)] as DefectRatioPoint
  const width = Math.log(upper.good_cents / lower.good_cents)
  const position = width === 0 ? 0 : Math.log(goodCents / lower.good_cents) / width
  const isFoldablePhone = isPhone && isFoldable(device)
  const interpolate = (state: DefectGrade) =>
    lower[state] ** (1 - position) * upper[state] ** position * (isFoldablePhone ? FOLDABLE_FACTORS[state] : 1)
  return {
    damaged: interpolate('damaged'),
    broken: interpolate('broken'),
    dead: interpolate('dead'),
    halfWidth80: isPhone ? PHONE_HALF_WIDTH80 : BORROWED_HALF_WIDTH80,
  }
}

/** Observed prices needed to weigh as much as the bundled ratios. */
const PRIOR_OBSERVATIONS = 5

/** Moves both sides by how far the observed ratios of each state lie from the expected ones; states keep their order. */
export function refineRatios(
  expected: DefectRatioSides,
  observed: readonly { readonly grade: DefectGrade; readonly side: keyof DefectRatioSides; readonly ratio: number }[],
): DefectRatioSides {
  if (observed.length === 0) return expected
  const estimateShift = (state: DefectGrade) => {
    const logRatios = observed
      .filter(({ grade, ratio }) => grade === state && ratio > 0)
      .map(({ side, ratio }) => Math.log(Math.min(1, ratio) / expected[side][state]))
      .sort((a, b) => a - b)
    const median = ((logRatios[(logRatios.length - 1) >> 1] ?? 0) + (logRatios[logRatios.length >> 1] ?? 0)) / 2
    return median * (logRatios.length / (logRatios.length + PRIOR_OBSERVATIONS))
  }
  const shifts = { damaged: estimateShift('damaged'), broken: estimateShift('broken'), dead: estimateShift('dead') }
  const shiftRatios = (side: DefectRatios): DefectRatios => {
    const damaged = Math.min(1, side.damaged * Math.exp(shifts.damaged))
    const broken = Math.min(damaged, side.broken * Math.exp(shifts.broken))
    return { ...side, damaged, broken, dead: Math.min(broken, side.dead * Math.exp(shifts.dead)) }
  }
  return { resale: shiftRatios(expected.resale), buyback: shiftRatios(expected.buyback) }
}

/** Poor devices already have a fault: the next one makes them broken. */
const SEVERITY_OF_POOR = 1

/**
 * Sale prices by cosmetic grade of a device with these defects. Never below the price of a dead device, never above that of the
 * same grade without defects, and never rising from a better to a worse grade.
 */
export function defectivePrices(
  working: ByGrade<Estimate80>,
  defects: readonly DefectRule[],
  ratios: DefectRatios,
): ByGrade<Estimate80> {
  const severity = defects.reduce((sum, defect) => sum + defect.severity, 0)
  if (severity === 0) return working
  const good = working.Good.median
  const price = (condition: Condition): number => {
    const { median } = working[condition]
    const share =
      condition === 'Poor'
        ? good * remainingShare(severity + SEVERITY_OF_POOR, ratios)
        : median * remainingShare(severity, ratios)
    return Math.min(median, Math.max(share, good * ratios.dead))
  }
  let cap = Number.POSITIVE_INFINITY
  const prices = CONDITIONS.map((condition) => {
    cap = Math.min(cap, price(condition))
    return [condition, widenInterval(working[condition], cap, ratios.halfWidth80)]
  })
  return Object.fromEntries(prices)
}

/** The interval of a price at another level, widened by an independent relative uncertainty. */
function widenInterval({ median, low, high }: Estimate80, amount: number, halfWidth80: number): Estimate80 {
  if (median === 0) return { median: 0, low: 0, high: 0 }
  const relativeDownside = Math.min(1, Math.hypot((median - low) / median, halfWidth80))
  const relativeUpside = Math.hypot((high - median) / median, halfWidth80)
  return { median: amount, low: amount * (1 - relativeDownside), high: amount * (1 + relativeUpside) }
}

/**
 * Share of the price that remains at a severity: 1 is one fault that dealers call damaged, 2 is broken. Further faults approach
 * the price of a dead device and never go below it.
 */
function remainingShare(severity: number, { damaged, broken, dead }: DefectRatios): number {
  if (severity <= 1) return damaged ** severity
  if (severity <= 2) return damaged ** (2 - severity) * broken ** (severity - 1)
  return dead + (broken - dead) * Math.exp((2 - severity) / 2)
}
