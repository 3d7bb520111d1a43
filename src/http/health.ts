import type { HttpContext } from './context.ts'
import type { SiteRoute } from './router.ts'

/** Asks nothing of a caller but a method: alive is alive, ready is a store that answers. */
export function healthRoutes(store: { ping(): Promise<void> }): SiteRoute[] {
  const say = (c: HttpContext, status: string, code: 200 | 503) =>
    c.json({ status }, code, { 'Cache-Control': 'no-store', 'X-Request-Id': c.get('facts').id })
  return [
    { method: 'GET', path: '/healthz', handle: (c) => say(c, 'alive', 200) },
    {
      method: 'GET',
      path: '/readyz',
      handle: (c) =>
        store.ping().then(
          () => say(c, 'ready', 200),
          () => {
            c.header('Retry-After', '2')
            return say(c, 'the store cannot be reached', 503)
          },
        ),
    },
  ]
}
