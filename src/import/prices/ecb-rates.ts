/** Reference rates of the European Central Bank (eurofxref XML): units of each currency for one euro, by day. */
import { BASE_CURRENCY } from '../../contract/currency.ts'
import type { ImportedRate } from '../../currency/rate-lookup.ts'
import { reason } from '../../lib/reasons.ts'
import { isDay } from '../../lib/time.ts'
import { unreadableFile } from '../read/unreadable-file.ts'

const CUBE = /<Cube\s+([^<>]*?)\/?>/g
const attribute = (attributes: string, name: string) =>
  new RegExp(`(?:^|\\s)${name}\\s*=\\s*["']([^"']*)["']`).exec(attributes)?.[1]

export const isEcbDocument = (head: string) => /^\s*</.test(head)

/** Crosses the euro rates of each day over EUR/USD. A day without a dollar rate cannot be used. */
export function parseEcbRates(xml: string, name: string): ImportedRate[] {
  const rates: ImportedRate[] = []
  let day = ''
  let euros: [currency: string, units: number][] = []
  function closeDay(): void {
    const usd = euros.find(([currency]) => currency === BASE_CURRENCY)?.[1]
    if (usd) {
      rates.push({ currency: 'EUR', day, usd })
      for (const [currency, units] of euros) {
        if (currency !== BASE_CURRENCY) rates.push({ currency, day, usd: Number((usd / units).toPrecision(8)) })
      }
    }
    euros = []
  }
  for (const [, attributes = ''] of xml.matchAll(CUBE)) {
    const time = attribute(attributes, 'time')
    if (time !== undefined) {
      closeDay()
      day = isDay(time) ? time : ''
    }
    const currency = attribute(attributes, 'currency') ?? ''
    const units = Number(attribute(attributes, 'rate'))
    if (day !== '' && /^[A-Z]{3}$/.test(currency) && units > 0 && units < 1e6) euros.push([currency, units])
  }
  closeDay()
  if (rates.length === 0) {
    throw unreadableFile(
      `${name} is XML without reference rates of the European Central Bank; expected CSV or eurofxref XML.`,
      reason('file_unknown_format', { name }),
    )
  }
  return rates
}
