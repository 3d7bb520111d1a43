import { type DealReportWire, REPORT_MAX_MONTHS } from '../contract/deal-report.ts'
import { convertBetween, type Exchange } from '../currency/exchange.ts'
import type { ExchangeRateService } from '../currency/exchange-rate-service.ts'
import { invalid } from '../lib/errors.ts'
import { runTimeSliced } from '../lib/event-loop.ts'
import { dayIn, dayOf } from '../lib/time.ts'
import { sortTimeSliced, type TimeSliced } from '../lib/time-sliced.ts'
import { buildDealReport, type ConvertAmount, type ReportedDeal, type ReportPeriod } from './deal-report.ts'
import type { OutcomeStore } from './outcome-store.ts'
import type { PolicyService } from './policy-service.ts'

export type ReportQuery = {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly currency?: string | undefined
  readonly time_zone?: string | undefined
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
}): DealReports {
  const { store, policies, rates } = options
  return {
    async deals(organizationId, query, now) {
      const deals = await store.dealsWithin(organizationId, reportPeriod(query, now))
      return runTimeSliced(sortTimeSliced(deals, (left, right) => (left.appraisalId < right.appraisalId ? -1 : 1)))
    },

    async report(organizationId, query, now) {
      const period = reportPeriod(query, now)
      const { currency } = rates.exchangeFor(query.currency ?? policies.policyOf(organizationId).currency, 'currency')
      const [deals, stock] = [await store.dealsWithin(organizationId, period), await store.inStock(organizationId)]
      const { firstDay, currencies } = await runTimeSliced(neededRates(deals, stock, period.from))
      const exchangeOn = await rates.ratesSince(firstDay, [...currencies.add(currency)])
      const converted = new Map<string, Exchange>()
      const convert: ConvertAmount = (amount, from, day) => {
        if (from === currency) return amount
        const exchange = exchangeOn(from, day)
        if ((converted.get(from)?.rate?.date ?? '') <= (exchange.rate?.date ?? '')) converted.set(from, exchange)
        return convertBetween(amount, exchange, exchangeOn(currency, day))
      }
      const report = await runTimeSliced(buildDealReport(deals, period, convert))
      return {
        ...period,
        currency,
        totals: report.totals,
        in_stock: {
          count: stock.reduce((sum, { count }) => sum + count, 0),
          amount: stock.reduce((sum, each) => sum + convert(each.amount, each.currency, each.day), 0),
        },
        months: report.months,
        forecast: report.forecast,
        exchange_rates: [...converted.values()]
          .map((exchange) => ({ currency: exchange.currency, exchange_rate: exchange.rate }))
          .sort((left, right) => (left.currency < right.currency ? -1 : 1)),
      }
    },
  }
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
  if (firstDay > lastDay) throw invalid('from', firstDay, `a day on or before ${lastDay}`)
  const earliest = firstOfMonthBefore(lastDay, REPORT_MAX_MONTHS - 1)
  if (firstDay < earliest) {
    throw invalid('from', firstDay, `${earliest} or later: a report covers at most ${REPORT_MAX_MONTHS} months`)
  }
  return { from: firstDay, to: lastDay }
}

function firstOfMonthBefore(day: string, months: number): string {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return dayOf(Date.UTC(year, month - 1 - months, 1))
}
