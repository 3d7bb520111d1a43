import { afterEach, expect, test } from 'bun:test'
import { sendOutgoing } from './outgoing-http.ts'
import { runInTrace, type Span, setSpanRecorder, startTrace } from './trace.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
afterEach(() => setSpanRecorder(undefined))

test('a trace is continued from a valid traceparent only', () => {
  expect(startTrace(`00-${TRACE}-${PARENT}-01`)).toMatchObject({
    traceId: TRACE,
    parentSpanId: PARENT,
    isSampled: true,
  })
  expect(startTrace(`00-${TRACE}-${PARENT}-00`)).toMatchObject({ isSampled: false })
  for (const text of [null, '', 'x', `00-${'0'.repeat(32)}-${PARENT}-01`, `00-${TRACE}-${'0'.repeat(16)}-01`]) {
    expect(startTrace(text)).toBeNull()
  }
})

test('outgoing requests carry the trace of the current request, if there is one', async () => {
  const received: (string | null)[] = []
  await using server = Bun.serve({
    port: 0,
    fetch(request) {
      received.push(request.headers.get('traceparent'))
      return new Response()
    },
  })
  const send = () => sendOutgoing(server.url, { headers: {}, signal: AbortSignal.timeout(5_000) })
  const trace = startTrace(`00-${TRACE}-${PARENT}-01`)
  const spans: Span[] = []
  await send()
  setSpanRecorder((span) => spans.push(span))
  if (trace) await runInTrace(trace, send)
  expect(received[0]).toBeNull()
  expect(received[1]).toBe(`00-${TRACE}-${spans[0]?.spanId}-01`)
  expect(spans).toMatchObject([{ traceId: TRACE, parentSpanId: trace?.spanId ?? '', kind: 'client', isError: false }])
})

test('a trace that is not sampled is passed on and not recorded', async () => {
  const spans: Span[] = []
  setSpanRecorder((span) => spans.push(span))
  await using server = Bun.serve({ port: 0, fetch: (request) => Response.json(request.headers.get('traceparent')) })
  const trace = startTrace(`00-${TRACE}-${PARENT}-00`)
  const send = () => sendOutgoing(server.url, { headers: {}, signal: AbortSignal.timeout(5_000) })
  const response = trace && (await runInTrace(trace, send))
  expect(await response?.json()).toStartWith(`00-${TRACE}-`)
  expect(spans).toEqual([])
})
