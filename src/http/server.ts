import { closeSync, openSync } from 'node:fs'
import { protectResponse } from './browser-headers.ts'
import type { Connection } from './context.ts'

/** How long requests in flight may take once the port is closed. */
const IN_FLIGHT_TIMEOUT_MS = 10_000
/**
 * Before the port closes, responses are held until this many checks in a row saw no new request, or for MAX_CHECKS: less
 * than 200 ms. Counted in checks, not in time: on a starved machine clients send late, but the checks are late too.
 */
const QUIET_CHECKS = 30
const MAX_CHECKS = 38
const CHECK_INTERVAL_MS = 5
/** Other processes hold and close at the same time; this only limits the wait for one that hangs. */
const OTHERS_TIMEOUT_MS = 3_000

/** Longer than common proxies keep an idle connection, so that the proxy closes it first. */
const IDLE_SECONDS = 75
/** Every route has a smaller limit with an error of its own; beyond this Bun itself rejects the request. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

export type Fetch = (request: Request, connection: Connection) => Response | Promise<Response>

/** Handlers of POST requests by exact path, which Bun matches before `fetch` is called. */
export type PostHandlers = Readonly<Record<string, Fetch>>

export type RunningServer = {
  readonly url: string
  /** Reloads the certificate. Open connections keep the old one. */
  reloadTls(): Promise<void>
  /**
   * Keeps serving for `drainMs` while every response closes its connection, so that load balancers move on; then closes
   * the port, finishes requests in flight (10 s at most) and resolves.
   */
  stop(drainMs?: number): Promise<void>
}

export type ListenOptions = {
  readonly host: string
  readonly port: number
  /** Whether other processes listen on the same port; the kernel spreads connections among them. */
  readonly isShared?: boolean
  /**
   * Called when this process has closed the shared port; resolves when all of them have. A client released earlier would
   * reconnect to the port of another process that is just closing it.
   */
  readonly waitForOtherProcesses?: () => Promise<void>
  /** Called when no file descriptor was left for another connection, after idle connections were closed. */
  readonly onDescriptorsExhausted?: () => void
  /** Files with a certificate chain and its private key. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined
  /** Called with an error that escaped a handler; without it Bun would print a stack trace into the JSON log. */
  readonly onError?: (error: Error) => void
  /** A port that devices reach without a proxy. */
  readonly isDirect?: boolean
}

export function listen(fetch: Fetch, options: ListenOptions, postHandlers: PostHandlers = {}): RunningServer {
  const { host, tls } = options
  if (tls && !options.isShared) assertPortFree(options)
  let server = startServer(fetch, postHandlers, options)
  /** Servers that accept no new connections and finish their requests. */
  const draining = new Set<Promise<void>>()
  const stopWatching = watchFileDescriptors(() => {
    const drained = server.drainQuickly().finally(() => draining.delete(drained))
    draining.add(drained)
    listenAgain()
    options.onDescriptorsExhausted?.()
  })
  let isStopped = false
  /** Retries until a descriptor is free: another part of the process may have taken the one of the old port. */
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
      const oldServer = server
      // Bun cannot change the certificate of a running server, so a new server takes over the port.
      server = startServer(fetch, postHandlers, { ...options, port: oldServer.port })
      await oldServer.stop()
    },
    async stop(drainMs = 0) {
      server.closeConnections()
      await Bun.sleep(drainMs)
      isStopped = true
      stopWatching()
      await Promise.all([
        server.stop(options.waitForOtherProcesses),
        Promise.race([Promise.all(draining), Bun.sleep(IN_FLIGHT_TIMEOUT_MS)]),
      ])
    },
  }
}

const DESCRIPTOR_CHECK_MS = 100
/** Bun does not count a connection without any request as idle; such connections are cut off after this long. */
const REOPEN_DRAIN_MS = 3_000

/**
 * Without a free file descriptor Bun spins on accept(). So we check for one ourselves; when there is none, the port is
 * closed and opened again, which closes idle connections.
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

/** Throws if another program already listens: with `reusePort` we would silently share the port with it. */
export function assertPortFree({ host, port }: Pick<ListenOptions, 'host' | 'port'>): void {
  Bun.listen({ hostname: host, port, socket: { data() {} } }).stop(true)
}

const directConnection = (connection: Connection): Connection => ({
  requestIP: (request) => connection.requestIP(request),
  isDirect: true,
})

const badHostResponse = () => protectResponse(new Response(null, { status: 400, headers: { Connection: 'close' } }))

type DrainableServer = {
  readonly port: number
  /** From now on every response closes its connection. */
  closeConnections(): void
  /** Accepts no new connections, closes idle ones, and cuts off requests that are not answered soon. */
  drainQuickly(): Promise<void>
  /** Closes the port, waits for `allClosed` if other processes share it, and finishes requests in flight. */
  stop(allClosed?: () => Promise<void>): Promise<void>
}

function startServer(
  fetch: Fetch,
  postHandlers: PostHandlers,
  { host, port, isShared, tls, onError, isDirect = false }: ListenOptions,
): DrainableServer {
  let isDraining = false
  let responsesHeld: Promise<void> | undefined
  let requests = 0

  async function respondAndClose(handle: Fetch, request: Request, server: Connection): Promise<Response> {
    const response = await handle(request, server)
    await responsesHeld
    response.headers.set('Connection', 'close')
    return response
  }

  const drainable = (handle: Fetch) => (request: Request, connection: Connection) => {
    requests++
    // RFC 9112: a request without a host, or with two, is not for anyone.
    const host = request.headers.get('host')
    if (host === null || host.includes(',')) return badHostResponse()
    const server = isDirect ? directConnection(connection) : connection
    return isDraining ? respondAndClose(handle, request, server) : handle(request, server)
  }

  const server = Bun.serve({
    hostname: host,
    port,
    reusePort: isShared || tls !== undefined,
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: MAX_BODY_BYTES,
    development: false,
    ...(tls ? { tls: { cert: Bun.file(tls.cert), key: Bun.file(tls.key) } } : {}),
    routes: Object.fromEntries(
      Object.entries(postHandlers).map(([path, handle]) => [path, { POST: drainable(handle) }]),
    ),
    fetch: drainable(fetch),
    error(error) {
      onError?.(error)
      return protectResponse(new Response(null, { status: 500 }))
    },
  })

  /** Closing the port resets connections that are not accepted yet. A client that waits for a response opens none. */
  async function holdResponsesUntilQuiet(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    responsesHeld = promise
    for (let checks = 0, quietChecks = 0; quietChecks < QUIET_CHECKS && checks < MAX_CHECKS; checks++) {
      const requestsBefore = requests
      await Bun.sleep(CHECK_INTERVAL_MS)
      quietChecks = requests === requestsBefore ? quietChecks + 1 : 0
    }
    return resolve
  }

  return {
    port: server.port ?? port,
    closeConnections() {
      isDraining = true
    },
    async drainQuickly() {
      await Promise.race([server.stop(), Bun.sleep(REOPEN_DRAIN_MS)])
      await server.stop(true)
    },
    async stop(allClosed) {
      isDraining = true
      const releaseResponses = await holdResponsesUntilQuiet()
      const stopped = server.stop()
      if (allClosed) await Promise.race([allClosed(), Bun.sleep(OTHERS_TIMEOUT_MS)])
      releaseResponses()
      await Promise.race([stopped, Bun.sleep(IN_FLIGHT_TIMEOUT_MS)])
      await server.stop(true)
    },
  }
}
