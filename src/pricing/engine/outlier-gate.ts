/** Beyond this many standard errors an observation is stored but not believed. */
export const GATE = 3.5
const HUBER = 1.345

/**
 * How far one observation is believed, by its distance from what all others say, in standard errors of that distance.
 * Full trust near by, falling with distance (Huber), none beyond the gate: a box sold as a phone moves nothing.
 */
export function trust(distance: number): number {
  if (distance <= HUBER) return 1
  return distance > GATE ? 0 : HUBER / distance
}
