/**
 * Infers variants that a price list names and the registry lacks. Titles may state a wrong size, so only sizes that the
 * maker plausibly sold are accepted.
 */
import { type Attribute, type Device, isBuiltToOrder, type Variant } from '../../catalog/device.ts'
import type { RejectionCode } from '../../lib/rejections.ts'
import { startOfDay, YEAR_MS } from '../../lib/time.ts'
import type { MissingVariant } from '../../pricing/observations/subject-matcher.ts'
import { affectsPrice } from '../../pricing/price-attributes.ts'
import { gigabytesFromText } from '../../text/sizes.ts'

/** Attributes of the missing variant, or why it is implausible. */
export type InferredVariant = { readonly attributes: readonly Attribute[] } | { readonly problem: RejectionCode }

/** Common sizes; other sizes are accepted only if the maker sold them in another device. */
const STORAGES_GB = new Set([4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192])
const MEMORIES_GB = new Set([1, 2, 3, 4, 6, 8, 10, 12, 16, 18, 20, 24, 32, 36, 40, 48, 64, 96, 128, 192, 256])
/** Maximum ratio to the device's largest listed size. The maker's largest size at the time is a further limit. */
const MAX_TIMES_LARGEST = { storage: 4, ram: 2 } as const
/** Catalogues list only retail configurations of what is built to order: the maker's other sizes are not a limit here. */
const MAX_TIMES_BUILT_TO_ORDER = { storage: 16, ram: 8 } as const
const MIN_SHARE_OF_SMALLEST = 0.5
/** From this many listed storage sizes on, the list is assumed complete up to its largest size. */
const COMPLETE_RANGE_SIZES = 3
/** Devices released up to this much later count as evidence for the sizes a maker offered. */
const MAX_LATER_MS = YEAR_MS

/** `devices` is the whole registry: it shows which sizes each maker sold at the time. */
export function createVariantInference(devices: readonly Device[]): (size: MissingVariant) => InferredVariant {
  const findMakerSizes = sizesByMaker(devices)
  const chips = new Map(
    devices
      .flatMap(({ variants }) => variants.map((variant) => attributeOf(variant, 'chip') ?? ''))
      .map((chip) => [chip.toLowerCase(), chip]),
  )
  return ({ device, storageGb, ramGb, chip, similarVariants }) => {
    const attributes: Attribute[] = []
    for (const name of attributeNames(similarVariants)) {
      const kind = name.toLowerCase()
      if (kind === 'chip' && chip !== undefined) {
        // Only a chip that other devices have: its name is spelled as theirs.
        const value = chips.get(chip.toLowerCase())
        if (!value) return { problem: 'storage_not_of_model' }
        attributes.push({ name, value })
        continue
      }
      const statedGb = kind === 'storage' ? storageGb : kind === 'ram' ? ramGb : null
      if (statedGb === null) {
        const values = new Set(similarVariants.map((variant) => attributeOf(variant, name)))
        const [onlyValue] = values
        if (values.size > 1 || !onlyValue) return { problem: 'storage_missing' }
        attributes.push({ name, value: onlyValue })
        continue
      }
      const size = kind === 'storage' && isBuiltToOrder(device) ? driveSize(statedGb) : wholeTerabytes(statedGb)
      const sizeKind = kind as SizeAttribute
      const problem = findImplausibility(sizeKind, size, device, findMakerSizes(device, sizeKind))
      if (problem) return { problem }
      attributes.push({ name, value: sizeText(size) })
    }
    return { attributes }
  }
}

type SizeAttribute = keyof typeof MAX_TIMES_LARGEST

/** Attribute names that affect the price. Color does not, so a row with a color stands for all colors. */
function attributeNames(variants: readonly Variant[]): string[] {
  const names = new Set(variants.flatMap(({ attributes }) => attributes.map(({ name }) => name)))
  return [...names].filter(affectsPrice)
}

const attributeOf = ({ attributes }: Variant, name: string) =>
  attributes.find((attribute) => attribute.name.toLowerCase() === name.toLowerCase())?.value

const SIZE_PROBLEMS = {
  storage: { notSold: 'storage_not_sold', unlikely: 'storage_unlikely' },
  ram: { notSold: 'memory_not_sold', unlikely: 'memory_unlikely' },
} as const

function findImplausibility(
  name: SizeAttribute,
  size: number,
  device: Device,
  makerSizes: ReadonlySet<number>,
): RejectionCode | null {
  const commonSizes = name === 'storage' ? STORAGES_GB : MEMORIES_GB
  if (!commonSizes.has(size) && !makerSizes.has(size)) return SIZE_PROBLEMS[name].notSold
  const listedSizes = sizesOf(device, name)
  const isComputer = isBuiltToOrder(device)
  const maxTimes = isComputer ? MAX_TIMES_BUILT_TO_ORDER : MAX_TIMES_LARGEST
  const isRangeComplete = name === 'storage' && listedSizes.size >= COMPLETE_RANGE_SIZES
  const isLikely =
    listedSizes.has(size) ||
    (size >= Math.min(...listedSizes) * MIN_SHARE_OF_SMALLEST &&
      size <= Math.max(...listedSizes) * maxTimes[name] &&
      (isComputer || size <= Math.max(...listedSizes, ...makerSizes)) &&
      (!isRangeComplete || size > Math.max(...listedSizes)))
  return isLikely ? null : SIZE_PROBLEMS[name].unlikely
}

function sizesOf({ variants }: Device, name: SizeAttribute): Set<number> {
  return new Set(variants.flatMap((variant) => gigabytesFromText(attributeOf(variant, name) ?? '') ?? []))
}

/** Sizes that a maker sold in the device's category until `MAX_LATER_MS` after its release. */
function sizesByMaker(devices: readonly Device[]): (device: Device, name: SizeAttribute) => ReadonlySet<number> {
  const byMaker = Map.groupBy(devices, makerOf)
  return (device, name) => {
    const latestRelease =
      device.releasedOn === null ? Number.POSITIVE_INFINITY : startOfDay(device.releasedOn) + MAX_LATER_MS
    const sizes = new Set<number>()
    for (const other of byMaker.get(makerOf(device)) ?? []) {
      if (other.releasedOn === null || startOfDay(other.releasedOn) > latestRelease) continue
      for (const size of sizesOf(other, name)) sizes.add(size)
    }
    return sizes
  }
}

const makerOf = ({ make, category }: Device) => `${make}\n${category}`

/** Makers call 1000 GB a terabyte; the registry counts 1024. */
const wholeTerabytes = (size: number) => (size >= 1000 && size % 1000 === 0 ? (size / 1000) * 1024 : size)

/** A drive of 250 or 500 GB is one of 256 or 512. */
const driveSize = (size: number) => (size === 250 || size === 500 ? size * 1.024 : wholeTerabytes(size))

const sizeText = (size: number) => (size >= 1024 && size % 1024 === 0 ? `${size / 1024}TB` : `${size}GB`)
