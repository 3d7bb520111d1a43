import type { CostRange } from './fact.ts'
import type { MergedRepair } from './merged-facts.ts'

/**
 * A documented time is the middle of what guides give: "30 minutes to 1 hour" is kept as 45. The range is given back as
 * two thirds of it, for a practised hand, to four thirds, for the first repair of its kind.
 */
const LEAST_TIME = 2 / 3
const MOST_TIME = 4 / 3

const MINUTES_OF_AN_HOUR = 60

/** What the work costs at a rate per hour; null when no source says how long it takes. */
export function labourCost({ minutes }: Pick<MergedRepair, 'minutes'>, centsPerHour: number): CostRange | null {
  if (minutes === null) return null
  const cents = (minutes.value / MINUTES_OF_AN_HOUR) * centsPerHour
  return { minCents: Math.round(cents * LEAST_TIME), maxCents: Math.round(cents * MOST_TIME) }
}
