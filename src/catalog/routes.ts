import { LRUCache } from 'lru-cache'
import { listDevices, listVariants } from '../contract/endpoints.ts'
import { notFound } from '../errors.ts'
import { type ApiContext, type ApiRoute, route } from '../http/context.ts'
import { type ReadyAnswer, readyAnswer } from '../http/ready.ts'
import type { SiteRoute } from '../http/router.ts'
import { documentOf, sendDocument } from '../http/static.ts'
import {
  type DeviceListRequest,
  deviceListPage,
  type ListPage,
  readDeviceList,
  readVariantList,
  requestKey,
  type VariantListRequest,
  variantListPage,
} from './pages.ts'
import type { Snapshot } from './snapshot.ts'
import { thumbnail } from './thumbnail.ts'

/** A page of twenty devices with all their variants is some 70 kB, plain and compressed about three times that. */
const KEPT_BYTES = 8_000_000
/** Above a quarter of the room an answer would push out too many others. */
const LARGEST_KEPT_BYTES = KEPT_BYTES / 4

/** The lists of devices and variants, from the snapshot that is current when a call comes in. */
export function catalogRoutes(catalogue: { snapshot(): Snapshot }): ApiRoute[] {
  return [
    route(listDevices, listHandler(catalogue, readDeviceList, deviceListPage)),
    route(listVariants, listHandler(catalogue, readVariantList, variantListPage)),
  ]
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

/**
 * A list asked for before is two looks in a map: what the query means, since callers write the same query in many
 * forms, and the answer to that. Only what is asked for a second time is kept: a caller who reads the registry page by
 * page would push out everybody else's pages with ones that nobody needs again. A new snapshot starts with nothing.
 */
function listHandler<Query extends object, Request extends DeviceListRequest | VariantListRequest>(
  catalogue: { snapshot(): Snapshot },
  read: (query: Query, snapshot: Snapshot) => Request,
  pageOf: (snapshot: Snapshot, request: Request) => ListPage,
): (c: ApiContext<Query>) => ReadyAnswer {
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
  return (c) => {
    const query = c.get('query')
    const snapshot = catalogue.snapshot()
    if (kept.snapshot !== snapshot) kept = keepFor(snapshot)
    const meant = kept.meanings.get(query)
    const known = meant === undefined ? undefined : kept.answers.get(meant)
    if (known) return known
    const request = read(query, snapshot)
    const meaning = meant ?? requestKey(request)
    if (meant === undefined) kept.meanings.set(query, meaning)
    const same = kept.answers.get(meaning)
    if (same) return same
    const { data, meta } = pageOf(snapshot, request)
    const answer = readyAnswer(data, meta)
    if (meant !== undefined) kept.answers.set(meaning, answer)
    return answer
  }
}
