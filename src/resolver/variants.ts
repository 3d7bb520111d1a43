/** Which variants of a device a title can mean. */
import type { Device, Variant } from '../catalog/device.ts'
import type { Amount } from './reading.ts'
import { piecesOf } from './title-lexicon.ts'

export type VariantNote = 'several_storages' | 'storage_not_offered' | 'memory_not_offered' | 'chip_not_offered'

export type Said = {
  readonly amounts: readonly Amount[]
  readonly chips: readonly string[]
  readonly millimeters: readonly number[]
  readonly connectivity: readonly string[]
  /** Words of the title that can be part of a color, in English. */
  readonly colors: readonly string[]
}

export type Chosen = {
  /** All that fit; empty where an attribute was said that the device was never sold with. */
  readonly variants: readonly Variant[]
  readonly storageGb: number | null
  readonly ramGb: number | null
  readonly note: VariantNote | null
  /** Where no variant has the sizes that were said: those that fit everything else. */
  readonly alike: readonly Variant[]
}

type Traits = {
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

type Offered = {
  readonly traits: readonly Traits[]
  readonly storages: ReadonlySet<number>
  readonly rams: ReadonlySet<number>
  readonly hasChips: boolean
  readonly byStorage: ReadonlyMap<number | null, readonly Traits[]>
  readonly colors: readonly Color[]
  /** What was chosen before, by what was said. */
  readonly chosen: Map<string, Chosen>
}

/** Sellers say the same few things of a device; callers may say anything, so there is an end to it. */
const MOST_CHOSEN = 64

const offeredByDevice = new WeakMap<Device, Offered>()

/** Read once per device, when it is first asked for: most never are. */
function offeredOf(device: Device): Offered {
  let offered = offeredByDevice.get(device)
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
      chosen: new Map(),
    }
    offeredByDevice.set(device, offered)
  }
  return offered
}

function readTraits(variant: Variant): Traits {
  const of = (name: string) =>
    variant.attributes.find((attribute) => attribute.name.toLowerCase() === name)?.value ?? ''
  return {
    variant,
    storage: gigabytesOf(of('storage')),
    ram: gigabytesOf(of('ram')),
    chip: of('chip').toLowerCase(),
    millimeters: /^\d+mm$/i.test(of('size')) ? Number.parseInt(of('size'), 10) : null,
    radio: radioOf(of('connectivity').toLowerCase()),
    color: piecesOf(of('color')).map(plainColor).join(' '),
  }
}

export const plainColor = (word: string) => (word === 'grey' ? 'gray' : word)

export function gigabytesOf(text: string): number | null {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(gb|tb)?\s*$/i.exec(text)
  if (!match) return null
  return Number(match[1]) * (match[2]?.toLowerCase() === 'tb' ? 1024 : 1)
}

export function chooseVariants(device: Device, said: Said): Chosen {
  const offered = offeredOf(device)
  const { sizes, ram } = shareOut(said.amounts, offered.storages, offered.rams)
  const beside: Beside = {
    chip: said.chips[0],
    millimeters: said.millimeters.length === 1 ? said.millimeters[0] : undefined,
    radio: radioSaid(said.connectivity),
    color: colorSaid(offered.colors, said.colors),
  }
  const { chip = '', millimeters = '', radio, color } = beside
  const size = sizes.length > 1 ? 'several' : (sizes[0] ?? '')
  const key = `${size}|${ram ?? ''}|${chip}|${millimeters}|${radio}|${color ?? ''}`
  const before = offered.chosen.get(key)
  if (before) return before
  const chosen = choose(offered, sizes, ram, beside)
  if (offered.chosen.size < MOST_CHOSEN) offered.chosen.set(key, chosen)
  return chosen
}

/** What was said beside storage and memory. */
type Beside = {
  readonly chip: string | undefined
  readonly millimeters: number | undefined
  readonly radio: Radio
  readonly color: string | null
}

function choose(offered: Offered, sizes: readonly number[], ram: number | null, said: Beside): Chosen {
  const { traits, storages, rams, byStorage } = offered
  const size = sizes.length === 1 ? (sizes[0] as number) : null
  const none = (note: VariantNote, alike: readonly Traits[] = NONE): Chosen => ({
    variants: [],
    storageGb: size,
    ramGb: ram,
    note,
    alike: alike.map(({ variant }) => variant),
  })
  if (sizes.length > 1) return none('several_storages')
  let left = traits
  if (size !== null && storages.size > 0) {
    left = byStorage.get(size) ?? left.filter(({ storage }) => isSameSize(storage, size))
    if (left.length === 0) return none('storage_not_offered', besideSizes(traits, said, offered))
  }
  if (ram !== null && rams.size > 0) {
    const withRam = left.filter((one) => one.ram === ram)
    if (withRam.length === 0) return none('memory_not_offered', besideSizes(left, said, offered))
    left = withRam
  }
  left = besideSizes(left, said, offered)
  if (left.length === 0) return none('chip_not_offered')
  return { variants: left.map(({ variant }) => variant), storageGb: size, ramGb: ram, note: null, alike: [] }
}

const NONE: readonly Traits[] = []

/** Those that fit what was said beside storage and memory. */
function besideSizes(list: readonly Traits[], said: Beside, { hasChips }: Offered): readonly Traits[] {
  let left = list
  const { chip, millimeters, radio, color } = said
  if (chip !== undefined && hasChips) {
    // "i5" is said of a Core i5-1135G7.
    left = left.filter((one) => one.chip === chip || one.chip.startsWith(`core ${chip}`))
    if (left.length === 0) return left
  }
  if (millimeters !== undefined) left = narrowed(left, (one) => one.millimeters === millimeters)
  if (radio !== '') left = narrowed(left, (one) => one.radio === radio)
  return color === null ? left : narrowed(left, (one) => one.color === color)
}

/** 1 TB is 1024 or 1000 GB to different writers. */
const isSameSize = (storage: number | null, size: number) =>
  storage !== null && storage >= 1024 && size * 1024 === storage * 1000

/** Colors and radios never rule a device out: what no variant has is left open. */
function narrowed(list: readonly Traits[], fits: (one: Traits) => boolean): readonly Traits[] {
  const fitting = list.filter(fits)
  return fitting.length > 0 ? fitting : list
}

function radioOf(connectivity: string): Radio {
  if (connectivity.includes('cellular') || connectivity.includes('lte')) return 'cellular'
  return connectivity === 'gps' || connectivity === 'wi-fi' ? connectivity : ''
}

function radioSaid(said: readonly string[]): Radio {
  if (said.length === 0) return ''
  if (said.includes('Cellular') || said.includes('LTE')) return 'cellular'
  if (said.includes('GPS')) return 'gps'
  return said.includes('Wi-Fi') ? 'wi-fi' : ''
}

/** The longest color of the device that is wholly said; else the only one that has the plain color in its name. */
function colorSaid(colors: readonly Color[], said: readonly string[]): string | null {
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

/** Which of the amounts are storage and which is memory. */
function shareOut(amounts: readonly Amount[], storages: ReadonlySet<number>, rams: ReadonlySet<number>) {
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
