import { LRUCache } from 'lru-cache'
import {
  getDevice,
  getVariant,
  listCategories,
  listDevices,
  listMakes,
  listVariants,
} from '../contract/device-endpoints.ts'
import { type ApiContext, type ApiRoute, route } from '../http/context.ts'
import { type PreparedResponse, prepareJson, prepareResponse } from '../http/prepared-response.ts'
import type { SiteRoute } from '../http/router.ts'
import { sendStaticFile, staticFile } from '../http/static-file.ts'
import { excerpt, notFound } from '../lib/errors.ts'
import type { Device, Variant } from './device.ts'
import { suggestDeviceIds, suggestVariantIds } from './id-suggestions.ts'
import {
  type DeviceListRequest,
  deviceListPage,
  isAttributeParameter,
  type ListPage,
  parseDeviceListQuery,
  parseVariantListQuery,
  presentLabels,
  requestKey,
  type VariantListRequest,
  variantListPage,
} from './list-pages.ts'
import type { BaseUrl } from './present.ts'
import type { Registry } from './registry.ts'
import { drawThumbnail } from './thumbnails/thumbnail.ts'

/** A page of twenty devices with all variants takes about 70 kB, with its compressed forms three times that. */
const LIST_CACHE_BYTES = 8_000_000
/** Single devices and variants, and the lists of makes and categories. */
const SINGLE_CACHE_BYTES = 4_000_000

type RegistryHolder = { registry(): Registry }

export type CatalogDependencies = {
  readonly catalogue: RegistryHolder
  readonly baseUrl: BaseUrl
  readonly findByTitle: TitleSearch
  /** Devices that the organization appraised and looked up, most frequent first. */
  readonly frequentDeviceIds: (organizationId: string) => Promise<readonly string[]>
}

/** The lists of devices and variants, from the registry that is current when a request arrives. */
export function catalogRoutes({ catalogue, baseUrl, findByTitle, frequentDeviceIds }: CatalogDependencies): ApiRoute[] {
  const cached = cachedPerRegistry(catalogue)
  const listInCatalogueOrder = listHandler(catalogue, parseDeviceListQuery, deviceListPage, {
    findByTitle,
    keysOf: (registry, { devices }) => devices.flatMap(({ id }) => registry.findDeviceNumber(id) ?? []),
  })
  return [
    route(listDevices, async (c) => {
      const query = c.get('query')
      const { sort } = query
      if (sort === undefined) return listInCatalogueOrder(c)
      const request = parseDeviceListQuery(query)
      // Not cached: `frequent` differs between organizations.
      const firstIds = sort === 'frequent' ? await frequentDeviceIds(c.get('principal').organizationId) : []
      const registry = catalogue.registry()
      const { data, meta } = deviceListPage(
        registry,
        request,
        sort === 'frequent' ? { first: firstIds.flatMap((id) => registry.findDeviceNumber(id) ?? []) } : { sort },
      )
      return prepareJson(data, meta)
    }),
    route(
      listVariants,
      listHandler(catalogue, parseVariantListQuery, variantListPage, {
        findByTitle,
        keysOf: (registry, { variants }) => variants.flatMap(({ id }) => registry.findVariantKey(id) ?? []),
      }),
      { acceptsParameter: (parameter) => isAttributeParameter(catalogue.registry(), parameter) },
    ),
    route(getDevice, (c) => {
      const { id } = c.get('params')
      const registry = catalogue.registry()
      const number = registry.findDeviceNumber(id)
      if (number === undefined) throw notFound(`Device ${excerpt(id)}`, suggestDeviceIds(registry, id))
      return cached(`device ${id}`, () => prepareJson(registry.deviceJson(number)))
    }),
    route(getVariant, (c) => {
      const { id } = c.get('params')
      const registry = catalogue.registry()
      const key = registry.findVariantKey(id)
      if (key === undefined) throw notFound(`Variant ${excerpt(id)}`, suggestVariantIds(registry, id))
      return cached(`variant ${id}`, () => prepareJson(registry.variantJson(key)))
    }),
    ...(['categories', 'makes'] as const).map((kind) =>
      route(kind === 'makes' ? listMakes : listCategories, () =>
        cached(kind, () => prepareResponse(presentLabels(catalogue.registry(), kind, baseUrl))),
      ),
    ),
  ]
}

function responseCache(maxBytes: number): LRUCache<string, PreparedResponse> {
  return new LRUCache({
    maxSize: maxBytes,
    // A larger response would evict too many others.
    maxEntrySize: maxBytes / 4,
    // Plain and compressed response, its key, and the overhead of an entry.
    sizeCalculation: ({ bytes }, key) => bytes * 3 + key.length * 2 + 300,
  })
}

/** Caches responses by key until the registry changes. */
function cachedPerRegistry(catalogue: RegistryHolder) {
  const emptyFor = (registry: Registry) => ({ registry, responses: responseCache(SINGLE_CACHE_BYTES) })
  let cache = emptyFor(catalogue.registry())
  return (key: string, prepare: () => PreparedResponse): PreparedResponse => {
    const registry = catalogue.registry()
    if (cache.registry !== registry) cache = emptyFor(registry)
    const cached = cache.responses.get(key)
    if (cached) return cached
    const response = prepare()
    cache.responses.set(key, response)
    return response
  }
}

/** Searches by listing title, for a search text whose words no name contains. */
type TitleSearchResult = { readonly devices: readonly Device[]; readonly variants: readonly Variant[] }
export type TitleSearch = (text: string) => TitleSearchResult | Promise<TitleSearchResult>

/** Drawings that devices, variants, makes and categories link to. They need no API key, so that browsers can show them. */
export function thumbnailRoute(catalogue: RegistryHolder): SiteRoute {
  return {
    method: 'GET',
    path: '/thumbnails/*',
    handle(c) {
      const svg = drawThumbnail(catalogue.registry(), c.req.path)
      if (svg === null) throw notFound('This thumbnail')
      return sendStaticFile(c, staticFile('image/svg+xml; charset=utf-8', svg), {
        'Cache-Control': 'public, max-age=3600',
        // An SVG opened by itself is a document: it may only contain its own styles.
        'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        'Cross-Origin-Resource-Policy': 'cross-origin',
      })
    },
  }
}

const MAX_DEVICES_FOR_TITLE_SEARCH = 100_000

/**
 * A repeated list request costs two lookups: the canonical key of its query, because callers write the same query in many
 * forms, and the response for that key. Only the second request for a key is cached, so that a caller who reads the
 * registry page by page does not evict the pages of others.
 */
function listHandler<
  Query extends { search?: string | undefined },
  Request extends DeviceListRequest | VariantListRequest,
  Key,
>(
  catalogue: RegistryHolder,
  parseQuery: (query: Query, registry: Registry) => Request,
  buildPage: (registry: Registry, request: Request, options?: { readonly matches: readonly Key[] }) => ListPage,
  titles: {
    findByTitle: TitleSearch
    keysOf: (registry: Registry, result: TitleSearchResult) => readonly Key[]
  },
): (c: ApiContext<Query>) => PreparedResponse | Promise<PreparedResponse> {
  const emptyFor = (registry: Registry) => ({
    registry,
    /** The router passes the same object for the same query text. */
    keys: new WeakMap<Query, string>(),
    responses: responseCache(LIST_CACHE_BYTES),
  })
  let cache = emptyFor(catalogue.registry())
  return (c) => {
    const query = c.get('query')
    const registry = catalogue.registry()
    if (cache.registry !== registry) cache = emptyFor(registry)
    const { keys, responses } = cache
    const knownKey = keys.get(query)
    const cachedResponse = knownKey === undefined ? undefined : responses.get(knownKey)
    if (cachedResponse) return cachedResponse
    const request = parseQuery(query, registry)
    const key = knownKey ?? requestKey(request)
    if (knownKey === undefined) keys.set(query, key)
    const sameRequest = responses.get(key)
    if (sameRequest) return sameRequest
    const respond = ({ data, meta }: ListPage) => {
      const response = prepareJson(data, meta)
      if (knownKey !== undefined) responses.set(key, response)
      return response
    }
    const page = buildPage(registry, request)
    if (page.total > 0 || request.term === null || query.search === undefined) return respond(page)
    // The matcher indexes all names at once, which takes minutes and gigabytes for a larger registry.
    if (registry.deviceCount() > MAX_DEVICES_FOR_TITLE_SEARCH) return respond(page)
    // No name contains all these words; they may be the title of a listing.
    const respondByTitle = (result: TitleSearchResult) => {
      const matches = titles.keysOf(registry, result)
      return respond(matches.length === 0 ? page : buildPage(registry, request, { matches }))
    }
    const result = titles.findByTitle(query.search)
    return result instanceof Promise ? result.then(respondByTitle) : respondByTitle(result)
  }
}
