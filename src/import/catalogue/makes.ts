/** One make under one name, however a list spells it. */
import makes from '../../../data/aliases/makes.json' with { type: 'json' }
import { memoizedSlug } from '../../catalog/device.ts'

/** Equal for spellings of one make: "F-Plus", "fplus" and "F+"; "LG_Electronics" and "LG Electronics". */
export function normalizeMake(brand: string): string {
  return memoizedSlug(brand).replaceAll('-', '') || brand.trim().toLowerCase()
}

/** Names we show by the spellings that lists use. Letter case, blanks and punctuation never matter. */
const NAME_BY_KEY = new Map<string, string>(
  Object.entries(makes.companyNames).flatMap(([name, others]) =>
    [name, ...others].map((spelling) => [normalizeMake(spelling), name]),
  ),
)
/**
 * Brands that are a line of another make: people look for a "Redmi" at Xiaomi, and the same phone is listed under either.
 * Brands that became companies of their own (Honor, realme, nubia, Infinix) stay makes.
 */
const LINE_BY_KEY = new Map(Object.entries(makes.brandLines).map(([brand, line]) => [normalizeMake(brand), line]))

export type ResolvedMake = {
  readonly make: string
  /** Word that the name of a device of this brand must contain. */
  readonly line: string | null
}

/** `knownSpelling` returns the spelling the catalogue already uses, so that a new list never renames a make. */
export function resolveMake(
  brand: string,
  knownSpelling: (key: string) => string | undefined = () => undefined,
): ResolvedMake {
  const key = normalizeMake(brand)
  const line = LINE_BY_KEY.get(key)
  if (line) return { make: line.make, line: line.word }
  const cleaned = brand.trim().replaceAll('_', ' ').replace(/\s+/g, ' ')
  return { make: NAME_BY_KEY.get(key) ?? knownSpelling(key) ?? cleaned, line: null }
}
