/** Repair costs of a market: labour per hour in US cents, and reference part costs relative to the United States. */
export type RepairMarket = { readonly labourCentsPerHour: number; readonly partCostFactor: number }

/**
 * Typical levels, not observations: shops in countries with lower wages pay less for labour and use cheaper aftermarket parts.
 * `LABOUR_RATE` replaces the rate; costs you import replace the reference costs.
 */
const LEVELS = {
  high: { labourCentsPerHour: 6_000, partCostFactor: 1 },
  upper: { labourCentsPerHour: 4_000, partCostFactor: 0.8 },
  middle: { labourCentsPerHour: 2_000, partCostFactor: 0.7 },
  low: { labourCentsPerHour: 1_000, partCostFactor: 0.55 },
} as const satisfies Record<string, RepairMarket>

const MARKETS: Readonly<Record<keyof typeof LEVELS, string>> = {
  high: 'us ca au ch no is lu',
  upper: 'eu at be cy de dk es fi fr gb gr ie it mt nl nz pt se si jp kr sg hk il ae qa kw tw',
  middle: 'bg cz ee hr hu lt lv pl ro sk rs ba mk al tr ru cl uy ar br mx cr pa cn my th sa om bh za kz',
  low: 'in vn id ph bd pk lk np kh eg ma tn dz ng ke gh tz ug ua md ge pe co ec do gt jo',
}

const BY_MARKET = new Map(
  (Object.keys(LEVELS) as (keyof typeof LEVELS)[]).flatMap((level) =>
    MARKETS[level].split(' ').map((code) => [code, LEVELS[level]] as const),
  ),
)

/** Markets that are not listed get the middle level. */
const repairMarketOf = (market: string): RepairMarket => BY_MARKET.get(market) ?? LEVELS.middle

/** Labour per hour in a market, in US cents: the setting, or else the level of the market. */
export const labourRate = (
  config: { readonly labourRateCents: number | null; readonly market: string },
  market = config.market,
): number => config.labourRateCents ?? repairMarketOf(market).labourCentsPerHour

/** Costs in the market of the service. */
export const repairMarketFor = (config: Parameters<typeof labourRate>[0]): RepairMarket => ({
  ...repairMarketOf(config.market),
  labourCentsPerHour: labourRate(config),
})
