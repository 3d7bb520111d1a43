import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

/** A span of a distributed trace by W3C Trace Context. */
export type TraceContext = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | null
  readonly isSampled: boolean
}

export type Span = TraceContext & {
  readonly name: string
  readonly kind: 'internal' | 'server' | 'client'
  readonly startedAt: number
  readonly durationMs: number
  readonly isError: boolean
  readonly attributes: Readonly<Record<string, string | number>>
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/
const storage = new AsyncLocalStorage<TraceContext>()
let recordSpan: ((span: Span) => void) | undefined

/** Sets where finished spans go; undefined switches tracing off. */
export function setSpanRecorder(record: ((span: Span) => void) | undefined): void {
  recordSpan = record
}

/** A new span of the caller's trace, or of a new trace while spans are recorded; null without either. */
export function startTrace(traceparent: string | null): TraceContext | null {
  if (traceparent === null && !recordSpan) return null
  const [, traceId, parentSpanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? []
  if (traceId === undefined || parentSpanId === undefined || /^0+$/.test(traceId) || /^0+$/.test(parentSpanId)) {
    return recordSpan ? { traceId: newId(16), spanId: newId(8), parentSpanId: null, isSampled: true } : null
  }
  return { traceId, spanId: newId(8), parentSpanId, isSampled: (Number.parseInt(flags ?? '0', 16) & 1) === 1 }
}

/** Runs `work` within a span: outgoing requests continue its trace. */
export const runInTrace = <Result>(trace: TraceContext, work: () => Result): Result => storage.run(trace, work)

export function finishSpan(trace: TraceContext, span: Omit<Span, keyof TraceContext>): void {
  if (trace.isSampled) recordSpan?.({ ...trace, ...span })
}

/** A span of the current trace for an outgoing request; null if it belongs to no trace and spans are not recorded. */
export function startChildSpan(): TraceContext | null {
  const parent = storage.getStore()
  if (!parent) return startTrace(null)
  return { ...parent, spanId: newId(8), parentSpanId: parent.spanId }
}

/** Runs a job as a trace of its own; without a recorder it only runs it. */
export async function traceJob<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const trace = recordSpan && startTrace(null)
  if (!trace) return work()
  const startedAt = Date.now()
  const startedMs = performance.now()
  let isError = true
  try {
    const result = await runInTrace(trace, work)
    isError = false
    return result
  } finally {
    const durationMs = performance.now() - startedMs
    finishSpan(trace, { name: `job ${name}`, kind: 'internal', startedAt, durationMs, isError, attributes: {} })
  }
}

const TABLE = /\b(?:from|into|update)\s+["`]?(\w+)/i

/** A span of a database statement within the current trace: operation and table, never the values. */
export function recordStatement(system: string, sql: string, durationMs: number, isError: boolean): void {
  if (!recordSpan || !storage.getStore()) return
  const trace = startChildSpan()
  if (!trace) return
  const operation = (/^\s*(\w+)/.exec(sql)?.[1] ?? 'query').toUpperCase()
  const table = TABLE.exec(sql)?.[1]
  finishSpan(trace, {
    name: table ? `${operation} ${table}` : operation,
    kind: 'client',
    startedAt: Date.now() - durationMs,
    durationMs,
    isError,
    attributes: {
      'db.system.name': system,
      'db.operation.name': operation,
      ...(table ? { 'db.collection.name': table } : {}),
    },
  })
}

export const formatTraceparent = ({ traceId, spanId, isSampled }: TraceContext) =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`

const newId = (bytes: number) => randomBytes(bytes).toString('hex')
