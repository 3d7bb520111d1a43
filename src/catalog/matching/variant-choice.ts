/** Chooses the variants of a device that fit a title. */
import { type Device, isBuiltToOrder, type Variant } from '../device.ts'
import { areOfferedSizes } from './memory-amounts.ts'
import type { MemoryAmount } from './title-facts.ts'
import { splitPieces } from './title-lexicon.ts'

export type VariantNote = 'several_storages' | 'storage_not_offered' | 'memory_not_offered' | 'chip_not_offered'

export type StatedAttributes = {
  readonly amounts: readonly MemoryAmount[]
  readonly chips: readonly string[]
  readonly graphics: readonly string[]
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
  /** If no variant has the stated sizes: those that fit everything else. Of several stated sizes: those of the smallest. */
  readonly similarVariants: readonly Variant[]
}

type VariantTraits = {
  readonly variant: Variant
  readonly storage: number | null
  readonly ram: number | null
  readonly chip: string
  readonly graphics: string
  readonly millimeters: number | null
  readonly radio: Radio
  readonly color: string
}

type Radio = 'cellular' | 'gps' | 'wi-fi' | ''

type Color = { readonly name: string; readonly words: readonly string[] }

type DeviceOptions = {
  readonly traits: readonly VariantTraits[]
  readonly isComputer: boolean
  readonly storages: ReadonlySet<number>
  readonly rams: ReadonlySet<number>
  readonly hasChips: boolean
  readonly hasGraphics: boolean
  readonly byStorage: ReadonlyMap<number | null, readonly VariantTraits[]>
  readonly colors: readonly Color[]
  /** Earlier choices by stated attributes. */
  readonly choiceCache: Map<string, VariantChoice>
}

/** Sellers state the same few attributes of a device; the cache is bounded because callers may state anything. */
const MAX_CACHED_CHOICES = 64

const optionsByDevice = new WeakMap<Device, DeviceOptions>()

/** Computed once per device on first use: most devices are never requested. */
function readOptions({ variants, category }: Device): DeviceOptions {
  const traits = variants.map(readTraits)
  const colors = new Set(traits.flatMap(({ color }) => color || []))
  return {
    traits,
    isComputer: isBuiltToOrder({ category }),
    storages: new Set(traits.flatMap(({ storage }) => storage ?? [])),
    rams: new Set(traits.flatMap(({ ram }) => ram ?? [])),
    hasChips: traits.some(({ chip }) => chip !== ''),
    hasGraphics: traits.some(({ graphics }) => graphics !== ''),
    byStorage: Map.groupBy(traits, ({ storage }) => storage),
    colors: Array.from(colors, (name) => ({ name, words: name.split(' ') })),
    choiceCache: new Map(),
  }
}

function readTraits(variant: Variant): VariantTraits {
  const attributeValue = (name: string) =>
    variant.attributes.find((attribute) => attribute.name.toLowerCase() === name)?.value ?? ''
  return {
    variant,
    storage: parseGigabytes(attributeValue('storage')),
    ram: parseGigabytes(attributeValue('ram')),
    chip: attributeValue('chip').toLowerCase(),
    graphics: attributeValue('graphics').toLowerCase(),
    millimeters: /^\d+mm$/i.test(attributeValue('size')) ? Number.parseInt(attributeValue('size'), 10) : null,
    radio: radioFor(attributeValue('connectivity').toLowerCase()),
    color: splitPieces(attributeValue('color')).map(normalizeColorWord).join(' '),
  }
}

export const normalizeColorWord = (word: string) => (word === 'grey' ? 'gray' : word)

export function parseGigabytes(text: string): number | null {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(gb|tb)?\s*$/i.exec(text)
  if (!match) return null
  return Number(match[1]) * (match[2]?.toLowerCase() === 'tb' ? 1024 : 1)
}

export function chooseVariants(device: Device, stated: StatedAttributes): VariantChoice {
  const options = optionsByDevice.getOrInsertComputed(device, readOptions)
  const { sizes, ram } = splitStorageAndRam(stated.amounts, options.storages, options.rams)
  const otherAttributes: OtherAttributes = {
    chip: stated.chips[0],
    graphics: stated.graphics[0],
    millimeters: stated.millimeters.length === 1 ? stated.millimeters[0] : undefined,
    radio: statedRadio(stated.connectivity),
    ...statedColor(options.colors, stated.colors),
  }
  const { chip = '', graphics = '', millimeters = '', radio, color, isOtherColor } = otherAttributes
  const size = sizes.join('/')
  const key = `${size}|${ram ?? ''}|${chip}|${graphics}|${millimeters}|${radio}|${isOtherColor ? '?' : (color ?? '')}`
  const cachedChoice = options.choiceCache.get(key)
  if (cachedChoice) return cachedChoice
  const choice = chooseAmong(options, sizes, ram, otherAttributes)
  if (options.choiceCache.size < MAX_CACHED_CHOICES) options.choiceCache.set(key, choice)
  return choice
}

/** Stated attributes other than storage and memory. */
type OtherAttributes = {
  readonly chip: string | undefined
  readonly graphics: string | undefined
  readonly millimeters: number | undefined
  readonly radio: Radio
  readonly color: string | null
  /** A color is stated, and no listed one shares a word with it. */
  readonly isOtherColor: boolean
}

function chooseAmong(
  options: DeviceOptions,
  sizes: readonly number[],
  ram: number | null,
  stated: OtherAttributes,
): VariantChoice {
  const { traits, storages, rams, byStorage, isComputer } = options
  const size = sizes.length === 1 ? (sizes[0] as number) : null
  const choice = (
    variants: readonly VariantTraits[],
    similarVariants: readonly VariantTraits[] = [],
    note: VariantNote | null = null,
  ): VariantChoice => ({
    variants: variants.map(({ variant }) => variant),
    storageGb: size,
    ramGb: ram,
    note,
    similarVariants: similarVariants.map(({ variant }) => variant),
  })
  if (sizes.length > 1) {
    const smallest = sizes.filter((stated) => byStorage.has(stated)).reduce((a, b) => Math.min(a, b), Infinity)
    const withRam = (byStorage.get(smallest) ?? []).filter((candidate) => ram === null || candidate.ram === ram)
    return choice([], filterByOtherAttributes(withRam, stated, options), 'several_storages')
  }
  const hasChip = ({ chip }: VariantTraits) => isStatedChip(chip, stated.chip ?? '')
  if (isComputer && stated.chip !== undefined && options.hasChips && !traits.some(hasChip)) {
    return choice([], filterByOtherAttributes(traits, { ...stated, chip: undefined }, options), 'chip_not_offered')
  }
  let remaining = traits
  if (size !== null && storages.size > 0) {
    remaining = byStorage.get(size) ?? remaining.filter(({ storage }) => isSameSize(storage, size, isComputer))
    if (remaining.length === 0)
      return choice([], filterByOtherAttributes(traits, stated, options), 'storage_not_offered')
  }
  if (ram !== null && rams.size > 0) {
    const withRam = remaining.filter((candidate) => candidate.ram === ram)
    if (withRam.length === 0) {
      const similar = filterByOtherAttributes(remaining, stated, options)
      const ofOtherStorage = similar.length === 0 ? filterByOtherAttributes(traits, stated, options) : similar
      return choice([], ofOtherStorage, 'memory_not_offered')
    }
    remaining = withRam
  }
  remaining = filterByOtherAttributes(remaining, stated, options)
  if (remaining.length === 0) return choice([], [], 'chip_not_offered')
  // The catalogue may not list every variant: "PS4 Pro white" is not the only listed one, which is black.
  const [only] = remaining
  const isOtherVariant = remaining.length === 1 && only && (stated.isOtherColor || contradicts(only, stated))
  return isOtherVariant ? choice([], remaining) : choice(remaining)
}

/** Whether the title states another size or connectivity than the variant has. */
const contradicts = (traits: VariantTraits, { millimeters, radio }: OtherAttributes) =>
  (millimeters !== undefined && traits.millimeters !== null && traits.millimeters !== millimeters) ||
  (radio !== '' && traits.radio !== '' && traits.radio !== radio)

/** "i5" matches a Core i5-1135G7. */
const isStatedChip = (chip: string, stated: string) => chip === stated || chip.startsWith(`core ${stated}`)

/** Variants that fit the stated attributes other than storage and memory. */
function filterByOtherAttributes(
  candidates: readonly VariantTraits[],
  stated: OtherAttributes,
  { hasChips, hasGraphics }: DeviceOptions,
): readonly VariantTraits[] {
  let remaining = candidates
  const { chip, graphics, millimeters, radio, color } = stated
  if (chip !== undefined && hasChips) {
    remaining = remaining.filter((candidate) => isStatedChip(candidate.chip, chip))
    if (remaining.length === 0) return remaining
  }
  if (graphics !== undefined && hasGraphics) {
    remaining = remaining.filter((candidate) => candidate.graphics === graphics)
    if (remaining.length === 0) return remaining
  }
  if (millimeters !== undefined)
    remaining = narrowUnlessEmpty(remaining, (candidate) => candidate.millimeters === millimeters)
  if (radio !== '') remaining = narrowUnlessEmpty(remaining, (candidate) => candidate.radio === radio)
  return color === null ? remaining : narrowUnlessEmpty(remaining, (candidate) => candidate.color === color)
}

/** 1 TB may be written as 1024 or 1000 GB, and a drive of 512 GB as 500. */
const isSameSize = (storage: number | null, size: number, isComputer: boolean) =>
  storage !== null && (storage >= 1024 || (isComputer && storage >= 256)) && size * 1024 === storage * 1000

/** Ignores a filter that no variant fits: color, size and connectivity never exclude a device. */
function narrowUnlessEmpty(
  candidates: readonly VariantTraits[],
  fits: (candidate: VariantTraits) => boolean,
): readonly VariantTraits[] {
  const fitting = candidates.filter(fits)
  return fitting.length > 0 ? fitting : candidates
}

function radioFor(connectivity: string): Radio {
  if (connectivity.includes('cellular') || connectivity.includes('lte')) return 'cellular'
  return connectivity === 'gps' || connectivity === 'wi-fi' ? connectivity : ''
}

function statedRadio(connectivity: readonly string[]): Radio {
  if (connectivity.length === 0) return ''
  if (connectivity.includes('Cellular') || connectivity.includes('LTE')) return 'cellular'
  if (connectivity.includes('GPS')) return 'gps'
  return connectivity.includes('Wi-Fi') ? 'wi-fi' : ''
}

const NO_COLOR = { color: null, isOtherColor: false }
const OTHER_COLOR = { color: null, isOtherColor: true }

/** The longest fully stated color of the device; otherwise the only one that shares a word with the stated colors. */
function statedColor(
  colors: readonly Color[],
  statedWords: readonly string[],
): Pick<OtherAttributes, 'color' | 'isOtherColor'> {
  if (statedWords.length === 0) return NO_COLOR
  let best: string | null = null
  let mostWords = 0
  let partialMatch: string | null = null
  let partialMatchCount = 0
  for (const { name, words } of colors) {
    let statedCount = 0
    for (const word of words) if (statedWords.includes(word)) statedCount++
    if (statedCount > 0) {
      partialMatch = name
      partialMatchCount++
    }
    if (statedCount < words.length || statedCount < mostWords) continue
    best = statedCount > mostWords ? name : null
    mostWords = statedCount
  }
  if (partialMatchCount === 0) return OTHER_COLOR
  return { color: mostWords > 0 ? best : partialMatchCount === 1 ? partialMatch : null, isOtherColor: false }
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
  const isChoice =
    amounts.length > 2 && areOfferedSizes(amounts.flatMap(({ gigabytes, isRam }) => (isRam ? [] : gigabytes)))
  for (const { gigabytes, isRam } of amounts) {
    const isMemory =
      isRam ||
      (!isChoice &&
        gigabytes < largest &&
        gigabytes <= 64 &&
        (rams.has(gigabytes) || !storages.has(gigabytes)) &&
        gigabytes * 4 <= largest)
    if (isMemory) ram ??= gigabytes
    else if (!sizes.includes(gigabytes)) sizes.push(gigabytes)
  }
  return { sizes, ram }
}
