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

export function staticFile(type: string, text: string): StaticFile {
  const plain = new TextEncoder().encode(text)
  return { contentType: type, bytes: plain, etag: `"${Bun.hash.wyhash(plain).toString(36)}"`, gzip: undefined }
}

/** A document in the best encoding the caller takes, or word that it holds this very one already. */
export function sendStaticFile(
  c: HttpContext,
  file: StaticFile,
  extraHeaders: Readonly<Record<string, string>>,
): Response {
  const headers: Record<string, string> = {
    'Content-Type': file.contentType,
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': c.get('facts').id,
    Vary: 'Accept-Encoding',
    ETag: file.etag,
    ...extraHeaders,
  }
  const sent = c.req.raw.headers
  if (matchesEtag(sent.get('if-none-match') ?? '', file.etag)) return new Response(null, { status: 304, headers })
  const body = encodeFor(file, sent.get('accept-encoding'), headers)
  if (c.req.raw.method === 'HEAD') headers['Content-Length'] = String(body.length)
  return new Response(sharedBlob(body), { headers })
}

const blobs = new WeakMap<Uint8Array, Blob>()

/**
 * A response copies bytes and shares a blob. Whoever asks for a page of a megabyte over a thousand connections and does
 * not read it would otherwise have as many copies kept for them.
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

export type StaticRoute = SiteRoute & {
  /** For whoever has time to do it before somebody asks. */
  readonly render: () => void
}

/** A document that stays the same while the program runs, drawn when it is first asked for. */
export function staticRoute(
  path: string,
  type: string,
  textOf: () => string,
  headers: Readonly<Record<string, string>> = {},
): StaticRoute {
  let file: StaticFile | undefined
  function rendered(): StaticFile {
    file ??= staticFile(type, textOf())
    return file
  }
  return {
    method: 'GET',
    path,
    render: rendered,
    handle: (c) => sendStaticFile(c, rendered(), headers),
  }
}
