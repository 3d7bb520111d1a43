import { ApiError } from '../http/api-error.ts'
import { type ApiDependencies, authenticateAndCount, takeFromLimit } from '../http/api-pipeline.ts'
import type { Connection } from '../http/context.ts'
import { readJsonBody } from '../http/json-body.ts'
import { rateLimitHeaders } from '../http/response.ts'
import type { SiteRoute } from '../http/router.ts'
import { reason } from '../lib/reasons.ts'
import { inProcessApi } from './in-process-api.ts'

const MAX_BYTES = 256 * 1024
export type McpDependencies = {
  readonly api: ApiDependencies
  readonly version: string
  readonly baseUrl: string
  /** The service's own router: a tool call is a request to it on behalf of the caller. */
  readonly serve: (request: Request, connection: Connection) => Response | Promise<Response>
  readonly onError: (error: Error) => void
  /** Web origins whose scripts may call; requests without `Origin` do not come from a web page. */
  readonly allowedOrigins: readonly string[]
}

/**
 * The Model Context Protocol over HTTP, without sessions. Every message needs a key and counts as one request; the
 * request to the API that a tool makes is checked and logged like any other and not counted again.
 */
export function mcpRoutes({ api, version, baseUrl, serve, onError, allowedOrigins }: McpDependencies): SiteRoute[] {
  return [
    {
      method: 'POST',
      path: '/mcp',
      async handle(c) {
        checkOrigin(c.req.raw.headers.get('origin'), allowedOrigins)
        const principal = await authenticateAndCount(api, c)
        const facts = c.get('facts')
        const { organizationId, tier } = principal
        const body = await api.loadShedding.receive(organizationId, () => readJsonBody(c.req.raw, MAX_BYTES))
        if (Array.isArray(body)) await takeFromLimit(api, c, principal, body.length - 1, true)
        // Loaded on first use: the library takes 0.1 s and 18 MB.
        const { mcpHandler } = await import('./mcp-server.ts')
        const callApi = inProcessApi({ serve, baseUrl }, principal, { 'X-Request-Id': facts.id })
        const handler = mcpHandler({ version, tier, callApi }, onError)
        const response = await handler.fetch(c.req.raw, { parsedBody: body })
        response.headers.set('X-Request-Id', facts.id)
        if (facts.rateLimit)
          for (const [name, value] of rateLimitHeaders(facts.rateLimit, Date.now())) response.headers.set(name, value)
        return response
      },
    },
  ]
}

/** The protocol requires it: a page of another site must not reach a local server by DNS rebinding. */
function checkOrigin(origin: string | null, allowed: readonly string[]): void {
  if (origin === null || allowed.includes(origin) || allowed.includes('*')) return
  throw new ApiError(
    'FORBIDDEN',
    'Requests to /mcp from this web origin are not allowed. Add it to CORS_ORIGINS.',
    reason('technical'),
  )
}
