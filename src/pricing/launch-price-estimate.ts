import { type Device, type DeviceRegistry, slug } from '../catalog/device.ts'
import { startOfDay, YEAR_MS } from '../lib/time.ts'

/** Estimate of an unknown launch price of the smallest variant, and its standard deviation (ln). */
export type EstimatedLaunchPrice = { readonly cents: number; readonly spread: number; readonly releasedAt: number }

/** Words that distinguish a model from others of its line and year. */
const CLASS_WORDS = new Set(
  'pro plus ultra max lite mini fold flip fe se neo air edge note go e prime power turbo gaming extreme nano yoga carbon slim'.split(
    ' ',
  ),
)
/** Number of nearest neighbours used. */
const NEIGHBOUR_COUNT = 5
/** Penalty per year between two models, in words that their names share. */
const YEAR_PENALTY = 0.4
/** Minimum standard deviation (ln), even if all neighbours agree. */
const MIN_SPREAD = 0.25

type Neighbour = {
  readonly id: string
  readonly ln: number
  readonly releasedAt: number
  readonly words: readonly string[]
}

/**
 * Median price of the devices of the same make and category that are closest in name, class and release date. Null if none of
 * them has a price.
 */
export function estimateLaunchPrice(device: Device, registry: DeviceRegistry): EstimatedLaunchPrice | null {
  const neighbours = neighboursOf(device, registry).filter(({ id }) => id !== device.id)
  if (!neighbours.length) return null
  const words = nameWords(device)
  const releasedAt = releaseInstant(device)
  const yearsApart = (at: number) => (releasedAt === undefined ? 0 : Math.abs(releasedAt - at) / YEAR_MS)
  const nearest = neighbours
    .map((neighbour) => ({
      ln: neighbour.ln,
      similarity: nameSimilarity(words, neighbour.words) - YEAR_PENALTY * yearsApart(neighbour.releasedAt),
    }))
    .sort((a, b) => b.similarity - a.similarity || a.ln - b.ln)
    .slice(0, NEIGHBOUR_COUNT)
  const lns = nearest.map(({ ln }) => ln).sort((a, b) => a - b)
  const medianLn = lns[lns.length >> 1] as number
  const variance = lns.reduce((sum, ln) => sum + (ln - medianLn) ** 2, 0) / lns.length
  return {
    cents: Math.round(Math.exp(medianLn)),
    spread: Math.sqrt(MIN_SPREAD ** 2 + variance),
    // A model without a release date is most likely the newest of its line.
    releasedAt: releasedAt ?? Math.max(...neighbours.map((neighbour) => neighbour.releasedAt)),
  }
}

/** A registry is immutable and is replaced as a whole, so its neighbours can be cached with it. */
const neighbourCache = new WeakMap<DeviceRegistry, Map<string, readonly Neighbour[]>>()

function neighboursOf({ make, category }: Device, registry: DeviceRegistry): readonly Neighbour[] {
  const byMakeAndCategory = neighbourCache.get(registry) ?? new Map<string, readonly Neighbour[]>()
  neighbourCache.set(registry, byMakeAndCategory)
  const key = `${make}\t${category}`
  const cached = byMakeAndCategory.get(key)
  if (cached) return cached
  const neighbours = Array.from(registry.listDevicesWithReleaseDate?.(make, category) ?? []).flatMap(
    (device): Neighbour[] => {
      const releasedAt = releaseInstant(device)
      const cents = lowestPriceCents(device)
      if (cents === undefined || releasedAt === undefined) return []
      return [{ id: device.id, ln: Math.log(cents), releasedAt, words: nameWords(device) }]
    },
  )
  byMakeAndCategory.set(key, neighbours)
  return neighbours
}

const releaseInstant = ({ releasedOn }: Device) => (releasedOn === null ? undefined : startOfDay(releasedOn))

/** List price of the cheapest variant, or else its price announced elsewhere. */
function lowestPriceCents({ variants }: Device): number | undefined {
  const listed = variants.flatMap(({ listCents }) => (listCents > 0 ? [listCents] : []))
  const prices = listed.length ? listed : variants.flatMap(({ announcedCents }) => announcedCents ?? [])
  return prices.length ? Math.min(...prices) : undefined
}

/** "Galaxy A55 5G" has the words galaxy and a: numbers count generations and do not name a line. */
function nameWords({ name }: Device): string[] {
  return slug(name)
    .replace(/\d+/g, ' ')
    .split(/[\s-]+/)
    .filter((word) => word !== '' && word !== 'g' && word !== 'gen')
}

/** Length of the common prefix in words, minus the class words that only one of the names has. */
function nameSimilarity(a: readonly string[], b: readonly string[]): number {
  let common = 0
  while (common < a.length && a[common] === b[common]) common += 1
  const countMissing = (words: readonly string[], other: readonly string[]) =>
    words.filter((word) => CLASS_WORDS.has(word) && !other.includes(word)).length
  return 2 * common - countMissing(a, b) - countMissing(b, a)
}
