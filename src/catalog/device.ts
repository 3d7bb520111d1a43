import type { DATE_PRECISIONS } from '../contract/device.ts'
import { memoize } from '../lib/memoize.ts'

/** Devices of the catalogue. `present.ts` builds the wire form, `device-row.ts` the rows. */

export type DeviceStatus = 'active' | 'discontinued'

/** How much of `releasedOn` the source really knew; the missing parts are filled with 01. */
export type DatePrecision = (typeof DATE_PRECISIONS)[number]

export type Attribute = { readonly name: string; readonly value: string }

/** Launch list price in one country, with the tax that its buyers pay. */
export type ListPrice = {
  /** Code of the market, such as `in` or `eu`. */
  readonly market: string
  readonly currency: string
  /** In whole units of the currency. */
  readonly amount: number
}

export type Variant = {
  readonly id: string
  readonly sku: string
  readonly name: string
  /** Launch list price in US cents; 0 if unknown. */
  readonly listCents: number
  /** Launch price of another country in US cents without tax; a basis for an estimate, never a list price. */
  readonly announcedCents?: number | undefined
  /** Launch list prices of other countries. */
  readonly listPrices?: readonly ListPrice[] | undefined
  readonly partNumbers: readonly string[]
  readonly modelNumbers: readonly string[]
  readonly attributes: readonly Attribute[]
  /** Not for sale any more, or never sold. A missing price does not disable a variant. */
  readonly disabled: boolean
}

export type Device = {
  /** Equals the slug: lower-case make and name in `[a-z0-9-]`. */
  readonly id: string
  /** As people say it without further context: "iPhone 13", "OnePlus 7". The API's `name` is `nameWithoutMake`. */
  readonly name: string
  readonly make: string
  readonly category: string
  readonly modelNumbers: readonly string[]
  readonly modelIdentifiers: readonly string[]
  readonly specifications: Readonly<Record<string, string>>
  readonly releasedOn: string | null
  readonly releasePrecision: DatePrecision | null
  readonly status: DeviceStatus
  /** In the catalogue's own order. */
  readonly variants: readonly Variant[]
}

/** The devices of the catalogue. A change of the catalogue creates another registry. */
export type DeviceRegistry = {
  /** Set for a large registry: the same object before and after a change, for what may be out of date for a while. */
  readonly source?: object
  findDevice(id: string): Device | undefined
  findVariant(id: string): { readonly device: Device; readonly variant: Variant } | undefined
  /** Newest first. */
  listDevicesOfCategory?(category: string): Iterable<Device>
  /** A value that was stored for exactly these devices, also by another process or before a restart. */
  readDerived?(name: string): string | undefined
  storeDerived?(name: string, json: string): void
}

/** The order of lists: newest first, unknown release dates last, then by id. */
export function compareInListOrder(a: Pick<Device, 'id' | 'releasedOn'>, b: Pick<Device, 'id' | 'releasedOn'>): number {
  const aDay = a.releasedOn ?? ''
  const bDay = b.releasedOn ?? ''
  if (aDay !== bDay) return aDay > bDay ? -1 : 1
  return a.id < b.id ? -1 : 1
}

/** Lower-case words of `[a-z0-9]` joined by single dashes: accents are dropped, "+" is kept as "plus". */
export function slug(text: string): string {
  // Nearly every name is ASCII, and an import builds hundreds of thousands of slugs.
  const plain = ASCII.test(text) ? text : text.normalize('NFKD').replace(/\p{M}/gu, '')
  return plain
    .toLowerCase()
    .replaceAll('+', ' plus ')
    .replaceAll('&', ' and ')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

const ASCII = /^[ -~]*$/

/** For imports and the bundled tables, which repeat the same words hundreds of thousands of times. */
export const memoizedSlug = memoize(50_000, slug)

/** A make that already begins the name is not repeated: "Nothing" + "Nothing Phone (1)" is `nothing-phone-1`. */
export function deviceIdFor(make: string, name: string): string {
  const makeSlug = slug(make)
  const nameSlug = slug(name)
  return nameSlug === makeSlug || nameSlug.startsWith(`${makeSlug}-`) ? nameSlug : `${makeSlug}-${nameSlug}`
}

/** Whether the display of a device folds. */
export const isFoldable = ({ specifications }: Pick<Device, 'specifications'>): boolean =>
  /fold/i.test(specifications.display ?? '')

/** The name beside its make: "OnePlus 7" of OnePlus is "7". */
export function nameWithoutMake({ make, name }: Pick<Device, 'make' | 'name'>): string {
  const makePrefix = `${make.toLowerCase()} `
  return name.toLowerCase().startsWith(makePrefix) ? name.slice(makePrefix.length).trimStart() || name : name
}

export function variantIdFor(deviceId: string, attributes: readonly Attribute[]): string {
  return [deviceId, ...attributes.map((attribute) => slug(attribute.value))].filter(Boolean).join('-')
}

/** Computers: catalogues list only their retail configurations, and a price without a size may be of any of them. */
const BUILT_TO_ORDER = new Set(['Laptop', 'Desktop'])
export const isBuiltToOrder = ({ category }: Pick<Device, 'category'>) => BUILT_TO_ORDER.has(category)
