import { minorUnitDigits } from '../../currency/minor-units.ts'
import { invalid } from '../../lib/errors.ts'
import { dayOf } from '../../lib/time.ts'
import { parseAmount } from './amount.ts'
import { parseDate } from './date.ts'

/** Accepted column names of an outcomes file. */
export const OUTCOME_COLUMNS = {
  appraisal_id: ['appraisal id', 'appraisal', 'id'],
  status: ['status', 'outcome'],
  price: ['price', 'amount'],
  currency: ['currency'],
  date: ['date', 'day'],
  declined_by: ['declined by', 'by'],
  note: ['note', 'comment'],
} as const

type OutcomeColumn = keyof typeof OUTCOME_COLUMNS

/**
 * One row of a file as an item of `POST /api/appraisals/outcomes`. Prices in a file are in units of their currency: "120.50"
 * is 12050 cents. `currency` is that of prices which name none.
 */
export function outcomeFromRow(cellOf: (...names: string[]) => string, currency: string): object {
  const cell = (column: OutcomeColumn) => cellOf(...OUTCOME_COLUMNS[column])
  const amount = cell('price') === '' ? null : parseAmount(cell('price'))
  if (amount && ('problem' in amount || amount.isRange || amount.value < 0)) {
    throw invalid('price', cell('price'), 'an amount such as 120.50')
  }
  const statedCurrency = cell('currency').toUpperCase() || (amount && 'value' in amount ? amount.currency : null)
  if (statedCurrency && !/^[A-Z]{3}$/.test(statedCurrency))
    throw invalid('currency', statedCurrency, 'a currency code of three letters such as EUR')
  const instant = cell('date') === '' ? null : parseDate(cell('date'))
  if (instant === undefined) throw invalid('date', cell('date'), 'a day such as 2026-03-02')
  const price =
    amount && 'value' in amount
      ? {
          price: Math.round(amount.value * 10 ** minorUnitDigits(statedCurrency || currency)),
          currency: statedCurrency || currency,
        }
      : {}
  return {
    appraisal_id: cell('appraisal_id'),
    status: cell('status').toLowerCase(),
    ...price,
    ...(instant === null ? {} : { date: dayOf(instant) }),
    ...(cell('declined_by') === '' ? {} : { declined_by: cell('declined_by').toLowerCase() }),
    ...(cell('note') === '' ? {} : { note: cell('note') }),
  }
}
