import { type DealReportWire, REPORT_MAX_MONTHS, type ReportGroup } from '../contract/deal-report.ts'
import { convertBetween, type Exchange } from '../currency/exchange.ts'
import type { ExchangeRateService } from '../currency/exchange-rate-service.ts'
import { invalid } from '../lib/errors.ts'
import { runTimeSliced } from '../lib/event-loop.ts'
import { reason } from '../lib/reasons.ts'
import { DAY_MS, dayIn, dayOf, startOfDay } from '../lib/time.ts'
import { sortTimeSliced, type TimeSliced } from '../lib/time-sliced.ts'
import { buildDealReport, type ConvertAmount, type ReportedDeal, type ReportPeriod } from './deal-report.ts'
import type { OutcomeStore } from './outcome-store.ts'
import type { PolicyService } from './policy-service.ts'

export type ReportQuery = {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly currency?: string | undefined
  readonly time_zone?: string | undefined
  readonly by?: ReportGroup | undefined
  readonly compare?: 'previous_year' | undefined
  /** Id of the person or key whose deals are reported. */
  readonly employee?: string | undefined
}

export type DealReports = {
  readonly report: (organizationId: string, query: ReportQuery, now: number) => Promise<DealReportWire>
  /** The deals of the period, oldest appraisal first. */
  readonly deals: (organizationId: string, query: ReportQuery, now: number) => Promise<readonly ReportedDeal[]>
}

/** Months before the current one in a report without a first day. */
const DEFAULT_MONTHS_BEFORE = 11

export function dealReports(options: {
  readonly store: Pick<OutcomeStore, 'dealsWithin' | 'inStock'>
  readonly policies: Pick<PolicyService, 'policyOf'>
  readonly rates: Pick<ExchangeRateService, 'exchangeFor' | 'ratesSince'>
  readonly deviceName: (id: string) => string | null
}): DealReports {
  const { store, policies, rates } = options
  return {
    async deals(organizationId, query, now) {
      const { employee } = query
      const all = await store.dealsWithin(organizationId, reportPeriod(query, now))
      const deals =
        employee === undefined
          ? all
          : all.filter(({ boughtBy, soldBy }) => boughtBy?.id === employee || soldBy?.id === employee)
      return runTimeSliced(sortTimeSliced(deals, (left, right) => (left.appraisalId < right.appraisalId ? -1 : 1)))
    },

    async report(organizationId, query, now) {
      const period = reportPeriod(query, now)
      const { currency } = rates.exchangeFor(query.currency ?? policies.policyOf(organizationId).currency, 'currency')
      const [deals, stock] = [await store.dealsWithin(organizationId, period), await store.inStock(organizationId)]
      const earlierPeriod = query.compare ? oneYearEarlier(period) : null
      const earlierDeals = earlierPeriod ? await store.dealsWithin(organizationId, earlierPeriod) : []
      const { firstDay, currencies } = await runTimeSliced(
        neededRates([...deals, ...earlierDeals], stock, earlierPeriod?.from ?? period.from),
      )
      const exchangeOn = await rates.ratesSince(firstDay, [...currencies.add(currency)])
      const converted = new Map<string, Exchange>()
      const convert: ConvertAmount = (amount, from, day) => {
        if (from === currency) return amount
        const exchange = exchangeOn(from, day)
        if ((converted.get(from)?.rate?.date ?? '') <= (exchange.rate?.date ?? '')) converted.set(from, exchange)
        return convertBetween(amount, exchange, exchangeOn(currency, day))
      }
      const grouping = query.by ? { by: query.by, deviceName: options.deviceName } : null
      const report = await runTimeSliced(
        buildDealReport(deals, period, convert, { grouping, employee: query.employee }),
      )
      const earlier = earlierPeriod && {
        ...earlierPeriod,
        ...(await runTimeSliced(buildDealReport(earlierDeals, earlierPeriod, convert, { employee: query.employee })))
          .totals,
      }
      const today = dayIn(now, query.time_zone ?? 'UTC')
      const stockWithin = (minDays: number, maxDays: number | null) => {
        const rows = stock.filter(({ day }) => {
          const days = Math.max(0, Math.round((startOfDay(today) - startOfDay(day)) / DAY_MS))
          return days >= minDays && (maxDays === null || days <= maxDays)
        })
        return {
          count: rows.reduce((sum, { count }) => sum + count, 0),
          amount: rows.reduce((sum, each) => sum + convert(each.amount, each.currency, each.day), 0),
          expected_profit: rows.reduce((sum, each) => sum + convert(each.expectedProfit, each.currency, each.day), 0),
        }
      }
      const inStock = stockWithin(0, null)
      return {
        ...period,
        currency,
        totals: report.totals,
        in_stock: { count: inStock.count, amount: inStock.amount },
        ageing: AGES.map(([minDays, maxDays]) => ({
          min_days: minDays,
          max_days: maxDays,
          ...stockWithin(minDays, maxDays),
        })),
        previous_year: earlier,
        groups: report.groups,
        months: report.months,
        forecast: report.forecast,
        exchange_rates: [...converted.values()]
          .map((exchange) => ({ currency: exchange.currency, exchange_rate: exchange.rate }))
          .sort((left, right) => (left.currency < right.currency ? -1 : 1)),
      }
    },
  }
}

const AGES = [
  [0, 30],
  [31, 60],
  [61, 90],
  [91, null],
] as const

/** The last day of February stays in February. */
function oneYearEarlier({ from, to }: ReportPeriod): ReportPeriod {
  const earlier = (day: string) =>
    `${Number(day.slice(0, 4)) - 1}${day.slice(4) === '-02-29' ? '-02-28' : day.slice(4)}`
  return { from: earlier(from), to: earlier(to) }
}

/** The first day and the currencies that need exchange rates. */
function* neededRates(
  deals: readonly ReportedDeal[],
  stock: Awaited<ReturnType<OutcomeStore['inStock']>>,
  from: string,
): TimeSliced<{ readonly firstDay: string; readonly currencies: Set<string> }> {
  const currencies = new Set(stock.map(({ currency }) => currency))
  let firstDay = stock.reduce((first, { day }) => (day < first ? day : first), from)
  for (const [at, deal] of deals.entries()) {
    if (at % 1_000 === 0) yield
    const boughtOn = deal.outcome.bought?.date
    if (boughtOn && boughtOn < firstDay) firstDay = boughtOn
    for (const currency of currenciesOf(deal)) currencies.add(currency)
  }
  return { firstDay, currencies }
}

const currenciesOf = ({ outcome: { bought, sold }, forecast }: ReportedDeal) =>
  [bought, sold, forecast].flatMap((each) => each?.currency ?? [])

function reportPeriod({ from, to, time_zone: timeZone = 'UTC' }: ReportQuery, now: number): ReportPeriod {
  const lastDay = to ?? dayIn(now, timeZone)
  const firstDay = from ?? firstOfMonthBefore(lastDay, DEFAULT_MONTHS_BEFORE)
  if (firstDay > lastDay)
    throw invalid('from', firstDay, `a day on or before ${lastDay}`, reason('from_after_to', { day: lastDay }))
  const earliest = firstOfMonthBefore(lastDay, REPORT_MAX_MONTHS - 1)
  if (firstDay < earliest) {
    throw invalid(
      'from',
      firstDay,
      `${earliest} or later: a report covers at most ${REPORT_MAX_MONTHS} months`,
      reason('report_too_long', { day: earliest, months: REPORT_MAX_MONTHS }),
    )
  }
  return { from: firstDay, to: lastDay }
}

function firstOfMonthBefore(day: string, months: number): string {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return dayOf(Date.UTC(year, month - 1 - months, 1))
}
