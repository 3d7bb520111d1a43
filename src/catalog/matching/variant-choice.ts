/** Chooses the variants of a device that fit a title. */
import type { Device, Variant } from '../device.ts'
import type { MemoryAmount } from './title-facts.ts'
import { splitPieces } from './title-lexicon.ts'

export type VariantNote = 'several_storages' | 'storage_not_offered' | 'memory_not_offered' | 'chip_not_offered'

export type StatedAttributes = {
  readonly amounts: readonly MemoryAmount[]
  readonly chips: readonly string[]
  readonly millimeters: readonly number[]
  readonly connectivity: readonly string[]
  /** Words of the title that can be part of a color, in English. */
  readonly colors: readonly string[]
}

export type VariantChoice = {
  /** All that fit; empty if the title states an attribute the device was never sold with. */
  readonly variants: readonly Variant[]
  readonly storageGb: number | null
  readonly ramGb: number | null
  readonly note: VariantNote | null
  /** If no variant has the stated sizes: those that fit everything else. */
  readonly similarVariants: readonly Variant[]
}

type VariantTraits = {
  readonly variant: Variant
  readonly storage: number | null
  readonly ram: number | null
  readonly chip: string
  readonly millimeters: number | null
  readonly radio: Radio
  readonly color: string
}

type Radio = 'cellular' | 'gps' | 'wi-fi' | ''

type Color = { readonly name: string; readonly words: readonly string[] }

type DeviceOptions = {
  readonly traits: readonly VariantTraits[]
  readonly storages: ReadonlySet<number>
  readonly rams: ReadonlySet<number>
  readonly hasChips: boolean
  readonly byStorage: ReadonlyMap<number | null, readonly VariantTraits[]>
  readonly colors: readonly Color[]
  /** Earlier choices by stated attributes. */
  readonly choiceCache: Map<string, VariantChoice>
}

/** Sellers state the same few attributes of a device; the cache is bounded because callers may state anything. */
const MAX_CACHED_CHOICES = 64

const optionsByDevice = new WeakMap<Device, DeviceOptions>()

/** Computed once per device on first use: most devices are never requested. */
function optionsOf(device: Device): DeviceOptions {
  let offered = optionsByDevice.get(device)
  if (!offered) {
    const traits = device.variants.map(readTraits)
    offered = {
      traits,
      storages: new Set(traits.flatMap(({ storage }) => (storage === null ? [] : [storage]))),
      rams: new Set(traits.flatMap(({ ram }) => (ram === null ? [] : [ram]))),
      hasChips: traits.some(({ chip }) => chip !== ''),
      byStorage: Map.groupBy(traits, ({ storage }) => storage),
      colors: [...new Set(traits.map(({ color }) => color))]
        .filter((name) => name !== '')
        .map((name) => ({ name, words: name.split(' ') })),
      choiceCache: new Map(),
    }
    optionsByDevice.set(device, offered)
  }
  return offered
}

function readTraits(variant: Variant): VariantTraits {
  const of = (name: string) =>
    variant.attributes.find((attribute) => attribute.name.toLowerCase() === name)?.value ?? ''
  return {
    variant,
    storage: parseGigabytes(of('storage')),
    ram: parseGigabytes(of('ram')),
    chip: of('chip').toLowerCase(),
    millimeters: /^\d+mm$/i.test(of('size')) ? Number.parseInt(of('size'), 10) : null,
    radio: radioFor(of('connectivity').toLowerCase()),
    color: splitPieces(of('color')).map(normalizeColorWord).join(' '),
  }
}

export const normalizeColorWord = (word: string) => (word === 'grey' ? 'gray' : word)

export function parseGigabytes(text: string): number | null {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(gb|tb)?\s*$/i.exec(text)
  if (!match) return null
  return Number(match[1]) * (match[2]?.toLowerCase() === 'tb' ? 1024 : 1)
}

export function chooseVariants(device: Device, stated: StatedAttributes): VariantChoice {
  const offered = optionsOf(device)
  const { sizes, ram } = splitStorageAndRam(stated.amounts, offered.storages, offered.rams)
  const beside: OtherAttributes = {
    chip: stated.chips[0],
    millimeters: stated.millimeters.length === 1 ? stated.millimeters[0] : undefined,
    radio: statedRadio(stated.connectivity),
    color: statedColor(offered.colors, stated.colors),
  }
  const { chip = '', millimeters = '', radio, color } = beside
  const size = sizes.length > 1 ? 'several' : (sizes[0] ?? '')
  const key = `${size}|${ram ?? ''}|${chip}|${millimeters}|${radio}|${color ?? ''}`
  const before = offered.choiceCache.get(key)
  if (before) return before
  const chosen = chooseAmong(offered, sizes, ram, beside)
  if (offered.choiceCache.size < MAX_CACHED_CHOICES) offered.choiceCache.set(key, chosen)
  return chosen
}

/** Stated attributes other than storage and memory. */
type OtherAttributes = {
  readonly chip: string | undefined
  readonly millimeters: number | undefined
  readonly radio: Radio
  readonly color: string | null
}

function chooseAmong(
  options: DeviceOptions,
  sizes: readonly number[],
  ram: number | null,
  stated: OtherAttributes,
): VariantChoice {
  const { traits, storages, rams, byStorage } = options
  const size = sizes.length === 1 ? (sizes[0] as number) : null
  const none = (note: VariantNote, alike: readonly VariantTraits[] = NO_TRAITS): VariantChoice => ({
    variants: [],
    storageGb: size,
    ramGb: ram,
    note,
    similarVariants: alike.map(({ variant }) => variant),
  })
  if (sizes.length > 1) return none('several_storages')
  let left = traits
  if (size !== null && storages.size > 0) {
    left = byStorage.get(size) ?? left.filter(({ storage }) => isSameSize(storage, size))
    if (left.length === 0) return none('storage_not_offered', filterByOtherAttributes(traits, stated, options))
  }
  if (ram !== null && rams.size > 0) {
    const withRam = left.filter((one) => one.ram === ram)
    if (withRam.length === 0) return none('memory_not_offered', filterByOtherAttributes(left, stated, options))
    left = withRam
  }
  left = filterByOtherAttributes(left, stated, options)
  if (left.length === 0) return none('chip_not_offered')
  return { variants: left.map(({ variant }) => variant), storageGb: size, ramGb: ram, note: null, similarVariants: [] }
}

const NO_TRAITS: readonly VariantTraits[] = []

/** Variants that fit the stated attributes other than storage and memory. */
function filterByOtherAttributes(
  list: readonly VariantTraits[],
  stated: OtherAttributes,
  { hasChips }: DeviceOptions,
): readonly VariantTraits[] {
  let left = list
  const { chip, millimeters, radio, color } = stated
  if (chip !== undefined && hasChips) {
    // "i5" matches a Core i5-1135G7.
    left = left.filter((one) => one.chip === chip || one.chip.startsWith(`core ${chip}`))
    if (left.length === 0) return left
  }
  if (millimeters !== undefined) left = narrowUnlessEmpty(left, (one) => one.millimeters === millimeters)
  if (radio !== '') left = narrowUnlessEmpty(left, (one) => one.radio === radio)
  return color === null ? left : narrowUnlessEmpty(left, (one) => one.color === color)
}

/** 1 TB may be written as 1024 or 1000 GB. */
const isSameSize = (storage: number | null, size: number) =>
  storage !== null && storage >= 1024 && size * 1024 === storage * 1000

/** Ignores a filter that no variant fits: color, size and connectivity never exclude a device. */
function narrowUnlessEmpty(
  list: readonly VariantTraits[],
  fits: (one: VariantTraits) => boolean,
): readonly VariantTraits[] {
  const fitting = list.filter(fits)
  return fitting.length > 0 ? fitting : list
}

function radioFor(connectivity: string): Radio {
  if (connectivity.includes('cellular') || connectivity.includes('lte')) return 'cellular'
  return connectivity === 'gps' || connectivity === 'wi-fi' ? connectivity : ''
}

function statedRadio(said: readonly string[]): Radio {
  if (said.length === 0) return ''
  if (said.includes('Cellular') || said.includes('LTE')) return 'cellular'
  if (said.includes('GPS')) return 'gps'
  return said.includes('Wi-Fi') ? 'wi-fi' : ''
}

/** The longest fully stated color of the device; otherwise the only one that shares a word with the stated colors. */
function statedColor(colors: readonly Color[], said: readonly string[]): string | null {
  if (said.length === 0) return null
  let best: string | null = null
  let most = 0
  let partly: string | null = null
  let partlyCount = 0
  for (const { name, words } of colors) {
    let found = 0
    for (const word of words) if (said.includes(word)) found++
    if (found > 0) {
      partly = name
      partlyCount++
    }
    if (found < words.length || found < most) continue
    best = found > most ? name : null
    most = found
  }
  if (most > 0) return best
  return partlyCount === 1 ? partly : null
}

/** Splits amounts into storage and memory. */
function splitStorageAndRam(
  amounts: readonly MemoryAmount[],
  storages: ReadonlySet<number>,
  rams: ReadonlySet<number>,
) {
  const sizes: number[] = []
  let ram: number | null = null
  let largest = 0
  for (const { gigabytes, isRam } of amounts) if (!isRam && gigabytes > largest) largest = gigabytes
  for (const { gigabytes, isRam } of amounts) {
    const isMemory =
      isRam ||
      (gigabytes < largest &&
        gigabytes <= 64 &&
        (rams.has(gigabytes) || !storages.has(gigabytes)) &&
        gigabytes * 4 <= largest)
    if (isMemory) ram ??= gigabytes
    else if (!sizes.includes(gigabytes)) sizes.push(gigabytes)
  }
  return { sizes, ram }
}
