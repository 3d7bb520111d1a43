import { memoize } from '../lib/memoize.ts'
import type { Device, Variant } from './device.ts'
import { foldName } from './search/search-term.ts'
import { NO_TERMS, type TermList } from './search/term-table.ts'

/** A device as snapshots hold it. All snapshots share the entry until the device changes. */
export type DeviceEntry = {
  readonly device: Device
  /** Make and category, folded for comparison with request parameters. */
  readonly makeKey: string
  readonly categoryKey: string
  readonly variants: readonly VariantEntry[]
  /** The wire form as UTF-8 JSON, set on first use. */
  json: Uint8Array | undefined
  /** The following fields are set when the device is added to the search index. */
  isIndexed: boolean
  words: TermList
  codes: TermList
  /** Distinct words in the name. */
  nameWordCount: number
}

export type VariantEntry = {
  readonly variant: Variant
  readonly owner: DeviceEntry
  json: Uint8Array | undefined
  /** The following fields are set when its device is added to the search index. */
  words: TermList
  codes: TermList
  attributes: TermList
  /** Distinct words in the names of the device and the variant. */
  nameWordCount: number
}

/** Thousands of devices share a make or category. */
const foldLabel = memoize(20_000, foldName)

export function createDeviceEntry(device: Device): DeviceEntry {
  const variants: VariantEntry[] = []
  const owner: DeviceEntry = {
    device,
    makeKey: foldLabel(device.make),
    categoryKey: foldLabel(device.category),
    variants,
    json: undefined,
    isIndexed: false,
    words: NO_TERMS,
    codes: NO_TERMS,
    nameWordCount: 0,
  }
  for (const variant of device.variants) {
    variants.push({
      variant,
      owner,
      json: undefined,
      words: NO_TERMS,
      codes: NO_TERMS,
      attributes: NO_TERMS,
      nameWordCount: 0,
    })
  }
  return owner
}

/** The order of lists: newest first, unknown release dates last, then by id. */
export function compareEntries({ device: a }: DeviceEntry, { device: b }: DeviceEntry): number {
  const aDay = a.releasedOn ?? ''
  const bDay = b.releasedOn ?? ''
  if (aDay !== bDay) return aDay > bDay ? -1 : 1
  return a.id < b.id ? -1 : 1
}
