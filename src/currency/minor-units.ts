import { memoize } from '../lib/memoize.ts'

/** Decimals of a currency by ISO 4217; two for unknown codes. */
export const minorUnitDigits = memoize(1_000, (currency: string): number => {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.resolvedOptions().maximumFractionDigits ?? 2
})
