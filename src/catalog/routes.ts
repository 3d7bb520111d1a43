import { LRUCache } from 'lru-cache'
import { listDevices, listVariants } from '../contract/endpoints.ts'
import { getDevice, getVariant, listCategories, listMakes } from '../contract/registry-endpoints.ts'
import { excerpt, notFound } from '../errors.ts'
import { type ApiContext, type ApiRoute, route } from '../http/context.ts'
import { type ReadyAnswer, readyAnswer } from '../http/ready.ts'
import type { SiteRoute } from '../http/router.ts'
import { documentOf, sendDocument } from '../http/static.ts'
import { answerCache } from './answer-cache.ts'
import type { Places } from './arranged.ts'
import { countedLabels } from './counts.ts'
import type { Device, Variant } from './device.ts'
import { nearestDevices, nearestVariants } from './nearest.ts'
import {
  type DeviceListRequest,
  deviceListPage,
  isAttribute,
  type ListPage,
  readDeviceList,
  readVariantList,
  requestKey,
  type VariantListRequest,
  variantListPage,
} from './pages.ts'
import { isLarge } from './registry-rows.ts'
import type { Snapshot } from './snapshot.ts'
import { thumbnail } from './thumbnail.ts'

/** A page of twenty devices with all their variants is some 70 kB, plain and compressed about three times that. */
const KEPT_BYTES = 8_000_000
/** Single devices and variants, and the lists of makes and categories. */
const KEPT_SINGLE_BYTES = 4_000_000
/** Above a quarter of the room an answer would push out too many others. */
const LARGEST_KEPT_BYTES = KEPT_BYTES / 4

/** The lists of devices and variants, from the snapshot that is current when a call comes in. */
export function catalogRoutes(catalogue: SearchedCatalogue, findByTitle: TitleSearch): ApiRoute[] {
  const devices = (snapshot: Snapshot, found: TitleFound) =>
    placesOf(
      found.devices.map(({ id }) => id),
      snapshot.placeOfDevice,
    )
  const variants = (snapshot: Snapshot, found: TitleFound) =>
    placesOf(
      found.variants.map(({ id }) => id),
      snapshot.placeOfVariant,
    )
  const kept = answersOfSnapshot(catalogue)
  return [
    route(listDevices, listHandler(catalogue, readDeviceList, deviceListPage, { findByTitle, placesIn: devices })),
    route(listVariants, listHandler(catalogue, readVariantList, variantListPage, { findByTitle, placesIn: variants }), {
      takes: (parameter) => isAttribute(catalogue.snapshot(), parameter),
    }),
    route(getDevice, (c) => {
      const { id } = c.get('params')
      const snapshot = catalogue.snapshot()
      const place = snapshot.placeOfDevice.get(id)
      if (place === undefined) throw notFound(`Device ${excerpt(id)}`, nearestDevices(snapshot, id))
      return kept(`device ${id}`, () => answerOf(snapshot.devices.bytes(place), `Device ${excerpt(id)}`))
    }),
    route(getVariant, (c) => {
      const { id } = c.get('params')
      const snapshot = catalogue.snapshot()
      const place = snapshot.placeOfVariant.get(id)
      if (place === undefined) throw notFound(`Variant ${excerpt(id)}`, nearestVariants(snapshot, id))
      return kept(`variant ${id}`, () => answerOf(snapshot.variants.bytes(place), `Variant ${excerpt(id)}`))
    }),
    ...(['categories', 'makes'] as const).map((kind) =>
      route(kind === 'makes' ? listMakes : listCategories, () =>
        kept(kind, () => readyAnswer(JSON.stringify(countedLabels(catalogue.snapshot(), kind)))),
      ),
    ),
  ]
}

/** What cannot be read is not there; the log says why. */
function answerOf(bytes: Uint8Array | undefined, what: string): ReadyAnswer {
  if (bytes === undefined) throw notFound(what)
  return readyAnswer(bytes)
}

/** Answers by their own name, each made once while a snapshot is served. */
function answersOfSnapshot(catalogue: {
  snapshot(): Snapshot
}): (name: string, make: () => ReadyAnswer) => ReadyAnswer {
  const emptyFor = (snapshot: Snapshot) => ({ snapshot, answers: answerCache<ReadyAnswer>(KEPT_SINGLE_BYTES) })
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

type SearchedCatalogue = { snapshot(): Snapshot; makeIndex(): Promise<void> }

/** What the title of a listing means: for a search whose words no name has. */
type TitleFound = { readonly devices: readonly Device[]; readonly variants: readonly Variant[] }
export type TitleSearch = (text: string) => TitleFound | Promise<TitleFound>

function placesOf(ids: readonly string[], places: Places): Uint32Array {
  return Uint32Array.from(ids.flatMap((id) => places.get(id) ?? []))
}

/** The drawings that devices, variants, makes and categories link to. They need no key: a browser shows them. */
export function thumbnailRoute(catalogue: { snapshot(): Snapshot }): SiteRoute {
  return {
    method: 'GET',
    path: '/thumbnails/*',
    handle(c) {
      const svg = thumbnail(catalogue.snapshot(), c.req.path)
      if (svg === null) throw notFound('This thumbnail')
      return sendDocument(c, documentOf('image/svg+xml; charset=utf-8', svg), {
        'Cache-Control': 'public, max-age=3600',
        // An SVG opened by itself is a document: it may bring its own colors and nothing else.
        'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        'Cross-Origin-Resource-Policy': 'cross-origin',
      })
    },
  }
}

const MOST_FOR_TITLES = 100_000

/** Parameters that are answered without what is searched in. */
const WITHOUT_INDEX = new Set(['page', 'limit', 'make', 'category', 'status', 'device_id', 'disabled'])

/**
 * In the first seconds of a large registry what is searched in is still being made, between requests. Whoever searches
 * waits for that; finishing it at once would hold up everybody. A small one is made in no time.
 */
function mustWait({ index, devices }: Snapshot, query: object): boolean {
  if (index.isDone() || !isLarge(devices.length)) return false
  return Object.entries(query).some(([name, value]) => value !== undefined && !WITHOUT_INDEX.has(name))
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
  catalogue: SearchedCatalogue,
  read: (query: Query, snapshot: Snapshot) => Request,
  pageOf: (snapshot: Snapshot, request: Request, found?: Uint32Array) => ListPage,
  titles: { findByTitle: TitleSearch; placesIn: (snapshot: Snapshot, found: TitleFound) => Uint32Array },
): (c: ApiContext<Query>) => ReadyAnswer | Promise<ReadyAnswer> {
  const keepFor = (snapshot: Snapshot) => ({
    snapshot,
    /** What a query means; the same query text is the same object. */
    meanings: new WeakMap<Query, string>(),
    answers: new LRUCache<string, ReadyAnswer>({
      maxSize: KEPT_BYTES,
      maxEntrySize: LARGEST_KEPT_BYTES,
      sizeCalculation: ({ head }, meaning) => head.length * 3 + meaning.length * 2,
    }),
  })
  let kept = keepFor(catalogue.snapshot())
  return function handle(c): ReadyAnswer | Promise<ReadyAnswer> {
    const query = c.get('query')
    const snapshot = catalogue.snapshot()
    if (mustWait(snapshot, query)) return catalogue.makeIndex().then(() => handle(c))
    if (kept.snapshot !== snapshot) kept = keepFor(snapshot)
    const meant = kept.meanings.get(query)
    const known = meant === undefined ? undefined : kept.answers.get(meant)
    if (known) return known
    const request = read(query, snapshot)
    const meaning = meant ?? requestKey(request)
    if (meant === undefined) kept.meanings.set(query, meaning)
    const same = kept.answers.get(meaning)
    if (same) return same
    const { answers } = kept
    const keep = ({ data, meta }: ListPage) => {
      const answer = readyAnswer(data, meta)
      if (meant !== undefined) answers.set(meaning, answer)
      return answer
    }
    const page = pageOf(snapshot, request)
    if (page.total > 0 || request.term === null || query.search === undefined) return keep(page)
    // Titles are matched by all names at once, which of so many would take minutes to learn and gigabytes to keep.
    if (snapshot.devices.length > MOST_FOR_TITLES) return keep(page)
    // No name has all these words: perhaps they are the title of a listing.
    const found = titles.findByTitle(query.search)
    const byTitle = (title: TitleFound) => {
      const places = titles.placesIn(snapshot, title)
      return keep(places.length === 0 ? page : pageOf(snapshot, request, places))
    }
    return found instanceof Promise ? found.then(byTitle) : byTitle(found)
  }
}
