/** Origins of facts and their precedence: our own, then the maker, then the community. */

type OriginTrust = 'own' | 'maker' | 'community' | 'inferred'

const TRUST_RANK: Readonly<Record<OriginTrust, number>> = { own: 4, maker: 3, community: 2, inferred: 1 }

/** Every origin a stored fact can have. For a new source, add a line. */
export const FACT_ORIGINS = {
  /** An operator's own file: it overrides everything, including the bundled catalogue. */
  own: { trust: 'own', title: 'your own list' },
  bundled: { trust: 'own', title: 'the bundled catalogue' },
  /** Names and codes as the makers declared them for certification. */
  'google-play': { trust: 'maker', title: 'Google Play device list' },
  'google-play-console': { trust: 'maker', title: 'Google Play Console device catalogue' },
  gsma: { trust: 'maker', title: 'GSMA TAC dump' },
  appledb: { trust: 'community', title: 'AppleDB' },
  lineageos: { trust: 'community', title: 'LineageOS device data' },
  osmocom: { trust: 'community', title: 'Osmocom TAC database' },
  'samsung-tac': { trust: 'community', title: 'Samsung TAC list' },
  /** Derived from a name, because no source states it. */
  inferred: { trust: 'inferred', title: 'inferred' },
} as const satisfies Record<string, { trust: OriginTrust; title: string }>

/**
 * A size that was seen in a price list and added with --add-variants; the name of the market follows. It survives a new
 * version of the bundled catalogue and is replaced by the same size with a price.
 */
const MARKET_PREFIX = 'market:'

export type MarketOrigin = `${typeof MARKET_PREFIX}${string}`
export type FactOrigin = keyof typeof FACT_ORIGINS | MarketOrigin

export const marketOrigin = (source: string): MarketOrigin => `${MARKET_PREFIX}${source}`
export const isMarketOrigin = (text: string): text is MarketOrigin => text.startsWith(MARKET_PREFIX)

const isNamedOrigin = (text: string): text is keyof typeof FACT_ORIGINS => Object.hasOwn(FACT_ORIGINS, text)

export function isOrigin(text: string): text is FactOrigin {
  return isNamedOrigin(text) || isMarketOrigin(text)
}

/** An operator's file outranks the bundled catalogue. An unknown origin counts as community. */
export function originRank(origin: string): number {
  if (isMarketOrigin(origin)) return TRUST_RANK.own + 0.25
  if (!isNamedOrigin(origin)) return TRUST_RANK.community
  return TRUST_RANK[FACT_ORIGINS[origin].trust] + (origin === 'own' ? 0.5 : 0)
}

/** Whether a fact of `next` replaces one of `current`: the better origin wins, and a source may correct itself. */
export function outranks(next: string, current: string): boolean {
  return next === current || originRank(next) > originRank(current)
}
