import type { MergedRepair } from './merged-facts.ts'
import type { CostRange } from './repair-fact.ts'

/**
 * A documented time is the middle of what guides give: "30 minutes to 1 hour" is kept as 45. The range is given back as
 * two thirds of it, for a practised hand, to four thirds, for the first repair of its kind.
 */
const MIN_TIME_FACTOR = 2 / 3
const MAX_TIME_FACTOR = 4 / 3

const MINUTES_PER_HOUR = 60

/** What work of so many minutes costs at a rate per hour. */
export function labourRange(minutes: number, perHour: number): CostRange {
  const cents = (minutes / MINUTES_PER_HOUR) * perHour
  return { minCents: Math.round(cents * MIN_TIME_FACTOR), maxCents: Math.round(cents * MAX_TIME_FACTOR) }
}

/** The same for a repair; null when no source says how long it takes. */
export function labourCost({ minutes }: Pick<MergedRepair, 'minutes'>, centsPerHour: number): CostRange | null {
  return minutes && labourRange(minutes.value, centsPerHour)
}
