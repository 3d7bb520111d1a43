import { declinedByOfWord, outcomeOfWord } from '../appraisal/sheet-words.ts'
import type { SellerRecordMode } from '../contract/sellers.ts'
import { minorUnitDigits } from '../currency/minor-units.ts'
import { invalid } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'
import { dayOf } from '../lib/time.ts'
import { parseAmount, resolveSign } from '../tables/amount.ts'
import { parseDate } from '../tables/date.ts'

/** Accepted column names of an outcomes file. */
export const OUTCOME_COLUMNS = {
  appraisal_id: ['appraisal id', 'appraisal', 'id'],
  status: ['status', 'outcome'],
  price: ['price', 'amount'],
  currency: ['currency'],
  date: ['date', 'day'],
  declined_by: ['declined by', 'by'],
  note: ['note', 'comment'],
  seller: [
    'seller',
    'seller name',
    'verkäufer',
    'vendedor',
    'vendeur',
    'sprzedający',
    'pardavėjas',
    'người bán',
    '판매자',
  ],
  seller_address: ['seller address', 'address of the seller'],
  confirm_duplicate: ['confirm duplicate', 'buy again'],
} as const

/** Columns of a downloaded file, which has a price and a day for each step; read where the general columns are missing. */
const STEP_COLUMNS: Readonly<Record<string, Partial<Record<OutcomeColumn, readonly string[]>>>> = {
  bought: { price: ['bought for'], currency: ['bought currency'], date: ['bought on'] },
  sold: { price: ['sold for'], currency: ['sold currency'], date: ['sold on'] },
  declined: { date: ['declined on'] },
}

const YES = new Set(['yes', 'true', '1', 'x', 'ja', 'sí', 'si', 'oui', 'sim', 'tak', 'taip', 'có', '예'])

type OutcomeColumn = keyof typeof OUTCOME_COLUMNS

/**
 * One row of a file as an item of `POST /api/appraisals/outcomes/batch`. Prices in a file are in units of their currency: "120.50"
 * is 12050 cents. `currency` is that of prices which name none. The seller is read as far as the shop records sellers.
 */
export function outcomeFromRow(
  cellOf: (...names: string[]) => string,
  currency: string,
  sellerRecord: SellerRecordMode = 'off',
): object {
  const statusCell = cellOf(...OUTCOME_COLUMNS.status)
  const status = outcomeOfWord(statusCell) ?? statusCell.toLowerCase()
  const cell = (column: OutcomeColumn) => cellOf(...(STEP_COLUMNS[status]?.[column] ?? []), ...OUTCOME_COLUMNS[column])
  const amount = cell('price') === '' ? null : parseAmount(cell('price'))
  if (amount && ('problem' in amount || amount.isRange || amount.value < 0)) {
    throw invalid('price', cell('price'), 'an amount such as 120.50', reason('not_an_amount'))
  }
  const statedCurrency =
    cell('currency').toUpperCase() || (amount && 'value' in amount ? resolveSign(amount, currency) : null)
  if (amount && 'value' in amount && amount.sharedBy?.includes(statedCurrency || currency) === false)
    throw invalid(
      'price',
      cell('price'),
      `an amount with its currency code, such as 120.50 ${amount.sharedBy[0]}`,
      reason('amount_without_currency'),
    )
  if (statedCurrency && !/^[A-Z]{3}$/.test(statedCurrency))
    throw invalid('currency', statedCurrency, 'a currency code of three letters such as EUR', reason('not_a_currency'))
  const instant = cell('date') === '' ? null : parseDate(cell('date'))
  if (instant === undefined) throw invalid('date', cell('date'), 'a day such as 2026-03-02', reason('not_a_day'))
  const price =
    amount && 'value' in amount
      ? {
          price: Math.round(amount.value * 10 ** minorUnitDigits(statedCurrency || currency)),
          currency: statedCurrency || currency,
        }
      : {}
  return {
    appraisal_id: cell('appraisal_id'),
    status,
    ...price,
    ...(instant === null ? {} : { date: dayOf(instant) }),
    ...(cell('declined_by') === ''
      ? {}
      : { declined_by: declinedByOfWord(cell('declined_by')) ?? cell('declined_by').toLowerCase() }),
    ...(cell('note') === '' ? {} : { note: cell('note') }),
    ...(status === 'bought' ? purchaseOf(cell, sellerRecord) : {}),
  }
}

function purchaseOf(cell: (column: OutcomeColumn) => string, sellerRecord: SellerRecordMode): object {
  const name = sellerRecord === 'off' ? '' : cell('seller')
  const address = sellerRecord === 'full' ? cell('seller_address') : ''
  return {
    ...(name === '' ? {} : { seller: { name, ...(address === '' ? {} : { address }) } }),
    ...(YES.has(cell('confirm_duplicate').toLowerCase()) ? { confirm_duplicate: true } : {}),
  }
}
