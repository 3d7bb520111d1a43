import type { LoggedRequest } from '../lib/log.ts'
import { type Counter, type Histogram, type MetricRegistry, metricRegistry } from './metric-registry.ts'

const LATENCY_BOUNDS_SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
]
const LAG_BOUNDS_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1]
const LAG_INTERVAL_MS = 100

type RouteCounts = {
  readonly latency: Histogram
  /** By the first digit of the status. */
  readonly byClass: readonly Counter[]
}

export type Metrics = {
  readonly registry: MetricRegistry
  /** Called at the end of every request. */
  countRequest(finished: LoggedRequest): void
  /** Called for a request that was rejected early. */
  countRejected(route: string): void
  metricsText(): string
  close(): void
}

/** Metrics for operators. Labels never contain paths, keys, addresses or identifiers from requests. */
export function openMetrics(): Metrics {
  const registry = metricRegistry()
  const requests = registry.counter('http_requests_total', 'Requests served, by route and class of status.')
  const latency = registry.histogram(
    'http_request_duration_seconds',
    'Time from the arrival of a request to its response.',
    LATENCY_BOUNDS_SECONDS,
  )
  const decisions = registry.counter(
    'rate_limit_decisions_total',
    'Requests let through or refused by the rate limit, per key or (without a valid key) per address.',
  )
  const keyAllowed = decisions({ by: 'key', outcome: 'allowed' })
  const keyRejected = decisions({ by: 'key', outcome: 'refused' })
  const addressAllowed = decisions({ by: 'address', outcome: 'allowed' })
  const addressRejected = decisions({ by: 'address', outcome: 'refused' })
  const routes = new Map<string, RouteCounts>()
  const stopLag = measureLoopLag(registry)
  processMetrics(registry)

  function addRoute(route: string): RouteCounts {
    const counts = {
      latency: latency({ route }),
      byClass: ['1xx', '2xx', '3xx', '4xx', '5xx'].map((status) => requests({ route, status })),
    }
    routes.set(route, counts)
    return counts
  }

  return {
    registry,
    countRequest({ route, status, durationMs, principal }) {
      const counts = routes.get(route) ?? addRoute(route)
      counts.latency.observe(durationMs / 1000)
      counts.byClass[Math.floor(status / 100) - 1]?.add()
      if (principal !== null) (status === 429 ? keyRejected : keyAllowed).add()
      else if (status === 401) addressAllowed.add()
      else if (status === 429) addressRejected.add()
    },
    countRejected(route) {
      const counts = routes.get(route) ?? addRoute(route)
      counts.byClass[4]?.add()
    },
    metricsText: () => registry.text(),
    close: stopLag,
  }
}

/** Event loop lag: how late a timer fires. */
function measureLoopLag(registry: MetricRegistry): () => void {
  const lag = registry.histogram(
    'event_loop_lag_seconds',
    'Delay of a 100 ms timer: time for which the event loop was blocked.',
    LAG_BOUNDS_SECONDS,
  )()
  let dueAt = performance.now() + LAG_INTERVAL_MS
  const timer = setInterval(() => {
    const now = performance.now()
    lag.observe(Math.max(0, now - dueAt) / 1000)
    dueAt = now + LAG_INTERVAL_MS
  }, LAG_INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}

function processMetrics(registry: MetricRegistry): void {
  const startedAt = Date.now() / 1000 - process.uptime()
  registry.gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss())
  registry.gauge('process_heap_bytes', 'Memory held by objects of the program.', () => process.memoryUsage().heapUsed)
  registry.gauge('process_start_time_seconds', 'When the process started, in epoch seconds.', () => startedAt)
  registry.total('process_cpu_seconds_total', 'Processor time spent.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
}

export type MetricsServer = { readonly url: string; stop(): Promise<void> }

/** On a separate port, so that callers cannot reach the metrics. */
export function serveMetrics(metrics: Metrics, address: { host: string; port: number }): MetricsServer {
  const server = Bun.serve({
    hostname: address.host,
    port: address.port,
    idleTimeout: 10,
    development: false,
    fetch(request) {
      const path = new URL(request.url).pathname
      if (path !== '/metrics') return new Response('The metrics are at /metrics.\n', { status: 404 })
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        return new Response('This path takes GET, HEAD only.\n', { status: 405, headers: { Allow: 'GET, HEAD' } })
      }
      return new Response(metrics.metricsText(), {
        headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control': 'no-store' },
      })
    },
  })
  const host = address.host.includes(':') ? `[${address.host}]` : address.host
  return { url: `http://${host}:${server.port}/metrics`, stop: () => server.stop(true) }
}
