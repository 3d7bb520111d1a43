/** What suppliers ask for the devices of a list: the amount, and a question about one that cannot be right. */
import { askingRange } from '../../appraisal/deal-facts.ts'
import type { Device } from '../../catalog/device.ts'
import type { AppraisalWire } from '../../contract/appraisal.ts'
import { formatAmount } from '../../currency/format-amount.ts'
import { minorUnitDigits } from '../../currency/minor-units.ts'
import { isPlausible } from '../../pricing/plausible-amount.ts'
import type { AskingPrice, DeviceListRow, RowQuestion } from './device-list-row.ts'

export type AskingPriceOptions = {
  readonly findDevice: (id: string) => Device | undefined
  /** Null if a currency is unknown. */
  readonly convert: (amount: number, from: string, to: string) => number | null
}

export type AskingPrices = ReturnType<typeof createAskingPrices>

export function createAskingPrices({ findDevice, convert }: AskingPriceOptions) {
  /** In minor units of `currency`. */
  function amountOf(price: AskingPrice | null, currency: string): number | null {
    if (!price) return null
    const from = price.currency ?? currency
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
