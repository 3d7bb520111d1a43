import {
  type DealReportWire,
  MIN_SALES_TO_JUDGE,
  RANGE_SHARE,
  REPORT_MAX_GROUPS,
  REPORT_MAX_POINTS,
  type ReportGroup,
} from '../contract/deal-report.ts'
import type { SellerKind } from '../contract/sellers.ts'
import type { AuthorWire } from '../contract/values.ts'
import { normalCdf, Z80 } from '../lib/normal-distribution.ts'
import { DAY_MS, startOfDay } from '../lib/time.ts'
import type { DealForecast } from './deal-facts.ts'
import type { Deal, Outcome } from './outcome.ts'

/** An outcome with the forecast of its appraisal. */
export type ReportedDeal = {
  readonly appraisalId: string
  /** The stock item of a bought device. */
  readonly item?: {
    readonly number: number
    readonly name: string
    readonly identifier: string | null
    /** Null if no seller is recorded. */
    readonly sellerKind: SellerKind | null
  } | null
  readonly deviceId: string | null
  readonly outcome: Outcome
  readonly forecast: DealForecast
  /** Who recorded the purchase and the sale; null if unknown. */
  readonly boughtBy: AuthorWire | null
  readonly soldBy: AuthorWire | null
  /** Costs in stock, in the currency of the purchase. */
  readonly stockCosts: number
}

export type ReportPeriod = { readonly from: string; readonly to: string }

/** Converts an amount to minor units of the report's currency, by the exchange rate of a day. */
export type ConvertAmount = (amount: number, currency: string, day: string) => number

type Figures = Omit<DealReportWire['months'][number], 'month'>

type ReportOptions = {
  readonly grouping?: { readonly by: ReportGroup; readonly deviceName: (id: string) => string | null } | null
  /** Only purchases and sales that this person or key recorded; declined offers have no author. */
  readonly employee?: string | undefined
}

/** 95 % of a normal distribution. */
const Z95 = 1.96

export type DealReport = {
  /** Counts a deal; each deal of the period once. */
  readonly add: (deal: ReportedDeal) => void
  readonly finish: () => Pick<DealReportWire, 'totals' | 'months' | 'groups' | 'forecast'>
}

/**
 * The report on deals of a period. It keeps sums and a number or two of each deal, not the deals. Amounts are converted deal
 * by deal and then added as whole minor units, so that the months always add up to the total.
 */
export function createDealReport(
  { from, to }: ReportPeriod,
  convert: ConvertAmount,
  { grouping = null, employee }: ReportOptions = {},
): DealReport {
  const isInPeriod = ({ date }: { readonly date: string }) => date >= from && date <= to
  const isOf = (author: AuthorWire | null) => employee === undefined || author?.id === employee
  const price = ({ price: amount, currency, date }: Deal) => convert(amount, currency, date)
  const totals = newTally()
  const months = new Map(monthsBetween(from, to).map((month) => [month, newTally()]))
  const groups = grouping && dealGroups(grouping)
  const forecasts = forecastComparison(convert)
  const talliesOf = (date: string, group: Tally | undefined) =>
    [totals, months.get(date.slice(0, 7)), group].filter((tally) => tally !== undefined)

  return {
    add(deal) {
      const { bought, sold, declined } = deal.outcome
      const purchase = bought && isInPeriod(bought) && isOf(deal.boughtBy) ? bought : null
      if (purchase) {
        const paid = price(purchase)
        for (const { bought: sums } of talliesOf(purchase.date, groups?.ofPurchase(deal))) {
          sums.count += 1
          sums.amount += paid
        }
        forecasts.addPurchase(deal, { date: purchase.date, paid })
      }
      const sale = bought && sold && isInPeriod(sold) && isOf(deal.soldBy) ? sold : null
      if (bought && sale) {
        const [paid, received] = [price(bought), price(sale)]
        const costs = deal.stockCosts === 0 ? 0 : convert(deal.stockCosts, bought.currency, sale.date)
        const daysHeld = Math.round((startOfDay(sale.date) - startOfDay(bought.date)) / DAY_MS)
        for (const { sold: sums } of talliesOf(sale.date, groups?.ofSale(deal))) {
          sums.amount += received
          sums.cost += paid + costs
          sums.daysHeld.push(daysHeld)
        }
        forecasts.addSale(deal, { date: sale.date, paid, received })
      }
      if ((purchase || sale) && deal.forecast.isSample) forecasts.excludeSample()
      if (!declined || !isInPeriod(declined) || employee !== undefined) return
      for (const { declined: counts } of talliesOf(declined.date, undefined)) {
        counts.count += 1
        if (declined.by === 'shop') counts.by_shop += 1
        if (declined.by === 'customer') counts.by_customer += 1
      }
    },
    finish: () => ({
      totals: toFigures(totals),
      months: [...months].map(([month, tally]) => ({ month, ...toFigures(tally) })),
      groups: groups?.list() ?? [],
      forecast: forecasts.finish(),
    }),
  }
}

/** Sums over some deals. */
type Tally = ReturnType<typeof newTally>

const newTally = () => ({
  bought: { count: 0, amount: 0 },
  sold: { amount: 0, cost: 0, daysHeld: [] as number[] },
  declined: { count: 0, by_shop: 0, by_customer: 0 },
})

function toFigures({ bought, sold: { amount, cost, daysHeld }, declined }: Tally): Figures {
  return {
    bought,
    sold: {
      count: daysHeld.length,
      amount,
      cost,
      profit: amount - cost,
      margin_percent: amount > 0 ? percent((amount - cost) / amount) : null,
      median_days_held: median(daysHeld),
    },
    declined,
  }
}

/** Deals by device, employee or channel. Deals without that fact are one group, without key and name. */
function dealGroups({ by, deviceName }: NonNullable<ReportOptions['grouping']>) {
  const groups = new Map<string | null, { readonly name: string | null; readonly tally: Tally }>()
  function groupOf(key: string | null, name: string | null): Tally {
    const existing = groups.get(key)
    if (existing) return existing.tally
    const tally = newTally()
    groups.set(key, { name, tally })
    return tally
  }
  const ofAuthor = (author: AuthorWire | null) => groupOf(author?.id ?? null, author?.name ?? null)
  return {
    /** A purchase has no channel. */
    ofPurchase({ deviceId, boughtBy }: ReportedDeal): Tally | undefined {
      if (by === 'channel') return undefined
      return by === 'device' ? groupOf(deviceId, null) : ofAuthor(boughtBy)
    },
    ofSale({ deviceId, soldBy, outcome }: ReportedDeal): Tally {
      if (by === 'device') return groupOf(deviceId, null)
      const channel = outcome.sold?.channel ?? null
      return by === 'channel' ? groupOf(channel, channel) : ofAuthor(soldBy)
    },
    list: (): DealReportWire['groups'] =>
      [...groups]
        .map(([key, { name, tally }]) => ({ key, name, ...toFigures(tally) }))
        .sort((left, right) => right.sold.profit - left.sold.profit || right.bought.count - left.bought.count)
        .slice(0, REPORT_MAX_GROUPS)
        .map((group) => ({ ...group, name: by === 'device' && group.key ? deviceName(group.key) : group.name })),
  }
}

type ForecastPoint = DealReportWire['forecast']['points'][number]

/** Compares what was forecast with what was paid and received. */
function forecastComparison(convert: ConvertAmount) {
  const offers = { recommended: 0, paid: 0, above: 0, differences: [] as number[] }
  const sales = { expected: 0, received: 0, errors: [] as number[] }
  const range: RangeCounts = { sales: 0, below: 0, above: 0 }
  const losses: LossCounts = { sales: 0, lost: 0, expected: 0, variance: 0, belowCost: 0 }
  const excluded = { sample: 0, no_forecast: 0 }
  let points: ForecastPoint[] = []
  const newestPoints = () =>
    points
      .sort((left, right) => (left.date < right.date ? 1 : left.date > right.date ? -1 : 0))
      .slice(0, REPORT_MAX_POINTS)

  // A forecast is converted by the rate of the day it is compared with, so that exchange rates do not look like errors.
  return {
    excludeSample: () => {
      excluded.sample += 1
    },
    addPurchase({ forecast }: ReportedDeal, { date, paid }: { readonly date: string; readonly paid: number }) {
      if (forecast.isSample || !forecast.offer) return
      const recommended = convert(forecast.offer, forecast.currency, date)
      offers.recommended += recommended
      offers.paid += paid
      if (paid > recommended) offers.above += 1
      offers.differences.push((paid - recommended) / recommended)
    },
    addSale({ appraisalId, deviceId, forecast }: ReportedDeal, sale: SaleAmounts) {
      const { date, paid, received } = sale
      if (forecast.isSample) return
      if (!forecast.sale) {
        excluded.no_forecast += 1
        return
      }
      const onSale = (amount: number) => convert(amount, forecast.currency, date)
      const { saleRange, costs, downside } = forecast
      const expected = onSale(forecast.sale)
      const [low, high] = saleRange ? [onSale(saleRange.low), onSale(saleRange.high)] : [null, null]
      sales.expected += expected
      sales.received += received
      sales.errors.push((received - expected) / expected)
      if (low !== null && high !== null) countRange(range, received, low, high)
      if (costs !== null && downside !== null)
        countLoss(losses, { received, paid, expected, costs: onSale(costs), downside: onSale(downside) })
      points.push({
        appraisal_id: appraisalId,
        device_id: deviceId,
        date,
        forecast: expected,
        low,
        high,
        sold: received,
        bought: paid,
      })
      if (points.length > 4 * REPORT_MAX_POINTS) points = newestPoints()
    },
    finish: (): DealReportWire['forecast'] => ({
      offers: {
        deals: offers.differences.length,
        recommended: offers.recommended,
        paid: offers.paid,
        above_offer: offers.above,
        median_difference_percent: percentOrNull(median(offers.differences)),
      },
      sales: {
        sales: sales.errors.length,
        forecast: sales.expected,
        sold: sales.received,
        median_error_percent: percentOrNull(median(sales.errors)),
        median_absolute_error_percent: percentOrNull(median(sales.errors.map(Math.abs))),
      },
      range: rangeCoverage(range),
      losses: lossComparison(losses),
      excluded,
      points: newestPoints(),
    }),
  }
}

type SaleAmounts = { readonly date: string; readonly paid: number; readonly received: number }

type RangeCounts = { sales: number; below: number; above: number }

function countRange(counts: RangeCounts, received: number, low: number, high: number): void {
  counts.sales += 1
  if (received < low) counts.below += 1
  if (received > high) counts.above += 1
}

function rangeCoverage({ sales, below, above }: RangeCounts): DealReportWire['forecast']['range'] {
  const inside = sales - below - above
  const [low, high] = binomialRange(sales, RANGE_SHARE)
  return {
    sales,
    inside,
    below,
    above,
    share: sales > 0 ? round(inside / sales, 3) : null,
    expected_share: RANGE_SHARE,
    expected_low: low,
    expected_high: high,
    verdict: judge(sales, inside, [low, high], 'too_narrow', 'too_wide'),
  }
}

/** Compares a count with the range that chance explains. */
function judge<Verdict extends string>(
  sales: number,
  count: number,
  [low, high]: readonly [number, number],
  whenLower: Verdict,
  whenHigher: Verdict,
): 'too_few' | 'as_forecast' | Verdict {
  if (sales < MIN_SALES_TO_JUDGE) return 'too_few'
  if (count < low) return whenLower
  return count > high ? whenHigher : 'as_forecast'
}

type ForecastSale = {
  readonly received: number
  readonly paid: number
  readonly expected: number
  readonly costs: number
  readonly downside: number
}

/** The probability of a loss is that of the appraisal, at the price that was really paid. */
function lossProbability({ paid, expected, costs, downside }: ForecastSale): number {
  const profit = expected - costs - paid
  if (downside <= 0) return profit < 0 ? 1 : 0
  return normalCdf((-profit * Z80) / downside)
}

type LossCounts = { sales: number; lost: number; expected: number; variance: number; belowCost: number }

function countLoss(counts: LossCounts, sale: ForecastSale): void {
  const { received, paid, costs } = sale
  const probability = lossProbability(sale)
  counts.sales += 1
  counts.expected += probability
  counts.variance += probability * (1 - probability)
  if (received < paid + costs) counts.lost += 1
  if (received < paid) counts.belowCost += 1
}

function lossComparison(counts: LossCounts): DealReportWire['forecast']['losses'] {
  const { sales, lost, expected, variance, belowCost } = counts
  const deviation = Math.sqrt(variance)
  const low = Math.max(0, expected - Z95 * deviation)
  const high = Math.min(sales, expected + Z95 * deviation)
  return {
    sales,
    lost,
    expected: round(expected, 1),
    expected_low: round(low, 1),
    expected_high: round(high, 1),
    below_cost: belowCost,
    verdict: judge(sales, lost, [Math.floor(low), Math.ceil(high)], 'fewer_losses', 'more_losses'),
  }
}

/** Above this the first term underflows, and the normal approximation is as good. */
const MAX_EXACT_TRIALS = 300

/** Numbers of successes between which 95 of 100 samples of a binomial distribution lie. */
export function binomialRange(trials: number, probability: number): readonly [number, number] {
  if (trials > MAX_EXACT_TRIALS) {
    const halfWidth = Z95 * Math.sqrt(trials * probability * (1 - probability))
    return [Math.floor(trials * probability - halfWidth), Math.ceil(trials * probability + halfWidth)]
  }
  let term = (1 - probability) ** trials
  let cumulative = 0
  let low: number | undefined
  for (let successes = 0; successes <= trials; successes++) {
    cumulative += term
    if (low === undefined && cumulative > 0.025) low = successes
    if (cumulative >= 0.975) return [low ?? 0, successes]
    term *= ((trials - successes) / (successes + 1)) * (probability / (1 - probability))
  }
  return [low ?? 0, trials]
}

function monthsBetween(from: string, to: string): string[] {
  const months: string[] = []
  for (let month = from.slice(0, 7); month <= to.slice(0, 7); month = nextMonth(month)) months.push(month)
  return months
}

function nextMonth(month: string): string {
  const [year = 0, monthNumber = 0] = month.split('-').map(Number)
  return monthNumber === 12 ? `${year + 1}-01` : `${year}-${String(monthNumber + 1).padStart(2, '0')}`
}

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = Float64Array.from(values).sort()
  const middle = sorted.length >> 1
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2
}

const round = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits
const percent = (share: number) => round(100 * share, 1)
const percentOrNull = (share: number | null) => (share === null ? null : percent(share))
