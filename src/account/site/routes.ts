import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { bestEncoding, holdsAlready } from '../../http/negotiation.ts'
import type { Page } from '../../http/reception.ts'
import { type Outgoing, outgoing } from '../../wire/outgoing.ts'
import type { RequestHead } from '../../wire/request-head.ts'

/** The dashboard needs nothing from another host, runs no inline script, and may not be framed. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** Beside the event loop: no other request waits for it. */
const compress = promisify(brotliCompress)

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect x='3' y='1' width='10' height='14' rx='2.5' fill='%230f8577'/%3E%3C/svg%3E"

const YEAR_SECONDS = 31_536_000

type Asset = {
  readonly type: string
  readonly plain: Uint8Array<ArrayBuffer>
  brotli: Uint8Array<ArrayBuffer>
  gzip: Uint8Array<ArrayBuffer>
}
type Site = { readonly shell: Asset; readonly shellTag: string; readonly files: ReadonlyMap<string, Asset> }

/** The pages of the dashboard: one document for every address below /dashboard, and the two files it loads. */
export function dashboardPages(load: () => Promise<{ script: string; style: string }>): Page[] {
  let loading: Promise<Site> | undefined
  const site = () => {
    loading ??= load().then(build)
    loading.catch(() => {
      loading = undefined
    })
    return loading
  }

  async function serve(request: RequestHead, path: string): Promise<Outgoing> {
    const { shell, shellTag, files } = await site()
    const file = files.get(path)
    if (file) return send(request, file, { 'Cache-Control': `public, max-age=${YEAR_SECONDS}, immutable` })
    // A file of an older version is gone; a document in its place would only confuse the browser.
    if (/\.(?:js|css|map)$/.test(path)) return outgoing(404, SAFE, 'Not found')
    const headers = { 'Cache-Control': 'no-cache', ETag: shellTag, 'Content-Security-Policy': POLICY }
    if (holdsAlready(request.headers.get('if-none-match') ?? '', shellTag)) {
      return outgoing(304, { ...SAFE, ...headers }, null)
    }
    return send(request, shell, headers)
  }

  return [
    {
      path: '/',
      methods: ['GET'],
      handle: () => outgoing(302, { Location: '/dashboard', ...SAFE }, null),
    },
    { path: '/dashboard', methods: ['GET'], handle: ({ request, path }) => serve(request, path) },
    { path: '/dashboard/*', methods: ['GET'], handle: ({ request, path }) => serve(request, path) },
  ]
}

const SAFE = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' } as const

function send(request: RequestHead, asset: Asset, headers: Record<string, string>): Outgoing {
  const encoding = bestEncoding(request.headers.get('accept-encoding'))
  const body = encoding === 'br' ? asset.brotli : encoding === 'gzip' ? asset.gzip : asset.plain
  const coding: Record<string, string> = encoding === 'identity' ? {} : { 'Content-Encoding': encoding }
  return outgoing(200, { ...SAFE, 'Content-Type': asset.type, Vary: 'Accept-Encoding', ...coding, ...headers }, body)
}

async function build({ script, style }: { script: string; style: string }): Promise<Site> {
  const name = (text: string) => Bun.hash.wyhash(text).toString(36)
  const scriptPath = `/dashboard/app-${name(script)}.js`
  const stylePath = `/dashboard/app-${name(style)}.css`
  const document = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>Device Intelligence</title><link rel="icon" href="${ICON}"><link rel="stylesheet" href="${stylePath}"><script type="module" src="${scriptPath}"></script></head><body><div id="app"></div><noscript>The dashboard needs JavaScript. The API and its reference at /docs do not.</noscript></body></html>`
  return {
    shell: await asset('text/html; charset=utf-8', document),
    shellTag: `"${name(document)}"`,
    files: new Map([
      [scriptPath, await asset('text/javascript; charset=utf-8', script)],
      [stylePath, await asset('text/css; charset=utf-8', style)],
    ]),
  }
}

async function asset(type: string, text: string): Promise<Asset> {
  const plain = new TextEncoder().encode(text)
  const brotli = await compress(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
  return { type, plain, brotli: new Uint8Array(brotli), gzip: Bun.gzipSync(plain) }
}
