import { afterAll, expect, test } from 'bun:test'
import { member } from '../support/browser-session.ts'
import { startOnSqlite, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const TRACEPARENT = `00-${TRACE}-${PARENT}-01`

type OtlpSpan = { traceId: string; spanId: string; parentSpanId?: string; name: string; kind: number }
const exported: OtlpSpan[] = []
let authorization: string | null = null
const collector = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    authorization = request.headers.get('authorization')
    const { resourceSpans } = (await request.json()) as { resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[] }
    for (const { scopeSpans } of resourceSpans) for (const { spans } of scopeSpans) exported.push(...spans)
    return Response.json({})
  },
})
const received: (string | null)[] = []
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    received.push(request.headers.get('traceparent'))
    return new Response()
  },
})
afterAll(() => {
  collector.stop(true)
  receiver.stop(true)
})

test("without an exporter the caller's trace is in the log line, and other requests have none", async () => {
  await using service = await startOnSqlite({ SAMPLE_DATA: 'off' })
  await service.ask('/api/devices?limit=1', { tier: 'public', headers: { traceparent: TRACEPARENT } })
  await service.ask('/api/devices?limit=1', { tier: 'public', headers: { traceparent: 'nonsense' } })
  await service.ask('/api/devices?limit=1', { tier: 'public' })
  const lines = service
    .logged()
    .split('\n')
    .filter((line) => line.includes('"/api/devices"'))
    .map((line) => JSON.parse(line).trace_id)
  expect(lines).toEqual([TRACE, undefined, undefined])
})

test('with an exporter requests and deliveries become spans; a delivery carries its trace', async () => {
  await using service: TestService = await startOnSqlite({
    SAMPLE_DATA: 'off',
    WEBHOOK_ALLOW_PRIVATE: 'on',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url.href,
    OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20t',
  })
  const stopEvents = service.app.startLeading()
  await service.ask('/api/devices?limit=1', { tier: 'public', headers: { traceparent: TRACEPARENT } })
  const owner = await member(service, service.organizationId, 'owner')
  const url = `http://127.0.0.1:${receiver.port}/hook`
  const { webhook } = (await owner.post('/api/manage/webhooks', { url, types: [] })).body.data
  await owner.send('POST', `/api/manage/webhooks/${webhook.id}/test`)
  await waitUntil(() => received.length > 0, { describe: 'the delivery' })
  await stopEvents()
  await service.stop()
  expect(authorization).toBe('Bearer t')
  const request = exported.find(({ traceId, kind }) => traceId === TRACE && kind === 2)
  expect(request).toMatchObject({ parentSpanId: PARENT, name: 'GET /api/devices', kind: 2 })
  const delivery = exported.find(({ kind, name }) => kind === 3 && name.startsWith('POST 127.0.0.1'))
  expect(received[0]).toBe(`00-${delivery?.traceId}-${delivery?.spanId}-01`)
  const created = exported.find(({ name, kind }) => kind === 2 && name === 'POST /api/manage/webhooks')
  const statements = exported.filter(({ parentSpanId }) => parentSpanId === created?.spanId)
  const insert = statements.find(({ name }) => name === 'INSERT webhook_endpoint')
  expect(insert).toMatchObject({ traceId: created?.traceId, kind: 3 })
  const job = exported.find(({ name }) => name.startsWith('job '))
  expect(job).toMatchObject({ kind: 1 })
  expect(exported.some(({ parentSpanId }) => parentSpanId === job?.spanId)).toBe(true)
  expect(JSON.stringify(exported)).not.toContain(url)
})
