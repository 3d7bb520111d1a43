import i18next from 'i18next'
import type { Condition } from '../../../src/contract/condition-grades.ts'
import type { PriceBlockWire, VariantPricingWire } from '../../../src/contract/pricing.ts'
import { DAY_MS, MONTH_MS } from '../../../src/lib/time.ts'
import { formatPercent } from '../../format.ts'

export type HistoryLine = {
  readonly name: string
  /** Number of the chart colour. */
  readonly colour: number
  readonly dashed: boolean
  readonly points: readonly { readonly at: number; readonly amount: number }[]
}

const COLOUR_OF = { resale: 0, buyback: 1 } as const

/** Resale and trade-in lines of one grade. The last point is today's price. */
export function historyLines(pricing: VariantPricingWire, grade: Condition, now: number): HistoryLine[] {
  const sides = [
    { name: i18next.t('devices:price.resale'), side: 'resale', block: pricing.resale },
    { name: i18next.t('devices:price.tradeIn'), side: 'buyback', block: pricing.buyback },
  ] as const
  return sides.flatMap(({ name, side, block }) =>
    block ? [{ name, colour: COLOUR_OF[side], dashed: side === 'buyback', points: pointsOf(block, grade, now) }] : [],
  )
}

function pointsOf(block: PriceBlockWire, grade: Condition, now: number) {
  const weeks = block.historical
    .filter(({ condition }) => condition === grade)
    .map(({ date, value }) => ({ at: Date.parse(date), amount: value }))
  const today = block.current[grade]
  return today === null ? weeks : [...weeks, { at: now, amount: today }]
}

/** The last weekly median of the resale line of a grade that is at least a week old. */
export function lastPoint({ resale }: VariantPricingWire, grade: Condition, now: number) {
  return resale?.historical
    .filter(({ condition, date }) => condition === grade && Date.parse(date) <= now - 7 * DAY_MS)
    .map(({ date, value }) => ({ at: date, amount: value }))
    .at(-1)
}

/** Slower changes are called stable, as in the trend of responses. */
const STABLE_LIMIT_PER_MONTH = 0.01

/** Direction and change of the line that is drawn, from its first point to today; null if it has no points. */
export function lineTrend({ resale }: VariantPricingWire, grade: Condition, now: number) {
  const first = resale?.source === 'market' ? resale.historical.find(({ condition }) => condition === grade) : undefined
  const today = resale?.current[grade]
  if (!first || !today) return null
  const perMonth = Math.log(today / first.value) / Math.max(1, (now - Date.parse(first.date)) / MONTH_MS)
  const direction =
    perMonth > STABLE_LIMIT_PER_MONTH ? 'rising' : perMonth < -STABLE_LIMIT_PER_MONTH ? 'falling' : 'stable'
  return { direction, share: today / first.value - 1, since: first.date } as const
}

/** Such as "+12 %" or "−12 %". */
export const signedPercent = (share: number) =>
  `${share > 0 ? '+' : share < 0 ? '−' : ''}${formatPercent(Math.abs(share))}`

export const CHART_PERIODS = ['1M', '3M', '6M', '1Y', 'All'] as const
export type ChartPeriod = (typeof CHART_PERIODS)[number]
const DAYS: Readonly<Record<ChartPeriod, number>> = { '1M': 31, '3M': 92, '6M': 182, '1Y': 365, All: 3_650 }

export const periodDays = (period: ChartPeriod) => DAYS[period]

/** Time range of a period. "All" starts at the first known price or at the launch. */
export function visibleDays(
  period: ChartPeriod,
  lines: readonly HistoryLine[],
  launchedAt: number | null,
  now: number,
): [number, number] {
  if (period !== 'All') return [now - DAYS[period] * DAY_MS, now]
  const times = lines.flatMap(({ points }) => points.map(({ at }) => at))
  const first = Math.min(now - DAYS['1M'] * DAY_MS, ...times)
  return [launchedAt !== null && launchedAt < first ? launchedAt : first, now]
}

/** At most five round amounts for an axis that starts at zero. */
export function moneyTicks(maxAmount: number): number[] {
  const rough = Math.max(100, maxAmount) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * (STEPS.find((multiple) => multiple * power >= rough) ?? 10)
  return [0, 1, 2, 3, 4].map((i) => i * step).filter((tick, i) => i === 0 || tick - step < maxAmount)
}
const STEPS = [1, 2, 2.5, 5]

/** Evenly spaced ticks from the first to the last day. */
export function dayTicks([from, to]: readonly [number, number], maxTicks: number): number[] {
  return Array.from({ length: maxTicks }, (_, i) => from + ((to - from) * i) / (maxTicks - 1))
}
