import { type DealReportWire, REPORT_MAX_MONTHS, type ReportGroup } from '../contract/deal-report.ts'
import { convertBetween, type Exchange } from '../currency/exchange.ts'
import type { ExchangeOn, ExchangeRateService } from '../currency/exchange-rate-service.ts'
import { invalid } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'
import { DAY_MS, dayIn, dayOf, startOfDay } from '../lib/time.ts'
import {
  type ConvertAmount,
  createDealReport,
  type DealReport,
  type ReportedDeal,
  type ReportPeriod,
} from './deal-report.ts'
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
  /** The deals of the period, a step at a time: purchases by day, then earlier ones that were sold, then declined offers. */
  readonly deals: (organizationId: string, query: ReportQuery, now: number) => AsyncIterable<readonly ReportedDeal[]>
}

/** Months before the current one in a report without a first day. */
const DEFAULT_MONTHS_BEFORE = 11

export function dealReports(options: {
  readonly store: Pick<OutcomeStore, 'dealsWithin' | 'inStock'>
  readonly policies: Pick<PolicyService, 'policyOf'>
  readonly rates: Pick<ExchangeRateService, 'exchangeFor' | 'ratesSince'>
  readonly deviceName: (id: string) => string | null
}): DealReports {
  const { store, policies, rates, deviceName } = options
  return {
    deals(organizationId, query, now) {
      const period = reportPeriod(query, now)
      return dealsOf(store.dealsWithin(organizationId, period), query.employee)
    },

    async report(organizationId, query, now) {
      const period = reportPeriod(query, now)
      const { currency } = rates.exchangeFor(query.currency ?? policies.policyOf(organizationId).currency, 'currency')
      const conversion = reportConversion(rates, currency)
      const { convert } = conversion
      const { employee } = query
      const grouping = query.by ? { by: query.by, deviceName } : null
      async function readPeriod(within: ReportPeriod, report: DealReport) {
        for await (const deals of store.dealsWithin(organizationId, within)) {
          await conversion.prepareFor(deals)
          deals.forEach(report.add)
        }
        return report.finish()
      }
      const report = await readPeriod(period, createDealReport(period, convert, { employee, grouping }))
      const earlierPeriod = query.compare ? oneYearEarlier(period) : null
      const earlier = earlierPeriod && {
        ...earlierPeriod,
        ...(await readPeriod(earlierPeriod, createDealReport(earlierPeriod, convert, { employee }))).totals,
      }
      const stock = await store.inStock(organizationId)
      await conversion.load(stock)
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
        exchange_rates: conversion
          .used()
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

type RateNeed = { readonly currency: string; readonly day: string }

/** Converts amounts to one currency by the rates of their days, which are read as deals need them. */
function reportConversion(rates: Pick<ExchangeRateService, 'ratesSince'>, currency: string) {
  const used = new Map<string, Exchange>()
  const currencies = new Set<string>([currency])
  let firstDay: string | undefined
  let exchangeOn: ExchangeOn | undefined

  /** Reads the rates of these days and currencies, unless they were read. */
  async function load(needs: Iterable<RateNeed>): Promise<void> {
    let isComplete = true
    for (const need of needs) {
      if (need.currency === currency) continue
      if (!currencies.has(need.currency) || firstDay === undefined || need.day < firstDay) isComplete = false
      currencies.add(need.currency)
      if (firstDay === undefined || need.day < firstDay) firstDay = need.day
    }
    if (!isComplete && firstDay !== undefined) exchangeOn = await rates.ratesSince(firstDay, [...currencies])
  }

  const convert: ConvertAmount = (amount, from, day) => {
    if (from === currency) return amount
    if (!exchangeOn) throw new Error('Exchange rates are read before amounts are converted.')
    const exchange = exchangeOn(from, day)
    if ((used.get(from)?.rate?.date ?? '') <= (exchange.rate?.date ?? '')) used.set(from, exchange)
    return convertBetween(amount, exchange, exchangeOn(currency, day))
  }
  return {
    convert,
    load,
    prepareFor: (deals: readonly ReportedDeal[]) => load(deals.flatMap(rateNeeds)),
    /** The newest rate of each currency that was converted. */
    used: () => [...used.values()],
  }
}

/** Prices are converted by the rate of their day, the forecast and costs by those of purchase and sale. */
function rateNeeds({ outcome: { bought, sold }, forecast }: ReportedDeal): RateNeed[] {
  const currencies = [bought, sold, forecast].flatMap((each) => each?.currency ?? [])
  const days = [bought, sold].flatMap((each) => each?.date ?? [])
  return days.flatMap((day) => currencies.map((currency) => ({ currency, day })))
}

async function* dealsOf(
  steps: AsyncIterable<readonly ReportedDeal[]>,
  employee: string | undefined,
): AsyncGenerator<readonly ReportedDeal[]> {
  for await (const deals of steps)
    yield employee === undefined
      ? deals
      : deals.filter(({ boughtBy, soldBy }) => boughtBy?.id === employee || soldBy?.id === employee)
}

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
