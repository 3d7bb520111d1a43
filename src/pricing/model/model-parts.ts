/**
 * Parts of the price model that an evaluation can leave out one by one, to measure what each is worth (`npm run lab -- ablate`). The
 * service uses all of them.
 */
export const MODEL_PARTS = [
  'measured volatility',
  'half-life by volatility',
  'measured drift',
  'own channel deviations',
  'start from cell medians',
  'rejection of gross outliers among few rows',
  'judging each of few rows against the others',
  'spread factor of a channel',
  'spread factor of a grade',
  'spread of listings by price',
  'measured slope of spread by price',
  'more memory never costs less',
  'minimum weight of stale rows',
  'dense cells',
  'new prices only without used ones',
  'phone family shifts',
  'trend of the era',
  'spread of expert curves',
  'effect of each storage size',
  'effect of the launch price',
  'effect of the age',
  "effect of the seller's word",
  'effect of the source',
  'weight of sources that never grade',
  'ungraded rows shift all grades',
  'balance of sources',
  'stale sources leave the mix sooner',
  'offset of the channel mix',
  'country levels',
  'levels borrowed from other countries',
  'effects inherited from other countries',
  'variance of a country level',
  'wide lock discount of unobserved buyback',
  'lock discount by price',
  'grade steps by price',
  'buyback as wide as resale',
  'range down to wholesale prices',
  'calibration of ranges',
  'ranges by source',
] as const

export type ModelPart = (typeof MODEL_PARTS)[number]

const leftOut = new Set<ModelPart>()

export const uses = (part: ModelPart) => !leftOut.has(part)

/** For evaluations: the model of this process works without these parts, and with all others, from now on. */
export function leaveOut(parts: readonly ModelPart[]): void {
  leftOut.clear()
  for (const part of parts) leftOut.add(part)
}
