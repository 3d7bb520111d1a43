import type { Device, Variant } from '../../src/catalog/device.ts'
import type { FindPlayConsoleFacts } from './google-play-console.ts'
import type { CatalogueReferences, PhoneRecord } from './reference-data.ts'
import type { Tally } from './tally.ts'

const CATEGORIES = new Set(['Smartphone', 'Tablet', 'Smartwatch'])

/** Words that may be missing on one side without meaning another chip. */
const IGNORED_CHIP_WORDS = /\b(qualcomm|mediatek|unisoc|apple|google|samsung|tiger|octa|quad|5g|4g|for galaxy)\b/g

/** Compares battery, display, resolution, chip, memory and weight with a collection of specifications. */
export function checkSpecifications(
  devices: readonly Device[],
  references: CatalogueReferences,
  consoleOf: FindPlayConsoleFacts,
  tally: Tally,
): void {
  const recordOf = recordsByDevice(references.phones)
  for (const device of devices) {
    if (!CATEGORIES.has(device.category)) continue
    const record = recordOf(device)
    if (record === undefined) {
      tally.unknown('Specification: device')
      continue
    }
    for (const [fact, compare] of Object.entries(FACTS)) {
      // The collection has errors in some resolutions; a value that devices reported to Google is correct.
      const isReported =
        fact === 'resolution' && consoleOf(device)?.screens.has(pixels(device.specifications.display) ?? '')
      const agrees = isReported || compare(device.specifications, record)
      if (agrees === undefined) tally.unknown(`Specification: ${fact}`)
      else
        tally.record(
          `Specification: ${fact}`,
          agrees,
          `${device.make} ${device.name}: ${describeDisagreement(fact, device, record)}`,
        )
    }
  }
}

/** RAM and storage pairs of the collection, and how many of them the catalogue has. */
export function countMemoryPairs(devices: readonly Device[], references: CatalogueReferences) {
  const recordOf = recordsByDevice(references.phones)
  let total = 0
  let present = 0
  for (const device of devices) {
    const record = CATEGORIES.has(device.category) ? recordOf(device) : undefined
    const pairs = [...(record?.memory.matchAll(/([\d.]+[GT]B) ([\d.]+[GM]B) RAM/g) ?? [])]
    const ownPairs = new Set(device.variants.flatMap((variant) => memoryPairs(device, variant)))
    total += pairs.length
    present += pairs.filter(([, storage, ram]) => ownPairs.has(`${ram}/${storage}`)).length
  }
  return { total, present }
}

/** How many records of the collection name a bundled device, by a model number or by the name without radio and year. */
export function countKnownRecords(devices: readonly Device[], { phones }: CatalogueReferences) {
  const plain = (make: string, name: string) => looseName(make, name.replace(/\([^)]*\)/g, ' '))
  const names = new Set(devices.map(({ make, name }) => plain(make, name)))
  const numbers = new Set(devices.flatMap(({ modelNumbers }) => modelNumbers.map((number) => number.toUpperCase())))
  const isKnown = (record: PhoneRecord) =>
    names.has(plain(record.make, record.name)) || numbersOf(record).some((number) => numbers.has(number))
  return { known: phones.filter(isKnown).length, total: phones.length }
}

/** Devices with one size of memory state it in their specifications instead. */
function memoryPairs({ specifications }: Device, { attributes }: Variant): string[] {
  const attributeOf = (name: string) => attributes.find((attribute) => attribute.name === name)?.value
  const ram = attributeOf('ram')
  return (ram ? [ram] : (specifications.memory?.match(/[\d.]+[GM]B/g) ?? [])).map(
    (size) => `${size}/${attributeOf('storage')}`,
  )
}

/**
 * A record belongs to a device if they share a model number and the names differ at most in radio and year. Without a shared
 * number the names must be equal, and the numbers of different series: two phones are called Galaxy F14.
 */
function recordsByDevice(records: readonly PhoneRecord[]): (device: Device) => PhoneRecord | undefined {
  const byMake = Map.groupBy(records, (record) => record.make.toLowerCase())
  return (device) => {
    const ownNumbers = new Set(device.modelNumbers.map((number) => number.toUpperCase()))
    const prefixes = new Set([...ownNumbers].map(numberPrefix))
    const name = normalizeName(device.make, device.name)
    const loose = looseName(device.make, device.name.replace(/ \(20\d\d\)$/, ''))
    const candidates = byMake.get(device.make.toLowerCase()) ?? []
    const withSharedNumber = candidates.filter((record) => numbersOf(record).some((number) => ownNumbers.has(number)))
    return (
      withSharedNumber.find((record) => normalizeName(record.make, record.name) === name) ??
      withSharedNumber.find((record) => looseName(record.make, record.name.replace(/\([^)]*\)/g, ' ')) === loose) ??
      candidates.find(
        (record) =>
          normalizeName(record.make, record.name) === name &&
          !numbersOf(record).some((number) => prefixes.has(numberPrefix(number))),
      )
    )
  }
}

export function numbersOf(record: PhoneRecord): string[] {
  const numbers = record.models.split(/[,;]/).map((number) => number.replace(/\/.*/, '').trim().toUpperCase())
  return numbers.filter(Boolean)
}

/** "SM" of SM-A145F, "XT" of XT2125-4. */
function numberPrefix(number: string): string {
  return number.slice(0, 2)
}

function normalizeName(make: string, name: string): string {
  const words = name
    .toLowerCase()
    .replaceAll('+', ' plus ')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
  const prefix = make.toLowerCase()
  return `${prefix} ${words.startsWith(`${prefix} `) ? words.slice(prefix.length + 1) : words}`
}

/** Without radio and year, which may be missing on one side. */
function looseName(make: string, name: string): string {
  return normalizeName(make, name).replace(/ (5g|4g|lte|uw|20\d\d|thinq)\b/g, '')
}

type CompareFact = (own: Readonly<Record<string, string>>, record: PhoneRecord) => boolean | undefined

/** Undefined if one side has no value. A record may have one value per market. */
const FACTS: Readonly<Record<string, CompareFact>> = {
  battery: ({ battery }, record) =>
    hasCommonValue(numbers(battery, /([\d.]+) ?mAh/g), numbers(record.battery, /([\d.]+) ?mAh/g), 1),
  display: ({ display }, record) =>
    hasCommonValue(numbers(display, /^([\d.]+)-inch/g), numbers(record.display_size, /^([\d.]+) inches/g), 0.1),
  resolution: ({ display }, record) => {
    const [ownPixels, recordPixels] = [pixels(display), pixels(record.resolution)]
    return ownPixels === undefined || recordPixels === undefined ? undefined : ownPixels === recordPixels
  },
  chip: ({ chip }, record) => {
    if (!chip || !record.chipset) return undefined
    const recordWords = chipWords(record.chipset)
    return chip.split(/ or /).some((name) => [...chipWords(name)].every((word) => recordWords.has(word)))
  },
  memory: ({ memory }, record) => {
    const ownSizes = new Set(memory?.match(/[\d.]+[GM]B/g))
    const recordSizes = new Set([...record.memory.matchAll(/([\d.]+[GM]B) RAM/g)].map(([, size = '']) => size))
    if (ownSizes.size === 0 || recordSizes.size === 0) return undefined
    return ownSizes.isSubsetOf(recordSizes) || recordSizes.isSubsetOf(ownSizes)
  },
  // "177 g or 180 g", "419 g (Wi-Fi), 421 g (LTE)"; ounces in parentheses are ignored.
  weight: ({ weight }, record) =>
    hasCommonValue(numbers(weight, /([\d.]+) g/g), numbers(record.weight, /([\d.]+) ?(?:g\b|\/|or\b)/g), 1),
}

function hasCommonValue(left: readonly number[], right: readonly number[], tolerance: number): boolean | undefined {
  if (left.length === 0 || right.length === 0) return undefined
  return left.some((a) => right.some((b) => Math.abs(a - b) <= tolerance + 1e-9))
}

function numbers(text: string | undefined, pattern: RegExp): number[] {
  return [...(text ?? '').matchAll(pattern)].map(([, digits]) => Number(digits))
}

/** The longer side first. */
function pixels(text: string | undefined): string | undefined {
  const match = text?.match(/(\d{3,4}) x (\d{3,4})/)
  return match
    ?.slice(1)
    .sort((a, b) => Number(b) - Number(a))
    .join(' x ')
}

function chipWords(text: string): Set<string> {
  const normalized = text.toLowerCase().replace('5g+', '+').replace(' +', '+').replace(IGNORED_CHIP_WORDS, ' ')
  return new Set(normalized.split(/[^a-z0-9+]+/).filter(Boolean))
}

function describeDisagreement(fact: string, { specifications }: Device, record: PhoneRecord): string {
  const [own, reference] = {
    battery: [specifications.battery, record.battery],
    display: [specifications.display, record.display_size],
    resolution: [specifications.display, record.resolution],
    chip: [specifications.chip, record.chipset],
    memory: [specifications.memory, record.memory],
    weight: [specifications.weight, record.weight],
  }[fact] ?? [undefined, undefined]
  return `${own}, reference ${reference} as ${record.name}`
}
