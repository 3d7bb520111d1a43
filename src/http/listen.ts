import type { RequestHandler } from './handler.ts'

/** Long enough for any honest pause between two bytes, short enough that slow senders cannot pile up. */
const IDLE_SECONDS = 12
const STOP_PATIENCE_MS = 10_000
/** At a stop, answers are held until no request has come for so long … */
const QUIET_MS = 200
/** … or for as long as this. */
const MOST_HOLD_MS = 1_500
const SHUT_MS = 20

export type Listening = {
  readonly url: string
  /** Stops taking requests, finishes those in flight, and then resolves; gives up on stragglers after ten seconds. */
  stop(): Promise<void>
}

export function listen(
  handle: RequestHandler,
  where: { host: string; port: number; shared?: boolean; mostBodyBytes: number },
): Listening {
  let held: Promise<void> | undefined
  let lastArrival = 0
  const server = Bun.serve({
    hostname: where.host,
    port: where.port,
    reusePort: where.shared ?? false,
    idleTimeout: IDLE_SECONDS,
    // Bodies are measured by us, with an envelope; this is only the wall behind that.
    maxRequestBodySize: where.mostBodyBytes,
    development: false,
    fetch(request, peers) {
      if (held === undefined) return handle(request, peers)
      lastArrival = performance.now()
      const answer = handle(request, peers)
      return held.then(() => answer).then(lastOfItsConnection)
    },
  })
  const host = where.host.includes(':') ? `[${where.host}]` : where.host
  return {
    url: `http://${host}:${server.port}`,
    async stop() {
      // Closing the door also closes every connection that has no request in progress, and with it a request that has
      // arrived but is not read yet. So answers are held back for a moment: whoever waits for one sends nothing new.
      let release = () => {}
      held = new Promise((resolve) => {
        release = resolve
      })
      const from = performance.now()
      lastArrival = from
      while (performance.now() - lastArrival < QUIET_MS && performance.now() - from < MOST_HOLD_MS) await Bun.sleep(5)
      const finished = server.stop()
      // The door is shut a turn of the loop later; whoever is answered before that would come in once more.
      await Bun.sleep(SHUT_MS)
      release()
      await Promise.race([finished, Bun.sleep(STOP_PATIENCE_MS)])
      await server.stop(true)
    },
  }
}

/** Tells the caller not to send another request where this answer came from. */
function lastOfItsConnection(response: Response): Response {
  response.headers.set('Connection', 'close')
  return response
}
