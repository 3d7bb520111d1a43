/** What suppliers ask for the devices of a list: the amount, and a question about one that cannot be right. */
import { askingRange } from '../appraisal/deal-facts.ts'
import type { Device } from '../catalog/device.ts'
import type { AppraisalWire } from '../contract/appraisal.ts'
import { BASE_CURRENCY } from '../contract/currency.ts'
import { formatAmount } from '../currency/format-amount.ts'
import { minorUnitDigits } from '../currency/minor-units.ts'
import { isPlausible } from '../pricing/plausible-amount.ts'
import type { AskingPrice, DeviceListRow, RowQuestion } from './device-list-row.ts'

export type AskingPriceOptions = {
  readonly findDevice: (id: string) => Device | undefined
  /** Null if a currency is unknown. */
  readonly convert: (amount: number, from: string, to: string) => number | null
}

/** What a sign of several currencies means to an organization with this one: `$` abroad is the US dollar, `kr` nothing certain. */
function currencyOfSign({ sharedBy = [] }: AskingPrice, own: string): string | null {
  if (sharedBy.length === 0 || sharedBy.includes(own)) return own
  return sharedBy.includes(BASE_CURRENCY) ? BASE_CURRENCY : null
}

export type AskingPrices = ReturnType<typeof createAskingPrices>

export function createAskingPrices({ findDevice, convert }: AskingPriceOptions) {
  /** In minor units of `currency`. */
  function amountOf(price: AskingPrice | null, currency: string): number | null {
    if (!price) return null
    const from = price.currency ?? currencyOfSign(price, currency)
    if (from === null) return null
    const amount = convert(price.value * 10 ** minorUnitDigits(from), from, currency)
    return amount === null ? null : Math.round(amount)
  }

  return {
    amountOf,

    /** Asks about an asking price in the wrong unit; it may be that of all devices of the row. */
    questionsAbout(
      { askingPrice, quantity }: Pick<DeviceListRow, 'askingPrice' | 'quantity'>,
      appraisal: AppraisalWire,
    ): RowQuestion[] {
      const { currency } = appraisal
      if (askingPrice && askingPrice.currency === null && currencyOfSign(askingPrice, currency) === null)
        return [{ code: 'unreadable_number', column: 'asking_price', words: (askingPrice.sharedBy ?? []).join(', ') }]
      const amount = amountOf(askingPrice, currency)
      const range = amount ? askingRange(appraisal, findDevice) : null
      if (!amount || !range || isPlausible(amount, range) || isPlausible(amount / quantity, range)) return []
      return [
        {
          code: 'implausible_price',
          column: 'asking_price',
          words: [range.low, range.high].map((amount) => formatAmount(amount, currency)).join(' – '),
        },
      ]
    },
  }
}
