/** Origins of facts. An operator's own file overrides the bundled catalogue. */

/**
 * A size that was seen in a price list and added with --add-variants; the name of the market follows. It survives a new
 * version of the bundled catalogue and is replaced by the same size with a price.
 */
const MARKET_PREFIX = 'market:'

export type MarketOrigin = `${typeof MARKET_PREFIX}${string}`
export type FactOrigin = 'own' | 'bundled' | MarketOrigin

export const marketOrigin = (source: string): MarketOrigin => `${MARKET_PREFIX}${source}`
export const isMarketOrigin = (text: string): text is MarketOrigin => text.startsWith(MARKET_PREFIX)

export function isOrigin(text: string): text is FactOrigin {
  return text === 'own' || text === 'bundled' || isMarketOrigin(text)
}

export function originRank(origin: string): number {
  if (origin === 'own') return 3
  return isMarketOrigin(origin) ? 2 : 1
}

/** Whether a fact of `next` replaces one of `current`: the better origin wins, and a source may correct itself. */
export function outranks(next: string, current: string): boolean {
  return next === current || originRank(next) > originRank(current)
}
