import { DAY_MS, startOfDay } from '../lib/time.ts'
import type { ReportedDeal } from './deal-report.ts'
import type { Deal } from './outcome.ts'

type Cell = string | number

type ReadCell = (deal: ReportedDeal, units: (amount: number | null | undefined, currency: string) => Cell) => Cell

const priceCell =
  (select: (deal: ReportedDeal) => Deal | null): ReadCell =>
  (deal, units) => {
    const transaction = select(deal)
    return transaction ? units(transaction.price, transaction.currency) : ''
  }
const purchaseOf = ({ outcome }: ReportedDeal) => outcome.bought
const saleOf = ({ outcome }: ReportedDeal) => outcome.sold

/** One deal per row, for a spreadsheet. Amounts are in units of the currency in the next column. */
const COLUMNS: readonly (readonly [string, ReadCell])[] = [
  ['Appraisal', ({ appraisalId }) => appraisalId],
  ['Outcome', ({ outcome }) => outcome.status],
  ['Bought on', (deal) => purchaseOf(deal)?.date ?? ''],
  ['Bought for', priceCell(purchaseOf)],
  ['Bought currency', (deal) => purchaseOf(deal)?.currency ?? ''],
  ['Sold on', (deal) => saleOf(deal)?.date ?? ''],
  ['Sold for', priceCell(saleOf)],
  ['Sold currency', (deal) => saleOf(deal)?.currency ?? ''],
  [
    'Margin',
    ({ outcome: { bought, sold } }, units) =>
      bought && sold && bought.currency === sold.currency ? units(sold.price - bought.price, sold.currency) : '',
  ],
  [
    'Days held',
    ({ outcome: { bought, sold } }) =>
      bought && sold ? Math.round((startOfDay(sold.date) - startOfDay(bought.date)) / DAY_MS) : '',
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
