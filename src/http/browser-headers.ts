import { cors } from 'hono/cors'
import { secureHeaders } from 'hono/secure-headers'
import { AUTHENTICATED_HEADERS } from '../contract/openapi-headers.ts'

/**
 * For pages: nothing from other hosts, no inline scripts, no framing. `allowsWebAssembly`: the barcode reader of the
 * dashboard is compiled in the browser.
 */
export function pageHeaders(isSecure: boolean, { allowsWebAssembly = false } = {}) {
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
    strictTransportSecurity: isSecure,
  })
}

/** CORS for the allowed origins. */
export function corsHeaders(origins: readonly string[]) {
  return cors({
    origin: origins.includes('*') ? '*' : [...origins],
    allowMethods: ['GET', 'HEAD', 'POST'],
    allowHeaders: ['Authorization', 'Content-Type', 'If-None-Match', 'X-Request-Id', 'Idempotency-Key'],
    exposeHeaders: ['ETag', 'Retry-After', ...AUTHENTICATED_HEADERS, 'Idempotency-Replayed'],
    maxAge: 600,
  })
}
