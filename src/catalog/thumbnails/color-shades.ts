import shades from '../../../data/aliases/color-shades.json' with { type: 'json' }
import { splitWords } from '../search/search-term.ts'

/** Approximate shades of the makers' color words. */
const SHADE_BY_COLOR: ReadonlyMap<string, string> = new Map(Object.entries(shades))

/**
 * The last color word decides, and a material only without one: "Blue Titanium" is blue. Joined names such as Jetblack or
 * Icyblue are recognised by their ending.
 */
export function shadeForColor(color: string): string | null {
  const isMaterial = (word: string) => word === 'titanium'
  const words = splitWords(color).reverse()
  const endings = words.flatMap((word) => /(?:black|blue|silver|white|green|gray|red|gold|pink)$/.exec(word) ?? [])
  const candidates = [...words.filter((word) => !isMaterial(word)), ...words.filter(isMaterial), ...endings]
  return SHADE_BY_COLOR.get(candidates.find((word) => SHADE_BY_COLOR.has(word)) ?? '') ?? null
}
