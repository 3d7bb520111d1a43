import { memoize } from '../lib/memoize.ts'
import type { Device, Variant } from './device.ts'
import { foldName } from './search/search-term.ts'
import type { DeviceTerms, VariantTerms } from './search/term-tables.ts'

/** A device as snapshots hold it. All snapshots share the entry until the device changes. */
export type DeviceEntry = {
  readonly device: Device
  /** Make and category, folded for comparison with what callers send. */
  readonly makeKey: string
  readonly categoryKey: string
  readonly variants: readonly VariantEntry[]
  /** Set when the search index is built. */
  terms: DeviceTerms | undefined
  /** The wire form as UTF-8 JSON, set on first use. */
  json: Uint8Array | undefined
}

export type VariantEntry = {
  readonly variant: Variant
  readonly owner: DeviceEntry
  terms: VariantTerms | undefined
  json: Uint8Array | undefined
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
    terms: undefined,
    json: undefined,
  }
  for (const variant of device.variants) variants.push({ variant, owner, terms: undefined, json: undefined })
  return owner
}

/** The order of lists: newest first, unknown release dates last, then by id. */
export function compareEntries({ device: a }: DeviceEntry, { device: b }: DeviceEntry): number {
  const aDay = a.releasedOn ?? ''
  const bDay = b.releasedOn ?? ''
  if (aDay !== bDay) return aDay > bDay ? -1 : 1
  return a.id < b.id ? -1 : 1
}
