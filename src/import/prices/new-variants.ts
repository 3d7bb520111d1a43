/**
 * Sizes of known devices that a price list speaks of and the registry does not hold. A title may be wrong about its size, so
 * only a size that its maker could have sold is believed.
 */
import type { Attribute, Device, Variant } from '../../catalog/device.ts'
import { startOfDay, YEAR_MS } from '../../lib/time.ts'
import { gigabytesFromText } from '../../pricing/configuration.ts'
import type { MissingVariant } from '../../pricing/observations/subject-matcher.ts'
import { affectsPrice } from '../../pricing/price-attributes.ts'

/** A variant as the registry does not hold it yet, or why it is not believed. */
export type InferredVariant = { readonly attributes: readonly Attribute[] } | { readonly problem: string }

/** Sizes of today's storage; others were sold too, where the maker lists them. */
const STORAGES_GB = new Set([4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192])
const MEMORIES_GB = new Set([1, 2, 3, 4, 6, 8, 10, 12, 16, 18, 20, 24, 32, 36, 40, 48, 64, 96, 128, 192, 256])
/** How many times the largest that is listed a size may be; nor more than the maker had at the time. */
const MAX_TIMES_LARGEST = { storage: 4, ram: 2 } as const
/** Computers are made to order, and lists hold what stands in shops: there the maker's other sizes are no bound. */
const BUILT_TO_ORDER = new Set(['Laptop', 'Desktop'])
const MAX_TIMES_BUILT_TO_ORDER = { storage: 16, ram: 8 } as const
const MIN_SHARE_OF_SMALLEST = 0.5
/** A device that is listed with so many storages is listed from its least on and without gaps. */
const COMPLETE_RANGE_SIZES = 3
/** Devices of a make and kind that came out up to so much later than one tell what it could have had. */
const MAX_LATER_MS = YEAR_MS

/** Says which variant a row means. `devices` are all of the registry: they tell what a maker sold at the time. */
export function createVariantInference(devices: readonly Device[]): (size: MissingVariant) => InferredVariant {
  const makersSizes = sizesByMaker(devices)
  return ({ device, storageGb, ramGb, similarVariants: alike }) => {
    const attributes: Attribute[] = []
    for (const name of attributeNames(alike)) {
      const kind = name.toLowerCase()
      const said = kind === 'storage' ? storageGb : kind === 'ram' ? ramGb : null
      if (said === null) {
        const values = new Set(alike.map((variant) => attributeOf(variant, name)))
        const [only] = values
        if (values.size > 1 || !only) return rejectSize('storage size missing')
        attributes.push({ name, value: only })
        continue
      }
      const size = wholeTerabytes(said)
      const problem = findImplausibility(
        kind as SizeAttribute,
        size,
        device,
        makersSizes(device, kind as SizeAttribute),
      )
      if (problem) return rejectSize(problem)
      attributes.push({ name, value: sizeText(size) })
    }
    return { attributes }
  }
}

type SizeAttribute = keyof typeof MAX_TIMES_LARGEST

const rejectSize = (problem: string) => ({ problem })

/** As the variants have them, without what changes no price: a row that names a color still speaks of all colors. */
function attributeNames(alike: readonly Variant[]): string[] {
  const names = new Set(alike.flatMap(({ attributes }) => attributes.map(({ name }) => name)))
  return [...names].filter(affectsPrice)
}

const attributeOf = ({ attributes }: Variant, name: string) =>
  attributes.find((one) => one.name.toLowerCase() === name.toLowerCase())?.value

const SIZE_WORDS = { storage: 'storage', ram: 'memory' } as const

function findImplausibility(
  name: SizeAttribute,
  size: number,
  device: Device,
  ofMaker: ReadonlySet<number>,
): string | null {
  const usual = name === 'storage' ? STORAGES_GB : MEMORIES_GB
  if (!usual.has(size) && !ofMaker.has(size)) return `no maker sells such a ${SIZE_WORDS[name]}`
  const listed = sizesOf(device, name)
  const isToOrder = BUILT_TO_ORDER.has(device.category)
  const times = isToOrder ? MAX_TIMES_BUILT_TO_ORDER : MAX_TIMES_LARGEST
  const isWhole = name === 'storage' && listed.size >= COMPLETE_RANGE_SIZES
  const isLikely =
    listed.has(size) ||
    (size >= Math.min(...listed) * MIN_SHARE_OF_SMALLEST &&
      size <= Math.max(...listed) * times[name] &&
      (isToOrder || size <= Math.max(...listed, ...ofMaker)) &&
      (!isWhole || size > Math.max(...listed)))
  return isLikely ? null : `the model is not likely to have had such a ${SIZE_WORDS[name]}`
}

function sizesOf({ variants }: Device, name: SizeAttribute): Set<number> {
  return new Set(variants.flatMap((variant) => gigabytesFromText(attributeOf(variant, name) ?? '') ?? []))
}

/** The sizes that a maker had in devices of a kind until a year after one came out. */
function sizesByMaker(devices: readonly Device[]): (device: Device, name: SizeAttribute) => ReadonlySet<number> {
  const byMaker = Map.groupBy(devices, makerOf)
  return (device, name) => {
    const until = device.releasedOn === null ? Number.POSITIVE_INFINITY : startOfDay(device.releasedOn) + MAX_LATER_MS
    const sizes = new Set<number>()
    for (const other of byMaker.get(makerOf(device)) ?? []) {
      if (other.releasedOn === null || startOfDay(other.releasedOn) > until) continue
      for (const size of sizesOf(other, name)) sizes.add(size)
    }
    return sizes
  }
}

const makerOf = ({ make, category }: Device) => `${make}\n${category}`

/** 1000 GB is what makers call a terabyte. */
const wholeTerabytes = (size: number) => (size >= 1000 && size % 1000 === 0 ? (size / 1000) * 1024 : size)

const sizeText = (size: number) => (size >= 1024 && size % 1024 === 0 ? `${size / 1024}TB` : `${size}GB`)
