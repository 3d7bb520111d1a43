import { isoInstant } from './time.ts'

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

const FLUSH_EVERY_MS = 100
const FLUSH_AT_CHARS = 65_536

/** A finished request. Never the query, a key or an identifier: those must not be logged. */
export type LoggedRequest = {
  /** The request id with secrets redacted. */
  readonly loggedId: string
  readonly method: string
  /** The route pattern, or "unknown": a path that a caller made up may contain anything. */
  readonly route: string
  readonly status: number
  readonly durationMs: number
  readonly principal: { readonly kind: string; readonly id: string; readonly organizationId: string } | null
  readonly trace: { readonly traceId: string } | null
}

export type Log = ReturnType<typeof openLog>

export type LogOutput = {
  readonly write?: (lines: string) => void
  /** A person reads along: plain text instead of JSON, and requests only at level `debug`. */
  readonly isTerminal?: boolean
}

/**
 * A log of one JSON object per line, or of plain text on a terminal. Requests that fail with a 5xx are warnings. Lines are
 * buffered for up to 100 ms; errors are written at once.
 */
export function openLog(minLevel: LogLevel, { write = writeToStderr, isTerminal = false }: LogOutput = {}) {
  const rank = (level: LogLevel) => LOG_LEVELS.indexOf(level)
  const isEnabled = (level: LogLevel) => rank(level) >= rank(minLevel) && minLevel !== 'silent'
  const logsRequests = isEnabled(isTerminal ? 'debug' : 'info')
  const logsFailedRequests = isEnabled('warn')
  let buffer = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  // Under load many requests end in one millisecond.
  let lineStartAt = Number.NaN
  let lineStart = ''

  function flush(): void {
    if (buffer) write(buffer)
    buffer = ''
  }

  function onTimer(): void {
    timer = undefined
    flush()
  }

  function append(line: string): void {
    buffer += line
    if (buffer.length > FLUSH_AT_CHARS) flush()
    else if (timer === undefined) timer = setTimeout(onTimer, FLUSH_EVERY_MS)
  }

  function writeEntry(level: LogLevel, message: string, facts: Readonly<Record<string, unknown>> = {}): void {
    if (!isEnabled(level)) return
    const entry = { time: isoInstant(Date.now()), level, message, ...facts }
    append(`${isTerminal ? plainText(entry) : JSON.stringify(entry, cutText)}\n`)
    if (level === 'error') flush()
  }

  return {
    request({ loggedId, method, route, status, durationMs, principal, trace }: LoggedRequest, now: number): void {
      const isFailed = status >= 500
      if (!(isFailed ? logsFailedRequests : logsRequests)) return
      if (isTerminal) {
        append(`${timeOfDay(now)} ${method} ${route} ${status}, ${durationMs.toFixed(1)} ms, ${loggedId}\n`)
        return
      }
      if (now !== lineStartAt) {
        lineStartAt = now
        lineStart = `{"time":"${isoInstant(now)}","level":"`
      }
      // Whole microseconds: formatting a fraction costs more than the rest of the line.
      const us = Math.round(durationMs * 1000)
      const principalFields =
        principal === null
          ? ''
          : `,"${principal.kind}_id":"${principal.id}","organization_id":"${principal.organizationId}"`
      const traceField = trace === null ? '' : `,"trace_id":"${trace.traceId}"`
      // Every part is ours or a validated token, so no escaping is needed.
      append(
        `${lineStart}${isFailed ? 'warn' : 'info'}","message":"request","request_id":"${loggedId}","method":"${method}","route":"${route}","status":${status},"us":${us}${principalFields}${traceField}}\n`,
      )
    },
    info: (message: string, facts?: Readonly<Record<string, unknown>>) => writeEntry('info', message, facts),
    warn: (message: string, facts?: Readonly<Record<string, unknown>>) => writeEntry('warn', message, facts),
    error: (message: string, facts?: Readonly<Record<string, unknown>>) => writeEntry('error', message, facts),
    flush,
  }
}

const timeOfDay = (at: number) => isoInstant(at).slice(11, 19)

/** `12:30:05 warning: cannot reach the source, source=gsma, attempts=3` */
function plainText({
  time,
  level,
  message,
  ...facts
}: Readonly<Record<'time' | 'level' | 'message', string> & Record<string, unknown>>): string {
  const details = Object.entries(facts)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `, ${name}=${typeof value === 'string' ? value : JSON.stringify(value, cutText)}`)
  const prefix = level === 'warn' ? 'warning: ' : level === 'error' ? 'error: ' : ''
  return `${time.slice(11, 19)} ${prefix}${message}${details.join('')}`
}

/** Longest text of a field: a stack trace fits, a header of 16 kB that a caller made up does not. */
const MAX_TEXT_CHARS = 4_000

function cutText(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  return typeof value === 'string' && value.length > MAX_TEXT_CHARS ? `${value.slice(0, MAX_TEXT_CHARS)}…` : value
}

function writeToStderr(lines: string): void {
  process.stderr.write(lines)
}
