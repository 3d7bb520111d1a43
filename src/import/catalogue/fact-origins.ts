/** Where facts come from, and who is believed when two disagree: our own, then the maker, then the community. */

type OriginTrust = 'own' | 'maker' | 'community' | 'inferred'

const TRUST_RANK: Readonly<Record<OriginTrust, number>> = { own: 4, maker: 3, community: 2, inferred: 1 }

/** Every origin a stored fact can name. To read from a new place, add a line. */
export const FACT_ORIGINS = {
  /** An operator's own file: it corrects everything, what is on board included. */
  own: { standing: 'own', title: 'your own list' },
  'on-board': { standing: 'own', title: 'the catalogue on board' },
  /** Names and codes as the makers declared them for certification. */
  'google-play': { standing: 'maker', title: 'Google Play device list' },
  'google-play-console': { standing: 'maker', title: 'Google Play Console device catalogue' },
  gsma: { standing: 'maker', title: 'GSMA TAC dump' },
  appledb: { standing: 'community', title: 'AppleDB' },
  lineageos: { standing: 'community', title: 'LineageOS device data' },
  osmocom: { standing: 'community', title: 'Osmocom TAC database' },
  'samsung-tac': { standing: 'community', title: 'Samsung TAC list' },
  /** Derived by us from a name, for want of anybody who says it. */
  inferred: { standing: 'inferred', title: 'inferred' },
} as const satisfies Record<string, { standing: OriginTrust; title: string }>

/**
 * A size that was seen in a price list and added because the operator said so; the name of the market follows. It outlasts
 * a new version of what is on board, and makes way for the same size with its price.
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

/** Among our own, an operator's file outranks what is on board. An origin nobody knows counts as community. */
export function originRank(origin: string): number {
  if (isMarketOrigin(origin)) return TRUST_RANK.own + 0.25
  if (!isNamedOrigin(origin)) return TRUST_RANK.community
  return TRUST_RANK[FACT_ORIGINS[origin].standing] + (origin === 'own' ? 0.5 : 0)
}

/** Whether what `next` says replaces what `held` said: the better one does, and a source may correct itself. */
export function outranks(next: string, current: string): boolean {
  return next === current || originRank(next) > originRank(current)
}
