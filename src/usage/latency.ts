/** Hours that are kept and shown one by one. */
export const KEPT_HOURS = 14 * 24

/** Upper ends of the classes of time that requests are counted in, in milliseconds; the last class has none. */
export const LATENCY_CLASSES = [1, 2, 5, 10, 25, 50, 100, 250, 1000] as const

export function latencyClass(ms: number): number {
  let at = 0
  while (at < LATENCY_CLASSES.length && ms > (LATENCY_CLASSES[at] ?? 0)) at++
  return at
}
