import { formatCountry } from './format.ts'
import { currentLanguage } from './i18n.ts'

/** Markets with their names in the language of the page, sorted by name. */
export function localizedMarkets<Market extends { readonly code: string; readonly name: string }>(
  markets: readonly Market[],
): Market[] {
  const { compare } = new Intl.Collator(currentLanguage())
  return markets
    .map((market) => ({ ...market, name: formatCountry(market.code, market.name) }))
    .sort((left, right) => compare(left.name, right.name))
}
