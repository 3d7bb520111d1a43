import type { Span } from './trace.ts'

const EXPORT_EVERY_MS = 5_000
const MAX_BATCH = 512
/** While the collector is away further spans are dropped: traces must not use up the memory of the service. */
const MAX_BUFFERED = 8_192
const TIMEOUT_MS = 10_000

type ExporterOptions = {
  /** Base URL of an OpenTelemetry collector; spans are sent to `/v1/traces` below it. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  readonly version: string
  readonly onError: (message: string) => void
}

/** Sends spans to an OpenTelemetry collector as OTLP/HTTP with JSON, in batches. */
export function openOtlpExporter({ endpoint, headers, serviceName, version, onError }: ExporterOptions) {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const resource = { attributes: toOtlpAttributes({ 'service.name': serviceName, 'service.version': version }) }
  let buffered: Span[] = []
  let dropped = 0
  let sending: Promise<void> = Promise.resolve()

  async function send(spans: readonly Span[]): Promise<void> {
    const scopeSpans = [{ scope: { name: 'device-intelligence' }, spans: spans.map(toOtlp) }]
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      await response.arrayBuffer()
      if (!response.ok) onError(`the collector responded with ${response.status}; ${spans.length} spans are lost`)
    } catch (error) {
      onError(`${error instanceof Error ? error.message : String(error)}; ${spans.length} spans are lost`)
    }
  }
  function flush(): Promise<void> {
    const spans = buffered
    buffered = []
    if (dropped > 0) onError(`${dropped} spans were dropped: more than ${MAX_BUFFERED} were waiting`)
    dropped = 0
    sending = sending.then(async () => {
      for (let start = 0; start < spans.length; start += MAX_BATCH) await send(spans.slice(start, start + MAX_BATCH))
    })
    return sending
  }
  const timer = setInterval(() => void flush(), EXPORT_EVERY_MS)
  timer.unref()

  return {
    record(span: Span): void {
      if (buffered.length < MAX_BUFFERED) buffered.push(span)
      else dropped++
    },
    async close(): Promise<void> {
      clearInterval(timer)
      await flush()
    },
  }
}

/** Numbers of the protocol. */
const SPAN_KINDS: Readonly<Record<Span['kind'], number>> = { internal: 1, server: 2, client: 3 }

const toOtlpAttributes = (attributes: Readonly<Record<string, string | number>>) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }))

function toOtlp({ traceId, spanId, parentSpanId, name, kind, startedAt, durationMs, isError, attributes }: Span) {
  const nanoseconds = (ms: number) => String(BigInt(Math.round(ms * 1000)) * 1000n)
  return {
    traceId,
    spanId,
    ...(parentSpanId === null ? {} : { parentSpanId }),
    name,
    kind: SPAN_KINDS[kind],
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(startedAt + durationMs),
    attributes: toOtlpAttributes(attributes),
    status: { code: isError ? 2 : 0 },
  }
}
