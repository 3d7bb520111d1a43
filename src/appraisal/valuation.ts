import type { Device, Variant } from '../catalog/device.ts'
import { CONDITIONS } from '../contract/condition-grades.ts'
import type { CarrierLock } from '../contract/pricing.ts'
import { convertCents, type Exchange, US_DOLLARS } from '../currency/exchange.ts'
import { configurationOf } from '../pricing/configuration.ts'
import { resaleFromBuyback } from '../pricing/model/dealer-margin.ts'
import type { ConditionValues, VariantValue } from '../pricing/quotes/device-quotes.ts'
import type { PriceScope } from '../pricing/quotes/quote-service.ts'
import type { FaultKind } from '../repairs/fault-kinds.ts'
import type { OwnPartCosts } from '../repairs/own-part-costs.ts'
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
  ownCosts?: OwnPartCosts | null,
) => VariantValuation | Promise<VariantValuation>

export type ValuationOptions = {
  readonly findValue: (
    variantId: string,
    scope: PriceScope,
    lock: CarrierLock,
  ) => VariantValue | undefined | Promise<VariantValue | undefined>
  readonly repairsOf: (
    variantId: string,
    ownCosts?: OwnPartCosts | null,
  ) => ReadonlyMap<FaultKind, PricedRepair> | undefined
}

type DeviceClass = Pick<Device, 'make' | 'category' | 'specifications'>
type PricedVariant = { readonly variant: Variant; readonly value: VariantValue }

/** Values the cheapest matching variant, so that the offer holds whichever variant it is. Synchronous if prices are cached. */
export function createValuation({ findValue, repairsOf }: ValuationOptions): ValueVariants {
  function valueCheapest(
    device: DeviceClass | null,
    priced: readonly PricedVariant[],
    exchange: Exchange,
    labourPerHour: number,
    ownCosts: OwnPartCosts | null = null,
  ): VariantValuation {
    const withResalePrice = priced.filter(({ value }) => value.resale !== null)
    const cheapest = withResalePrice.reduce<PricedVariant | undefined>(
      (cheapestSoFar, candidate) =>
        cheapestSoFar && goodPrice(cheapestSoFar) <= goodPrice(candidate) ? cheapestSoFar : candidate,
      undefined,
    )
    const selected = cheapest ?? priced[0]
    if (!selected) return { value: null, repairCosts: NO_COSTS, defectRatios: defectRatiosOf(device, null) }
    const repairs = repairsOf(selected.variant.id, ownCosts)
    const costs = repairs ? repairCostsIn(repairs, exchange, labourPerHour) : NO_COSTS
    return {
      value: convertValue(selected.value, exchange),
      repairCosts: costs,
      defectRatios: defectRatiosOf(device, selected.value),
    }
  }

  return (device, variants, exchange, labourPerHour, scope, lock, ownCosts = null) => {
    const pending: Promise<PricedVariant | undefined>[] = []
    const priced: PricedVariant[] = []
    for (const variant of onePerConfiguration(variants)) {
      const value = findValue(variant.id, scope, lock)
      if (value instanceof Promise) pending.push(value.then((loaded) => loaded && { variant, value: loaded }))
      else if (value) priced.push({ variant, value })
    }
    if (pending.length === 0) return valueCheapest(device, priced, exchange, labourPerHour, ownCosts)
    return Promise.all(pending).then((loaded) =>
      valueCheapest(
        device,
        [...priced, ...loaded.filter((variant) => variant !== undefined)],
        exchange,
        labourPerHour,
        ownCosts,
      ),
    )
  }
}

/** Trade-in price as a share of the resale price, if only resale prices are known. */
const TYPICAL_TRADE_IN_SHARE = 0.75
const UNKNOWN_DEVICE: DeviceClass = { make: '', category: '', specifications: {} }
const UNKNOWN_GOOD_CENTS = 20_000

/**
 * Ratios learned from dealers' prices, refined by observed prices of defective devices of the model. A defect lowers the
 * resale price less than the trade-in price, because handling costs are a larger share of a cheap device's price. `value` is in US cents.
 */
export function defectRatiosOf(
  device: DeviceClass | null,
  value: VariantValue | null,
  families?: BundledDefectRatios['families'],
): DefectRatioSides {
  const knownDevice = device ?? UNKNOWN_DEVICE
  const goodTradeInCents =
    value?.buyback?.Good.amount || (value?.resale?.Good.amount ?? 0) * TYPICAL_TRADE_IN_SHARE || UNKNOWN_GOOD_CENTS
  const buyback = tradeInDefectRatios(knownDevice, goodTradeInCents, families)
  const logResalePrice = (ratio: number) => resaleFromBuyback(Math.log(goodTradeInCents * ratio))
  const resaleRatio = (ratio: number) => Math.exp(logResalePrice(ratio) - logResalePrice(1))
  const resale: DefectRatios = {
    damaged: resaleRatio(buyback.damaged),
    broken: resaleRatio(buyback.broken),
    dead: resaleRatio(buyback.dead),
    halfWidth80: buyback.halfWidth80,
  }
  return refineRatios({ resale, buyback }, value?.defectRatios ?? [])
}

const NO_COSTS: RepairCosts = new Map()

function repairCostsIn(
  repairs: ReadonlyMap<FaultKind, PricedRepair>,
  exchange: Exchange,
  labourPerHour: number,
): RepairCosts {
  const costs = new Map<FaultKind, RepairCost>()
  for (const { kind, name, minutes, partsMinCents, partsMaxCents } of repairs.values()) {
    const parts = { min: convertCents(partsMinCents, exchange), max: convertCents(partsMaxCents, exchange) }
    costs.set(kind, calculateRepairCost({ kind, name, minutes, parts }, labourPerHour))
  }
  return costs
}

const goodPrice = ({ value }: PricedVariant) => value.resale?.Good.amount ?? 0

/** Variants that differ in colour alone cost the same. */
function onePerConfiguration(variants: readonly Variant[]): readonly Variant[] {
  if (variants.length < 2) return variants
  return [...new Map(variants.map((variant) => [configurationOf(variant), variant])).values()]
}

function convertValue(value: VariantValue, exchange: Exchange): VariantValue {
  if (exchange === US_DOLLARS) return value
  return {
    ...value,
    resale: convertConditionValues(value.resale, exchange),
    buyback: convertConditionValues(value.buyback, exchange),
  }
}

function convertConditionValues(side: ConditionValues | null, exchange: Exchange): ConditionValues | null {
  if (!side) return null
  const entries = CONDITIONS.map((condition) => {
    const { amount, low, high } = side[condition]
    return [
      condition,
      { amount: convertCents(amount, exchange), low: convertCents(low, exchange), high: convertCents(high, exchange) },
    ]
  })
  return Object.fromEntries(entries) as ConditionValues
}
