import type { Device } from '../catalog/device.ts'
import { launchPrices } from '../catalog/launch-price.ts'
import { startOfDay, YEAR_MS } from '../lib/time.ts'
import type { FactLevel, PartKind } from './fault-kinds.ts'
import type { CostRange, Sourced } from './repair-fact.ts'

/** Cost of a part for devices of a family: a share of the launch price that falls with age, with a minimum. */
export type PartRate = {
  readonly share: readonly [low: number, high: number]
  readonly leastCents: readonly [low: number, high: number]
}

export type CostFamily = {
  readonly level: Extract<FactLevel, 'line' | 'category'>
  /** A line's id or a category's slug. */
  readonly subject: string
  /** Used if the catalogue has no launch price. */
  readonly typicalListCents: number
  readonly yearlyFactor: number
  readonly leastFactor: number
  readonly parts: Readonly<Partial<Record<PartKind, PartRate>>>
}

export type CostModel = {
  /** Ages are measured up to this day, so that responses do not drift without new data. */
  readonly pricedOn: string
  readonly typicalAgeYears: number
  readonly families: readonly CostFamily[]
  /** Part costs in the market of the service relative to the United States; 1 if absent. */
  readonly marketFactor?: number
}

export const REFERENCE_SOURCE = 'reference ranges'
const DOLLAR = 100
/** Parts of very cheap devices would have floors above their price; such parts have no market. */
const MAX_SHARE_OF_LIST_PRICE = 0.6

/** Reference range for one part of one device, in whole dollars; null if no family has that part. */
export function estimatePartCost(
  model: CostModel,
  device: Pick<Device, 'releasedOn' | 'variants'>,
  subjects: { readonly line: string | null; readonly category: string },
  part: PartKind,
): Sourced<CostRange> | null {
  const family =
    model.families.find((each) => each.level === 'line' && each.subject === subjects.line && each.parts[part]) ??
    model.families.find((each) => each.level === 'category' && each.subject === subjects.category && each.parts[part])
  const rate = family?.parts[part]
  if (!family || !rate) return null
  const listCents = lowestLaunchCents(device) ?? family.typicalListCents
  const ageFactor = Math.max(family.leastFactor, family.yearlyFactor ** ageYears(model, device.releasedOn))
  const [minCents, maxCents] = [0, 1].map((end) => {
    const floorCents = Math.min(rate.leastCents[end] ?? 0, listCents * MAX_SHARE_OF_LIST_PRICE)
    const cents = Math.max(floorCents, listCents * (rate.share[end] ?? 0) * ageFactor) * (model.marketFactor ?? 1)
    return Math.round(cents / DOLLAR) * DOLLAR
  }) as [number, number]
  return { value: { minCents, maxCents }, level: family.level, source: REFERENCE_SOURCE }
}

/** The cheapest variant's price: storage changes a launch price, not the price of a screen. */
function lowestLaunchCents(device: Pick<Device, 'variants'>): number | null {
  const { centsOf } = launchPrices(device)
  const prices = device.variants.flatMap((variant) => centsOf(variant) ?? [])
  return prices.length > 0 ? Math.min(...prices) : null
}

function ageYears(model: CostModel, releasedOn: string | null): number {
  if (releasedOn === null) return model.typicalAgeYears
  return Math.max(0, (startOfDay(model.pricedOn) - startOfDay(releasedOn)) / YEAR_MS)
}
