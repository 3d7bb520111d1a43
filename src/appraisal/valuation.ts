import type { Variant } from '../catalog/device.ts'
import { CONDITIONS } from '../contract/grades.ts'
import { DOLLARS, type Exchange, fromCents } from '../currency/exchange.ts'
import { configurationOf } from '../pricing/market/configuration.ts'
import type { SideWorth, Worth } from '../pricing/serve/device-quotes.ts'
import type { FaultKind } from '../repair/kind.ts'
import type { KnownRepair } from '../repair/repair-option.ts'
import { costOf, type RepairCost, type RepairCosts } from './mending.ts'

export type Valued = { readonly worth: Worth | null; readonly costs: RepairCosts }
/** Amounts in the currency of the exchange, the labour rate too. */
export type Valuation = (
  variants: readonly Variant[],
  exchange: Exchange,
  labourPerHour: number,
) => Valued | Promise<Valued>

export type ValuationParts = {
  readonly worthOf: (variantId: string) => Worth | undefined | Promise<Worth | undefined>
  readonly repairsOf: (variantId: string) => ReadonlyMap<FaultKind, KnownRepair> | undefined
}

type Priced = { readonly variant: Variant; readonly worth: Worth }

/**
 * What the variants that fit are worth, which is what the cheapest of them is: whatever is still open, the offer then holds.
 * Nothing waits where the prices are at hand.
 */
export function openValuation({ worthOf, repairsOf }: ValuationParts): Valuation {
  function valued(priced: readonly Priced[], exchange: Exchange, labourPerHour: number): Valued {
    const known = priced.filter(({ worth }) => worth.resale !== null)
    const cheapest = known.reduce<Priced | undefined>(
      (least, each) => (least && goodCents(least) <= goodCents(each) ? least : each),
      undefined,
    )
    const chosen = cheapest ?? priced[0]
    if (!chosen) return { worth: null, costs: NO_COSTS }
    const repairs = repairsOf(chosen.variant.id)
    const costs = repairs ? costsIn(repairs, exchange, labourPerHour) : NO_COSTS
    return { worth: inCurrency(chosen.worth, exchange), costs }
  }

  return (variants, exchange, labourPerHour) => {
    const waiting: Promise<Priced | undefined>[] = []
    const priced: Priced[] = []
    for (const variant of oneOfEach(variants)) {
      const worth = worthOf(variant.id)
      if (worth instanceof Promise) waiting.push(worth.then((loaded) => loaded && { variant, worth: loaded }))
      else if (worth) priced.push({ variant, worth })
    }
    if (waiting.length === 0) return valued(priced, exchange, labourPerHour)
    return Promise.all(waiting).then((loaded) =>
      valued([...priced, ...loaded.filter((each) => each !== undefined)], exchange, labourPerHour),
    )
  }
}

const NO_COSTS: RepairCosts = new Map()

type Reckoned = { readonly exchange: Exchange; readonly labourPerHour: number; readonly costs: RepairCosts }
const reckoned = new WeakMap<ReadonlyMap<FaultKind, KnownRepair>, Reckoned>()

/** What the repairs of a device cost at a labour rate. Most ask at the same rate as the one before them. */
function costsIn(repairs: ReadonlyMap<FaultKind, KnownRepair>, exchange: Exchange, labourPerHour: number): RepairCosts {
  const before = reckoned.get(repairs)
  if (before?.exchange === exchange && before.labourPerHour === labourPerHour) return before.costs
  const costs = new Map<FaultKind, RepairCost>()
  for (const { kind, name, minutes, partsMinCents, partsMaxCents } of repairs.values()) {
    const parts = { min: fromCents(partsMinCents, exchange), max: fromCents(partsMaxCents, exchange) }
    costs.set(kind, costOf({ kind, name, minutes, parts }, labourPerHour))
  }
  reckoned.set(repairs, { exchange, labourPerHour, costs })
  return costs
}

const goodCents = ({ worth }: Priced) => worth.resale?.Good.amount ?? 0

/** Variants that differ in colour alone cost the same. */
function oneOfEach(variants: readonly Variant[]): readonly Variant[] {
  if (variants.length < 2) return variants
  return [...new Map(variants.map((variant) => [configurationOf(variant), variant])).values()]
}

function inCurrency(worth: Worth, exchange: Exchange): Worth {
  if (exchange === DOLLARS) return worth
  return { ...worth, resale: sideIn(worth.resale, exchange), buyback: sideIn(worth.buyback, exchange) }
}

function sideIn(side: SideWorth | null, exchange: Exchange): SideWorth | null {
  if (!side) return null
  const each = CONDITIONS.map((condition) => {
    const { amount, low, high } = side[condition]
    return [
      condition,
      { amount: fromCents(amount, exchange), low: fromCents(low, exchange), high: fromCents(high, exchange) },
    ]
  })
  return Object.fromEntries(each) as SideWorth
}
