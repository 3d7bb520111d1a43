import type en from '../../dashboard/locales/en.json'
import { minorUnitDigits } from '../currency/minor-units.ts'
import type { SheetTexts } from '../lib/sheet-texts.ts'
import { DAY_MS, startOfDay } from '../lib/time.ts'
import type { ReportedDeal } from './deal-report.ts'
import type { Deal } from './outcome.ts'

type Cell = string | number

type RowContext = {
  readonly t: SheetTexts
  readonly units: (amount: number | null | undefined, currency: string) => Cell
}
type ReadCell = (deal: ReportedDeal, context: RowContext) => Cell

const priceCell =
  (select: (deal: ReportedDeal) => Deal | null): ReadCell =>
  (deal, { units }) => {
    const transaction = select(deal)
    return transaction ? units(transaction.price, transaction.currency) : ''
  }
const purchaseOf = ({ outcome }: ReportedDeal) => outcome.bought
const saleOf = ({ outcome }: ReportedDeal) => outcome.sold

/** One deal per row, for a spreadsheet. Amounts are in units of the currency in the next column. */
const COLUMNS: readonly (readonly [keyof typeof en.sheet.column, ReadCell])[] = [
  ['stockNumber', ({ item }) => item?.number ?? ''],
  ['identifier', ({ item }) => item?.identifier ?? ''],
  ['purchase', ({ outcome }) => outcome.purchaseId ?? ''],
  ['sellerKind', ({ item }, { t }) => (item?.sellerKind ? t(`codes:sellerKind.${item.sellerKind}`) : '')],
  ['appraisal', ({ appraisalId }) => appraisalId],
  ['outcome', ({ outcome }, { t }) => t(`outcomes:status.${outcome.status}`)],
  ['boughtOn', (deal) => purchaseOf(deal)?.date ?? ''],
  ['boughtFor', priceCell(purchaseOf)],
  ['boughtCurrency', (deal) => purchaseOf(deal)?.currency ?? ''],
  ['soldOn', (deal) => saleOf(deal)?.date ?? ''],
  ['soldFor', priceCell(saleOf)],
  ['soldCurrency', (deal) => saleOf(deal)?.currency ?? ''],
  [
    'margin',
    ({ outcome: { bought, sold } }, { units }) =>
      bought && sold && bought.currency === sold.currency ? units(sold.price - bought.price, sold.currency) : '',
  ],
  [
    'daysHeld',
    ({ outcome: { bought, sold } }) =>
      bought && sold ? Math.round((startOfDay(sold.date) - startOfDay(bought.date)) / DAY_MS) : '',
  ],
  ['declinedOn', ({ outcome }) => outcome.declined?.date ?? ''],
  ['declinedBy', ({ outcome: { declined } }, { t }) => (declined?.by ? t(`outcomes:by.${declined.by}`) : '')],
  ['recommendedOffer', ({ forecast }, { units }) => units(forecast.offer, forecast.currency)],
  ['forecastSale', ({ forecast }, { units }) => units(forecast.sale, forecast.currency)],
  ['rangeLow', ({ forecast }, { units }) => units(forecast.saleRange?.low, forecast.currency)],
  ['rangeHigh', ({ forecast }, { units }) => units(forecast.saleRange?.high, forecast.currency)],
  ['forecastCosts', ({ forecast }, { units }) => units(forecast.costs, forecast.currency)],
  ['forecastCurrency', ({ forecast }) => forecast.currency],
  ['sampleData', ({ forecast }, { t }) => t(forecast.isSample ? 'sheet:yes' : 'sheet:no')],
  ['note', ({ outcome }) => outcome.note ?? ''],
]

export const dealSheetHeader = (t: SheetTexts): string[] => [
  t('sheet:column.device'),
  ...COLUMNS.map(([column]) => t(`sheet:column.${column}`)),
]

export function dealSheetRow(deal: ReportedDeal, t: SheetTexts, deviceName: (id: string) => string | null): Cell[] {
  const units = (amount: number | null | undefined, currency: string) =>
    amount === null || amount === undefined ? '' : amount / 10 ** minorUnitDigits(currency)
  const { deviceId, item } = deal
  const name = item?.name || (deviceId ? (deviceName(deviceId) ?? deviceId) : '')
  return [name, ...COLUMNS.map(([, read]) => read(deal, { t, units }))]
}
