import { base32, UPPER_DIGITS } from '../lib/id.ts'
import { DAY_MS, dayOf } from '../lib/time.ts'

const TIME_DIGITS = 4
const RANDOM_DIGITS = 2
/** Steps of the time within a day: twelve a second. */
const STEP_MS = DAY_MS / 32 ** TIME_DIGITS

/** An id that sorts by time and can be read aloud, such as `P-260302-7K3MXQ`. */
export function purchaseId(now: number, randomBelow: (limit: number) => number): string {
  const day = dayOf(now).slice(2).replaceAll('-', '')
  const time = base32(Math.floor((now % DAY_MS) / STEP_MS), TIME_DIGITS, UPPER_DIGITS)
  return `P-${day}-${time}${base32(randomBelow(32 ** RANDOM_DIGITS), RANDOM_DIGITS, UPPER_DIGITS)}`
}
