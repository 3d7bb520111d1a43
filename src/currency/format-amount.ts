import { memoize } from '../lib/memoize.ts'

/** Creating a formatter takes longer than formatting, and an import may reject many thousand amounts. */
const formatterOf = memoize(100, (key: string) => {
  const [locale, currency] = key.split(' ') as [string, string]
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
  return { format, minorUnits: 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2) }
})

/** An amount in minor units as text for messages, such as "€1,250.00". */
export function formatAmount(minor: number, currency: string, locale = 'en-US'): string {
  const { format, minorUnits } = formatterOf(`${locale} ${currency}`)
  return format.format(minor / minorUnits)
}
