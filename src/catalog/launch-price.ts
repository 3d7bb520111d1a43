import type { Device, Variant } from './device.ts'

export type LaunchPrices = {
  /** `announced`: no variant has a list price, but a price that was announced elsewhere; null if there is neither. */
  readonly basis: 'listed' | 'announced' | null
  /** US cents; null if the price of the variant is unknown. */
  readonly centsOf: (variant: Variant) => number | null
}

const listedCents = ({ listCents }: Variant) => (listCents > 0 ? listCents : null)
const announcedCents = (variant: Variant) => variant.announcedCents ?? null

/** What the variants of a device cost at launch, for prices and for repairs. */
export function launchPrices({ variants }: Pick<Device, 'variants'>): LaunchPrices {
  if (variants.some((variant) => listedCents(variant) !== null)) return { basis: 'listed', centsOf: listedCents }
  const isAnnounced = variants.some((variant) => announcedCents(variant) !== null)
  return { basis: isAnnounced ? 'announced' : null, centsOf: announcedCents }
}
