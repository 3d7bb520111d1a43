import type { z } from 'zod'
import type { listDevices, listVariants } from '../contract/device-endpoints.ts'
import { pageMeta } from '../contract/paging.ts'
import type { DeviceEntry, VariantEntry } from './catalogue-entry.ts'
import { presentLabel } from './present.ts'
import { foldAttributeName, foldCode, foldName, parseSearchTerm } from './search/search-term.ts'
import { attributeKey } from './search/term-tables.ts'
import type { CatalogueSnapshot } from './snapshot.ts'

/** One page of a list as JSON, and the number of matches on all pages. */
export type ListPage = { readonly data: Uint8Array; readonly meta: string; readonly total: number }

export type DeviceListQuery = z.output<typeof listDevices.query>
export type VariantListQuery = z.output<typeof listVariants.query>

export type DeviceListRequest = ReturnType<typeof parseDeviceListQuery>
export type VariantListRequest = ReturnType<typeof parseVariantListQuery>

export function parseDeviceListQuery({ page, limit, search, category, make, status }: DeviceListQuery) {
  return {
    page,
    limit,
    status,
    term: parseSearchTerm(search),
    category: foldOptionalName(category),
    make: foldOptionalName(make),
  }
}

function foldOptionalName(text: string | undefined): string | undefined {
  return text === undefined ? undefined : foldName(text)
}

/** Attributes that callers may filter by even if no variant has one: then nothing matches. */
const COMMON_ATTRIBUTES = new Set(['storage', 'color', 'ram', 'carrier'])

/** Whether a query parameter of this name filters by an attribute. */
export function isAttributeParameter(snapshot: CatalogueSnapshot, parameter: string): boolean {
  const attribute = foldAttributeName(parameter)
  return snapshot.attributeNames.has(attribute) || COMMON_ATTRIBUTES.has(attribute)
}

/** Every attribute can be filtered by its name; a parameter that names none is ignored. */
export function parseVariantListQuery(query: VariantListQuery, snapshot: CatalogueSnapshot) {
  const { page, limit, search, device_id, make, category, sku, disabled, ...otherParameters } = query
  const attributeKeys = new Map<string, string>()
  for (const [name, value] of Object.entries(otherParameters)) {
    const attribute = foldAttributeName(name)
    if (value === undefined || attributeKeys.has(attribute)) continue
    if (!isAttributeParameter(snapshot, name)) continue
    attributeKeys.set(attribute, attributeKey(name, value))
  }
  return {
    page,
    limit,
    term: parseSearchTerm(search),
    deviceId: device_id,
    category: foldOptionalName(category),
    make: foldOptionalName(make),
    sku: sku === undefined ? undefined : foldCode(sku),
    /** Keys of the requested attributes, in alphabetical order. */
    attributes: [...attributeKeys.values()].sort(),
    disabled: disabled?.toLowerCase(),
  }
}

/** Requests that mean the same have the same key. */
export function requestKey(request: DeviceListRequest | VariantListRequest): string {
  const { term, ...rest } = request
  return JSON.stringify([Object.values(rest).map((value) => value ?? null), term && [term.words, term.codes[0]]])
}

/** The positions of all matches in list order. */
type Selection = { readonly total: number; readonly at: (index: number) => number }

/**
 * `matches`: ranked positions that replace the result of the text search. `order`: all positions in another order than
 * that of the snapshot, which also replaces the rank of the matches.
 */
export function deviceListPage(
  snapshot: CatalogueSnapshot,
  request: DeviceListRequest,
  { matches, order }: { readonly matches?: Uint32Array | undefined; readonly order?: Uint32Array } = {},
): ListPage {
  const { devices } = snapshot
  const { category, make, status } = request
  const ranked = matches ?? (request.term && snapshot.searchDevices(request.term))
  const matchSet = order && ranked ? new Set(ranked) : null
  const hasFilters = category !== undefined || make !== undefined || status !== undefined || matchSet !== null
  const matchesFilters = (position: number) => {
    const { device, categoryKey, makeKey } = devices[position] as DeviceEntry
    return (
      (matchSet === null || matchSet.has(position)) &&
      (category === undefined || categoryKey === category) &&
      (make === undefined || makeKey === make) &&
      (status === undefined || device.status === status)
    )
  }
  const selection = selectPositions(order ?? ranked, 0, devices.length, hasFilters ? matchesFilters : null)
  return assemblePage(selection, request, snapshot.deviceJson)
}

export function variantListPage(
  snapshot: CatalogueSnapshot,
  request: VariantListRequest,
  { matches }: { readonly matches?: Uint32Array | undefined } = {},
): ListPage {
  const { variants, devicePositions, firstVariant } = snapshot
  const { category, make, deviceId, sku, disabled } = request
  let from = 0
  let to = variants.length
  if (deviceId !== undefined) {
    const position = devicePositions.get(deviceId)
    from = position === undefined ? 0 : (firstVariant[position] as number)
    to = position === undefined ? 0 : (firstVariant[position + 1] as number)
  }
  const attributeIds = request.attributes.map((key) => snapshot.attributeId(key) ?? -1)
  let candidates: Uint32Array | null = matches ?? (request.term && snapshot.searchVariants(request.term))
  if (!candidates) {
    for (const key of request.attributes) candidates = shorterOf(candidates, snapshot.findVariantsByAttribute(key))
    if (sku !== undefined) candidates = shorterOf(candidates, snapshot.findVariantsByCode(sku))
  }

  const hasFilters =
    category !== undefined ||
    make !== undefined ||
    disabled !== undefined ||
    sku !== undefined ||
    attributeIds.length > 0 ||
    deviceId !== undefined
  const matchesFilters = (position: number) => {
    const { variant, owner } = variants[position] as VariantEntry
    return (
      position >= from &&
      position < to &&
      (disabled === undefined || String(variant.disabled) === disabled) &&
      (sku === undefined || foldCode(variant.sku) === sku) &&
      attributeIds.every((id) => snapshot.hasAttribute(position, id)) &&
      (category === undefined || owner.categoryKey === category) &&
      (make === undefined || owner.makeKey === make)
    )
  }
  const selection = selectPositions(candidates, from, to, hasFilters ? matchesFilters : null)
  return assemblePage(selection, request, snapshot.variantJson)
}

function shorterOf(left: Uint32Array | null, right: Uint32Array): Uint32Array {
  return left && left.length <= right.length ? left : right
}

function selectPositions(
  source: Uint32Array | null,
  from: number,
  to: number,
  matchesFilters: ((position: number) => boolean) | null,
): Selection {
  if (!matchesFilters) {
    return source
      ? { total: source.length, at: (index) => source[index] as number }
      : { total: to - from, at: (index) => from + index }
  }
  const positions: number[] = []
  if (source) {
    for (const position of source) if (matchesFilters(position)) positions.push(position)
  } else {
    for (let position = from; position < to; position++) if (matchesFilters(position)) positions.push(position)
  }
  return { total: positions.length, at: (index) => positions[index] as number }
}

const OPENING_BRACKET = 91
const COMMA = 44
const CLOSING_BRACKET = 93

function assemblePage(
  { total, at }: Selection,
  { page, limit }: { readonly page: number; readonly limit: number },
  jsonAt: (position: number) => Uint8Array,
): ListPage {
  const first = (page - 1) * limit
  const parts: Uint8Array[] = []
  let length = 2
  for (let index = first; index < Math.min(total, first + limit); index++) {
    const json = jsonAt(at(index))
    length += json.length + (parts.length ? 1 : 0)
    parts.push(json)
  }
  const data = new Uint8Array(length)
  data[0] = OPENING_BRACKET
  let end = 1
  for (const part of parts) {
    if (end > 1) data[end++] = COMMA
    data.set(part, end)
    end += part.length
  }
  data[end] = CLOSING_BRACKET
  return { data, meta: JSON.stringify(pageMeta(page, limit, total)), total }
}

/** The makes or categories by name, with their numbers of devices and variants. */
export function countByLabel({ devices, baseUrl }: CatalogueSnapshot, kind: 'makes' | 'categories') {
  const counts = new Map<string, { name: string; device_count: number; variant_count: number }>()
  for (const { device, makeKey, categoryKey, variants } of devices) {
    const [key, name] = kind === 'makes' ? [makeKey, device.make] : [categoryKey, device.category]
    const count = counts.get(key) ?? { name, device_count: 0, variant_count: 0 }
    count.device_count++
    count.variant_count += variants.length
    counts.set(key, count)
  }
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { name, ...counted }]) => ({ ...presentLabel(baseUrl, kind, name), ...counted }))
}
