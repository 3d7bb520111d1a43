import { type Device, type DeviceRegistry, slug } from '../catalog/device.ts'
import { startOfDay, YEAR_MS } from '../lib/time.ts'

/** What stands in for a launch price that nobody knows, for the smallest variant, and how unsure it is (ln). */
export type EstimatedLaunchPrice = { readonly cents: number; readonly spread: number; readonly releasedAt: number }

/** Words that set a model apart from others of its line and year. */
const CLASS_WORDS = new Set(
  'pro plus ultra max lite mini fold flip fe se neo air edge note go e prime power turbo gaming extreme nano yoga carbon slim'.split(
    ' ',
  ),
)
/** So many of the nearest are asked. */
const NEIGHBOUR_COUNT = 5
/** A year between two models counts as so much of a word that their names share. */
const YEAR_PENALTY = 0.4
/** What the nearest neighbours are apart from it at least (ln), whatever they agree on. */
const MIN_SPREAD = 0.25

type Neighbour = {
  readonly id: string
  readonly ln: number
  readonly releasedAt: number
  readonly words: readonly string[]
}

/**
 * The price of a device's neighbours: of its make and category, with the most of its name in common, of its class and of its
 * time. Null where none of them has a price of any kind.
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
    // A model whose day is not known is most likely the line's newest.
    releasedAt: releasedAt ?? Math.max(...neighbours.map((neighbour) => neighbour.releasedAt)),
  }
}

/** A registry never changes, it is replaced: what was found in one holds for as long as it does. */
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

/** What its cheapest variant was listed for, or announced for elsewhere. */
function lowestPriceCents({ variants }: Device): number | undefined {
  const listed = variants.flatMap(({ listCents }) => (listCents > 0 ? [listCents] : []))
  const prices = listed.length ? listed : variants.flatMap(({ announcedCents }) => announcedCents ?? [])
  return prices.length ? Math.min(...prices) : undefined
}

/** "Galaxy A55 5G" is of the words galaxy, a: numbers count the years of a line and do not name it. */
function nameWords({ name }: Device): string[] {
  return slug(name)
    .replace(/\d+/g, ' ')
    .split(/[\s-]+/)
    .filter((word) => word !== '' && word !== 'g' && word !== 'gen')
}

/** Words in common from the beginning on, less what one has of class words that the other has not. */
function nameSimilarity(a: readonly string[], b: readonly string[]): number {
  let common = 0
  while (common < a.length && a[common] === b[common]) common += 1
  const countMissing = (words: readonly string[], other: readonly string[]) =>
    words.filter((word) => CLASS_WORDS.has(word) && !other.includes(word)).length
  return 2 * common - countMissing(a, b) - countMissing(b, a)
}
