import { openApiJson } from '../contract/openapi.ts'
import { outgoing } from '../wire/outgoing.ts'
import { bestEncoding, holdsAlready } from './negotiation.ts'
import type { Page, PageRequest } from './reception.ts'
import {
  REFERENCE_CSS,
  REFERENCE_JS,
  REFERENCE_POLICY,
  type ReferenceOptions,
  referencePage,
} from './reference-page.ts'

const READ = ['GET'] as const

/** A document that stays the same while the program runs: drawn when first asked for, then sent with a tag. */
export function staticPage(
  path: string,
  type: string,
  draw: () => string,
  more: Readonly<Record<string, string>> = {},
): Page {
  let made: { plain: Uint8Array<ArrayBuffer>; etag: string } | undefined
  let zipped: Uint8Array<ArrayBuffer> | undefined
  return {
    path,
    methods: READ,
    handle({ request }: PageRequest) {
      if (!made) {
        const plain = new TextEncoder().encode(draw())
        made = { plain, etag: `"${Bun.hash.wyhash(plain).toString(36)}"` }
      }
      const { plain, etag } = made
      const headers: Record<string, string> = {
        'Content-Type': type,
        'Cache-Control': 'no-cache',
        'X-Content-Type-Options': 'nosniff',
        Vary: 'Accept-Encoding',
        ETag: etag,
        ...more,
      }
      if (holdsAlready(request.headers.get('if-none-match') ?? '', etag)) return outgoing(304, headers, null)
      if (bestEncoding(request.headers.get('accept-encoding')) === 'identity') return outgoing(200, headers, plain)
      zipped ??= Bun.gzipSync(plain)
      return outgoing(200, { ...headers, 'Content-Encoding': 'gzip' }, zipped)
    },
  }
}

/** Asks nothing of a caller but a method: alive is alive, ready is a store that answers. */
export function healthPages(store: { ping(): Promise<void> }): Page[] {
  const say = (state: string, status: number, more: Readonly<Record<string, string>> = {}) =>
    outgoing(
      status,
      { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store', ...more },
      JSON.stringify({ status: state }),
    )
  return [
    { path: '/healthz', methods: READ, handle: () => say('alive', 200) },
    {
      path: '/readyz',
      methods: READ,
      handle: () =>
        store.ping().then(
          () => say('ready', 200),
          () => say('the store cannot be reached', 503, { 'Retry-After': '2' }),
        ),
    },
  ]
}

export function documentPages(options: ReferenceOptions): Page[] {
  return [
    staticPage('/openapi.json', 'application/json; charset=utf-8', () => openApiJson(options), {
      'Access-Control-Allow-Origin': '*',
    }),
    staticPage('/docs', 'text/html; charset=utf-8', () => referencePage(options), {
      'Content-Security-Policy': REFERENCE_POLICY,
      'Referrer-Policy': 'no-referrer',
    }),
    staticPage('/docs/reference.css', 'text/css; charset=utf-8', () => REFERENCE_CSS),
    staticPage('/docs/reference.js', 'text/javascript; charset=utf-8', () => REFERENCE_JS),
  ]
}
