import type { z } from 'zod'
import type { listDevices, listVariants } from '../contract/endpoints.ts'
import { pageMeta } from '../contract/paging.ts'
import { foldAttributeName, foldCode, foldName, parseSearchTerm, type SearchTerm } from './search/search-term.ts'
import { attributeKey } from './search/term-tables.ts'
import type { CatalogueSnapshot } from './snapshot.ts'

/** One page of a list, its JSON ready to be sent, and how many there are in all. */
export type ListPage = { readonly data: Uint8Array; readonly meta: string; readonly total: number }

export type DeviceListQuery = z.output<typeof listDevices.query>
export type VariantListQuery = z.output<typeof listVariants.query>

export type DeviceListRequest = {
  readonly page: number
  readonly limit: number
  readonly term: SearchTerm | null
  readonly category: string | undefined
  readonly make: string | undefined
  readonly status: string | undefined
}

export type VariantListRequest = {
  readonly page: number
  readonly limit: number
  readonly term: SearchTerm | null
  readonly deviceId: string | undefined
  readonly category: string | undefined
  readonly make: string | undefined
  readonly sku: string | undefined
  /** Keys of the attributes asked for, in alphabetical order. */
  readonly attributes: readonly string[]
  readonly disabled: string | undefined
}

export function parseDeviceListQuery({
  page,
  limit,
  search,
  category,
  make,
  status,
}: DeviceListQuery): DeviceListRequest {
  return {
    page,
    limit,
    term: parseSearchTerm(search),
    category: foldOptionalName(category),
    make: foldOptionalName(make),
    status,
  }
}

function foldOptionalName(text: string | undefined): string | undefined {
  return text === undefined ? undefined : foldName(text)
}

/** Attributes that callers may ask for even if no variant on board has one: then nothing matches. */
const COMMON_ATTRIBUTES = new Set(['storage', 'color', 'ram', 'carrier'])

/** Whether a parameter of this name asks for an attribute. */
export function isAttributeParameter(snapshot: CatalogueSnapshot, parameter: string): boolean {
  const attribute = foldAttributeName(parameter)
  return snapshot.attributeNames.has(attribute) || COMMON_ATTRIBUTES.has(attribute)
}

/** Beside the filters every attribute can be asked for by its name; a parameter that names none is ignored. */
export function parseVariantListQuery(query: VariantListQuery, snapshot: CatalogueSnapshot): VariantListRequest {
  const { page, limit, search, device_id, make, category, sku, disabled, ...named } = query
  const wanted = new Map<string, string>()
  for (const [name, value] of Object.entries(named)) {
    const attribute = foldAttributeName(name)
    if (value === undefined || wanted.has(attribute)) continue
    if (!isAttributeParameter(snapshot, name)) continue
    wanted.set(attribute, attributeKey(name, value))
  }
  return {
    page,
    limit,
    term: parseSearchTerm(search),
    deviceId: device_id,
    category: foldOptionalName(category),
    make: foldOptionalName(make),
    sku: sku === undefined ? undefined : foldCode(sku),
    attributes: [...wanted.values()].sort(),
    disabled: disabled?.toLowerCase(),
  }
}

/** Requests that mean the same have the same key. */
export function requestKey(request: DeviceListRequest | VariantListRequest): string {
  const { term, ...rest } = request
  return JSON.stringify([Object.values(rest).map((value) => value ?? null), term && [term.words, term.codes[0]]])
}

/** Places in the order they are shown, or all of them. */
type Selection = { readonly total: number; readonly at: (index: number) => number }

/** `found` are places in their order, in place of what the search by words would find. */
export function deviceListPage(
  snapshot: CatalogueSnapshot,
  request: DeviceListRequest,
  matches?: Uint32Array,
): ListPage {
  const { devices } = snapshot
  const { category, make, status } = request
  const ranked = matches ?? (request.term && snapshot.searchDevices(request.term))
  const filtered = category !== undefined || make !== undefined || status !== undefined
  const fits = (place: number) =>
    (category === undefined || devices.categoryKey(place) === category) &&
    (make === undefined || devices.makeKey(place) === make) &&
    (status === undefined || devices.status(place) === status)
  const selection = selectPositions(ranked, 0, devices.length, filtered ? fits : null)
  return assemblePage(selection, request, devices.bytes)
}

export function variantListPage(
  snapshot: CatalogueSnapshot,
  request: VariantListRequest,
  matches?: Uint32Array,
): ListPage {
  const { variants, placeOfDevice } = snapshot
  const { firstVariant } = snapshot.arranged
  const { category, make, deviceId, sku, disabled } = request
  let from = 0
  let to = variants.length
  if (deviceId !== undefined) {
    const place = placeOfDevice.get(deviceId)
    from = place === undefined ? 0 : (firstVariant[place] as number)
    to = place === undefined ? 0 : (firstVariant[place + 1] as number)
  }
  const ids = request.attributes.map((key) => snapshot.attributeId(key) ?? -1)
  let source: Uint32Array | null = matches ?? (request.term && snapshot.searchVariants(request.term))
  if (!source) {
    for (const key of request.attributes) source = shorterOf(source, snapshot.findVariantsByAttribute(key))
    if (sku !== undefined) source = shorterOf(source, snapshot.findVariantsByCode(sku))
  }

  const filtered =
    category !== undefined ||
    make !== undefined ||
    disabled !== undefined ||
    sku !== undefined ||
    ids.length > 0 ||
    deviceId !== undefined
  const fits = (place: number) =>
    place >= from &&
    place < to &&
    (disabled === undefined || String(variants.isDisabled(place)) === disabled) &&
    (sku === undefined || foldCode(variants.found(place)?.variant.sku ?? '') === sku) &&
    ids.every((id) => snapshot.hasAttribute(place, id)) &&
    (category === undefined || variants.categoryKey(place) === category) &&
    (make === undefined || variants.makeKey(place) === make)
  const selection = selectPositions(source, from, to, filtered ? fits : null)
  return assemblePage(selection, request, variants.bytes)
}

function shorterOf(left: Uint32Array | null, right: Uint32Array): Uint32Array {
  return left && left.length <= right.length ? left : right
}

function selectPositions(
  source: Uint32Array | null,
  from: number,
  to: number,
  matchesFilters: ((place: number) => boolean) | null,
): Selection {
  if (!matchesFilters) {
    return source
      ? { total: source.length, at: (index) => source[index] as number }
      : { total: to - from, at: (index) => from + index }
  }
  const kept: number[] = []
  if (source) {
    for (const place of source) if (matchesFilters(place)) kept.push(place)
  } else {
    for (let place = from; place < to; place++) if (matchesFilters(place)) kept.push(place)
  }
  return { total: kept.length, at: (index) => kept[index] as number }
}

const OPENING_BRACKET = 91
const COMMA = 44
const CLOSING_BRACKET = 93

function assemblePage(
  { total, at }: Selection,
  { page, limit }: { readonly page: number; readonly limit: number },
  bytesOf: (place: number) => Uint8Array | undefined,
): ListPage {
  const first = (page - 1) * limit
  const parts: Uint8Array[] = []
  let length = 2
  for (let index = first; index < Math.min(total, first + limit); index++) {
    const bytes = bytesOf(at(index))
    if (bytes === undefined) continue
    length += bytes.length + (parts.length ? 1 : 0)
    parts.push(bytes)
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
