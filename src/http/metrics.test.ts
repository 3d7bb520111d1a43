import { afterAll, expect, test } from 'bun:test'
import type { LoggedRequest } from '../lib/log.ts'
import { metricRegistry } from './metric-registry.ts'
import { openMetrics, serveMetrics } from './metrics.ts'

const finished: LoggedRequest = {
  loggedId: 'r',
  method: 'GET',
  route: '/api/devices',
  status: 200,
  durationMs: 0.2,
  trace: null,
  principal: { kind: 'key', id: 'key_1', organizationId: 'org_1' },
}
const metrics = openMetrics()
afterAll(() => metrics.close())

test('counters and histograms are in Prometheus format', () => {
  const registry = metricRegistry()
  const jobs = registry.counter('jobs_total', 'Jobs done.')
  jobs({ kind: 'a "b"\\\n' }).add(2)
  const sizes = registry.histogram('size_bytes', 'Sizes.', [1, 10])({ kind: 'a' })
  for (const size of [1, 5, 500]) sizes.observe(size)
  registry.gauge('age_seconds', 'Age.', () => 1.5)
  registry.gauge('absent', 'Not known.', () => undefined)
  expect(registry.text()).toBe(
    [
      '# HELP jobs_total Jobs done.',
      '# TYPE jobs_total counter',
      'jobs_total{kind="a \\"b\\"\\\\\\n"} 2',
      '# HELP size_bytes Sizes.',
      '# TYPE size_bytes histogram',
      'size_bytes_bucket{kind="a",le="1"} 1',
      'size_bytes_bucket{kind="a",le="10"} 2',
      'size_bytes_bucket{kind="a",le="+Inf"} 3',
      'size_bytes_sum{kind="a"} 506',
      'size_bytes_count{kind="a"} 3',
      '# HELP age_seconds Age.',
      '# TYPE age_seconds gauge',
      'age_seconds 1.5',
      '# HELP absent Not known.',
      '# TYPE absent gauge',
      '',
    ].join('\n'),
  )
})

test('a metric cannot be declared twice', () => {
  const registry = metricRegistry()
  registry.counter('a_total', 'A.')
  expect(() => registry.counter('a_total', 'A again.')).toThrow('declared twice')
})

test('requests are counted by route and status class, with their duration', () => {
  metrics.countRequest(finished)
  metrics.countRequest({ ...finished, durationMs: 30 })
  metrics.countRequest({ ...finished, status: 304 })
  const text = metrics.metricsText()
  expect(text).toContain('http_requests_total{route="/api/devices",status="2xx"} 2')
  expect(text).toContain('http_requests_total{route="/api/devices",status="3xx"} 1')
  expect(text).toContain('http_request_duration_seconds_bucket{route="/api/devices",le="0.00025"} 2')
  expect(text).toContain('http_request_duration_seconds_bucket{route="/api/devices",le="0.05"} 3')
  expect(text).toContain('http_request_duration_seconds_count{route="/api/devices"} 3')
})

test('allowed and rejected requests of the rate limit are counted separately for keys and addresses', () => {
  metrics.countRequest({ ...finished, route: '/api/x', status: 429 })
  metrics.countRequest({ ...finished, route: '/api/x', status: 401, principal: null })
  metrics.countRequest({ ...finished, route: '/api/x', status: 429, principal: null })
  const text = metrics.metricsText()
  expect(text).toContain('rate_limit_decisions_total{by="key",outcome="refused"} 1')
  expect(text).toContain('rate_limit_decisions_total{by="address",outcome="allowed"} 1')
  expect(text).toContain('rate_limit_decisions_total{by="address",outcome="refused"} 1')
})

test('process metrics are reported', () => {
  const rss = Number(/^process_resident_memory_bytes (\d+)$/m.exec(metrics.metricsText())?.[1])
  expect(rss).toBeGreaterThan(1_000_000)
  expect(metrics.metricsText()).toMatch(/^process_cpu_seconds_total [\d.]+$/m)
  expect(metrics.metricsText()).toMatch(/^event_loop_lag_seconds_count \d+$/m)
})

test('metrics are served only at /metrics, on a separate port', async () => {
  const server = serveMetrics(metrics, { host: '127.0.0.1', port: 0 })
  const response = await fetch(server.url)
  expect(response.headers.get('Content-Type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(await response.text()).toContain('# TYPE http_requests_total counter')
  expect((await fetch(server.url.replace('/metrics', '/'))).status).toBe(404)
  expect((await fetch(server.url, { method: 'POST' })).status).toBe(405)
  await server.stop()
})
