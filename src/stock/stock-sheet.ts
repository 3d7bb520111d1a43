import type en from '../../dashboard/locales/en.json'
import type { StockItemWire } from '../contract/stock.ts'
import { minorUnitDigits } from '../currency/minor-units.ts'
import type { SheetTexts } from '../lib/sheet-texts.ts'

type Cell = string | number

const units = (amount: number | null | undefined, currency: string): Cell =>
  amount === null || amount === undefined ? '' : amount / 10 ** minorUnitDigits(currency)

/** One item per row, for a spreadsheet. Amounts are in units of the currency in the next column. */
const COLUMNS: readonly (readonly [keyof typeof en.sheet.column, (item: StockItemWire, t: SheetTexts) => Cell])[] = [
  ['stockNumber', ({ number }) => number],
  ['device', ({ device_name }) => device_name],
  ['identifier', ({ identifier, second_identifier }) => [identifier, second_identifier].filter(Boolean).join(' / ')],
  ['reference', ({ reference }) => reference ?? ''],
  ['outcome', ({ status }, t) => t(`outcomes:status.${status === 'sold' ? 'sold' : 'bought'}`)],
  ['location', ({ location }) => location ?? ''],
  ['daysHeld', ({ days_in_stock }) => days_in_stock],
  ['boughtOn', ({ bought }) => bought.date],
  ['boughtFor', ({ bought }) => units(bought.price, bought.currency)],
  [
    'costs',
    ({ costs, currency }) =>
      units(
        costs.reduce((sum, { amount }) => sum + amount, 0),
        currency,
      ),
  ],
  ['askingPrice', ({ asking_price, currency }) => units(asking_price, currency)],
  ['suggestedPrice', ({ suggested_price, currency }) => units(suggested_price, currency)],
  ['boughtCurrency', ({ currency }) => currency],
  ['boughtBy', ({ bought_by }) => bought_by.name],
  ['soldOn', ({ sold }) => sold?.date ?? ''],
  ['soldFor', ({ sold }) => (sold ? units(sold.price, sold.currency) : '')],
  ['soldCurrency', ({ sold }) => sold?.currency ?? ''],
  ['channel', ({ sold }) => sold?.channel ?? ''],
  ['soldBy', ({ sold_by }) => sold_by?.name ?? ''],
  ['appraisal', ({ id }) => id],
]

export const stockSheetHeader = (t: SheetTexts): string[] => COLUMNS.map(([column]) => t(`sheet:column.${column}`))

export const stockSheetRow = (item: StockItemWire, t: SheetTexts): Cell[] => COLUMNS.map(([, read]) => read(item, t))
