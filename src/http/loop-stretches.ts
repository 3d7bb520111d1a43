import type { Log } from '../lib/log.ts'
import type { RequestFacts } from './context.ts'

type WatchedRequest = Pick<RequestFacts, 'loggedId' | 'route'>

/** Measures how long requests hold the event loop without a pause. */
export type LoopStretches = {
  begin(request: WatchedRequest): void
  end(request: WatchedRequest): void
  /** Call at every tick of a timer. */
  check(): void
  readonly longestMs: () => number
  close(): void
}

export type LoopStretchOptions = {
  readonly log: Pick<Log, 'warn'>
  readonly monotonicMs?: () => number
  /** CPU time of this process in milliseconds. */
  readonly cpuMs?: () => number
  readonly everyMs?: number
}

const TICK_MS = 20
/** A longer stretch is logged. Others wait for it. */
const LONG_MS = 50
/** Requests named in a log line. */
const MAX_NAMED = 5

/**
 * A timer that comes late was held up by the event loop: by one of the requests in progress, or one that ended meanwhile. A
 * pause in which the process had no CPU is not theirs, but another program's.
 */
export function watchLoopStretches({
  log,
  monotonicMs = () => performance.now(),
  cpuMs = processCpuMs,
  everyMs = TICK_MS,
}: LoopStretchOptions): LoopStretches {
  const running = new Set<WatchedRequest>()
  const ended = new Set<WatchedRequest>()
  let longest = 0
  let last = { at: monotonicMs(), cpu: cpuMs() }

  function check(): void {
    const now = { at: monotonicMs(), cpu: cpuMs() }
    const heldMs = now.at - last.at - everyMs
    const isOurs = now.cpu - last.cpu > heldMs / 2
    last = now
    if (heldMs > 0 && isOurs) {
      longest = Math.max(longest, heldMs)
      if (heldMs > LONG_MS && running.size > 0) {
        const requests = [...running].slice(0, MAX_NAMED).map(({ route, loggedId }) => `${route} ${loggedId}`)
        log.warn('event loop held', { ms: Math.round(heldMs), requests, in_progress: running.size })
      }
    }
    for (const request of ended) running.delete(request)
    ended.clear()
  }

  const timer = setInterval(check, everyMs)
  timer.unref()
  return {
    begin: (request) => void running.add(request),
    // Named until the next tick: it may be the one that held the loop.
    end: (request) => void ended.add(request),
    check,
    longestMs: () => longest,
    close: () => clearInterval(timer),
  }
}

function processCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
