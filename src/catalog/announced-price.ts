/** Converts a price announced in some country, tax included, to dollars without tax at the level of the United States. */
export type AnnouncedPrice = { readonly country: string; readonly currency: string; readonly amount: number }

/** Units of a currency per dollar, yearly means from 2017 on, rounded: a few percent do not matter for an estimate. */
const PER_DOLLAR: ReadonlyMap<string, readonly number[]> = new Map(
  Object.entries({
    USD: [1],
    EUR: [0.885, 0.847, 0.893, 0.876, 0.845, 0.95, 0.925, 0.924, 0.885, 0.86],
    GBP: [0.776, 0.749, 0.783, 0.779, 0.727, 0.811, 0.805, 0.782, 0.76, 0.75],
    INR: [65, 68.4, 70.4, 74.1, 73.9, 78.6, 82.6, 83.7, 86.5, 88],
    CNY: [6.76, 6.62, 6.91, 6.9, 6.45, 6.73, 7.08, 7.2, 7.2, 7.1],
    KRW: [1131, 1100, 1165, 1180, 1144, 1292, 1306, 1364, 1420, 1400],
    TWD: [30.4, 30.2, 30.9, 29.5, 27.9, 29.8, 31.2, 32.1, 31.5, 31],
    JPY: [112, 110, 109, 107, 110, 131, 140, 151, 149, 150],
  }),
)
const FIRST_YEAR = 2017

/** Sales tax in the price tag, in percent. */
const TAX_PERCENT: ReadonlyMap<string, number> = new Map(
  Object.entries({
    US: 0,
    EU: 20,
    DE: 19,
    GB: 20,
    IN: 18,
    CN: 13,
    KR: 10,
    TW: 5,
    JP: 10,
  }),
)

/**
 * Makers ask less for the same phone or tablet in China and India than abroad. Chosen by held-out launch prices
 * (`npm run lab -- evaluate --launch`), whose error has a flat minimum here; that of watches and trackers rises.
 */
const LEVEL_ABROAD: ReadonlyMap<string, number> = new Map(Object.entries({ CN: 1.4, IN: 1.2 }))
const COSTS_MORE_ABROAD = new Set(['Smartphone', 'Tablet'])

/** US cents, or undefined if the currency or the country's tax is unknown. */
export function toUsCents(
  { country, currency, amount }: AnnouncedPrice,
  { released, category }: { readonly released?: string | undefined; readonly category: string },
): number | undefined {
  const rates = PER_DOLLAR.get(currency)
  const tax = TAX_PERCENT.get(country)
  if (!rates || tax === undefined) return undefined
  const year = Number(released?.slice(0, 4) || Number.NaN)
  const index = Number.isNaN(year) ? rates.length - 1 : Math.max(0, Math.min(rates.length - 1, year - FIRST_YEAR))
  const level = (COSTS_MORE_ABROAD.has(category) ? LEVEL_ABROAD.get(country) : undefined) ?? 1
  return Math.round((100 * level * amount) / (rates[index] as number) / (1 + tax / 100))
}
