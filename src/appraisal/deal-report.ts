import {
  type DealReportWire,
  MIN_SALES_TO_JUDGE,
  RANGE_SHARE,
  REPORT_MAX_GROUPS,
  REPORT_MAX_POINTS,
  type ReportGroup,
} from '../contract/deal-report.ts'
import type { AuthorWire } from '../contract/values.ts'
import { DAY_MS, startOfDay } from '../lib/time.ts'
import { sortTimeSliced, type TimeSliced } from '../lib/time-sliced.ts'
import type { DealForecast } from './deal-facts.ts'
import { normalCdf, Z80 } from './normal-distribution.ts'
import type { Deal, Outcome } from './outcome.ts'

/** An outcome with the forecast of its appraisal. */
export type ReportedDeal = {
  readonly appraisalId: string
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

/** Deals between two yields. */
const DEALS_PER_STEP = 250

/**
 * The report on deals of a period. Amounts are converted deal by deal and then added as whole minor units, so that the months
 * always add up to the total.
 */
export function* buildDealReport(
  deals: readonly ReportedDeal[],
  { from, to }: ReportPeriod,
  convert: ConvertAmount,
  { grouping = null, employee }: ReportOptions = {},
): TimeSliced<Pick<DealReportWire, 'totals' | 'months' | 'groups' | 'forecast'>> {
  const isInPeriod = (deal: { readonly date: string }) => deal.date >= from && deal.date <= to
  const isOf = (author: AuthorWire | null) => employee === undefined || author?.id === employee
  const price = ({ price: amount, currency, date }: Deal) => convert(amount, currency, date)
  const purchases: Purchase[] = []
  const sales: Sale[] = []
  const declined: Decline[] = []
  for (const [at, { outcome, ...deal }] of deals.entries()) {
    if (at % DEALS_PER_STEP === 0) yield
    const { bought, sold, declined: decline } = outcome
    if (bought && isInPeriod(bought) && isOf(deal.boughtBy))
      purchases.push({ ...deal, date: bought.date, paid: price(bought) })
    if (bought && sold && isInPeriod(sold) && isOf(deal.soldBy)) {
      sales.push({
        ...deal,
        channel: sold.channel,
        date: sold.date,
        paid: price(bought),
        costs: deal.stockCosts === 0 ? 0 : convert(deal.stockCosts, bought.currency, sold.date),
        received: price(sold),
        daysHeld: Math.round((startOfDay(sold.date) - startOfDay(bought.date)) / DAY_MS),
      })
    }
    if (decline && isInPeriod(decline) && employee === undefined) declined.push(decline)
  }
  yield

  const figures = (bought: readonly Purchase[], sold: readonly Sale[], declines: readonly Decline[]): Figures => {
    const amount = sum(sold, ({ received }) => received)
    const cost = sum(sold, ({ paid, costs }) => paid + costs)
    return {
      bought: { count: bought.length, amount: sum(bought, ({ paid }) => paid) },
      sold: {
        count: sold.length,
        amount,
        cost,
        profit: amount - cost,
        margin_percent: amount > 0 ? percent((amount - cost) / amount) : null,
        median_days_held: median(sold.map(({ daysHeld }) => daysHeld)),
      },
      declined: {
        count: declines.length,
        by_shop: declines.filter(({ by }) => by === 'shop').length,
        by_customer: declines.filter(({ by }) => by === 'customer').length,
      },
    }
  }

  const totals = figures(purchases, sales, declined)
  yield
  const [purchasesIn, salesIn, declinesIn] = [byMonth(purchases), byMonth(sales), byMonth(declined)]
  const months: DealReportWire['months'] = []
  for (const month of monthsBetween(from, to)) {
    yield
    months.push({ month, ...figures(purchasesIn(month), salesIn(month), declinesIn(month)) })
  }
  yield
  const groups = grouping ? groupDeals(purchases, sales, grouping, figures) : []
  return { totals, months, groups, forecast: yield* compareForecasts(purchases, sales, convert) }
}

type GroupOf = (deal: Purchase | Sale) => { readonly key: string; readonly name: string | null } | null

/** Deals without the fact they are grouped by are one group, without key and name. */
function groupDeals(
  purchases: readonly Purchase[],
  sales: readonly Sale[],
  { by, deviceName }: { readonly by: ReportGroup; readonly deviceName: (id: string) => string | null },
  figures: (bought: readonly Purchase[], sold: readonly Sale[], declines: readonly Decline[]) => Figures,
): DealReportWire['groups'] {
  const author = (who: AuthorWire | null) => who && { key: who.id, name: who.name }
  const device: GroupOf = ({ deviceId }) => (deviceId === null ? null : { key: deviceId, name: null })
  const groupOfPurchase: GroupOf = by === 'device' ? device : ({ boughtBy }) => author(boughtBy)
  const channel = ({ channel: name }: Sale) => (name === null ? null : { key: name, name })
  const groupOfSale = by === 'device' ? device : by === 'channel' ? channel : ({ soldBy }: Sale) => author(soldBy)
  const names = new Map<string | null, string | null>()
  const keyOf = (group: ReturnType<GroupOf>) => {
    const key = group?.key ?? null
    names.set(key, group?.name ?? null)
    return key
  }
  // A purchase has no channel.
  const bought = Map.groupBy(by === 'channel' ? [] : purchases, (deal) => keyOf(groupOfPurchase(deal)))
  const sold = Map.groupBy(sales, (deal) => keyOf(groupOfSale(deal)))
  return [...names]
    .map(([key, name]) => ({ key, name, ...figures(bought.get(key) ?? [], sold.get(key) ?? [], []) }))
    .sort((left, right) => right.sold.profit - left.sold.profit || right.bought.count - left.bought.count)
    .slice(0, REPORT_MAX_GROUPS)
    .map((group) => ({ ...group, name: by === 'device' && group.key !== null ? deviceName(group.key) : group.name }))
}

type Decline = NonNullable<Outcome['declined']>
type Purchase = Omit<ReportedDeal, 'outcome'> & {
  readonly date: string
  readonly paid: number
}
type Sale = Purchase & {
  readonly channel: string | null
  /** Costs in stock. */
  readonly costs: number
  readonly received: number
  readonly daysHeld: number
}
type ComparedSale = Omit<Sale, 'forecast'> & {
  readonly expected: number
  readonly range: { readonly low: number; readonly high: number } | null
  readonly spread: { readonly costs: number; readonly downside: number } | null
}

function* compareForecasts(
  purchases: readonly Purchase[],
  sales: readonly Sale[],
  convert: ConvertAmount,
): TimeSliced<DealReportWire['forecast']> {
  // A forecast is converted by the rate of the day it is compared with, so that exchange rates do not look like errors.
  const offered: { readonly recommended: number; readonly paid: number }[] = []
  const compared: ComparedSale[] = []
  const sampleIds = new Set<string>()
  let salesWithoutForecast = 0
  for (const [at, { appraisalId, forecast, paid, date }] of purchases.entries()) {
    if (at % DEALS_PER_STEP === 0) yield
    if (forecast.isSample) sampleIds.add(appraisalId)
    else if (forecast.offer) offered.push({ recommended: convert(forecast.offer, forecast.currency, date), paid })
  }
  for (const [at, { forecast, ...deal }] of sales.entries()) {
    if (at % DEALS_PER_STEP === 0) yield
    const { sale, saleRange, costs, downside, currency } = forecast
    const onSale = (amount: number) => convert(amount, currency, deal.date)
    if (forecast.isSample) sampleIds.add(deal.appraisalId)
    else if (!sale) salesWithoutForecast += 1
    else {
      compared.push({
        ...deal,
        expected: onSale(sale),
        range: saleRange && { low: onSale(saleRange.low), high: onSale(saleRange.high) },
        spread: costs === null || downside === null ? null : { costs: onSale(costs), downside: onSale(downside) },
      })
    }
  }
  yield
  const offers = {
    deals: offered.length,
    recommended: sum(offered, ({ recommended }) => recommended),
    paid: sum(offered, ({ paid }) => paid),
    above_offer: offered.filter(({ recommended, paid }) => paid > recommended).length,
    median_difference_percent: percentOrNull(
      median(offered.map(({ recommended, paid }) => (paid - recommended) / recommended)),
    ),
  }
  yield
  const errors = compared.map(({ received, expected }) => (received - expected) / expected)
  const saleErrors = {
    sales: compared.length,
    forecast: sum(compared, ({ expected }) => expected),
    sold: sum(compared, ({ received }) => received),
    median_error_percent: percentOrNull(median(errors)),
    median_absolute_error_percent: percentOrNull(median(errors.map(Math.abs))),
  }
  yield
  const range = rangeCoverage(compared.flatMap(({ received, range }) => (range ? { received, ...range } : [])))
  yield
  const losses = lossComparison(
    compared.flatMap(({ received, paid, expected, spread }) => (spread ? { received, paid, expected, ...spread } : [])),
  )
  const newestFirst = yield* sortTimeSliced(compared, (left, right) =>
    left.date < right.date ? 1 : left.date > right.date ? -1 : 0,
  )
  return {
    offers,
    sales: saleErrors,
    range,
    losses,
    excluded: { sample: sampleIds.size, no_forecast: salesWithoutForecast },
    points: newestFirst
      .slice(0, REPORT_MAX_POINTS)
      .map(({ appraisalId, deviceId, date, expected, range, received, paid }) => ({
        appraisal_id: appraisalId,
        device_id: deviceId,
        date,
        forecast: expected,
        low: range?.low ?? null,
        high: range?.high ?? null,
        sold: received,
        bought: paid,
      })),
  }
}

function rangeCoverage(
  sales: readonly { readonly received: number; readonly low: number; readonly high: number }[],
): DealReportWire['forecast']['range'] {
  const below = sales.filter(({ received, low }) => received < low).length
  const above = sales.filter(({ received, high }) => received > high).length
  const inside = sales.length - below - above
  const [low, high] = binomialRange(sales.length, RANGE_SHARE)
  return {
    sales: sales.length,
    inside,
    below,
    above,
    share: sales.length > 0 ? round(inside / sales.length, 3) : null,
    expected_share: RANGE_SHARE,
    expected_low: low,
    expected_high: high,
    verdict: judge(sales.length, inside, [low, high], 'too_narrow', 'too_wide'),
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

function lossComparison(sales: readonly ForecastSale[]): DealReportWire['forecast']['losses'] {
  const lost = sales.filter(({ received, paid, costs }) => received < paid + costs).length
  const probabilities = sales.map(lossProbability)
  const expected = probabilities.reduce((total, probability) => total + probability, 0)
  const deviation = Math.sqrt(probabilities.reduce((total, probability) => total + probability * (1 - probability), 0))
  const low = Math.max(0, expected - Z95 * deviation)
  const high = Math.min(sales.length, expected + Z95 * deviation)
  return {
    sales: sales.length,
    lost,
    expected: round(expected, 1),
    expected_low: round(low, 1),
    expected_high: round(high, 1),
    below_cost: sales.filter(({ received, paid }) => received < paid).length,
    verdict: judge(sales.length, lost, [Math.floor(low), Math.ceil(high)], 'fewer_losses', 'more_losses'),
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

function byMonth<Each extends { readonly date: string }>(all: readonly Each[]): (month: string) => readonly Each[] {
  const groups = Map.groupBy(all, ({ date }) => date.slice(0, 7))
  return (month) => groups.get(month) ?? []
}

const sum = <Each>(all: readonly Each[], toAmount: (each: Each) => number) =>
  all.reduce((total, each) => total + toAmount(each), 0)

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
