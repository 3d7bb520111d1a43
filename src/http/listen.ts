import type { RequestHandler } from './handler.ts'

/** Long enough for any honest pause between two bytes, short enough that slow senders cannot pile up. */
const IDLE_SECONDS = 12
const STOP_PATIENCE_MS = 10_000

export type Listening = {
  readonly url: string
  /** Stops taking requests, finishes those in flight, and then resolves; gives up on stragglers after ten seconds. */
  stop(): Promise<void>
}

export function listen(
  handle: RequestHandler,
  where: { host: string; port: number; shared?: boolean; mostBodyBytes: number },
): Listening {
  const server = Bun.serve({
    hostname: where.host,
    port: where.port,
    reusePort: where.shared ?? false,
    idleTimeout: IDLE_SECONDS,
    // Bodies are measured by us, with an envelope; this is only the wall behind that.
    maxRequestBodySize: where.mostBodyBytes,
    development: false,
    fetch: (request, peers) => handle(request, peers),
  })
  const host = where.host.includes(':') ? `[${where.host}]` : where.host
  return {
    url: `http://${host}:${server.port}`,
    async stop() {
      await Promise.race([server.stop(), Bun.sleep(STOP_PATIENCE_MS)])
      await server.stop(true)
    },
  }
}
