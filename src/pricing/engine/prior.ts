import { YEAR_MS } from '../../time.ts'
import type { DeviceFacts } from './observation.ts'
import type { PriorCoefficients } from './prior-coefficients.ts'

/** Straight lines between the knots, flat before the first and after the last. */
function interpolate(knots: readonly number[], values: readonly number[], at: number): number {
  const last = knots.length - 1
  if (at <= (knots[0] as number)) return values[0] as number
  if (at >= (knots[last] as number)) return values[last] as number
  let right = 1
  while ((knots[right] as number) < at) right += 1
  const from = knots[right - 1] as number
  const share = (at - from) / ((knots[right] as number) - from)
  return (values[right - 1] as number) * (1 - share) + (values[right] as number) * share
}

export function ageYears(device: DeviceFacts, now: number): number | null {
  return device.releasedAt === null ? null : Math.max(0, (now - device.releasedAt) / YEAR_MS)
}

/**
 * How fast other things lose their price beside a phone. Rules of thumb from resale price lists: no set was at hand to fit them on,
 * so a price that rests on one is less sure by `UNFITTED_SPREAD`.
 */
const PACES: Readonly<Record<string, number>> = {
  tablet: 0.85,
  laptop: 0.75,
  desktop: 0.75,
  'game console': 0.3,
  camera: 0.45,
  'action camera': 0.8,
  drone: 0.6,
  'vr headset': 0.8,
  headphones: 0.75,
  'e-reader': 0.8,
  'smart speaker': 0.8,
  'portable speaker': 0.7,
}

/** Further spread (ln) of a price whose curve was not fitted on prices of its kind. */
export const UNFITTED_SPREAD = 0.2

export function paceOf(category: string): number {
  const name = category.toLowerCase()
  return Object.hasOwn(PACES, name) ? (PACES[name] as number) : 1
}

const ERA_FROM = Date.UTC(2021, 0, 1)
/** The sets the prior was fitted on end here: beyond, the trend is not carried on. */
const ERA_YEARS = [-4, 5.5] as const
const ERA_AGES = [0, 7] as const

/** Used phones keep more of their price than they did some years ago, old ones most of all. */
export function eraShift(now: number, age: number, prior: PriorCoefficients): number {
  const years = Math.max(ERA_YEARS[0], Math.min(ERA_YEARS[1], (now - ERA_FROM) / YEAR_MS))
  const aged = Math.max(ERA_AGES[0], Math.min(ERA_AGES[1], age)) - 3
  return years * (prior.eraLevel + prior.eraByAge * aged)
}

/** ln cents of the smallest variant in Good, sold and unlocked, as the launch price and the age foretell it. */
export function curveLevel(device: DeviceFacts, now: number, prior: PriorCoefficients): number | null {
  const list = storageSteps(device).baseLn
  const age = ageYears(device, now)
  if (list === null || age === null) return null
  const curve = device.make === 'Apple' ? prior.appleCurve : prior.otherCurve
  const pace = paceOf(device.category)
  const fresh = curve[0] as number
  const fallen = interpolate(prior.ageYears, curve, age) + eraShift(now, age, prior) - fresh
  return list + fresh + pace * fallen
}

/** ln list price a doubling of storage is worth where no list price tells. */
const LN_LIST_PER_DOUBLING = 0.11

export type StorageSteps = {
  /** ln of what the smallest variant cost at launch; null where no list price is known. */
  readonly baseLn: number | null
  /** Distance from the device's smallest variant in ln of launch price, and in doublings of storage. */
  readonly list: Float64Array
  readonly doublings: Float64Array
  readonly gigabytes: Float64Array
  /** 1 for a variant that was added later, when the model already sold for less: its pieces are younger. */
  readonly late: Float64Array
}

/**
 * How far each variant stands above the device's smallest: used prices keep part of the distance the launch prices had,
 * and pay for storage besides. A variant that came later at the price of a smaller one (an old model sold on) would look
 * too cheap: its list price is replaced by what its storage would have cost beside the others.
 */
export function storageSteps(device: DeviceFacts): StorageSteps {
  let steps = known.get(device)
  if (!steps) {
    steps = countSteps(device)
    known.set(device, steps)
  }
  return steps
}

/** Asked for many times while a market is learnt, and the same every time. */
const known = new WeakMap<DeviceFacts, StorageSteps>()

function countSteps(device: DeviceFacts): StorageSteps {
  const order = device.variants
    .map((variant, at) => ({ at, list: variant.listCents || 0, doublings: Math.log2(variant.storageGb || 1) }))
    .sort((a, b) => a.doublings - b.doublings || a.list - b.list || a.at - b.at)
  const told: { doublings: number; ln: number }[] = []
  let highest = 0
  let storage = Number.NEGATIVE_INFINITY
  for (const { list, doublings } of order) {
    const larger = doublings > storage
    if (list && list > highest && larger) told.push({ doublings, ln: Math.log(list) })
    if (larger) storage = doublings
    highest = Math.max(highest, list)
  }
  const levels = new Float64Array(device.variants.length)
  const doubled = new Float64Array(device.variants.length)
  const late = new Float64Array(device.variants.length)
  const smallest = order.find((variant) => variant.doublings > 0)?.doublings ?? 0
  const cheapest = new Map<number, number>()
  for (const { at, list, doublings } of order) {
    const among = cheapest.get(doublings) ?? list
    cheapest.set(doublings, among)
    // Variants of one storage differ in memory, size or modem: there the list price alone tells.
    const premium = list && among ? Math.log(list / among) : 0
    levels[at] = contemporary(told, doublings) + premium
    const isTold = told.some((point) => point.doublings === doublings)
    late[at] =
      list &&
      doublings > 0 &&
      !isTold &&
      list <= Math.max(...told.map((p) => (p.doublings < doublings ? Math.exp(p.ln) + 0.5 : 0)))
        ? 1
        : 0
    doubled[at] = doublings > 0 ? doublings - smallest : 0
  }
  const lowest = levels.length ? Math.min(...levels) : 0
  return {
    baseLn: told.length ? lowest : null,
    list: levels.map((level) => Math.min(2, level - lowest)),
    doublings: doubled,
    gigabytes: Float64Array.from(device.variants, (v) => v.storageGb ?? 0),
    late,
  }
}

function contemporary(told: readonly { doublings: number; ln: number }[], doublings: number): number {
  const first = told[0]
  const last = told.at(-1)
  if (!first || !last) return LN_LIST_PER_DOUBLING * doublings
  const reach = last.doublings - first.doublings
  const slope = reach > 0 ? (last.ln - first.ln) / reach : LN_LIST_PER_DOUBLING
  if (doublings <= first.doublings) return first.ln - slope * (first.doublings - doublings)
  if (doublings >= last.doublings) return last.ln + slope * (doublings - last.doublings)
  return interpolate(
    told.map((point) => point.doublings),
    told.map((point) => point.ln),
    doublings,
  )
}

/** Both distances in one number: the direction in which a device, or an age, may have a slope of its own. */
export function combinedStep(steps: StorageSteps, variant: number): number {
  return 0.6 * (steps.list[variant] as number) + 0.03 * (steps.doublings[variant] as number)
}
