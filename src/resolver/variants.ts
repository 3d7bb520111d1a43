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
}

type Traits = {
  readonly variant: Variant
  readonly storage: number | null
  readonly ram: number | null
  readonly chip: string
  readonly millimeters: number | null
  readonly connectivity: string
  readonly color: string
  readonly colorWords: readonly string[]
}

type Offered = {
  readonly traits: readonly Traits[]
  readonly storages: ReadonlySet<number>
  readonly rams: ReadonlySet<number>
  readonly hasChips: boolean
}

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
    }
    offeredByDevice.set(device, offered)
  }
  return offered
}

function readTraits(variant: Variant): Traits {
  const of = (name: string) =>
    variant.attributes.find((attribute) => attribute.name.toLowerCase() === name)?.value ?? ''
  const colorWords = piecesOf(of('color')).map(plainColor)
  return {
    variant,
    storage: gigabytesOf(of('storage')),
    ram: gigabytesOf(of('ram')),
    chip: of('chip').toLowerCase(),
    millimeters: /^\d+mm$/i.test(of('size')) ? Number.parseInt(of('size'), 10) : null,
    connectivity: of('connectivity').toLowerCase(),
    color: colorWords.join(' '),
    colorWords,
  }
}

export const plainColor = (word: string) => (word === 'grey' ? 'gray' : word)

export function gigabytesOf(text: string): number | null {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(gb|tb)?\s*$/i.exec(text)
  if (!match) return null
  return Number(match[1]) * (match[2]?.toLowerCase() === 'tb' ? 1024 : 1)
}

export function chooseVariants(device: Device, said: Said): Chosen {
  const { traits, storages, rams, hasChips } = offeredOf(device)
  const { sizes, ram } = shareOut(said.amounts, storages, rams)
  const none = (note: VariantNote): Chosen => ({
    variants: [],
    storageGb: sizes.length === 1 ? (sizes[0] as number) : null,
    ramGb: ram,
    note,
  })
  if (sizes.length > 1) return { ...none('several_storages'), storageGb: null }
  const size = sizes[0] ?? null
  let left = traits
  if (size !== null && storages.size > 0) {
    left = left.filter(({ storage }) => storage === size || isSameSize(storage, size))
    if (left.length === 0) return none('storage_not_offered')
  }
  if (ram !== null && rams.size > 0) {
    left = left.filter((one) => one.ram === ram)
    if (left.length === 0) return none('memory_not_offered')
  }
  const chip = said.chips[0]
  if (chip !== undefined && hasChips) {
    // "i5" is said of a Core i5-1135G7.
    left = left.filter((one) => one.chip === chip || one.chip.startsWith(`core ${chip}`))
    if (left.length === 0) return none('chip_not_offered')
  }
  if (said.millimeters.length === 1) left = narrowed(left, (one) => one.millimeters === said.millimeters[0])
  if (said.connectivity.length > 0) left = narrowed(left, (one) => isConnected(one.connectivity, said.connectivity))
  left = byColor(left, said.colors)
  return { variants: left.map(({ variant }) => variant), storageGb: size, ramGb: ram, note: null }
}

/** 1 TB is 1024 or 1000 GB to different writers. */
const isSameSize = (storage: number | null, size: number) =>
  storage !== null && storage >= 1024 && size * 1024 === storage * 1000

/** Colors and radios never rule a device out: what no variant has is left open. */
function narrowed(list: readonly Traits[], fits: (one: Traits) => boolean): readonly Traits[] {
  const fitting = list.filter(fits)
  return fitting.length > 0 ? fitting : list
}

function isConnected(own: string, said: readonly string[]): boolean {
  if (said.includes('Cellular') || said.includes('LTE')) return own.includes('cellular') || own.includes('lte')
  if (said.includes('GPS')) return own === 'gps'
  return said.includes('Wi-Fi') && own === 'wi-fi'
}

/** The longest color that is wholly said; else the only one that has the plain color in its name. */
function byColor(list: readonly Traits[], said: readonly string[]): readonly Traits[] {
  if (said.length === 0) return list
  let best: Traits[] = []
  let most = 0
  for (const one of list) {
    const { length } = one.colorWords
    if (length === 0 || length < most || !areAllIn(one.colorWords, said)) continue
    if (length > most) best = []
    most = length
    best.push(one)
  }
  if (best.length === 0) best = list.filter(({ colorWords }) => colorWords.some((word) => said.includes(word)))
  const first = best[0]
  return first && best.every(({ color }) => color === first.color) ? best : list
}

function areAllIn(words: readonly string[], said: readonly string[]): boolean {
  for (const word of words) if (!said.includes(word)) return false
  return true
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
