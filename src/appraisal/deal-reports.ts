import { type DealReportWire, REPORT_MAX_DAYS } from '../contract/deal-report.ts'
import { convertBetween } from '../currency/exchange.ts'
import type { ExchangeRateService } from '../currency/exchange-rate-service.ts'
import { invalid } from '../lib/errors.ts'
import { addDays, dayOf } from '../lib/time.ts'
import { buildDealReport, type ReportedDeal, type ReportPeriod } from './deal-report.ts'
import type { OutcomeStore } from './outcome-store.ts'
import type { PolicyService } from './policy-service.ts'

export type ReportQuery = {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly currency?: string | undefined
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
  readonly rates: Pick<ExchangeRateService, 'exchangeFor'>
}): DealReports {
  const { store, policies, rates } = options
  return {
    async deals(organizationId, query, now) {
      const deals = await store.dealsWithin(organizationId, reportPeriod(query, now))
      return deals.sort((left, right) => (left.appraisalId < right.appraisalId ? -1 : 1))
    },

    async report(organizationId, query, now) {
      const period = reportPeriod(query, now)
      const target = rates.exchangeFor(query.currency ?? policies.policyOf(organizationId).currency, 'currency')
      const convertedCurrencies = new Set<string>()
      const convert = (amount: number, currency: string) => {
        if (currency === target.currency) return amount
        convertedCurrencies.add(currency)
        return convertBetween(amount, rates.exchangeFor(currency), target)
      }
      const report = buildDealReport(await store.dealsWithin(organizationId, period), period, convert)
      const stock = await store.inStock(organizationId)
      return {
        ...period,
        currency: target.currency,
        totals: report.totals,
        in_stock: {
          count: stock.reduce((sum, { count }) => sum + count, 0),
          amount: stock.reduce((sum, { amount, currency }) => sum + convert(amount, currency), 0),
        },
        months: report.months,
        forecast: report.forecast,
        exchange_rates: [...convertedCurrencies].sort().map((currency) => ({
          currency,
          exchange_rate: rates.exchangeFor(currency).rate,
        })),
      }
    },
  }
}

function reportPeriod({ from, to }: ReportQuery, now: number): ReportPeriod {
  const lastDay = to ?? dayOf(now)
  const firstDay = from ?? firstOfMonthBefore(lastDay, DEFAULT_MONTHS_BEFORE)
  if (firstDay > lastDay) throw invalid('from', firstDay, `a day on or before ${lastDay}`)
  if (firstDay < addDays(lastDay, -REPORT_MAX_DAYS)) {
    throw invalid('from', firstDay, `a day at most ${REPORT_MAX_DAYS} days before ${lastDay}`)
  }
  return { from: firstDay, to: lastDay }
}

function firstOfMonthBefore(day: string, months: number): string {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return dayOf(Date.UTC(year, month - 1 - months, 1))
}
