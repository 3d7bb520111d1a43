import type { z } from 'zod'
import type { listDevices, listVariants } from '../contract/device-endpoints.ts'
import { type PageMeta, pageMeta } from '../contract/paging.ts'
import { type BaseUrl, presentLabel } from './present.ts'
import type { DeviceNumber, LabelKind, PageRange, Registry, Selection, StaticSort, VariantKey } from './registry.ts'
import { attributeKey, foldAttributeName, foldCode, foldName, parseSearchTerm } from './search/search-term.ts'

/** One page of a list as JSON, and the number of matches on all pages. */
export type ListPage = { readonly data: Uint8Array; readonly meta: PageMeta; readonly total: number }

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
export function isAttributeParameter(registry: Registry, parameter: string): boolean {
  const attribute = foldAttributeName(parameter)
  return registry.attributeNames().has(attribute) || COMMON_ATTRIBUTES.has(attribute)
}

/** Every attribute can be filtered by its name; a parameter that names none is ignored. */
export function parseVariantListQuery(query: VariantListQuery, registry: Registry) {
  const { page, limit, search, device_id, make, category, sku, disabled, ...otherParameters } = query
  const attributeKeys = new Map<string, string>()
  for (const [name, value] of Object.entries(otherParameters)) {
    const attribute = foldAttributeName(name)
    if (value === undefined || attributeKeys.has(attribute)) continue
    if (!isAttributeParameter(registry, name)) continue
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

/** A page of matches that are all known. */
function pageOf<Key>(matches: readonly Key[], { offset, limit }: PageRange, isTotalCapped: boolean): Selection<Key> {
  return { keys: matches.slice(offset, offset + limit), total: matches.length, isTotalCapped }
}

const rangeOf = ({ page, limit }: { readonly page: number; readonly limit: number }): PageRange => ({
  offset: (page - 1) * limit,
  limit,
})

export type DeviceListOptions = {
  /** Ranked matches that replace the result of the text search. */
  readonly matches?: readonly DeviceNumber[]
  /** Another order than that of the registry, which also replaces the rank of matches. */
  readonly sort?: StaticSort
  /** Devices that come first, in this order. */
  readonly first?: readonly DeviceNumber[]
}

export function deviceListPage(
  registry: Registry,
  request: DeviceListRequest,
  options: DeviceListOptions = {},
): ListPage {
  return assemblePage(selectDevices(registry, request, options), request, registry.deviceJson)
}

function selectDevices(
  registry: Registry,
  request: DeviceListRequest,
  { matches, sort, first = [] }: DeviceListOptions,
): Selection<DeviceNumber> {
  const range = rangeOf(request)
  const result = matches
    ? { matches: registry.filterDevices(matches, request), isCapped: false }
    : request.term && registry.searchDevices(request.term, request)
  if (result) {
    const sorted = sort ? registry.sortDevices(result.matches, sort) : result.matches
    return pageOf(first.length ? startingWith(first, sorted) : sorted, range, result.isCapped)
  }
  if (first.length === 0) return registry.selectDevices(request, range, sort)
  const leading = registry.filterDevices(first, request)
  const shown = leading.slice(range.offset, range.offset + range.limit)
  const rest = registry.selectDevices(
    request,
    { offset: Math.max(0, range.offset - leading.length), limit: range.limit - shown.length },
    sort,
    leading,
  )
  return { ...rest, keys: [...shown, ...rest.keys], total: rest.total + leading.length }
}

/** The matches in list order, those of `first` before the others. */
function startingWith(first: readonly DeviceNumber[], matches: readonly DeviceNumber[]): DeviceNumber[] {
  const isMatch = new Set(matches)
  const leading = first.filter((number) => isMatch.has(number))
  const isLeading = new Set(leading)
  return [...leading, ...matches.filter((number) => !isLeading.has(number)).sort((a, b) => a - b)]
}

export function variantListPage(
  registry: Registry,
  request: VariantListRequest,
  { matches }: { readonly matches?: readonly VariantKey[] } = {},
): ListPage {
  const range = rangeOf(request)
  const result = matches
    ? { matches: registry.filterVariants(matches, request), isCapped: false }
    : request.term && registry.searchVariants(request.term, request)
  const selection = result ? pageOf(result.matches, range, result.isCapped) : registry.selectVariants(request, range)
  return assemblePage(selection, request, registry.variantJson)
}

const OPENING_BRACKET = 91
const COMMA = 44
const CLOSING_BRACKET = 93

function assemblePage<Key>(
  { keys, total, isTotalCapped }: Selection<Key>,
  { page, limit }: { readonly page: number; readonly limit: number },
  jsonOf: (key: Key) => Uint8Array,
): ListPage {
  const parts = keys.map(jsonOf)
  const length = 2 + parts.reduce((sum, part) => sum + part.length, 0) + Math.max(0, parts.length - 1)
  const data = new Uint8Array(length)
  data[0] = OPENING_BRACKET
  let end = 1
  for (const part of parts) {
    if (end > 1) data[end++] = COMMA
    data.set(part, end)
    end += part.length
  }
  data[end] = CLOSING_BRACKET
  return { data, meta: pageMeta(page, limit, total, isTotalCapped), total }
}

/** The makes or categories by name, with their numbers of devices and variants. */
export function presentLabels(registry: Registry, kind: LabelKind, baseUrl: BaseUrl) {
  return registry.countLabels(kind).map(({ name, devices, variants }) => ({
    ...presentLabel(baseUrl, kind, name),
    device_count: devices,
    variant_count: variants,
  }))
}
