/** Checks whether the sizes, years, chips and generations in a title fit a device. */
import type { ModelFacts } from './device-name.ts'
import type { TitleFacts } from './title-facts.ts'

/** Whether the title states the facts of the device's name. If not, another device of that name may be meant. */
export type FactAgreement = {
  readonly isTimeStated: boolean
  readonly isSizeStated: boolean
  /** The title states the amount in the name; otherwise the device of the same name without an amount is meant. */
  readonly isAmountStated: boolean
  /** The title states exactly the device's chip: M5, not M5 Pro. */
  readonly isChipExact: boolean
}

const MONTHS: Readonly<Record<string, readonly [number, number]>> = {
  early: [1, 5],
  mid: [4, 9],
  late: [8, 12],
  nov: [10, 12],
}

/** Null if a fact contradicts the device. */
export function checkFacts(title: TitleFacts, facts: ModelFacts): FactAgreement | null {
  const { inName } = facts
  /** Facts that distinguish devices of the same name: release time and size. */
  let timeFactCount = 0
  let sizeFactCount = 0
  for (const year of title.years) {
    if (facts.year !== null && year !== facts.year && !isReleaseYearEarly(year, facts)) return null
    timeFactCount++
  }
  if (inName.year && title.otherYears.includes(facts.year as number)) timeFactCount++
  // A device cannot be bought before its release; the year may be that of its announcement.
  if (facts.year !== null && title.otherYears.some((year) => year < (facts.year as number) - 1)) return null
  if (title.partOfYear !== null && !matchesPartOfYear(title.partOfYear, facts)) return null
  if (title.generation !== null) {
    if (title.generation !== facts.generation) return null
    timeFactCount++
  }
  for (const inches of title.inches) {
    if (facts.inches.length > 0 && !facts.inches.some((deviceInches) => isSameScreenSize(inches, deviceInches)))
      return null
    sizeFactCount++
  }
  for (const millimeters of title.millimeters) {
    if (millimeters < 30 || millimeters > 60 || facts.millimeters.length === 0) continue
    if (!facts.millimeters.includes(millimeters)) return null
  }
  for (const chip of title.chips) {
    if (
      inName.chip
        ? !facts.nameChips.includes(chip)
        : facts.chips.length > 0 && !facts.chips.some((deviceChip) => isSameChip(chip, deviceChip))
    )
      return null
    timeFactCount++
  }
  if (facts.chipSeries.length > 0 && title.chipSeries.some((series) => !hasChipSeries(facts, series))) return null
  if (title.batteryMah !== null && facts.batteryMah !== null && !isSameBattery(title.batteryMah, facts.batteryMah))
    return null
  if (title.ports !== null && title.ports !== facts.ports) return null
  if (facts.memories.length > 0 && title.memoryAmounts.some(({ gigabytes }) => !facts.memories.includes(gigabytes)))
    return null
  const needsTime = inName.year || inName.generation || inName.chip
  // Two devices of one year are distinguished by the month in the newer one's name, or by their chips.
  const isMonthMissing = facts.partOfYear === 'nov' && title.partOfYear === null && title.chips.length === 0
  const isAmountStated = facts.nameAmounts.every((nameAmount) =>
    title.memoryAmounts.some(({ gigabytes }) => gigabytes === nameAmount),
  )
  const isTimeStated = isAmountStated && (!needsTime || (timeFactCount > 0 && !isMonthMissing))
  const isSizeStated = !inName.inches || sizeFactCount > 0
  const isChipExact =
    title.chips.length > 0 && title.chips.every((chip) => !isIntel(chip) && facts.chips.includes(chip))
  return { isTimeStated, isSizeStated, isAmountStated, isChipExact }
}

/** Samsung sells one model with either series, and the catalogue lists only one of them. */
const EITHER_SERIES = ['snapdragon', 'exynos']

const hasChipSeries = ({ chipSeries }: ModelFacts, series: string) =>
  chipSeries.includes(series) ||
  (EITHER_SERIES.includes(series) && chipSeries.some((deviceSeries) => EITHER_SERIES.includes(deviceSeries)))

/** Sellers round, and rated and typical capacity differ by a few percent. */
const isSameBattery = (statedMah: number, deviceMah: number) => Math.abs(statedMah - deviceMah) <= deviceMah * 0.08

/** Devices released in the first weeks of a year were announced in the year before and are called by either year. */
const isReleaseYearEarly = (year: number, { year: releaseYear, month, inName }: ModelFacts) =>
  releaseYear !== null && year === releaseYear - 1 && !inName.year && month !== null && month <= 2

function matchesPartOfYear(part: string, facts: ModelFacts): boolean {
  if (facts.partOfYear !== null) return facts.partOfYear === part
  const [from, to] = MONTHS[part] as readonly [number, number]
  return facts.month === null || (facts.month >= from && facts.month <= to)
}

/** Sizes are rounded: a 14.2-inch screen is 14, a 13.3-inch one 13, and 12.9 was sold as 13. */
const isSameScreenSize = (stated: number, size: number) =>
  Math.abs(stated - size) <= 0.35 ||
  (Number.isInteger(stated) && (Math.floor(size) === stated || Math.round(size) === stated))

/** "M1" may mean an M1 Pro, but "M1 Pro" never means an M1. */
const isSameChip = (stated: string, deviceChip: string) =>
  deviceChip === stated ||
  deviceChip.startsWith(`${stated} `) ||
  deviceChip === `${stated}x` ||
  deviceChip === `${stated}z` ||
  (isIntel(stated) && isIntel(deviceChip))

/** The catalogue lists only the most common of several processors an Intel computer was sold with. */
const isIntel = (chip: string) => /^i\d$/.test(chip)
