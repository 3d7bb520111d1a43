import type { DeviceSort } from '../contract/device.ts'
import type { Device, DeviceRegistry, Variant } from './device.ts'
import type { SearchResult } from './search/search.ts'
import type { SearchTerm } from './search/search-term.ts'

/** Values are folded like those of the registry; see `search-term.ts`. */
export type DeviceFilters = {
  readonly make?: string | undefined
  readonly category?: string | undefined
  readonly status?: string | undefined
}

export type VariantFilters = Pick<DeviceFilters, 'make' | 'category'> & {
  readonly deviceId?: string | undefined
  readonly sku?: string | undefined
  readonly disabled?: string | undefined
  /** Keys of attributes that a variant must have; see `attributeKey`. */
  readonly attributes: readonly string[]
}

/** What is derived from all devices of a larger registry takes seconds, so it may be out of date for a while. */
export const LARGE_REGISTRY_DEVICES = 20_000

/** Number of a device in the index. Numbers ascend in list order. */
export type DeviceNumber = number

/** A variant in the index: its device and its position among the variants of that. */
export type VariantKey = { readonly device: DeviceNumber; readonly position: number }

export type PageRange = { readonly offset: number; readonly limit: number }

/** A page of a list, and the number of matches on all pages. */
export type Selection<Key> = {
  readonly keys: readonly Key[]
  readonly total: number
  /** Whether more than `total` match. */
  readonly isTotalCapped: boolean
}

export type StaticSort = Exclude<DeviceSort, 'frequent'>

export type LabelCount = { readonly name: string; readonly devices: number; readonly variants: number }
export type LabelKind = 'makes' | 'categories'

/**
 * The devices and variants that the service knows, in list order: newest first, unknown release dates last, then by id.
 * A change of the registry creates another object, so that caches can be kept for one.
 */
export type Registry = DeviceRegistry & {
  deviceCount(): number
  variantCount(): number
  listDevices(): Iterable<Device>
  listDevicesOfCategory(category: string): Iterable<Device>
  /** Devices that a model number, model identifier, part number or SKU names exactly. */
  findDevicesByCode(code: string): Device[]
  /** Folded attribute names that some variant has. */
  attributeNames(): ReadonlySet<string>
  /** Makes or categories in alphabetical order. */
  countLabels(kind: LabelKind): readonly LabelCount[]
  /** The spelling of a make or category whose slug is given. */
  findLabel(kind: LabelKind, slug: string): string | undefined

  findDeviceNumber(id: string): DeviceNumber | undefined
  findVariantKey(id: string): VariantKey | undefined
  deviceAt(number: DeviceNumber): Device
  variantAt(key: VariantKey): { readonly device: Device; readonly variant: Variant }
  /** The wire form as JSON. */
  deviceJson(number: DeviceNumber): Uint8Array
  variantJson(key: VariantKey): Uint8Array

  searchDevices(term: SearchTerm, filters?: DeviceFilters): SearchResult<DeviceNumber>
  searchVariants(term: SearchTerm, filters?: VariantFilters): SearchResult<VariantKey>
  /** The devices among `numbers` that pass the filters, in their order. */
  filterDevices(numbers: readonly DeviceNumber[], filters: DeviceFilters): DeviceNumber[]
  filterVariants(keys: readonly VariantKey[], filters: VariantFilters): VariantKey[]
  /** Sorts devices; equal ones are in list order. */
  sortDevices(numbers: readonly DeviceNumber[], sort: StaticSort): DeviceNumber[]
  selectDevices(
    filters: DeviceFilters,
    range: PageRange,
    sort?: StaticSort,
    /** Left out of the page and of the total. */
    except?: readonly DeviceNumber[],
  ): Selection<DeviceNumber>
  selectVariants(filters: VariantFilters, range: PageRange): Selection<VariantKey>
}
