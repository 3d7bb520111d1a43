import { closeSync, openSync } from 'node:fs'
import type { Connection } from './context.ts'

const DRAIN_TIMEOUT_MS = 10_000
/**
 * At a stop, answers are held until we have looked so often, with a pause between, and no request had come. Counted in
 * looks and not in time: where we get to look late, because the machine has too much to do, others send late too.
 */
const QUIET_CHECKS = 100
/** Where nobody asked for a while, hardly anybody is about to. */
const QUIET_CHECKS_WHEN_IDLE = 10
/** Whoever comes meanwhile is let in by the successor; only connections that are open already are waited for. */
const QUIET_CHECKS_AT_HAND_OVER = 40
const IDLE_AFTER_MS = 1_000
const CHECK_INTERVAL_MS = 5
/** Or for as long as this. */
const MAX_HOLD_MS = 3_000

/** Longer than the usual proxies keep a connection they may use again, so that it is never us who closes it under them. */
const IDLE_SECONDS = 75
/** Every route has a smaller limit of its own and says so in the envelope; beyond this the server itself refuses. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

export type Fetch = (request: Request, connection: Connection) => Response | Promise<Response>

/** What is called for a POST to a path, which the server underneath finds by itself. Everything else goes the usual way. */
export type PostHandlers = Readonly<Record<string, Fetch>>

export type RunningServer = {
  readonly url: string
  /** Reads the certificate again. Connections that are open keep the old one; nobody is cut off. */
  reloadTls(): Promise<void>
  /** Stops taking requests, finishes those in flight, and then resolves; gives up on stragglers after ten seconds. */
  stop(): Promise<void>
}

export type ListenOptions = {
  readonly host: string
  readonly port: number
  /** Whether other processes listen on the same port, each getting its share of the connections. */
  readonly isShared?: boolean
  /**
   * Told when this process has closed the shared port; resolves when all of them have. Who is let go before that comes
   * again to the port of another, which may be closing at that very moment.
   */
  readonly waitForOtherProcesses?: () => Promise<void>
  /** Called whenever there was no descriptor left for another connection, after idle ones were closed. */
  readonly onDescriptorsExhausted?: () => void
  /** Files with a certificate chain and its private key. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined
}

export function listen(fetch: Fetch, options: ListenOptions, postHandlers: PostHandlers = {}): RunningServer {
  const { host, tls } = options
  if (tls && !options.isShared) assertPortFree(options)
  let server = startServer(fetch, postHandlers, options)
  /** Servers that take no more connections and finish what they have. */
  const draining = new Set<Promise<void>>()
  const stopWatching = watchFileDescriptors(() => {
    const left = server.drainQuickly().finally(() => draining.delete(left))
    draining.add(left)
    listenAgain()
    options.onDescriptorsExhausted?.()
  })
  let isStopped = false
  /** The descriptor that the port had may be gone to somebody else already; it is tried until there is one. */
  function listenAgain(): void {
    try {
      server = startServer(fetch, postHandlers, { ...options, port: server.port })
    } catch {
      setTimeout(() => isStopped || listenAgain(), DESCRIPTOR_CHECK_MS)
    }
  }
  const urlHost = host.includes(':') ? `[${host}]` : host
  return {
    url: `${tls ? 'https' : 'http'}://${urlHost}:${server.port}`,
    async reloadTls() {
      const old = server
      // The certificate of a server cannot be changed, so another one takes over its port.
      server = startServer(fetch, postHandlers, { ...options, port: old.port })
      await old.handOver()
    },
    async stop() {
      isStopped = true
      stopWatching()
      await Promise.all([
        server.stop(options.waitForOtherProcesses),
        Promise.race([Promise.all(draining), Bun.sleep(DRAIN_TIMEOUT_MS)]),
      ])
    },
  }
}

const DESCRIPTOR_CHECK_MS = 100
/** Connections on which nothing was ever asked do not count as idle; they are cut off after so long. */
const REOPEN_DRAIN_MS = 3_000

/**
 * Without a free descriptor the server underneath tries in vain, as fast as it can, to let in whoever waits at its port.
 * So we look for one ourselves; where there is none, the port is left and taken again, which closes idle connections.
 */
function watchFileDescriptors(onExhausted: () => void): () => void {
  const timer = setInterval(() => {
    try {
      closeSync(openSync('/dev/null', 'r'))
    } catch (error) {
      const { code } = error as { code?: string }
      if (code === 'EMFILE' || code === 'ENFILE') onExhausted()
    }
  }, DESCRIPTOR_CHECK_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * Throws where another program listens already. A port that is shared among processes of ours, or with our own successor,
 * would otherwise be shared with a stranger, without a word.
 */
export function assertPortFree({ host, port }: Pick<ListenOptions, 'host' | 'port'>): void {
  Bun.listen({ hostname: host, port, socket: { data() {} } }).stop(true)
}

type DrainableServer = {
  readonly port: number
  /** Takes no more connections, closes idle ones, and cuts off what is not answered soon. */
  drainQuickly(): Promise<void>
  /** Stops for good; `allClosed` as in `Where`, where others stop at the same time. */
  stop(allClosed?: () => Promise<void>): Promise<void>
  /** Stops while another server listens on the same port. */
  handOver(): Promise<void>
}

function startServer(
  fetch: Fetch,
  postHandlers: PostHandlers,
  { host, port, isShared, tls }: ListenOptions,
): DrainableServer {
  let responsesHeld: Promise<void> | undefined
  let lastArrival = Number.NEGATIVE_INFINITY

  /** While we stop, an answer waits for the moment at which its connection can be closed behind it. */
  async function respondAndClose(answer: Fetch, request: Request, server: Connection): Promise<Response> {
    const response = await answer(request, server)
    await responsesHeld
    response.headers.set('Connection', 'close')
    return response
  }

  const drainable = (answer: Fetch) => (request: Request, server: Connection) => {
    lastArrival = performance.now()
    return responsesHeld === undefined ? answer(request, server) : respondAndClose(answer, request, server)
  }

  const server = Bun.serve({
    hostname: host,
    port,
    reusePort: isShared || tls !== undefined,
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: MAX_BODY_BYTES,
    development: false,
    ...(tls ? { tls: { cert: Bun.file(tls.cert), key: Bun.file(tls.key) } } : {}),
    routes: Object.fromEntries(Object.entries(postHandlers).map(([path, post]) => [path, { POST: drainable(post) }])),
    fetch: drainable(fetch),
  })
  async function stop(quietChecks: number, allClosed?: () => Promise<void>): Promise<void> {
    // Closing the port resets whoever has come to it and is not let in yet, and idle connections with a request on its
    // way. So answers are held back for a moment: whoever waits for one sends nothing new.
    const { promise, resolve } = Promise.withResolvers<void>()
    responsesHeld = promise
    const from = performance.now()
    for (let looks = 0; looks < quietChecks && performance.now() - from < MAX_HOLD_MS; looks++) {
      const before = lastArrival
      await Bun.sleep(CHECK_INTERVAL_MS)
      if (lastArrival !== before) looks = 0
    }
    const stopped = server.stop()
    if (allClosed) await Promise.race([allClosed(), Bun.sleep(MAX_HOLD_MS)])
    resolve()
    await Promise.race([stopped, Bun.sleep(DRAIN_TIMEOUT_MS)])
    await server.stop(true)
  }

  return {
    port: server.port ?? port,
    async drainQuickly() {
      await Promise.race([server.stop(), Bun.sleep(REOPEN_DRAIN_MS)])
      await server.stop(true)
    },
    stop(allClosed) {
      const isIdle = server.pendingRequests === 0 && performance.now() - lastArrival > IDLE_AFTER_MS
      return stop(isIdle ? QUIET_CHECKS_WHEN_IDLE : QUIET_CHECKS, allClosed)
    },
    handOver: () => stop(QUIET_CHECKS_AT_HAND_OVER),
  }
}
