import { DAY_MS, startOfDay } from '../lib/time.ts'
import type { ReportedDeal } from './deal-report.ts'
import type { Deal } from './outcome.ts'

type Cell = string | number

type Read = (deal: ReportedDeal, units: (amount: number | null | undefined, currency: string) => Cell) => Cell

const price =
  (of: (deal: ReportedDeal) => Deal | null): Read =>
  (deal, units) => {
    const each = of(deal)
    return each ? units(each.price, each.currency) : ''
  }
const bought = ({ outcome }: ReportedDeal) => outcome.bought
const sold = ({ outcome }: ReportedDeal) => outcome.sold

/** One deal per row, for a spreadsheet. Amounts are in units of the currency beside them. */
const COLUMNS: readonly (readonly [string, Read])[] = [
  ['Appraisal', ({ appraisalId }) => appraisalId],
  ['Outcome', ({ outcome }) => outcome.status],
  ['Bought on', (deal) => bought(deal)?.date ?? ''],
  ['Bought for', price(bought)],
  ['Bought currency', (deal) => bought(deal)?.currency ?? ''],
  ['Sold on', (deal) => sold(deal)?.date ?? ''],
  ['Sold for', price(sold)],
  ['Sold currency', (deal) => sold(deal)?.currency ?? ''],
  [
    'Margin',
    ({ outcome: { bought: paid, sold: got } }, units) =>
      paid && got && paid.currency === got.currency ? units(got.price - paid.price, got.currency) : '',
  ],
  [
    'Days held',
    ({ outcome: { bought: paid, sold: got } }) =>
      paid && got ? Math.round((startOfDay(got.date) - startOfDay(paid.date)) / DAY_MS) : '',
  ],
  ['Declined on', ({ outcome }) => outcome.declined?.date ?? ''],
  ['Declined by', ({ outcome }) => outcome.declined?.by ?? ''],
  ['Recommended offer', ({ forecast }, units) => units(forecast.offer, forecast.currency)],
  ['Forecast sale price', ({ forecast }, units) => units(forecast.sale, forecast.currency)],
  ['80 % range low', ({ forecast }, units) => units(forecast.saleRange?.low, forecast.currency)],
  ['80 % range high', ({ forecast }, units) => units(forecast.saleRange?.high, forecast.currency)],
  ['Forecast costs', ({ forecast }, units) => units(forecast.costs, forecast.currency)],
  ['Forecast currency', ({ forecast }) => forecast.currency],
  ['Sample data', ({ forecast }) => (forecast.isSample ? 'yes' : 'no')],
  ['Note', ({ outcome }) => outcome.note ?? ''],
]

export const DEAL_SHEET_HEADER: readonly string[] = ['Device', ...COLUMNS.map(([title]) => title)]

export function dealSheetRow(
  deal: ReportedDeal,
  deviceName: (id: string) => string | null,
  digitsOf: (currency: string) => number,
): Cell[] {
  const units = (amount: number | null | undefined, currency: string) =>
    amount === null || amount === undefined ? '' : amount / 10 ** digitsOf(currency)
  const { deviceId } = deal
  return [deviceId ? (deviceName(deviceId) ?? deviceId) : '', ...COLUMNS.map(([, read]) => read(deal, units))]
}
