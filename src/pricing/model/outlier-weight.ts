/** Beyond this many standard errors an observation is stored but not believed. */
export const MAX_STANDARD_ERRORS = 3.5
const HUBER_LIMIT = 1.345

/**
 * How far one observation is believed, by its distance from what all others say, in standard errors of that distance.
 * Full trust near by, falling with distance (Huber), none beyond the gate: a box sold as a phone moves nothing.
 */
export function outlierWeight(distance: number): number {
  if (distance <= HUBER_LIMIT) return 1
  return distance > MAX_STANDARD_ERRORS ? 0 : HUBER_LIMIT / distance
}
