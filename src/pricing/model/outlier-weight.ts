/** Beyond this many standard errors an observation is stored but has no weight. */
export const MAX_STANDARD_ERRORS = 3.5
/** Huber's limit in standard errors: beyond it the weight falls with the distance. */
const HUBER_LIMIT = 1.345

/**
 * Weight of one observation by its distance from all others, in standard errors of that distance: full weight nearby, falling
 * with distance (Huber), none beyond the limit, so that a box sold as a phone changes nothing.
 */
export function outlierWeight(distance: number): number {
  if (distance <= HUBER_LIMIT) return 1
  return distance > MAX_STANDARD_ERRORS ? 0 : HUBER_LIMIT / distance
}
