/** One make under one name, however a list spells it. */
import { memoizedSlug } from '../../catalog/slugs.ts'

/** The name we show, then the other spellings lists use. Letter case, blanks and punctuation never matter. */
const MAKE_SPELLINGS: readonly (readonly [string, ...string[]])[] = [
  ['Acer', 'Acer Inc'],
  ['Alcatel', 'TCT (Alcatel)', 'TCT', 'Alcatel One Touch', 'Alcatel-Lucent', 'TCT Mobile'],
  ['Amazon', 'Amazon Fire', 'Kindle'],
  ['Apple', 'Apple Inc'],
  ['ASUS', 'Asustek', 'AsusTek Computer'],
  ['BlackBerry', 'RIM', 'Research In Motion'],
  ['BLU', 'BLU Products'],
  ['Coolpad', 'Yulong', 'Coolpad/Yulong'],
  ['Dell', 'Dell Inc'],
  ['F+', 'F-Plus', 'fplus'],
  ['General Mobile', 'GeneralMobile'],
  ['Google', 'Google Inc', 'Google LLC'],
  ['HMD', 'HMD Global'],
  ['Honor', 'Hihonor'],
  ['HP', 'Hewlett Packard', 'Hewlett-Packard'],
  ['HTC', 'HTC Corporation', 'High Tech Computer'],
  ['Huawei', 'Huawei Technologies', 'Huawei Technologies Co Ltd'],
  ['Kruger&Matz', 'Kruger_Matz', 'Kruger Matz'],
  ['Lenovo', 'Lenovo Mobile'],
  ['LG', 'LGE', 'LG Electronics', 'LG_Electronics', 'LG Electronics Inc'],
  ['Microsoft', 'Microsoft Mobile', 'Microsoft Corporation'],
  ['Motorola', 'Motorola Mobility', 'Motorola Mobility LLC', 'Moto'],
  ['Nokia', 'Nokia Mobile', 'Nokia Corporation'],
  ['Nothing', 'Nothing Technology', 'Nothing Technology Limited'],
  ['nubia', 'Nubia Technology'],
  ['Onn', 'onn.', 'Onn (Walmart)'],
  ['OnePlus', 'One Plus', '1+', 'OnePlus Technology'],
  ['OPPO', 'Oppo Mobile', 'Guangdong OPPO'],
  ['Panasonic', 'Panasonic Mobile'],
  ['realme', 'Realme Mobile', 'Realme Chongqing'],
  ['Samsung', 'Samsung Korea', 'Samsung Electronics', 'Samsung Electronics Co Ltd'],
  ['Sharp', 'Sharp Corporation'],
  ['Sony', 'Sony Mobile', 'Sony Mobile Communications', 'Sony Interactive Entertainment'],
  ['TCL', 'TCL Communication'],
  ['TECNO', 'Tecno Mobile'],
  ['Valve', 'Valve Corporation'],
  ['vivo', 'Vivo Mobile', 'Vivo Communication'],
  ['Xiaomi', 'Xiaomi Communications', 'Mi', 'Xiaomi Inc'],
  ['ZTE', 'ZTE Corporation'],
]

/**
 * Brands that are a line of another make: people look for a "Redmi" at Xiaomi, and the same phone is listed under
 * either. The line's word stays in the device name. Brands that became companies of their own (Honor, realme, nubia,
 * Infinix) stay makes.
 */
const BRAND_LINES: readonly { readonly brand: string; readonly make: string; readonly word: string }[] = [
  { brand: 'Redmi', make: 'Xiaomi', word: 'Redmi' },
  { brand: 'POCO', make: 'Xiaomi', word: 'POCO' },
  { brand: 'Pocophone', make: 'Xiaomi', word: 'POCO' },
  { brand: 'Black Shark', make: 'Xiaomi', word: 'Black Shark' },
  { brand: 'iQOO', make: 'vivo', word: 'iQOO' },
  { brand: 'REDMAGIC', make: 'nubia', word: 'REDMAGIC' },
  { brand: 'CMF by Nothing', make: 'Nothing', word: 'CMF' },
  { brand: 'CMF', make: 'Nothing', word: 'CMF' },
  { brand: 'Galaxy', make: 'Samsung', word: 'Galaxy' },
  { brand: 'Beats', make: 'Apple', word: 'Beats' },
]

/** Equal for spellings of one make: "F-Plus", "fplus" and "F+"; "LG_Electronics" and "LG Electronics". */
export function normalizeMake(brand: string): string {
  return memoizedSlug(brand).replaceAll('-', '') || brand.trim().toLowerCase()
}

const NAME_BY_KEY = new Map<string, string>(
  MAKE_SPELLINGS.flatMap(([name, ...others]) => [name, ...others].map((one) => [normalizeMake(one), name])),
)
const LINE_BY_KEY = new Map(BRAND_LINES.map((line) => [normalizeMake(line.brand), line]))

export type ResolvedMake = {
  readonly make: string /** The word a device of this brand must carry in its name. */
  readonly line: string | null
}

/** `known` gives the spelling the registry already uses for a key, so that a new list never renames a make. */
export function resolveMake(
  brand: string,
  knownSpelling: (key: string) => string | undefined = () => undefined,
): ResolvedMake {
  const key = normalizeMake(brand)
  const line = LINE_BY_KEY.get(key)
  if (line) return { make: line.make, line: line.word }
  const tidy = brand.trim().replaceAll('_', ' ').replace(/\s+/g, ' ')
  return { make: NAME_BY_KEY.get(key) ?? knownSpelling(key) ?? tidy, line: null }
}
