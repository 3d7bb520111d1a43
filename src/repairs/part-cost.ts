import { type Device, isFoldable } from '../catalog/device.ts'
import { launchPrices } from '../catalog/launch-price.ts'
import { startOfDay, YEAR_MS } from '../lib/time.ts'
import type { FactLevel, PartKind } from './fault-kinds.ts'
import { BUNDLED_SOURCE, type CostRange, type Sourced } from './repair-fact.ts'

/** Cost of a part for devices of a family: a share of the launch price that falls with age, with a minimum. */
export type PartRate = {
  readonly share: readonly [low: number, high: number]
  readonly leastCents: readonly [low: number, high: number]
}

type PartRates = Readonly<Partial<Record<PartKind, PartRate>>>

export const DEVICE_CLASSES = ['foldable', 'flagship', 'standard', 'entry'] as const
export type DeviceClass = (typeof DEVICE_CLASSES)[number]

export type CostFamily = {
  readonly level: Extract<FactLevel, 'line' | 'category'>
  /** A line's id or a category's slug. */
  readonly subject: string
  /** Used if the catalogue has no launch price. */
  readonly typicalListCents: number
  readonly yearlyFactor: number
  readonly leastFactor: number
  readonly parts: PartRates
  /** Devices of a class have other rates, and another typical price. */
  readonly classes?: Readonly<
    Partial<Record<DeviceClass, { readonly typicalListCents?: number; readonly parts?: PartRates }>>
  >
  /** Cost of an LCD relative to an OLED display of the same device class. */
  readonly lcdFactor?: number
  /** The maker sells original parts for this many years, at prices that do not fall: the upper end stays, below the used price. */
  readonly makerPartYears?: number
}

export type CostModel = {
  /** Ages are measured up to this day, so that responses do not drift without new data. */
  readonly pricedOn: string
  readonly typicalAgeYears: number
  readonly families: readonly CostFamily[]
  /** Part costs in the market of the service relative to the United States; 1 if absent. */
  readonly marketFactor?: number
  /** Published prices of makers by device id: upper ends that may exceed the price of the used device. */
  readonly makerPrices?: MakerPrices
}

export type MakerPrices = {
  readonly source: string
  readonly cents: Readonly<Record<string, Readonly<Partial<Record<PartKind, number>>>>>
}

export const REFERENCE_SOURCE = 'reference ranges'
/** Source of costs that were learned from the costs an organization booked. */
export const OWN_COST_SOURCE = 'own costs'
const DOLLAR = 100
/** Parts of very cheap devices would have floors above their price; such parts have no market. */
const MAX_SHARE_OF_LIST_PRICE = 0.6

/**
 * A used device in good condition as a share of its launch price, for devices whose price is not loaded: curves through our own
 * first prices. Nobody pays more for a part than for another device, nor, where the maker sells no parts, for most of one. Cameras,
 * drones and computers without a screen keep their value, so that their parts have no limit until their price is loaded.
 */
const VALUE_WHEN_NEW = 0.75
const VALUE_YEARLY_FACTORS: Readonly<Record<string, number>> = {
  smartphone: 0.73,
  tablet: 0.8,
  laptop: 0.82,
  smartwatch: 0.8,
  'fitness-tracker': 0.8,
  'e-reader': 0.86,
  earbuds: 0.8,
  headphones: 0.85,
  'graphics-card': 0.92,
  'game-console': 0.95,
}
const MIN_VALUE_SHARE = 0.05
const MAX_PART_SHARE_OF_VALUE = 0.7
/** The range of a part never shrinks below this ratio. */
const MIN_RANGE_RATIO = 1.4

/** Percent: how much of the estimate is known. `limited`: parts of its class cost more than this whole device. */
const CONFIDENCE = { listed: 50, announced: 40, unknown: 20, perLine: 10, limited: 15 } as const

/**
 * Reference range for one part of one device, in whole dollars; null if no family has that part. `goodCents`: lowest price of the
 * device in good condition, null if it is not known.
 */
export function estimatePartCost(
  model: CostModel,
  device: Pick<Device, 'id' | 'releasedOn' | 'variants' | 'specifications'>,
  subjects: { readonly line: string | null; readonly category: string },
  part: PartKind,
  goodCents: number | null = null,
): Sourced<CostRange> | null {
  const deviceClass = classOf(device)
  const rateIn = ({ parts, classes }: CostFamily) => classes?.[deviceClass]?.parts?.[part] ?? parts[part]
  const family =
    model.families.find((each) => each.level === 'line' && each.subject === subjects.line && rateIn(each)) ??
    model.families.find((each) => each.level === 'category' && each.subject === subjects.category && rateIn(each))
  const rate = family && rateIn(family)
  if (!family || !rate) return null
  const { basis } = launchPrices(device)
  const listCents =
    lowestLaunchCents(device) ?? family.classes?.[deviceClass]?.typicalListCents ?? family.typicalListCents
  const age = ageYears(model, device.releasedOn)
  const ageFactor = Math.max(family.leastFactor, family.yearlyFactor ** age)
  const isMakerPart = family.makerPartYears !== undefined && age <= family.makerPartYears
  const displayFactor = part === 'screen' && isLcd(device) ? (family.lcdFactor ?? 1) : 1
  const endCents = (end: 0 | 1, factor: number) =>
    Math.max(
      Math.min(rate.leastCents[end], listCents * MAX_SHARE_OF_LIST_PRICE) * displayFactor,
      listCents * rate.share[end] * factor * displayFactor,
    )
  const marketFactor = model.marketFactor ?? 1
  const highest = endCents(1, isMakerPart ? 1 : ageFactor)
  const marketCents = highest * marketFactor
  const valueCents = goodCents ?? usualValueCents(listCents, age, subjects.category) * marketFactor
  const mayCostAll = isMakerPart && marketCents > (goodCents ?? Number.POSITIVE_INFINITY)
  const limitCents = isMakerPart ? (goodCents ?? marketCents) : valueCents * MAX_PART_SHARE_OF_VALUE
  const estimatedCents = Math.min(
    inDollars(Math.min(marketCents, limitCents)),
    goodCents === null ? Number.POSITIVE_INFINITY : atMostDollars(goodCents),
  )
  const makerCents = model.makerPrices?.cents[device.id]?.[part]
  const maxCents = makerCents ?? estimatedCents
  const minCents = Math.min(inDollars(endCents(0, ageFactor) * marketFactor), inDollars(maxCents / MIN_RANGE_RATIO))
  const range = { minCents: Math.min(minCents, maxCents), maxCents }
  if (model.makerPrices && makerCents !== undefined) {
    return { value: range, level: 'device', source: `${BUNDLED_SOURCE}: ${model.makerPrices.source}` }
  }
  const confidence = CONFIDENCE[basis ?? 'unknown'] + (family.level === 'line' ? CONFIDENCE.perLine : 0)
  return {
    value: range,
    level: family.level,
    source: REFERENCE_SOURCE,
    confidence: mayCostAll ? Math.min(confidence, CONFIDENCE.limited) : confidence,
  }
}

const inDollars = (cents: number) => Math.max(1, Math.round(cents / DOLLAR)) * DOLLAR
const atMostDollars = (cents: number) => Math.max(1, Math.floor(cents / DOLLAR)) * DOLLAR

/** The value of a used device of its category, by its launch price and age. */
function usualValueCents(listCents: number, age: number, category: string): number {
  const yearlyFactor = VALUE_YEARLY_FACTORS[category]
  if (yearlyFactor === undefined) return Number.POSITIVE_INFINITY
  return listCents * Math.max(MIN_VALUE_SHARE, VALUE_WHEN_NEW * yearlyFactor ** age)
}

const FLAGSHIP_CENTS = 70_000
const ENTRY_CENTS = 22_000
const isLcd = ({ specifications: { display = '' } }: Pick<Device, 'specifications'>) =>
  /lcd|ips|tft/i.test(display) && !/oled/i.test(display)

/** By the launch price; without one, by the display. */
function classOf(device: Pick<Device, 'variants' | 'specifications'>): DeviceClass {
  const { display = '' } = device.specifications
  if (isFoldable(device)) return 'foldable'
  const cents = lowestLaunchCents(device)
  if (cents !== null) return cents >= FLAGSHIP_CENTS ? 'flagship' : cents < ENTRY_CENTS ? 'entry' : 'standard'
  const pixels = pixelsAcross(display)
  if (/ltpo/i.test(display) || (pixels !== null && pixels >= FLAGSHIP_PIXELS)) return 'flagship'
  const isCoarseLcd = isLcd(device) && pixels !== null && pixels <= ENTRY_PIXELS
  return isCoarseLcd || hasLittleMemory(device) ? 'entry' : 'standard'
}

const FLAGSHIP_PIXELS = 1_440
const ENTRY_PIXELS = 720

/** The shorter side of "1600 x 720". */
function pixelsAcross(display: string): number | null {
  const [, width, height] = /(\d{3,4})\s*[x×]\s*(\d{3,4})/i.exec(display) ?? []
  return width && height ? Math.min(Number(width), Number(height)) : null
}

const ENTRY_MEMORY_GB = 4

/** Phones with this little memory are entry models, whenever they were made. */
function hasLittleMemory({ specifications: { memory = '' } }: Pick<Device, 'specifications'>): boolean {
  const gigabytes = Array.from(memory.matchAll(/(\d+(?:\.\d+)?)\s*(mb|gb)/gi), ([, amount, unit]) =>
    unit?.toLowerCase() === 'mb' ? Number(amount) / 1024 : Number(amount),
  )
  return gigabytes.length > 0 && Math.max(...gigabytes) <= ENTRY_MEMORY_GB
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
