import type { Variant } from '../catalog/device.ts'
import { CONDITIONS } from '../contract/grades.ts'
import { DOLLARS, type Exchange, fromCents } from '../currency/exchange.ts'
import { configurationOf } from '../pricing/market/configuration.ts'
import type { SideWorth, Worth } from '../pricing/serve/device-quotes.ts'
import type { FaultKind } from '../repair/kind.ts'
import type { KnownRepair } from '../repair/repair-option.ts'
import type { OptionOf } from './mending.ts'

export type Valued = { readonly worth: Worth | null; readonly optionOf: OptionOf }
export type Valuation = (variants: readonly Variant[], exchange: Exchange) => Valued | Promise<Valued>

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
  function valued(priced: readonly Priced[], exchange: Exchange): Valued {
    const known = priced.filter(({ worth }) => worth.resale !== null)
    const cheapest = known.reduce<Priced | undefined>(
      (least, each) => (least && goodCents(least) <= goodCents(each) ? least : each),
      undefined,
    )
    const chosen = cheapest ?? priced[0]
    if (!chosen) return { worth: null, optionOf: () => null }
    const repairs = repairsOf(chosen.variant.id)
    return {
      worth: inCurrency(chosen.worth, exchange),
      optionOf(kind) {
        const repair = repairs?.get(kind)
        if (!repair) return null
        const parts = { min: fromCents(repair.partsMinCents, exchange), max: fromCents(repair.partsMaxCents, exchange) }
        return { kind, name: repair.name, minutes: repair.minutes, parts }
      },
    }
  }

  return (variants, exchange) => {
    const waiting: Promise<Priced | undefined>[] = []
    const priced: Priced[] = []
    for (const variant of oneOfEach(variants)) {
      const worth = worthOf(variant.id)
      if (worth instanceof Promise) waiting.push(worth.then((loaded) => loaded && { variant, worth: loaded }))
      else if (worth) priced.push({ variant, worth })
    }
    if (waiting.length === 0) return valued(priced, exchange)
    return Promise.all(waiting).then((loaded) =>
      valued([...priced, ...loaded.filter((each) => each !== undefined)], exchange),
    )
  }
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
