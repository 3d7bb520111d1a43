/** Which variants of a device a title can mean. */
import type { Device, Variant } from '../catalog/device.ts'
import { piecesOf } from './lexicon.ts'
import type { Amount } from './reading.ts'

export type VariantNote = 'several_storages' | 'storage_not_offered' | 'memory_not_offered' | 'chip_not_offered'

export type Said = {
  readonly amounts: readonly Amount[]
  readonly chips: readonly string[]
  readonly millimeters: readonly number[]
  readonly connectivity: ReadonlySet<string>
  /** Words of the title that can be part of a color, in English. */
  readonly colors: ReadonlySet<string>
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
  readonly colorWords: readonly string[]
}

const traitsByDevice = new WeakMap<Device, readonly Traits[]>()

/** Read once per device: most devices are never asked for. */
function traitsOf(device: Device): readonly Traits[] {
  let traits = traitsByDevice.get(device)
  if (!traits) {
    traits = device.variants.map(readTraits)
    traitsByDevice.set(device, traits)
  }
  return traits
}

function readTraits(variant: Variant): Traits {
  const of = (name: string) => variant.attributes.find((attribute) => attribute.name.toLowerCase() === name)?.value ?? ''
  return {
    variant,
    storage: gigabytesOf(of('storage')),
    ram: gigabytesOf(of('ram')),
    chip: of('chip').toLowerCase(),
    millimeters: /^\d+mm$/i.test(of('size')) ? Number.parseInt(of('size'), 10) : null,
    connectivity: of('connectivity').toLowerCase(),
    colorWords: piecesOf(of('color')).map(plainColor),
  }
}

export const plainColor = (word: string) => (word === 'grey' ? 'gray' : word)

export function gigabytesOf(text: string): number | null {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(gb|tb)?\s*$/i.exec(text)
  if (!match) return null
  return Number(match[1]) * (match[2]?.toLowerCase() === 'tb' ? 1024 : 1)
}

export function chooseVariants(device: Device, said: Said): Chosen {
  const all = traitsOf(device)
  const storages = new Set(all.flatMap(({ storage }) => (storage === null ? [] : [storage])))
  const rams = new Set(all.flatMap(({ ram }) => (ram === null ? [] : [ram])))
  const { sizes, ram } = shareOut(said.amounts, storages, rams)
  const none = (note: VariantNote): Chosen => ({ variants: [], storageGb: sizes.length === 1 ? (sizes[0] as number) : null, ramGb: ram, note })
  if (sizes.length > 1) return { ...none('several_storages'), storageGb: null }
  const [size = null] = sizes
  let left = all
  if (size !== null && storages.size > 0) {
    left = left.filter(({ storage }) => storage === size || isSameSize(storage, size))
    if (left.length === 0) return none('storage_not_offered')
  }
  if (ram !== null && rams.size > 0) {
    left = left.filter((one) => one.ram === ram)
    if (left.length === 0) return none('memory_not_offered')
  }
  const [chip] = said.chips
  if (chip !== undefined && left.some((one) => one.chip !== '')) {
    left = left.filter((one) => one.chip === chip || one.chip === `core ${chip}`)
    if (left.length === 0) return none('chip_not_offered')
  }
  left = narrowed(left, (one) => said.millimeters.length === 1 && one.millimeters === said.millimeters[0])
  left = narrowed(left, (one) => isConnected(one.connectivity, said.connectivity))
  left = byColor(left, said.colors)
  return { variants: left.map(({ variant }) => variant), storageGb: size, ramGb: ram, note: null }
}

/** 1 TB is 1024 or 1000 GB to different writers. */
const isSameSize = (storage: number | null, size: number) => storage !== null && storage >= 1024 && size * 1024 === storage * 1000

/** Colors and radios never rule a device out: what no variant has is left open. */
function narrowed(list: readonly Traits[], fits: (one: Traits) => boolean): readonly Traits[] {
  const fitting = list.filter(fits)
  return fitting.length > 0 ? fitting : list
}

function isConnected(own: string, said: ReadonlySet<string>): boolean {
  if (said.has('Cellular') || said.has('LTE')) return own.includes('cellular') || own.includes('lte')
  if (said.has('GPS')) return own === 'gps'
  return said.has('Wi-Fi') && own === 'wi-fi'
}

/** The longest color that is wholly said; else the only one that has the plain color in its name. */
function byColor(list: readonly Traits[], said: ReadonlySet<string>): readonly Traits[] {
  if (said.size === 0) return list
  let best: Traits[] = []
  let most = 0
  for (const one of list) {
    const { colorWords } = one
    if (colorWords.length === 0 || colorWords.length < most || !colorWords.every((word) => said.has(word))) continue
    if (colorWords.length > most) best = []
    most = colorWords.length
    best.push(one)
  }
  if (best.length === 0) best = list.filter(({ colorWords }) => colorWords.some((word) => said.has(word)))
  const colors = new Set(best.map(({ colorWords }) => colorWords.join(' ')))
  return colors.size === 1 ? best : list
}

/** Which of the amounts are storage and which is memory. */
function shareOut(amounts: readonly Amount[], storages: ReadonlySet<number>, rams: ReadonlySet<number>) {
  const sizes: number[] = []
  let ram: number | null = null
  const plain = amounts.filter((amount) => !amount.isRam).map(({ gigabytes }) => gigabytes)
  const largest = Math.max(0, ...plain)
  for (const { gigabytes, isRam } of amounts) {
    const isMemory = isRam || (gigabytes < largest && gigabytes <= 64 && (rams.has(gigabytes) || !storages.has(gigabytes)) && gigabytes * 4 <= largest)
    if (isMemory) ram ??= gigabytes
    else if (!sizes.includes(gigabytes)) sizes.push(gigabytes)
  }
  return { sizes, ram }
}
