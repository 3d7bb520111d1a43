import { closeSync, openSync } from 'node:fs'
import type { Connection } from './context.ts'

const STOP_PATIENCE_MS = 10_000
/**
 * At a stop, answers are held until we have looked so often, with a pause between, and no request had come. Counted in
 * looks and not in time: where we get to look late, because the machine has too much to do, others send late too.
 */
const QUIET_LOOKS = 100
/** Where nobody asked for a while, hardly anybody is about to. */
const QUIET_LOOKS_WHEN_IDLE = 10
/** Whoever comes meanwhile is let in by the successor; only connections that are open already are waited for. */
const QUIET_LOOKS_AT_HAND_OVER = 40
const IDLE_AFTER_MS = 1_000
const LOOK_PAUSE_MS = 5
/** Or for as long as this. */
const MOST_HOLD_MS = 3_000

/** Longer than the usual proxies keep a connection they may use again, so that it is never us who closes it under them. */
const IDLE_SECONDS = 75
/** Every route has a smaller limit of its own and says so in the envelope; beyond this the server itself refuses. */
const MOST_BODY_BYTES = 64 * 1024 * 1024

export type Fetch = (request: Request, connection: Connection) => Response | Promise<Response>

/** What is called for a POST to a path, which the server underneath finds by itself. Everything else goes the usual way. */
export type Posts = Readonly<Record<string, Fetch>>

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
  /**
   * Told when this process has closed the shared port; resolves when all of them have. Who is let go before that comes
   * again to the port of another, which may be closing at that very moment.
   */
  readonly allClosed?: () => Promise<void>
  /** Called whenever there was no descriptor left for another connection, after idle ones were closed. */
  readonly exhausted?: () => void
  /** Files with a certificate chain and its private key. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined
}

export function listen(fetch: Fetch, where: Where, posts: Posts = {}): Listening {
  const { host, tls } = where
  if (tls && !where.isShared) assertFree(where)
  let server = serve(fetch, posts, where)
  /** Servers that take no more connections and finish what they have. */
  const leaving = new Set<Promise<void>>()
  const stopWatching = watchDescriptors(() => {
    const left = server.leave().finally(() => leaving.delete(left))
    leaving.add(left)
    takeAgain()
    where.exhausted?.()
  })
  let isStopped = false
  /** The descriptor that the port had may be gone to somebody else already; it is tried until there is one. */
  function takeAgain(): void {
    try {
      server = serve(fetch, posts, { ...where, port: server.port })
    } catch {
      setTimeout(() => isStopped || takeAgain(), LOOK_EVERY_MS)
    }
  }
  const shown = host.includes(':') ? `[${host}]` : host
  return {
    url: `${tls ? 'https' : 'http'}://${shown}:${server.port}`,
    async reloadTls() {
      const old = server
      // The certificate of a server cannot be changed, so another one takes over its port.
      server = serve(fetch, posts, { ...where, port: old.port })
      await old.handOver()
    },
    async stop() {
      isStopped = true
      stopWatching()
      await Promise.all([
        server.stop(where.allClosed),
        Promise.race([Promise.all(leaving), Bun.sleep(STOP_PATIENCE_MS)]),
      ])
    },
  }
}

const LOOK_EVERY_MS = 100
/** Connections on which nothing was ever asked do not count as idle; they are cut off after so long. */
const LEAVE_PATIENCE_MS = 3_000

/**
 * Without a free descriptor the server underneath tries in vain, as fast as it can, to let in whoever waits at its port.
 * So we look for one ourselves; where there is none, the port is left and taken again, which closes idle connections.
 */
function watchDescriptors(exhausted: () => void): () => void {
  const timer = setInterval(() => {
    try {
      closeSync(openSync('/dev/null', 'r'))
    } catch (error) {
      const { code } = error as { code?: string }
      if (code === 'EMFILE' || code === 'ENFILE') exhausted()
    }
  }, LOOK_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * Throws where another program listens already. A port that is shared among processes of ours, or with our own successor,
 * would otherwise be shared with a stranger, without a word.
 */
export function assertFree({ host, port }: Pick<Where, 'host' | 'port'>): void {
  Bun.listen({ hostname: host, port, socket: { data() {} } }).stop(true)
}

type Server = {
  readonly port: number
  /** Takes no more connections, closes idle ones, and cuts off what is not answered soon. */
  leave(): Promise<void>
  /** Stops for good; `allClosed` as in `Where`, where others stop at the same time. */
  stop(allClosed?: () => Promise<void>): Promise<void>
  /** Stops while another server listens on the same port. */
  handOver(): Promise<void>
}

function serve(fetch: Fetch, posts: Posts, { host, port, isShared, tls }: Where): Server {
  let held: Promise<void> | undefined
  let lastArrival = Number.NEGATIVE_INFINITY

  /** While we stop, an answer waits for the moment at which its connection can be closed behind it. */
  async function answerAtStop(answer: Fetch, request: Request, server: Connection): Promise<Response> {
    const response = await answer(request, server)
    await held
    response.headers.set('Connection', 'close')
    return response
  }

  const stoppable = (answer: Fetch) => (request: Request, server: Connection) => {
    lastArrival = performance.now()
    return held === undefined ? answer(request, server) : answerAtStop(answer, request, server)
  }

  const server = Bun.serve({
    hostname: host,
    port,
    reusePort: isShared || tls !== undefined,
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: MOST_BODY_BYTES,
    development: false,
    ...(tls ? { tls: { cert: Bun.file(tls.cert), key: Bun.file(tls.key) } } : {}),
    routes: Object.fromEntries(Object.entries(posts).map(([path, post]) => [path, { POST: stoppable(post) }])),
    fetch: stoppable(fetch),
  })
  async function stop(quietLooks: number, allClosed?: () => Promise<void>): Promise<void> {
    // Closing the port resets whoever has come to it and is not let in yet, and idle connections with a request on its
    // way. So answers are held back for a moment: whoever waits for one sends nothing new.
    const { promise, resolve } = Promise.withResolvers<void>()
    held = promise
    const from = performance.now()
    for (let looks = 0; looks < quietLooks && performance.now() - from < MOST_HOLD_MS; looks++) {
      const before = lastArrival
      await Bun.sleep(LOOK_PAUSE_MS)
      if (lastArrival !== before) looks = 0
    }
    const stopped = server.stop()
    if (allClosed) await Promise.race([allClosed(), Bun.sleep(MOST_HOLD_MS)])
    resolve()
    await Promise.race([stopped, Bun.sleep(STOP_PATIENCE_MS)])
    await server.stop(true)
  }

  return {
    port: server.port ?? port,
    async leave() {
      await Promise.race([server.stop(), Bun.sleep(LEAVE_PATIENCE_MS)])
      await server.stop(true)
    },
    stop(allClosed) {
      const isIdle = server.pendingRequests === 0 && performance.now() - lastArrival > IDLE_AFTER_MS
      return stop(isIdle ? QUIET_LOOKS_WHEN_IDLE : QUIET_LOOKS, allClosed)
    },
    handOver: () => stop(QUIET_LOOKS_AT_HAND_OVER),
  }
}
