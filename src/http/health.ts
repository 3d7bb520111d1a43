import type { HttpContext } from './context.ts'
import type { SiteRoute } from './router.ts'

/** Whoever asks in between is told what the last try came to: anybody may ask, and a write costs a wait for the disk. */
const COUNTS_FOR_MS = 1_000

/** Asks nothing of a caller but a method: alive is alive, ready is a store that takes a write. */
export function healthRoutes(store: { tryWrite(): Promise<void> }): SiteRoute[] {
  let tried: { readonly at: number; readonly outcome: Promise<void> } | undefined
  function tryStore(): Promise<void> {
    const now = performance.now()
    if (!tried || now - tried.at > COUNTS_FOR_MS) tried = { at: now, outcome: store.tryWrite() }
    return tried.outcome
  }
  const say = (c: HttpContext, status: string, code: 200 | 503) =>
    c.json({ status }, code, { 'Cache-Control': 'no-store', 'X-Request-Id': c.get('facts').id })
  return [
    { method: 'GET', path: '/healthz', handle: (c) => say(c, 'alive', 200) },
    {
      method: 'GET',
      path: '/readyz',
      handle: (c) =>
        tryStore().then(
          () => say(c, 'ready', 200),
          () => {
            c.header('Retry-After', '2')
            return say(c, 'the store cannot be written', 503)
          },
        ),
    },
  ]
}
