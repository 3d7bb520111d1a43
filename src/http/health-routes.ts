import type { HttpContext } from './context.ts'
import type { SiteRoute } from './router.ts'

/** Whoever asks in between is told what the last try came to: anybody may ask, and a write costs a wait for the disk. */
const PROBE_CACHE_MS = 1_000

/** Asks nothing of a caller but a method: alive is alive, ready is a store that takes a write. */
export function healthRoutes(store: { checkWritable(): Promise<void> }): SiteRoute[] {
  let lastProbe: { readonly at: number; readonly outcome: Promise<void> } | undefined
  function probeDatabase(): Promise<void> {
    const now = performance.now()
    if (!lastProbe || now - lastProbe.at > PROBE_CACHE_MS) lastProbe = { at: now, outcome: store.checkWritable() }
    return lastProbe.outcome
  }
  const healthResponse = (c: HttpContext, status: string, code: 200 | 503) =>
    c.json({ status }, code, { 'Cache-Control': 'no-store', 'X-Request-Id': c.get('facts').id })
  return [
    { method: 'GET', path: '/healthz', handle: (c) => healthResponse(c, 'alive', 200) },
    {
      method: 'GET',
      path: '/readyz',
      handle: (c) =>
        probeDatabase().then(
          () => healthResponse(c, 'ready', 200),
          () => {
            c.header('Retry-After', '2')
            return healthResponse(c, 'the store cannot be written', 503)
          },
        ),
    },
  ]
}
