import { bestEncoding, matchesEtag } from './content-negotiation.ts'
import type { HttpContext } from './context.ts'
import type { SiteRoute } from './router.ts'

export type StaticFile = {
  readonly contentType: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly etag: string
  gzip: Uint8Array<ArrayBuffer> | undefined
  readonly brotli?: Uint8Array<ArrayBuffer>
}

export function staticFile(contentType: string, content: string | Uint8Array<ArrayBuffer>): StaticFile {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return { contentType, bytes, etag: `"${Bun.hash.wyhash(bytes).toString(36)}"`, gzip: undefined }
}

/** Sends a file in the best encoding the client accepts, or 304 if the client has it. */
export function sendStaticFile(
  c: HttpContext,
  file: StaticFile,
  extraHeaders: Readonly<Record<string, string>>,
): Response {
  const headers: Record<string, string> = {
    'Content-Type': file.contentType,
    'Cache-Control': 'no-cache',
    'X-Request-Id': c.get('facts').id,
    Vary: 'Accept-Encoding',
    ETag: file.etag,
    ...extraHeaders,
  }
  const requestHeaders = c.req.raw.headers
  if (matchesEtag(requestHeaders.get('if-none-match') ?? '', file.etag))
    return new Response(null, { status: 304, headers })
  const body = encodeFor(file, requestHeaders.get('accept-encoding'), headers)
  if (c.req.raw.method === 'HEAD') headers['Content-Length'] = String(body.length)
  return new Response(sharedBlob(body), { headers })
}

const blobs = new WeakMap<Uint8Array, Blob>()

/**
 * `Response` copies bytes but shares a Blob: a thousand connections that request a page of a megabyte and do not read it
 * would otherwise cost a thousand copies.
 */
function sharedBlob(bytes: Uint8Array<ArrayBuffer>): Blob {
  let blob = blobs.get(bytes)
  if (blob === undefined) {
    blob = new Blob([bytes])
    blobs.set(bytes, blob)
  }
  return blob
}

function encodeFor(
  file: StaticFile,
  accepted: string | null,
  headers: Record<string, string>,
): Uint8Array<ArrayBuffer> {
  const best = bestEncoding(accepted)
  if (best === 'identity') return file.bytes
  if (best === 'br' && file.brotli) {
    headers['Content-Encoding'] = 'br'
    return file.brotli
  }
  headers['Content-Encoding'] = 'gzip'
  file.gzip ??= Bun.gzipSync(file.bytes)
  return file.gzip
}

/** A document that never changes while the program runs, rendered on first use. */
export function staticRoute(
  path: string,
  type: string,
  renderText: () => string | Promise<string>,
  headers: Readonly<Record<string, string>> = {},
): SiteRoute {
  let file: StaticFile | undefined
  return {
    method: 'GET',
    path,
    async handle(c) {
      file ??= staticFile(type, await renderText())
      return sendStaticFile(c, file, headers)
    },
  }
}

/** Icon of the browser tab, inlined into the pages. */
export const FAVICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect x='3' y='1' width='10' height='14' rx='2.5' fill='%230f8577'/%3E%3C/svg%3E"
