/** How far the prices of an organization are from the common ones, and how far that reaches to devices without own prices. */
import type { Trade } from '../model/observation.ts'
import { GRADE_COUNT } from '../model/observation-columns.ts'
import { median, NORMAL_HALF_WIDTH80, NORMAL_MEDIAN, quantile } from '../model/quantile.ts'
import { categoryKey, fitLevelTree, type LevelSubject, type LevelTree, MIN_GROUP_DEVICES } from './level-tree.ts'
import {
  agreedCenter,
  DEVICE_SPREAD,
  heldOutDistances,
  isNear,
  type LevelOfPrices,
  MAX_DISTANCE,
} from './own-device.ts'
import { askPremiumOf, type Distance, withoutPremium } from './own-distances.ts'

/** Distance (ln) of an organization's own prices of a device from the common ones, for resale or buyback. */
export type OwnLevel = LevelOfPrices & {
  /** Half-widths (ln) that hold 80 % of own prices: of devices without other own prices, and with some (`seenPrices`). */
  readonly reach: Reach
  readonly prices: number
  /** By how much (ln) own asking prices count as higher than own deals. */
  readonly askPremium: number
}

type Reach = { readonly unseen: number; readonly seen: number; readonly seenPrices: number }

/** The level of one side of the trade, which depends on category, make and age of a device. */
export type OwnSideLevels = { readonly levelOf: (device: LevelSubject) => OwnLevel; readonly prices: number }
export type OwnLevels = Readonly<Record<Trade, OwnSideLevels>>

/** The own prices of one device as distances from the common ones. */
export type OwnDevice = {
  readonly subject: LevelSubject
  readonly distances: readonly Omit<Distance, 'observedAt'>[]
}

/** An organization's level is estimated from its newest prices of this many devices, and a limited number of each. */
export const OWN_LEVEL_DEVICES = 100
export const OWN_LEVEL_ROWS = 12
/** Number of own prices that weigh as much as the common market in the width of a range. */
const HALF_WEIGHT_PRICES = 15
/** Number of devices with own prices of a grade at which half of its distance counts. */
const HALF_WEIGHT_DEVICES = 6
/** The prices of one device weigh at most as much as so many in the level of others. */
const MAX_DEVICE_WEIGHT = 5
const EXPECTED_SPREAD = 0.1
const MIN_SPREAD = 0.04
const MIN_REACH = 0.02
const NO_REACH: Reach = { unseen: 0, seen: 0, seenPrices: 0 }
/** Beyond this (ln) a price does not widen ranges: three times the price. Sellers do pay half of what others pay. */
const MAX_MEASURED_DISTANCE = 1.1

const NO_GRADES: readonly number[] = new Array(GRADE_COUNT).fill(0)

const lnOf = ({ ln }: { readonly ln: number }) => ln
const weightOf = (distances: OwnDevice['distances']) => distances.reduce((sum, { weight }) => sum + weight, 0)

/**
 * An organization's level from the distances of its prices; few of them leave it near the common one. A deviation of one device is
 * its own until several devices show it, so that no device can move the prices of all others.
 */
export function fitOwnLevels(all: readonly OwnDevice[]): OwnSideLevels {
  const askPremium = askPremiumOf(all.flatMap(({ distances }) => distances))
  const devices = all
    .filter(({ distances }) => distances.length > 0)
    .map(({ subject, distances }) => ({ subject, distances: withoutPremium(distances, askPremium) }))
  const tree = fitLevelTree(devices.map(deviceLevel))
  const grades = gradesByCategory(devices, tree)
  const gradesOf = ({ category }: LevelSubject) => grades.get(categoryKey(category)) ?? NO_GRADES
  const errors = devices.flatMap(({ subject, distances }) => {
    const center = tree.centerOf(subject)
    return distances
      .filter(({ ln }) => Math.abs(ln - center) <= MAX_DISTANCE)
      .map(({ ln, cell }) => Math.abs(ln - center - gradesOf(subject)[cell % GRADE_COUNT]!))
  })
  const spread = spreadOf(errors)
  const served = (subject: LevelSubject): LevelOfPrices => ({
    level: tree.levelOf(subject),
    spread,
    grades: gradesOf(subject),
  })
  // Two prices may be so far apart that neither is near their median.
  const reach = errors.length === 0 ? NO_REACH : measureReach(devices, served, tree)
  return {
    prices: errors.length,
    levelOf: (subject) => ({ ...served(subject), reach, prices: errors.length, askPremium }),
  }
}

function deviceLevel({ subject, distances }: OwnDevice) {
  const prices = Math.min(MAX_DEVICE_WEIGHT, weightOf(distances))
  return {
    subject,
    ln: median(distances.map(lnOf)),
    variance: DEVICE_SPREAD ** 2 + EXPECTED_SPREAD ** 2 / Math.max(0.1, prices),
  }
}

/** Spread of single prices from their distances from the level; few of them leave it near the expected one. */
function spreadOf(errors: readonly number[]): number {
  if (errors.length === 0) return EXPECTED_SPREAD
  const measured = Math.max(quantile(errors, 0.8) / NORMAL_HALF_WIDTH80, median(errors) / NORMAL_MEDIAN)
  const blended =
    (measured * errors.length + EXPECTED_SPREAD * HALF_WEIGHT_PRICES) / (errors.length + HALF_WEIGHT_PRICES)
  return Math.max(MIN_SPREAD, blended)
}

function measureReach(
  devices: readonly OwnDevice[],
  served: (subject: LevelSubject) => LevelOfPrices,
  tree: LevelTree,
): Reach {
  // A price in the wrong unit widens no range until others agree.
  const counted = devices.map(({ subject, distances }) => {
    const center = tree.centerOf(subject)
    const own = agreedCenter(distances.map(lnOf)) ?? center
    const plausible = distances.filter(({ ln }) => Math.abs(ln - center) <= MAX_MEASURED_DISTANCE || isNear(ln, own))
    return { subject, distances: plausible }
  })
  const fromLevel = counted.map(({ subject, distances }) => {
    const { level, grades } = served(subject)
    return distances.map(({ ln, cell }) => Math.abs(ln - level - grades[cell % GRADE_COUNT]!))
  })
  const heldOut = counted.flatMap(({ subject, distances }) => heldOutDistances(distances, served(subject)))
  const reachOfAll = reachOf(fromLevel.flat())
  return {
    // Prices of one device that scatter do not widen the ranges of others either.
    unseen: tree.devices >= MIN_GROUP_DEVICES ? reachOf(withoutFarthestDevice(fromLevel, reachOfAll)) : 0,
    seen: heldOut.length ? Math.min(reachOf(heldOut), reachOfAll) : reachOfAll,
    seenPrices: heldOut.length,
  }
}

/** The distance that holds 80 % of further prices: of few measured ones, a higher share. */
const reachOf = (distances: readonly number[]) =>
  Math.max(MIN_REACH, quantile(distances, Math.min(1, 0.8 + 0.8 / distances.length)))

/** The distances of all devices but the one with the most that are beyond the limit. */
function withoutFarthestDevice(byDevice: readonly (readonly number[])[], limit: number): number[] {
  const counts = byDevice.map((distances) => distances.filter((distance) => distance >= limit).length)
  const farthest = counts.indexOf(Math.max(...counts))
  return byDevice.flatMap((distances, at) => (at === farthest ? [] : distances))
}

/** Distance of each grade from the level, from the medians of several devices of a category; few of them leave it near zero. */
function gradesByCategory(devices: readonly OwnDevice[], tree: LevelTree): ReadonlyMap<string, readonly number[]> {
  const categories = Map.groupBy(devices, ({ subject }) => categoryKey(subject.category))
  return new Map(
    [...categories].map(([category, ofCategory]) => [
      category,
      NO_GRADES.map((_, grade) => {
        const medians = ofCategory.flatMap(({ subject, distances }) => {
          const center = tree.centerOf(subject)
          const own = distances.filter(
            ({ cell, ln }) => cell % GRADE_COUNT === grade && Math.abs(ln - center) <= MAX_DISTANCE,
          )
          return own.length > 0 ? median(own.map(({ ln }) => ln - center)) : []
        })
        if (medians.length < MIN_GROUP_DEVICES) return 0
        return (median(medians) * medians.length) / (medians.length + HALF_WEIGHT_DEVICES)
      }),
    ]),
  )
}
