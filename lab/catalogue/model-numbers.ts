import type { Device } from '../../src/catalog/device.ts'
import { ANDROID_CATEGORIES, brandsOf, matchesCertifiedName } from './android.ts'
import { type CatalogueReferences, toList } from './reference-data.ts'
import { numbersOf } from './specifications.ts'

/**
 * Evidence for a model number. `named`: a set assigns it to the device. `sister`: a set assigns the device a number that
 * differs only in the region letters.
 */
type Corroboration = 'named' | 'sister' | 'none'

type NumberCounts = { named: number; sister: number; none: number }

/** Number of Android model numbers by evidence, per make. */
export function countCorroboration(
  devices: readonly Device[],
  references: CatalogueReferences,
): Map<string, NumberCounts> {
  const corroborationsOf = corroborationOf(devices, references)
  const counts = new Map<string, NumberCounts>()
  for (const device of devices) {
    if (device.make === 'Apple' || !ANDROID_CATEGORIES.has(device.category)) continue
    const count = counts.get(device.make) ?? { named: 0, sister: 0, none: 0 }
    for (const corroboration of corroborationsOf(device).values()) count[corroboration]++
    counts.set(device.make, count)
  }
  return counts
}

/**
 * In matching a model number outranks a name, so a wrong number moves prices to another device. It is not enough that a number
 * exists: a set must assign it to the device.
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
    const namedNumbers = new Set(ownStatements.flatMap(({ numbers }) => numbers.map(normalizeNumber)))
    const bases = new Set([...namedNumbers].map(baseOf))
    return new Map(
      device.modelNumbers.map((model) => {
        const base = baseOf(model)
        if (namedNumbers.has(normalizeNumber(model))) return [model, 'named']
        const isSister = base !== undefined && bases.has(base) && owners.get(base)?.size === 1
        return [model, isSister ? 'sister' : 'none']
      }),
    )
  }
}

type Statement = { readonly names: readonly string[]; readonly numbers: readonly string[] }

/** Pairs of names and model numbers in the sets, by make. */
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
function normalizeNumber(text: string): string {
  const bare = text
    .trim()
    .toUpperCase()
    .replace(/^(VIVO|TECNO|INFINIX|LENOVO|HTC|ZTE) /, '')
  return bare.replaceAll(' ', '')
}

/** A Samsung, Sony or LG number without its region or operator letters. */
function baseOf(model: string): string | undefined {
  return model.match(/^(SM-[A-Z]\d{3}|XQ-[A-Z]{2}|LM-[A-Z]\d{3})/)?.[0]
}
