import type { Device } from '../../src/catalog/device.ts'
import { ANDROID_CATEGORIES, brandsOf, matchesCertifiedName } from './android.ts'
import { type CatalogueReferences, toList } from './reference-data.ts'
import { numbersOf } from './specifications.ts'

/**
 * What a model number rests on: a set that gives it to that very device, a set that gives a number to the device from
 * which it differs in the letters of a region alone, or neither.
 */
type Corroboration = 'named' | 'sister' | 'none'

type NumberCounts = { named: number; sister: number; none: number }

/** How many model numbers of Android's makes rest on what, by make. */
export function countCorroboration(
  devices: readonly Device[],
  references: CatalogueReferences,
): Map<string, NumberCounts> {
  const groundsOf = corroborationOf(devices, references)
  const counts = new Map<string, NumberCounts>()
  for (const device of devices) {
    if (device.make === 'Apple' || !ANDROID_CATEGORIES.has(device.category)) continue
    const count = counts.get(device.make) ?? { named: 0, sister: 0, none: 0 }
    for (const ground of groundsOf(device).values()) count[ground]++
    counts.set(device.make, count)
  }
  return counts
}

/**
 * A model number decides over a name when an offer is read, so a wrong one moves prices from one device to another.
 * That a number exists says nothing: a set has to give it to the device.
 */
function corroborationOf(
  devices: readonly Device[],
  references: CatalogueReferences,
): (device: Device) => Map<string, Corroboration> {
  const statements = statementsOf(references)
  const owners = new Map<string, Set<string>>()
  for (const { id, modelNumbers } of devices) {
    for (const base of modelNumbers.map(baseOf)) {
      if (base !== undefined) owners.set(base, (owners.get(base) ?? new Set()).add(id))
    }
  }
  return (device) => {
    const ownStatements = statements(device.make).filter(({ names }) =>
      names.some((name) => matchesCertifiedName(device, name)),
    )
    const named = new Set(ownStatements.flatMap(({ numbers }) => numbers.map(plainNumber)))
    const bases = new Set([...named].map(baseOf))
    return new Map(
      device.modelNumbers.map((model) => {
        const base = baseOf(model)
        if (named.has(plainNumber(model))) return [model, 'named']
        const isSister = base !== undefined && bases.has(base) && owners.get(base)?.size === 1
        return [model, isSister ? 'sister' : 'none']
      }),
    )
  }
}

type Statement = { readonly names: readonly string[]; readonly numbers: readonly string[] }

/** What the sets say of a make: these numbers are of what is called so. */
function statementsOf(references: CatalogueReferences): (make: string) => readonly Statement[] {
  const byBrand = new Map<string, Statement[]>()
  const addStatement = (brand: string, names: readonly string[], numbers: readonly string[]) => {
    const list = byBrand.get(brand.toLowerCase())
    if (list) list.push({ names, numbers })
    else byBrand.set(brand.toLowerCase(), [{ names, numbers }])
  }
  for (const [brand = '', name = '', , model = ''] of references.playRows) addStatement(brand, [name], [model])
  for (const record of references.phones) addStatement(record.make, [record.name], numbersOf(record))
  for (const { vendor = '', name = '', models } of references.lineage) addStatement(vendor, [name], toList(models))
  for (const [, brand = '', model = '', , , , , aka = ''] of references.osmocomTacs) {
    const words = [model, ...aka.split(',')].map((word) => word.trim())
    addStatement(brand, words, words)
  }
  const byMake = new Map<string, readonly Statement[]>()
  return (make) => {
    const cached = byMake.get(make)
    if (cached) return cached
    const brands = new Set([make.toLowerCase(), ...brandsOf(make)])
    const statements = [...brands].flatMap((brand) => byBrand.get(brand) ?? [])
    byMake.set(make, statements)
    return statements
  }
}

/** Some sets write the make before the number: "vivo 1819", "TECNO CK8n". */
function plainNumber(text: string): string {
  const bare = text
    .trim()
    .toUpperCase()
    .replace(/^(VIVO|TECNO|INFINIX|LENOVO|HTC|ZTE) /, '')
  return bare.replaceAll(' ', '')
}

/** What is left of a number of Samsung, Sony or LG without the letters of a region or an operator. */
function baseOf(model: string): string | undefined {
  return model.match(/^(SM-[A-Z]\d{3}|XQ-[A-Z]{2}|LM-[A-Z]\d{3})/)?.[0]
}
