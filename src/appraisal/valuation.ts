import type { Device, Variant } from '../catalog/device.ts'
import { CONDITIONS } from '../contract/condition-grades.ts'
import type { CarrierLock } from '../contract/pricing.ts'
import { convertCents, type Exchange, US_DOLLARS } from '../currency/exchange.ts'
import { configurationOf } from '../pricing/configuration.ts'
import { resaleFromBuyback } from '../pricing/model/dealer-margin.ts'
import type { ConditionValues, VariantValue } from '../pricing/quotes/device-quotes.ts'
import type { PriceScope } from '../pricing/quotes/quote-service.ts'
import type { FaultKind } from '../repairs/fault-kinds.ts'
import type { PricedRepair } from '../repairs/priced-repair.ts'
import type { AppraisalFacts } from './appraise.ts'
import {
  type BundledDefectRatios,
  type DefectRatioSides,
  type DefectRatios,
  refineRatios,
  tradeInDefectRatios,
} from './defect-ratios.ts'
import { calculateRepairCost, type RepairCost, type RepairCosts } from './repair-cost.ts'

export type VariantValuation = Pick<AppraisalFacts, 'value' | 'repairCosts' | 'defectRatios'>
/** `device` is null when the device is not identified. Amounts, including the labour rate, are in the currency of `exchange`. */
export type ValueVariants = (
  device: DeviceClass | null,
  variants: readonly Variant[],
  exchange: Exchange,
  labourPerHour: number,
  scope: PriceScope,
  lock: CarrierLock,
) => VariantValuation | Promise<VariantValuation>

export type ValuationOptions = {
  readonly valueOf: (
    variantId: string,
    scope: PriceScope,
    lock: CarrierLock,
  ) => VariantValue | undefined | Promise<VariantValue | undefined>
  readonly repairsOf: (variantId: string) => ReadonlyMap<FaultKind, PricedRepair> | undefined
}

type DeviceClass = Pick<Device, 'make' | 'category'>
type PricedVariant = { readonly variant: Variant; readonly worth: VariantValue }

/** Values the cheapest matching variant, so that the offer holds whichever variant it is. Synchronous if prices are cached. */
export function createValuation({ valueOf: worthOf, repairsOf }: ValuationOptions): ValueVariants {
  function valued(
    device: DeviceClass | null,
    priced: readonly PricedVariant[],
    exchange: Exchange,
    labourPerHour: number,
  ): VariantValuation {
    const known = priced.filter(({ worth }) => worth.resale !== null)
    const cheapest = known.reduce<PricedVariant | undefined>(
      (least, each) => (least && goodPrice(least) <= goodPrice(each) ? least : each),
      undefined,
    )
    const chosen = cheapest ?? priced[0]
    if (!chosen) return { value: null, repairCosts: NO_COSTS, defectRatios: defectRatiosOf(device, null) }
    const repairs = repairsOf(chosen.variant.id)
    const costs = repairs ? repairCostsIn(repairs, exchange, labourPerHour) : NO_COSTS
    return {
      value: convertValue(chosen.worth, exchange),
      repairCosts: costs,
      defectRatios: defectRatiosOf(device, chosen.worth),
    }
  }

  return (device, variants, exchange, labourPerHour, scope, lock) => {
    const waiting: Promise<PricedVariant | undefined>[] = []
    const priced: PricedVariant[] = []
    for (const variant of onePerConfiguration(variants)) {
      const worth = worthOf(variant.id, scope, lock)
      if (worth instanceof Promise) waiting.push(worth.then((loaded) => loaded && { variant, worth: loaded }))
      else if (worth) priced.push({ variant, worth })
    }
    if (waiting.length === 0) return valued(device, priced, exchange, labourPerHour)
    return Promise.all(waiting).then((loaded) =>
      valued(device, [...priced, ...loaded.filter((each) => each !== undefined)], exchange, labourPerHour),
    )
  }
}

/** What a trade-in costs where only resale prices are known. */
const TYPICAL_TRADE_IN_SHARE = 0.75
const UNKNOWN_DEVICE: DeviceClass = { make: '', category: '' }
const UNKNOWN_GOOD_CENTS = 20_000

/**
 * Ratios learned from what dealers pay, refined by observed prices of defective devices of the model. When such a device is sold again its price falls less: of a cheaper device a larger part
 * is what handling one piece costs. `worth` is in US cents.
 */
export function defectRatiosOf(
  device: DeviceClass | null,
  worth: VariantValue | null,
  families?: BundledDefectRatios['families'],
): DefectRatioSides {
  const known = device ?? UNKNOWN_DEVICE
  const paidGood =
    worth?.buyback?.Good.amount || (worth?.resale?.Good.amount ?? 0) * TYPICAL_TRADE_IN_SHARE || UNKNOWN_GOOD_CENTS
  const buyback = tradeInDefectRatios(known, paidGood, families)
  const resaleOf = (ratio: number) => resaleFromBuyback(Math.log(paidGood * ratio))
  const resaleRatio = (ratio: number) => Math.exp(resaleOf(ratio) - resaleOf(1))
  const resale: DefectRatios = {
    damaged: resaleRatio(buyback.damaged),
    broken: resaleRatio(buyback.broken),
    dead: resaleRatio(buyback.dead),
    halfWidth80: buyback.halfWidth80,
  }
  return refineRatios({ resale, buyback }, worth?.defectRatios ?? [])
}

const NO_COSTS: RepairCosts = new Map()

type CachedCosts = { readonly exchange: Exchange; readonly labourPerHour: number; readonly costs: RepairCosts }
const costCache = new WeakMap<ReadonlyMap<FaultKind, PricedRepair>, CachedCosts>()

/** Repair costs of a device at a labour rate; cached, since most callers use the same rate. */
function repairCostsIn(
  repairs: ReadonlyMap<FaultKind, PricedRepair>,
  exchange: Exchange,
  labourPerHour: number,
): RepairCosts {
  const before = costCache.get(repairs)
  if (before?.exchange === exchange && before.labourPerHour === labourPerHour) return before.costs
  const costs = new Map<FaultKind, RepairCost>()
  for (const { kind, name, minutes, partsMinCents, partsMaxCents } of repairs.values()) {
    const parts = { min: convertCents(partsMinCents, exchange), max: convertCents(partsMaxCents, exchange) }
    costs.set(kind, calculateRepairCost({ kind, name, minutes, parts }, labourPerHour))
  }
  costCache.set(repairs, { exchange, labourPerHour, costs })
  return costs
}

const goodPrice = ({ worth }: PricedVariant) => worth.resale?.Good.amount ?? 0

/** Variants that differ in colour alone cost the same. */
function onePerConfiguration(variants: readonly Variant[]): readonly Variant[] {
  if (variants.length < 2) return variants
  return [...new Map(variants.map((variant) => [configurationOf(variant), variant])).values()]
}

function convertValue(worth: VariantValue, exchange: Exchange): VariantValue {
  if (exchange === US_DOLLARS) return worth
  return {
    ...worth,
    resale: convertConditionValues(worth.resale, exchange),
    buyback: convertConditionValues(worth.buyback, exchange),
  }
}

function convertConditionValues(side: ConditionValues | null, exchange: Exchange): ConditionValues | null {
  if (!side) return null
  const each = CONDITIONS.map((condition) => {
    const { amount, low, high } = side[condition]
    return [
      condition,
      { amount: convertCents(amount, exchange), low: convertCents(low, exchange), high: convertCents(high, exchange) },
    ]
  })
  return Object.fromEntries(each) as ConditionValues
}
