import type { MergedRepair } from './merged-facts.ts'
import type { CostRange } from './repair-fact.ts'

/**
 * A documented time is the middle of the range in repair guides: "30 minutes to 1 hour" is stored as 45. A refurbisher who does
 * the same repair all day needs about a third of it.
 */
const REFURBISHER_TIME_FACTOR = 1 / 3

/** Cost of work with this documented time: from a refurbisher's time to the documented one. */
export function labourRange(minutes: number, centsPerHour: number): CostRange {
  const cents = (minutes / 60) * centsPerHour
  return { minCents: Math.round(cents * REFURBISHER_TIME_FACTOR), maxCents: Math.round(cents) }
}

/** The same for a repair; null if no source states its time. */
export function labourCost({ minutes }: Pick<MergedRepair, 'minutes'>, centsPerHour: number): CostRange | null {
  return minutes && labourRange(minutes.value, centsPerHour)
}
