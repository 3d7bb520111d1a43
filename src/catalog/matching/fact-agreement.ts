/** Whether what a title says of sizes, years, chips and generations can be true of a device. */
import type { ModelFacts } from './device-name.ts'
import type { TitleFacts } from './title-facts.ts'

/** Whether the facts of the device's own name were said. Where they were not, another of that name may be meant. */
export type FactAgreement = {
  readonly isTimeStated: boolean
  readonly isSizeStated: boolean
  /** An amount that stands in the name was said; its namesake without one is meant otherwise. */
  readonly isAmountStated: boolean
  /** A chip was said that the device has under just that name: M5, not M5 Pro. */
  readonly isChipExact: boolean
}

const MONTHS: Readonly<Record<string, readonly [number, number]>> = {
  early: [1, 5],
  mid: [4, 9],
  late: [8, 12],
  nov: [10, 12],
}

/** Null where one of the facts contradicts the device. */
export function checkFacts(title: TitleFacts, facts: ModelFacts): FactAgreement | null {
  const { inName } = facts
  /** Facts that say which of several of one name it is: its time, and its size. */
  let time = 0
  let size = 0
  for (const year of title.years) {
    if (facts.year !== null && year !== facts.year && !isReleaseYearEarly(year, facts)) return null
    time++
  }
  if (inName.year && title.otherYears.includes(facts.year as number)) time++
  // No device was bought before it was on sale; the year may be the one of its announcement.
  if (facts.year !== null && title.otherYears.some((year) => year < (facts.year as number) - 1)) return null
  if (title.partOfYear !== null && !matchesPartOfYear(title.partOfYear, facts)) return null
  if (title.generation !== null) {
    if (title.generation !== facts.generation) return null
    time++
  }
  for (const inches of title.inches) {
    if (facts.inches.length > 0 && !facts.inches.some((own) => isSameScreenSize(inches, own))) return null
    size++
  }
  for (const millimeters of title.millimeters) {
    if (millimeters < 30 || millimeters > 60 || facts.millimeters.length === 0) continue
    if (!facts.millimeters.includes(millimeters)) return null
  }
  for (const chip of title.chips) {
    if (
      inName.chip
        ? !facts.nameChips.includes(chip)
        : facts.chips.length > 0 && !facts.chips.some((own) => isSameChip(chip, own))
    )
      return null
    time++
  }
  if (facts.chipSeries.length > 0 && title.chipSeries.some((series) => !hasChipSeries(facts, series))) return null
  if (title.batteryMah !== null && facts.batteryMah !== null && !isSameBattery(title.batteryMah, facts.batteryMah))
    return null
  if (title.ports !== null && title.ports !== facts.ports) return null
  if (facts.memories.length > 0 && title.memoryAmounts.some(({ gigabytes }) => !facts.memories.includes(gigabytes)))
    return null
  const needsTime = inName.year || inName.generation || inName.chip
  // Two of one year are told apart by the month in the newer one's name, or by their chips.
  const isMonthUnsaid = facts.partOfYear === 'nov' && title.partOfYear === null && title.chips.length === 0
  const isAmountSaid = facts.nameAmounts.every((own) => title.memoryAmounts.some(({ gigabytes }) => gigabytes === own))
  const isTimeSaid = isAmountSaid && (!needsTime || (time > 0 && !isMonthUnsaid))
  const isSizeSaid = !inName.inches || size > 0
  const isChipExact =
    title.chips.length > 0 && title.chips.every((chip) => !isIntel(chip) && facts.chips.includes(chip))
  return { isTimeStated: isTimeSaid, isSizeStated: isSizeSaid, isAmountStated: isAmountSaid, isChipExact }
}

/** Samsung sells one model with either of its two series, and the catalogue names one of them. */
const EITHER_SERIES = ['snapdragon', 'exynos']

const hasChipSeries = ({ chipSeries }: ModelFacts, series: string) =>
  chipSeries.includes(series) ||
  (EITHER_SERIES.includes(series) && chipSeries.some((own) => EITHER_SERIES.includes(own)))

/** Sellers round, and rated and typical capacity differ by a few percent. */
const isSameBattery = (stated: number, own: number) => Math.abs(stated - own) <= own * 0.08

/** What came out in the first weeks of a year was announced in the one before, and is called after either. */
const isReleaseYearEarly = (year: number, { year: own, month, inName }: ModelFacts) =>
  own !== null && year === own - 1 && !inName.year && month !== null && month <= 2

function matchesPartOfYear(part: string, facts: ModelFacts): boolean {
  if (facts.partOfYear !== null) return facts.partOfYear === part
  const [from, to] = MONTHS[part] as readonly [number, number]
  return facts.month === null || (facts.month >= from && facts.month <= to)
}

/** People round: a 14.2-inch screen is 14, a 13.3-inch one 13, and 12.9 was sold as 13. */
const isSameScreenSize = (stated: number, size: number) =>
  Math.abs(stated - size) <= 0.35 ||
  (Number.isInteger(stated) && (Math.floor(size) === stated || Math.round(size) === stated))

/** "M1" may be said of an M1 Pro, but not the other way round: who names the better chip means it. */
const isSameChip = (stated: string, own: string) =>
  own === stated ||
  own.startsWith(`${stated} `) ||
  own === `${stated}x` ||
  own === `${stated}z` ||
  (isIntel(stated) && isIntel(own))

/** The catalogue names the usual one of several processors an Intel machine was sold with. */
const isIntel = (chip: string) => /^i\d$/.test(chip)
