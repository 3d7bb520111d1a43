import type { HttpContext } from './context.ts'
import { bestEncoding, holdsAlready } from './negotiation.ts'
import type { SiteRoute } from './router.ts'

export type Document = {
  readonly type: string
  readonly plain: Uint8Array<ArrayBuffer>
  readonly etag: string
  gzip: Uint8Array<ArrayBuffer> | undefined
  readonly brotli?: Uint8Array<ArrayBuffer>
}

export function documentOf(type: string, text: string): Document {
  const plain = new TextEncoder().encode(text)
  return { type, plain, etag: `"${Bun.hash.wyhash(plain).toString(36)}"`, gzip: undefined }
}

/** A document in the best encoding the caller takes, or word that it holds this very one already. */
export function sendDocument(c: HttpContext, document: Document, more: Readonly<Record<string, string>>): Response {
  const headers: Record<string, string> = {
    'Content-Type': document.type,
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': c.get('facts').id,
    Vary: 'Accept-Encoding',
    ETag: document.etag,
    ...more,
  }
  const sent = c.req.raw.headers
  if (holdsAlready(sent.get('if-none-match') ?? '', document.etag)) return new Response(null, { status: 304, headers })
  const body = encoded(document, sent.get('accept-encoding'), headers)
  if (c.req.raw.method === 'HEAD') headers['Content-Length'] = String(body.length)
  return new Response(sharedBody(body), { headers })
}

const blobs = new WeakMap<Uint8Array, Blob>()

/**
 * A response copies bytes and shares a blob. Whoever asks for a page of a megabyte over a thousand connections and does
 * not read it would otherwise have as many copies kept for them.
 */
function sharedBody(bytes: Uint8Array<ArrayBuffer>): Blob {
  let blob = blobs.get(bytes)
  if (blob === undefined) {
    blob = new Blob([bytes])
    blobs.set(bytes, blob)
  }
  return blob
}

function encoded(
  document: Document,
  accepted: string | null,
  headers: Record<string, string>,
): Uint8Array<ArrayBuffer> {
  const best = bestEncoding(accepted)
  if (best === 'identity') return document.plain
  if (best === 'br' && document.brotli) {
    headers['Content-Encoding'] = 'br'
    return document.brotli
  }
  headers['Content-Encoding'] = 'gzip'
  document.gzip ??= Bun.gzipSync(document.plain)
  return document.gzip
}

export type StaticRoute = SiteRoute & {
  /** For whoever has time to do it before somebody asks. */
  readonly draw: () => void
}

/** A document that stays the same while the program runs, drawn when it is first asked for. */
export function staticRoute(
  path: string,
  type: string,
  textOf: () => string,
  headers: Readonly<Record<string, string>> = {},
): StaticRoute {
  let made: Document | undefined
  function drawn(): Document {
    made ??= documentOf(type, textOf())
    return made
  }
  return {
    method: 'GET',
    path,
    draw: drawn,
    handle: (c) => sendDocument(c, drawn(), headers),
  }
}
