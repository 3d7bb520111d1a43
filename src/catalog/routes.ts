import { notFound } from '../errors.ts'
import { holdsAlready } from '../http/negotiation.ts'
import { type ReadyAnswer, readyAnswer } from '../http/ready.ts'
import type { Page as WebPage } from '../http/reception.ts'
import type { ApiRoute, Call } from '../http/route.ts'
import { outgoing } from '../wire/outgoing.ts'
import { type AnswerCache, answerCache } from './answer-cache.ts'
import {
  type DeviceListRequest,
  deviceListPage,
  type Page,
  readDeviceList,
  readVariantList,
  requestKey,
  type VariantListRequest,
  variantListPage,
} from './pages.ts'
import type { Snapshot } from './snapshot.ts'
import { thumbnail } from './thumbnail.ts'

/** A page of twenty devices with all their variants is some 70 kB, plain and compressed about three times that. */
const PAGES_BYTES = 8_000_000
const QUERIES_BYTES = 500_000

/** The lists of devices and variants, from the snapshot that is current when a call comes in. */
export function catalogRoutes(catalogue: { snapshot(): Snapshot }): ApiRoute[] {
  return [
    {
      method: 'GET',
      path: '/api/devices',
      tier: 'public',
      handle: listHandler<DeviceListRequest>(catalogue, (_, call) => readDeviceList(call.query), deviceListPage),
    },
    {
      method: 'GET',
      path: '/api/variants',
      tier: 'public',
      handle: listHandler<VariantListRequest>(
        catalogue,
        (snapshot, call) => readVariantList(snapshot, call.query, call.parameters().keys()),
        variantListPage,
      ),
    },
  ]
}

/** The drawings that devices, variants, makes and categories link to. They need no key: a browser shows them. */
export function thumbnailPage(catalogue: { snapshot(): Snapshot }): WebPage {
  return {
    path: '/thumbnails/*',
    methods: ['GET'],
    handle({ path, request }) {
      const svg = thumbnail(catalogue.snapshot(), path)
      if (svg === null) throw notFound('This thumbnail')
      const etag = `"${Bun.hash.wyhash(svg).toString(36)}"`
      const headers = {
        'Content-Type': 'image/svg+xml; charset=utf-8',
        'Cache-Control': 'public, max-age=3600',
        // An SVG opened by itself is a document: it may bring its own colors and nothing else.
        'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        'X-Content-Type-Options': 'nosniff',
        'Cross-Origin-Resource-Policy': 'cross-origin',
        ETag: etag,
      }
      const held = holdsAlready(request.headers.get('if-none-match') ?? '', etag)
      return held ? outgoing(304, headers, null) : outgoing(200, headers, svg)
    },
  }
}

type Kept = {
  readonly snapshot: Snapshot
  /** What a query string means. */
  readonly meanings: AnswerCache<string>
  readonly answers: AnswerCache<ReadyAnswer>
}

/**
 * A list asked for before is two looks in a map: what the query string means, since callers write the same question in
 * many ways, and the answer to that. Only what is asked for a second time is kept: a caller who reads the registry page
 * by page would push out everybody else's pages with ones that nobody needs again. A new snapshot starts with nothing.
 */
function listHandler<Request extends DeviceListRequest | VariantListRequest>(
  catalogue: { snapshot(): Snapshot },
  read: (snapshot: Snapshot, call: Call) => Request,
  pageOf: (snapshot: Snapshot, request: Request) => Page,
): (call: Call) => ReadyAnswer {
  const keepFor = (snapshot: Snapshot): Kept => ({
    snapshot,
    meanings: answerCache(QUERIES_BYTES),
    answers: answerCache(PAGES_BYTES),
  })
  let kept = keepFor(catalogue.snapshot())
  return (call) => {
    const snapshot = catalogue.snapshot()
    if (kept.snapshot !== snapshot) kept = keepFor(snapshot)
    const asSent = call.target
    const meant = kept.meanings.find(asSent)
    const known = meant && kept.answers.find(meant)
    if (known) return known
    const request = read(snapshot, call)
    const meaning = meant ?? requestKey(request)
    if (!meant) kept.meanings.keep(asSent, meaning, asSent.length + meaning.length)
    const same = kept.answers.find(meaning)
    if (same) return same
    const { data, meta } = pageOf(snapshot, request)
    const answer = readyAnswer(data, meta)
    if (meant) kept.answers.keep(meaning, answer, answer.head.length * 3)
    return answer
  }
}
