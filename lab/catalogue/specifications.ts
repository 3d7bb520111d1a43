import type { Device, Variant } from '../../src/catalog/device.ts'
import type { FindPlayConsoleFacts } from './google-play-console.ts'
import type { CatalogueReferences, PhoneRecord } from './reference-data.ts'
import type { Tally } from './tally.ts'

const CATEGORIES = new Set(['Smartphone', 'Tablet', 'Smartwatch'])

/** Words that one side says and the other leaves out, without naming another chip. */
const IGNORED_CHIP_WORDS = /\b(qualcomm|mediatek|unisoc|apple|google|samsung|tiger|octa|quad|5g|4g|for galaxy)\b/g

/** Battery, display, resolution, chip, memory and weight against a collection of specifications, model by model. */
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
    for (const [fact, holds] of Object.entries(FACTS)) {
      // The collection slips on some screens; what the device itself reported to Google settles it.
      const isReported =
        fact === 'resolution' && consoleOf(device)?.screens.has(pixels(device.specifications.display) ?? '')
      const agrees = isReported || holds(device.specifications, record)
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
  let known = 0
  let present = 0
  for (const device of devices) {
    const record = CATEGORIES.has(device.category) ? recordOf(device) : undefined
    const pairs = [...(record?.memory.matchAll(/([\d.]+[GT]B) ([\d.]+[GM]B) RAM/g) ?? [])]
    const ours = new Set(device.variants.flatMap((variant) => memoryPairs(device, variant)))
    known += pairs.length
    present += pairs.filter(([, storage, ram]) => ours.has(`${ram}/${storage}`)).length
  }
  return { known, present }
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
 * A record is ours when it shares a model number and its name is that of the device but for radio and year. Without a
 * shared number the very same name will do, unless both give numbers of one kind: two phones are called Galaxy F14.
 */
function recordsByDevice(records: readonly PhoneRecord[]): (device: Device) => PhoneRecord | undefined {
  const byMake = Map.groupBy(records, (record) => record.make.toLowerCase())
  return (device) => {
    const ours = new Set(device.modelNumbers.map((number) => number.toUpperCase()))
    const kinds = new Set([...ours].map(kindOfNumber))
    const name = plainName(device.make, device.name)
    const loosely = looseName(device.make, device.name.replace(/ \(20\d\d\)$/, ''))
    const candidates = byMake.get(device.make.toLowerCase()) ?? []
    const sharing = candidates.filter((record) => numbersOf(record).some((number) => ours.has(number)))
    return (
      sharing.find((record) => plainName(record.make, record.name) === name) ??
      sharing.find((record) => looseName(record.make, record.name.replace(/\([^)]*\)/g, ' ')) === loosely) ??
      candidates.find(
        (record) =>
          plainName(record.make, record.name) === name &&
          !numbersOf(record).some((number) => kinds.has(kindOfNumber(number))),
      )
    )
  }
}

export function numbersOf(record: PhoneRecord): string[] {
  const numbers = record.models.split(/[,;]/).map((number) => number.replace(/\/.*/, '').trim().toUpperCase())
  return numbers.filter(Boolean)
}

/** "SM" of SM-A145F, "XT" of XT2125-4: numbers of one maker that can be told apart. */
function kindOfNumber(number: string): string {
  return number.slice(0, 2)
}

function plainName(make: string, name: string): string {
  const words = name
    .toLowerCase()
    .replaceAll('+', ' plus ')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
  const plain = make.toLowerCase()
  return `${plain} ${words.startsWith(`${plain} `) ? words.slice(plain.length + 1) : words}`
}

/** Without the radio and the year that only one side says. */
function looseName(make: string, name: string): string {
  return plainName(make, name).replace(/ (5g|4g|lte|uw|20\d\d|thinq)\b/g, '')
}

type Fact = (ours: Readonly<Record<string, string>>, theirs: PhoneRecord) => boolean | undefined

/** Undefined where one of both says nothing. A record may give several values, one a market. */
const FACTS: Readonly<Record<string, Fact>> = {
  battery: ({ battery }, theirs) =>
    isOneOf(numbers(battery, /([\d.]+) ?mAh/g), numbers(theirs.battery, /([\d.]+) ?mAh/g), 1),
  display: ({ display }, theirs) =>
    isOneOf(numbers(display, /^([\d.]+)-inch/g), numbers(theirs.display_size, /^([\d.]+) inches/g), 0.1),
  resolution: ({ display }, theirs) => {
    const [ours, known] = [pixels(display), pixels(theirs.resolution)]
    return ours === undefined || known === undefined ? undefined : ours === known
  },
  chip: ({ chip }, theirs) => {
    if (!chip || !theirs.chipset) return undefined
    const known = chipWords(theirs.chipset)
    return chip.split(/ or /).some((one) => [...chipWords(one)].every((word) => known.has(word)))
  },
  memory: ({ memory }, theirs) => {
    const ours = new Set(memory?.match(/[\d.]+[GM]B/g))
    const known = new Set([...theirs.memory.matchAll(/([\d.]+[GM]B) RAM/g)].map(([, size = '']) => size))
    if (ours.size === 0 || known.size === 0) return undefined
    return ours.isSubsetOf(known) || known.isSubsetOf(ours)
  },
  // "177 g or 180 g", "419 g (Wi-Fi), 421 g (LTE)"; what follows in parentheses is the same in ounces.
  weight: ({ weight }, theirs) =>
    isOneOf(numbers(weight, /([\d.]+) g/g), numbers(theirs.weight, /([\d.]+) ?(?:g\b|\/|or\b)/g), 1),
}

function isOneOf(ours: readonly number[], known: readonly number[], tolerance: number): boolean | undefined {
  if (ours.length === 0 || known.length === 0) return undefined
  return ours.some((one) => known.some((other) => Math.abs(one - other) <= tolerance + 1e-9))
}

function numbers(text: string | undefined, pattern: RegExp): number[] {
  return [...(text ?? '').matchAll(pattern)].map(([, digits]) => Number(digits))
}

/** The longer side first, whichever way it was written. */
function pixels(text: string | undefined): string | undefined {
  const found = text?.match(/(\d{3,4}) x (\d{3,4})/)
  return found
    ?.slice(1)
    .sort((a, b) => Number(b) - Number(a))
    .join(' x ')
}

function chipWords(text: string): Set<string> {
  const plain = text.toLowerCase().replace('5g+', '+').replace(' +', '+').replace(IGNORED_CHIP_WORDS, ' ')
  return new Set(plain.split(/[^a-z0-9+]+/).filter(Boolean))
}

function describeDisagreement(fact: string, { specifications }: Device, record: PhoneRecord): string {
  const [ours, theirs] = {
    battery: [specifications.battery, record.battery],
    display: [specifications.display, record.display_size],
    resolution: [specifications.display, record.resolution],
    chip: [specifications.chip, record.chipset],
    memory: [specifications.memory, record.memory],
    weight: [specifications.weight, record.weight],
  }[fact] ?? [undefined, undefined]
  return `${ours}, known ${theirs} as ${record.name}`
}
