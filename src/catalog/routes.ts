import { LRUCache } from 'lru-cache'
import { getDevice, getVariant, listCategories, listMakes } from '../contract/device-endpoints.ts'
import { listDevices, listVariants } from '../contract/endpoints.ts'
import { type ApiContext, type ApiRoute, route } from '../http/context.ts'
import { type PreparedResponse, prepareResponse } from '../http/prepared-response.ts'
import type { SiteRoute } from '../http/router.ts'
import { sendStaticFile, staticFile } from '../http/static-file.ts'
import { excerpt, notFound } from '../lib/errors.ts'
import { answerCache } from './answer-cache.ts'
import type { Places } from './arranged.ts'
import type { Device, Variant } from './device.ts'
import { suggestDeviceIds, suggestVariantIds } from './id-suggestions.ts'
import { countByLabel } from './label-counts.ts'
import {
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
import { isLarge } from './registry-rows.ts'
import type { CatalogueSnapshot } from './snapshot.ts'
import { drawThumbnail } from './thumbnails/thumbnail.ts'

/** A page of twenty devices with all their variants is some 70 kB, plain and compressed about three times that. */
const LIST_CACHE_BYTES = 8_000_000
/** Single devices and variants, and the lists of makes and categories. */
const SINGLE_CACHE_BYTES = 4_000_000
/** Above a quarter of the room an answer would push out too many others. */
const MAX_CACHED_LIST_BYTES = LIST_CACHE_BYTES / 4

/** The lists of devices and variants, from the snapshot that is current when a call comes in. */
export function catalogRoutes(catalogue: SearchableCatalogue, findByTitle: TitleSearch): ApiRoute[] {
  const devices = (snapshot: CatalogueSnapshot, found: TitleSearchResult) =>
    positionsOf(
      found.devices.map(({ id }) => id),
      snapshot.placeOfDevice,
    )
  const variants = (snapshot: CatalogueSnapshot, found: TitleSearchResult) =>
    positionsOf(
      found.variants.map(({ id }) => id),
      snapshot.placeOfVariant,
    )
  const kept = cachedPerSnapshot(catalogue)
  return [
    route(
      listDevices,
      listHandler(catalogue, parseDeviceListQuery, deviceListPage, { findByTitle, placesIn: devices }),
    ),
    route(
      listVariants,
      listHandler(catalogue, parseVariantListQuery, variantListPage, { findByTitle, placesIn: variants }),
      {
        acceptsParameter: (parameter) => isAttributeParameter(catalogue.snapshot(), parameter),
      },
    ),
    route(getDevice, (c) => {
      const { id } = c.get('params')
      const snapshot = catalogue.snapshot()
      const place = snapshot.placeOfDevice.get(id)
      if (place === undefined) throw notFound(`Device ${excerpt(id)}`, suggestDeviceIds(snapshot, id))
      return kept(`device ${id}`, () => responseOrNotFound(snapshot.devices.bytes(place), `Device ${excerpt(id)}`))
    }),
    route(getVariant, (c) => {
      const { id } = c.get('params')
      const snapshot = catalogue.snapshot()
      const place = snapshot.placeOfVariant.get(id)
      if (place === undefined) throw notFound(`Variant ${excerpt(id)}`, suggestVariantIds(snapshot, id))
      return kept(`variant ${id}`, () => responseOrNotFound(snapshot.variants.bytes(place), `Variant ${excerpt(id)}`))
    }),
    ...(['categories', 'makes'] as const).map((kind) =>
      route(kind === 'makes' ? listMakes : listCategories, () =>
        kept(kind, () => prepareResponse(JSON.stringify(countByLabel(catalogue.snapshot(), kind)))),
      ),
    ),
  ]
}

/** What cannot be read is not there; the log says why. */
function responseOrNotFound(bytes: Uint8Array | undefined, what: string): PreparedResponse {
  if (bytes === undefined) throw notFound(what)
  return prepareResponse(bytes)
}

/** Answers by their own name, each made once while a snapshot is served. */
function cachedPerSnapshot(catalogue: {
  snapshot(): CatalogueSnapshot
}): (name: string, make: () => PreparedResponse) => PreparedResponse {
  const emptyFor = (snapshot: CatalogueSnapshot) => ({
    snapshot,
    answers: answerCache<PreparedResponse>(SINGLE_CACHE_BYTES),
  })
  let current = emptyFor(catalogue.snapshot())
  return (name, make) => {
    const snapshot = catalogue.snapshot()
    if (current.snapshot !== snapshot) current = emptyFor(snapshot)
    const known = current.answers.find(name)
    if (known) return known
    const made = make()
    current.answers.keep(name, made, made.head.length * 3)
    return made
  }
}

type SearchableCatalogue = { snapshot(): CatalogueSnapshot; buildIndex(): Promise<void> }

/** What the title of a listing means: for a search whose words no name has. */
type TitleSearchResult = { readonly devices: readonly Device[]; readonly variants: readonly Variant[] }
export type TitleSearch = (text: string) => TitleSearchResult | Promise<TitleSearchResult>

function positionsOf(ids: readonly string[], places: Places): Uint32Array {
  return Uint32Array.from(ids.flatMap((id) => places.get(id) ?? []))
}

/** The drawings that devices, variants, makes and categories link to. They need no key: a browser shows them. */
export function thumbnailRoute(catalogue: { snapshot(): CatalogueSnapshot }): SiteRoute {
  return {
    method: 'GET',
    path: '/thumbnails/*',
    handle(c) {
      const svg = drawThumbnail(catalogue.snapshot(), c.req.path)
      if (svg === null) throw notFound('This thumbnail')
      return sendStaticFile(c, staticFile('image/svg+xml; charset=utf-8', svg), {
        'Cache-Control': 'public, max-age=3600',
        // An SVG opened by itself is a document: it may bring its own colors and nothing else.
        'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        'Cross-Origin-Resource-Policy': 'cross-origin',
      })
    },
  }
}

const MAX_DEVICES_FOR_TITLE_SEARCH = 100_000

/** Parameters that are answered without what is searched in. */
const FILTERS_WITHOUT_INDEX = new Set(['page', 'limit', 'make', 'category', 'status', 'device_id', 'disabled'])

/**
 * In the first seconds of a large registry what is searched in is still being made, between requests. Whoever searches
 * waits for that; finishing it at once would hold up everybody. A small one is made in no time.
 */
function needsPendingIndex({ searchIndex: index, devices }: CatalogueSnapshot, query: object): boolean {
  if (index.isDone() || !isLarge(devices.length)) return false
  return Object.entries(query).some(([name, value]) => value !== undefined && !FILTERS_WITHOUT_INDEX.has(name))
}

/**
 * A list asked for before is two looks in a map: what the query means, since callers write the same query in many
 * forms, and the answer to that. Only what is asked for a second time is kept: a caller who reads the registry page by
 * page would push out everybody else's pages with ones that nobody needs again. A new snapshot starts with nothing.
 */
function listHandler<
  Query extends { search?: string | undefined },
  Request extends DeviceListRequest | VariantListRequest,
>(
  catalogue: SearchableCatalogue,
  parseQuery: (query: Query, snapshot: CatalogueSnapshot) => Request,
  buildPage: (snapshot: CatalogueSnapshot, request: Request, found?: Uint32Array) => ListPage,
  titles: {
    findByTitle: TitleSearch
    placesIn: (snapshot: CatalogueSnapshot, found: TitleSearchResult) => Uint32Array
  },
): (c: ApiContext<Query>) => PreparedResponse | Promise<PreparedResponse> {
  const keepFor = (snapshot: CatalogueSnapshot) => ({
    snapshot,
    /** What a query means; the same query text is the same object. */
    meanings: new WeakMap<Query, string>(),
    answers: new LRUCache<string, PreparedResponse>({
      maxSize: LIST_CACHE_BYTES,
      maxEntrySize: MAX_CACHED_LIST_BYTES,
      sizeCalculation: ({ head }, meaning) => head.length * 3 + meaning.length * 2,
    }),
  })
  let kept = keepFor(catalogue.snapshot())
  return function handle(c): PreparedResponse | Promise<PreparedResponse> {
    const query = c.get('query')
    const snapshot = catalogue.snapshot()
    if (needsPendingIndex(snapshot, query)) return catalogue.buildIndex().then(() => handle(c))
    if (kept.snapshot !== snapshot) kept = keepFor(snapshot)
    const meant = kept.meanings.get(query)
    const known = meant === undefined ? undefined : kept.answers.get(meant)
    if (known) return known
    const request = parseQuery(query, snapshot)
    const meaning = meant ?? requestKey(request)
    if (meant === undefined) kept.meanings.set(query, meaning)
    const same = kept.answers.get(meaning)
    if (same) return same
    const { answers } = kept
    const keep = ({ data, meta }: ListPage) => {
      const answer = prepareResponse(data, meta)
      if (meant !== undefined) answers.set(meaning, answer)
      return answer
    }
    const page = buildPage(snapshot, request)
    if (page.total > 0 || request.term === null || query.search === undefined) return keep(page)
    // Titles are matched by all names at once, which of so many would take minutes to learn and gigabytes to keep.
    if (snapshot.devices.length > MAX_DEVICES_FOR_TITLE_SEARCH) return keep(page)
    // No name has all these words: perhaps they are the title of a listing.
    const found = titles.findByTitle(query.search)
    const byTitle = (title: TitleSearchResult) => {
      const places = titles.placesIn(snapshot, title)
      return keep(places.length === 0 ? page : buildPage(snapshot, request, places))
    }
    return found instanceof Promise ? found.then(byTitle) : byTitle(found)
  }
}
