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
import { type PreparedResponse, prepareResponse } from '../http/prepared-response.ts'
import type { SiteRoute } from '../http/router.ts'
import { sendStaticFile, staticFile } from '../http/static-file.ts'
import { excerpt, notFound } from '../lib/errors.ts'
import type { Device, Variant } from './device.ts'
import { suggestDeviceIds, suggestVariantIds } from './id-suggestions.ts'
import {
  countByLabel,
  type DeviceListRequest,
  deviceListPage,
  isAttributeParameter,
  type ListPage,
  parseDeviceListQuery,
  parseVariantListQuery,
  requestKey,
  type VariantListRequest,
  variantListPage,
} from './list-pages.ts'
import type { CatalogueSnapshot } from './snapshot.ts'
import { sortedDevices } from './sorted-devices-service.ts'
import { drawThumbnail } from './thumbnails/thumbnail.ts'

/** A page of twenty devices with all variants takes about 70 kB, with its compressed forms three times that. */
const LIST_CACHE_BYTES = 8_000_000
/** Single devices and variants, and the lists of makes and categories. */
const SINGLE_CACHE_BYTES = 4_000_000

type SnapshotSource = { snapshot(): CatalogueSnapshot }

export type CatalogDependencies = {
  readonly catalogue: SnapshotSource
  readonly findByTitle: TitleSearch
  /** Devices that the organization appraised and looked up, most frequent first. */
  readonly frequentDeviceIds: (organizationId: string) => Promise<readonly string[]>
}

/** The lists of devices and variants, from the snapshot that is current when a request arrives. */
export function catalogRoutes({ catalogue, findByTitle, frequentDeviceIds }: CatalogDependencies): ApiRoute[] {
  const deviceMatches = (snapshot: CatalogueSnapshot, { devices }: TitleSearchResult) =>
    positionsOf(devices, snapshot.devicePositions)
  const variantMatches = (snapshot: CatalogueSnapshot, { variants }: TitleSearchResult) =>
    positionsOf(variants, snapshot.variantPositions)
  const cached = cachedPerSnapshot(catalogue)
  const listInCatalogueOrder = listHandler(catalogue, parseDeviceListQuery, deviceListPage, {
    findByTitle,
    positions: deviceMatches,
  })
  const sorted = sortedDevices(catalogue)
  return [
    route(listDevices, (c) => {
      const { sort } = c.get('query')
      if (sort === undefined) return listInCatalogueOrder(c)
      // Not cached: `frequent` differs between organizations, and other orders are kept per snapshot.
      const firstIds = sort === 'frequent' ? frequentDeviceIds(c.get('principal').organizationId) : Promise.resolve([])
      return firstIds
        .then((ids) => sorted(c.get('query'), sort, ids))
        .then(({ data, meta }) => prepareResponse(data, meta))
    }),
    route(
      listVariants,
      listHandler(catalogue, parseVariantListQuery, variantListPage, { findByTitle, positions: variantMatches }),
      { acceptsParameter: (parameter) => isAttributeParameter(catalogue.snapshot(), parameter) },
    ),
    route(getDevice, (c) => {
      const { id } = c.get('params')
      const snapshot = catalogue.snapshot()
      const position = snapshot.devicePositions.get(id)
      if (position === undefined) throw notFound(`Device ${excerpt(id)}`, suggestDeviceIds(snapshot, id))
      return cached(`device ${id}`, () => prepareResponse(snapshot.deviceJson(position)))
    }),
    route(getVariant, (c) => {
      const { id } = c.get('params')
      const snapshot = catalogue.snapshot()
      const position = snapshot.variantPositions.get(id)
      if (position === undefined) throw notFound(`Variant ${excerpt(id)}`, suggestVariantIds(snapshot, id))
      return cached(`variant ${id}`, () => prepareResponse(snapshot.variantJson(position)))
    }),
    ...(['categories', 'makes'] as const).map((kind) =>
      route(kind === 'makes' ? listMakes : listCategories, () =>
        cached(kind, () => prepareResponse(JSON.stringify(countByLabel(catalogue.snapshot(), kind)))),
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

/** Caches responses by key for as long as their snapshot is served. */
function cachedPerSnapshot(catalogue: SnapshotSource) {
  const emptyFor = (snapshot: CatalogueSnapshot) => ({ snapshot, responses: responseCache(SINGLE_CACHE_BYTES) })
  let cache = emptyFor(catalogue.snapshot())
  return (key: string, prepare: () => PreparedResponse): PreparedResponse => {
    const snapshot = catalogue.snapshot()
    if (cache.snapshot !== snapshot) cache = emptyFor(snapshot)
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

function positionsOf(items: readonly { id: string }[], positions: ReadonlyMap<string, number>): Uint32Array {
  return Uint32Array.from(items.flatMap(({ id }) => positions.get(id) ?? []))
}

/** Drawings that devices, variants, makes and categories link to. They need no API key, so that browsers can show them. */
export function thumbnailRoute(catalogue: { snapshot(): CatalogueSnapshot }): SiteRoute {
  return {
    method: 'GET',
    path: '/thumbnails/*',
    handle(c) {
      const svg = drawThumbnail(catalogue.snapshot(), c.req.path)
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
>(
  catalogue: SnapshotSource,
  parseQuery: (query: Query, snapshot: CatalogueSnapshot) => Request,
  buildPage: (snapshot: CatalogueSnapshot, request: Request, found?: { matches: Uint32Array }) => ListPage,
  titles: {
    findByTitle: TitleSearch
    positions: (snapshot: CatalogueSnapshot, result: TitleSearchResult) => Uint32Array
  },
): (c: ApiContext<Query>) => PreparedResponse | Promise<PreparedResponse> {
  const emptyFor = (snapshot: CatalogueSnapshot) => ({
    snapshot,
    /** The router passes the same object for the same query text. */
    keys: new WeakMap<Query, string>(),
    responses: responseCache(LIST_CACHE_BYTES),
  })
  let cache = emptyFor(catalogue.snapshot())
  return (c) => {
    const query = c.get('query')
    const snapshot = catalogue.snapshot()
    if (cache.snapshot !== snapshot) cache = emptyFor(snapshot)
    const { keys, responses } = cache
    const knownKey = keys.get(query)
    const cachedResponse = knownKey === undefined ? undefined : responses.get(knownKey)
    if (cachedResponse) return cachedResponse
    const request = parseQuery(query, snapshot)
    const key = knownKey ?? requestKey(request)
    if (knownKey === undefined) keys.set(query, key)
    const sameRequest = responses.get(key)
    if (sameRequest) return sameRequest
    const respond = ({ data, meta }: ListPage) => {
      const response = prepareResponse(data, meta)
      if (knownKey !== undefined) responses.set(key, response)
      return response
    }
    const page = buildPage(snapshot, request)
    if (page.total > 0 || request.term === null || query.search === undefined) return respond(page)
    // The matcher indexes all names at once, which takes minutes and gigabytes for a larger registry.
    if (snapshot.devices.length > MAX_DEVICES_FOR_TITLE_SEARCH) return respond(page)
    // No name contains all these words; they may be the title of a listing.
    const respondByTitle = (result: TitleSearchResult) => {
      const matches = titles.positions(snapshot, result)
      return respond(matches.length === 0 ? page : buildPage(snapshot, request, { matches }))
    }
    const result = titles.findByTitle(query.search)
    return result instanceof Promise ? result.then(respondByTitle) : respondByTitle(result)
  }
}
