import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { createMiddleware } from 'hono/factory'
import { secureHeaders } from 'hono/secure-headers'
import { AUTHENTICATED_HEADERS } from '../contract/openapi-headers.ts'
import type { HttpEnv } from './context.ts'

/** Headers of every response. Those of the API are created with them, all others go through `protectResponse`. */
export const PROTECTIVE_HEADERS = { 'X-Content-Type-Options': 'nosniff', 'X-Frame-Options': 'DENY' } as const

/** `Cache-Control` of errors. */
export const NOT_STORED = 'no-store'

/**
 * No response is interpreted as another type than it states, none can be framed unless its own policy says where, and no
 * cache stores an error.
 */
export function protectResponse(response: Response, { mayBeFramed = false } = {}): Response {
  const { headers, status } = response
  for (const [name, value] of Object.entries(PROTECTIVE_HEADERS)) headers.set(name, value)
  const policy = headers.get('Content-Security-Policy')
  if (mayBeFramed && policy?.includes('frame-ancestors ') && !policy.includes("frame-ancestors 'none'"))
    headers.delete('X-Frame-Options')
  if (status >= 400) headers.set('Cache-Control', NOT_STORED)
  return response
}

/**
 * For pages: nothing from other hosts, no inline scripts, no framing. `allowsWebAssembly`: the barcode reader of the
 * dashboard is compiled in the browser.
 */
export function pageHeaders(isSecure: boolean, options: { readonly allowsWebAssembly?: boolean } = {}) {
  const [plain, strict] = [false, true].map((isStrict) => headersOfPages(isStrict, options)) as [
    MiddlewareHandler,
    MiddlewareHandler,
  ]
  // The port for phones and tablets of the local network always has TLS.
  return createMiddleware<HttpEnv>((c, next) => (isSecure || c.env.isDirect ? strict : plain)(c, next))
}

function headersOfPages(isSecure: boolean, { allowsWebAssembly = false }: { readonly allowsWebAssembly?: boolean }) {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'", ...(allowsWebAssembly ? ["'wasm-unsafe-eval'"] : [])],
      workerSrc: ["'self'"],
      manifestSrc: ["'self'"],
      styleSrc: ["'self'"],
      fontSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
    xFrameOptions: PROTECTIVE_HEADERS['X-Frame-Options'],
    strictTransportSecurity: isSecure,
  })
}

/** CORS for the allowed origins. */
export function corsHeaders(origins: readonly string[]) {
  const middleware = cors({
    origin: origins.includes('*') ? '*' : [...origins],
    allowMethods: ['GET', 'HEAD', 'POST'],
    allowHeaders: ['Authorization', 'Content-Type', 'If-None-Match', 'X-Request-Id', 'Idempotency-Key'],
    exposeHeaders: ['ETag', 'Retry-After', ...AUTHENTICATED_HEADERS, 'Idempotency-Replayed'],
    maxAge: 600,
  })
  return createMiddleware(async (c, next) => {
    const preflightResponse = await middleware(c, next)
    return preflightResponse && protectResponse(preflightResponse)
  })
}
