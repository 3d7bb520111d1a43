import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { notFound } from '../lib/errors.ts'
import { memoizeWeak } from '../lib/memoize.ts'
import { bestEncoding } from './content-negotiation.ts'
import type { HttpContext } from './context.ts'
import type { SiteRoute } from './router.ts'
import { FAVICON, type StaticFile, sendStaticFile, staticFile } from './static-file.ts'

/** Asynchronous compression does not block the event loop. */
const compress = promisify(brotliCompress)

/** Links that let a program discover the API from its base URL. */
const MACHINE_READABLE_LINKS = [
  ['/openapi.json', 'service-desc'],
  ['/docs', 'service-doc'],
  ['/llms.txt', 'describedby'],
] as const

const IMMUTABLE = { 'Cache-Control': 'public, max-age=31536000, immutable' }
/** For files that keep their name when they change. */
const ONE_DAY = { 'Cache-Control': 'public, max-age=86400' }
const HASHED_NAME = /^\/dashboard\/(?:app|part)-/

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  wasm: 'application/wasm',
  woff2: 'font/woff2',
}

/** Colours of the browser's own bars: `--paper` in light and dark. */
const THEME_COLORS = { light: '#ffffff', dark: '#151d25' }

/** Web app manifest: makes the dashboard installable. */
const MANIFEST = {
  id: '/dashboard',
  name: 'Device Intelligence',
  short_name: 'Devices',
  description: 'What a used device is, what it is worth and whether it is safe to buy.',
  start_url: '/dashboard',
  scope: '/dashboard',
  display: 'standalone',
  theme_color: THEME_COLORS.light,
  background_color: THEME_COLORS.light,
  icons: [
    { src: '/dashboard/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: '/dashboard/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: '/dashboard/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
  shortcuts: [
    { name: 'Appraise', url: '/dashboard/counter' },
    { name: 'Identifier check', url: '/dashboard/check' },
  ],
}

/** The built dashboard: names of the entry script and style, and all files by name. */
type Bundle = {
  readonly script: string
  readonly style: string
  readonly files: Readonly<Record<string, string>>
  /** In base64. */
  readonly binaryFiles: Readonly<Record<string, string>>
  readonly serviceWorker: string
}

const SERVICE_WORKER = '/dashboard/service-worker.js'
const MANIFEST_PATH = '/dashboard/manifest.webmanifest'
/** Revalidated on every use, so that a new build replaces the old one at once. */
const UNHASHED_HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // Without this header its scope would be /dashboard/, which does not include the start page.
  [SERVICE_WORKER]: { 'Service-Worker-Allowed': '/dashboard' },
  [MANIFEST_PATH]: {},
}

type BuiltSite = { readonly shell: StaticFile; readonly files: ReadonlyMap<string, StaticFile> }

/** The dashboard's pages: one document for every path below /dashboard, and its assets. */
export function dashboardPageRoutes(load: () => Promise<Bundle>): SiteRoute[] {
  let loading: Promise<BuiltSite> | undefined
  const site = () => {
    loading ??= load().then(build)
    loading.catch(() => {
      loading = undefined
    })
    return loading
  }

  async function serve(c: HttpContext): Promise<Response> {
    const { shell, files } = await site()
    const { path } = c.req
    const file = files.get(path)
    // An asset of an older version: 404 instead of the document.
    if (!file && /\.(?:js|css|map|png|wasm|woff2)$/.test(path)) throw notFound('This file')
    const headers = HASHED_NAME.test(path) ? IMMUTABLE : (UNHASHED_HEADERS[path] ?? ONE_DAY)
    return sendStaticFile(c, await encodedFor(c, file ?? shell), file ? headers : {})
  }

  return [
    {
      method: 'GET',
      path: '/',
      handle(c) {
        c.header('Link', MACHINE_READABLE_LINKS.map(([path, rel]) => `<${path}>; rel="${rel}"`).join(', '))
        return c.redirect('/dashboard')
      },
    },
    { method: 'GET', path: '/dashboard', handle: serve },
    { method: 'GET', path: '/dashboard/*', handle: serve },
  ]
}

function build({ script, style, files, binaryFiles, serviceWorker }: Bundle): BuiltSite {
  const links = MACHINE_READABLE_LINKS.map(([path, rel]) => `<link rel="${rel}" href="${path}">`).join('')
  const themeColors = Object.entries(THEME_COLORS)
    .map(([scheme, color]) => `<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" content="${color}">`)
    .join('')
  const shell = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">${themeColors}<title>Device Intelligence</title><link rel="icon" href="${FAVICON}"><link rel="apple-touch-icon" href="/dashboard/icon-apple-180.png"><link rel="manifest" href="${MANIFEST_PATH}">${links}<link rel="preload" href="/dashboard/inter-latin.woff2" as="font" type="font/woff2" crossorigin><link rel="stylesheet" href="/dashboard/${style}"><script type="module" src="/dashboard/${script}"></script></head><body><div id="app"></div><noscript>The dashboard needs JavaScript. The API does not: its <a href="/docs">reference</a>, <a href="/openapi.json">OpenAPI document</a> and <a href="/llms.txt">description for language models</a>.</noscript></body></html>`
  const documents: readonly (readonly [string, StaticFile])[] = [
    ...Object.entries(files).map(
      ([name, text]) => [`/dashboard/${name}`, staticFile(contentTypeOf(name), text)] as const,
    ),
    ...Object.entries(binaryFiles).map(([name, base64]) => [`/dashboard/${name}`, binaryFile(name, base64)] as const),
    [SERVICE_WORKER, staticFile(contentTypeOf(SERVICE_WORKER), serviceWorker)],
    [MANIFEST_PATH, staticFile('application/manifest+json', JSON.stringify(MANIFEST))],
  ]
  return { shell: staticFile('text/html; charset=utf-8', shell), files: new Map(documents) }
}

const contentTypeOf = (name: string) => CONTENT_TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'

const binaryFile = (name: string, base64: string) =>
  staticFile(contentTypeOf(name), new Uint8Array(Buffer.from(base64, 'base64')))

/** The file with its compressed form if this client takes it. Images and fonts are compressed already. */
function encodedFor(c: HttpContext, file: StaticFile): StaticFile | Promise<StaticFile> {
  const takesBrotli = bestEncoding(c.req.raw.headers.get('accept-encoding')) === 'br'
  return takesBrotli && !/^(?:image|font)\//.test(file.contentType) ? compressFile(file) : file
}

/** Only when a client requests the file: all of them take more than a second and hundreds of megabytes. */
const compressFile = memoizeWeak(async (file: StaticFile): Promise<StaticFile> => {
  const brotli = await compress(file.bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
  return { ...file, brotli: new Uint8Array(brotli) }
})
