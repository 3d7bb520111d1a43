import type { HttpContext } from './context.ts'
import type { SiteRoute } from './router.ts'

/** Anyone may call /readyz, and a write waits for the disk: the last result is reused for this long. */
const PROBE_CACHE_MS = 1_000

export type HealthDependencies = {
  checkWritable(): Promise<void>
  /** Throws when reads are rejected too because the database has been away for too long. */
  checkReadable(): void
  isStopping(): boolean
  /** Whether the registry index is damaged, so that many reads fail. */
  isIndexDamaged(): boolean
}

/** `/healthz`: the process runs. `/readyz`: a load balancer may send requests, although writes may fail (`degraded`). */
export function healthRoutes({
  checkWritable,
  checkReadable,
  isStopping,
  isIndexDamaged,
}: HealthDependencies): SiteRoute[] {
  let lastProbe: { readonly at: number; readonly outcome: Promise<void> } | undefined
  function probeDatabase(): Promise<void> {
    const now = performance.now()
    if (!lastProbe || now - lastProbe.at > PROBE_CACHE_MS) lastProbe = { at: now, outcome: checkWritable() }
    return lastProbe.outcome
  }
  function healthResponse(c: HttpContext, status: string, code: 200 | 503) {
    const retryHeader: Record<string, string> = code === 503 ? { 'Retry-After': '2' } : {}
    return c.json({ status }, code, { 'Cache-Control': 'no-store', 'X-Request-Id': c.get('facts').id, ...retryHeader })
  }
  async function readiness(c: HttpContext): Promise<Response> {
    if (isStopping()) return healthResponse(c, 'stopping', 503)
    if (isIndexDamaged()) return healthResponse(c, 'registry index damaged', 503)
    try {
      checkReadable()
    } catch {
      return healthResponse(c, 'database unavailable', 503)
    }
    return probeDatabase().then(
      () => healthResponse(c, 'ready', 200),
      () => healthResponse(c, 'degraded', 200),
    )
  }
  return [
    { method: 'GET', path: '/healthz', handle: (c) => healthResponse(c, 'alive', 200) },
    { method: 'GET', path: '/readyz', handle: readiness },
  ]
}
