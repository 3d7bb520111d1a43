import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { notFound } from '../lib/errors.ts'
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

/** The built dashboard: names of the entry script and style, and all files by name. */
type Bundle = { readonly script: string; readonly style: string; readonly files: Readonly<Record<string, string>> }

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
    if (file) return sendStaticFile(c, file, IMMUTABLE)
    // An asset of an older version: 404 instead of the document.
    if (/\.(?:js|css|map)$/.test(path)) throw notFound('This file')
    return sendStaticFile(c, shell, {})
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

async function build({ script, style, files }: Bundle): Promise<BuiltSite> {
  const links = MACHINE_READABLE_LINKS.map(([path, rel]) => `<link rel="${rel}" href="${path}">`).join('')
  const shell = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>Device Intelligence</title><link rel="icon" href="${FAVICON}">${links}<link rel="stylesheet" href="/dashboard/${style}"><script type="module" src="/dashboard/${script}"></script></head><body><div id="app"></div><noscript>The dashboard needs JavaScript. The API does not: its <a href="/docs">reference</a>, <a href="/openapi.json">OpenAPI document</a> and <a href="/llms.txt">description for language models</a>.</noscript></body></html>`
  const documents = await Promise.all(
    Object.entries(files).map(async ([name, text]) => {
      const type = name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8'
      return [`/dashboard/${name}`, await compressedFile(type, text)] as const
    }),
  )
  return { shell: await compressedFile('text/html; charset=utf-8', shell), files: new Map(documents) }
}

async function compressedFile(type: string, text: string): Promise<StaticFile> {
  const document = staticFile(type, text)
  const brotli = await compress(document.bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
  return { ...document, brotli: new Uint8Array(brotli) }
}
