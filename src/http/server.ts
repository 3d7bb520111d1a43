import type { Connection } from './context.ts'

const STOP_PATIENCE_MS = 10_000
/** At a stop, answers are held until no request has come for so long … */
const QUIET_MS = 200
/** … or for as long as this. */
const MOST_HOLD_MS = 1_500

/** Longer than the usual proxies keep a connection they may use again, so that it is never us who closes it under them. */
const IDLE_SECONDS = 75
/** Every route has a smaller limit of its own and says so in the envelope; beyond this the server itself refuses. */
const MOST_BODY_BYTES = 64 * 1024 * 1024

export type Fetch = (request: Request, connection: Connection) => Response | Promise<Response>

export type Listening = {
  readonly url: string
  /** Reads the certificate again. Connections that are open keep the old one; nobody is cut off. */
  reloadTls(): Promise<void>
  /** Stops taking requests, finishes those in flight, and then resolves; gives up on stragglers after ten seconds. */
  stop(): Promise<void>
}

export type Where = {
  readonly host: string
  readonly port: number
  /** Whether other processes listen on the same port, each getting its share of the connections. */
  readonly isShared?: boolean
  /** Files with a certificate chain and its private key. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined
}

export function listen(fetch: Fetch, where: Where): Listening {
  const { host, tls } = where
  if (tls && !where.isShared) assertFree(where)
  let server = serve(fetch, where)
  const shown = host.includes(':') ? `[${host}]` : host
  return {
    url: `${tls ? 'https' : 'http'}://${shown}:${server.port}`,
    async reloadTls() {
      const old = server
      // The certificate of a server cannot be changed, so another one takes over its port.
      server = serve(fetch, { ...where, port: old.port })
      await old.stop()
    },
    stop: () => server.stop(),
  }
}

/** A port that is shared with our own successor would also be shared with a stranger, without a word. */
function assertFree({ host, port }: Where): void {
  Bun.listen({ hostname: host, port, socket: { data() {} } }).stop(true)
}

function serve(fetch: Fetch, { host, port, isShared, tls }: Where): { port: number; stop(): Promise<void> } {
  let held: Promise<void> | undefined
  let lastArrival = 0

  /** While we stop, an answer waits for the moment at which its connection can be closed behind it. */
  async function answerAtStop(request: Request, server: Connection): Promise<Response> {
    lastArrival = performance.now()
    const response = await fetch(request, server)
    await held
    response.headers.set('Connection', 'close')
    return response
  }

  const server = Bun.serve({
    hostname: host,
    port,
    reusePort: isShared || tls !== undefined,
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: MOST_BODY_BYTES,
    development: false,
    ...(tls ? { tls: { cert: Bun.file(tls.cert), key: Bun.file(tls.key) } } : {}),
    fetch: (request, server) => (held === undefined ? fetch(request, server) : answerAtStop(request, server)),
  })
  return {
    port: server.port ?? port,
    async stop() {
      // Closing the port resets whoever has come to it and is not let in yet, and idle connections with a request on its
      // way. So answers are held back for a moment: whoever waits for one sends nothing new.
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      const from = performance.now()
      lastArrival = from
      while (performance.now() - lastArrival < QUIET_MS && performance.now() - from < MOST_HOLD_MS) await Bun.sleep(5)
      const stopped = server.stop()
      resolve()
      await Promise.race([stopped, Bun.sleep(STOP_PATIENCE_MS)])
      await server.stop(true)
    },
  }
}
