import { isoInstant } from './time.ts'

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

const FLUSH_EVERY_MS = 100
const FLUSH_AT_CHARS = 65_536

/** What is known of a request when it ends. Never the query, a key or an identifier: those do not belong in a log. */
export type LoggedRequest = {
  /** The id as a log may repeat it. */
  readonly loggedId: string
  readonly method: string
  /** The route as the program names it, or "unknown": a made-up path may hold anything. */
  readonly route: string
  readonly status: number
  readonly durationMs: number
  readonly key: { readonly id: string; readonly organizationId: string } | null
}

export type Log = ReturnType<typeof openLog>

/** Lines of JSON. Request lines are gathered and written together, at most a tenth of a second late. */
export function openLog(minLevel: LogLevel, write: (lines: string) => void = writeToStderr) {
  const rank = (level: LogLevel) => LOG_LEVELS.indexOf(level)
  const prints = (level: LogLevel) => rank(level) >= rank(minLevel) && minLevel !== 'silent'
  const printsRequests = prints('info')
  let gathered = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  // Under load many requests end in one millisecond.
  let openingAt = Number.NaN
  let opening = ''

  function flush(): void {
    if (gathered) write(gathered)
    gathered = ''
  }

  function flushLate(): void {
    timer = undefined
    flush()
  }

  function gather(line: string): void {
    gathered += line
    if (gathered.length > FLUSH_AT_CHARS) flush()
    else if (timer === undefined) timer = setTimeout(flushLate, FLUSH_EVERY_MS)
  }

  function say(level: LogLevel, message: string, facts: Readonly<Record<string, unknown>> = {}): void {
    if (!prints(level)) return
    gather(`${JSON.stringify({ time: isoInstant(Date.now()), level, message, ...facts }, cutText)}\n`)
    if (level === 'error') flush()
  }

  return {
    /** Every part of the line is of our own making or a checked token, so it is put together without escaping. */
    request({ loggedId, method, route, status, durationMs, key }: LoggedRequest, now: number): void {
      if (!printsRequests) return
      if (now !== openingAt) {
        openingAt = now
        opening = `{"time":"${isoInstant(now)}","level":"info","message":"request","request_id":"`
      }
      // Whole microseconds: printing a fraction costs more than all the rest of the line.
      const us = Math.round(durationMs * 1000)
      const who = key === null ? '' : `,"key_id":"${key.id}","organization_id":"${key.organizationId}"`
      gather(`${opening}${loggedId}","method":"${method}","route":"${route}","status":${status},"us":${us}${who}}\n`)
    },
    info: (message: string, facts?: Readonly<Record<string, unknown>>) => say('info', message, facts),
    warn: (message: string, facts?: Readonly<Record<string, unknown>>) => say('warn', message, facts),
    error: (message: string, facts?: Readonly<Record<string, unknown>>) => say('error', message, facts),
    flush,
  }
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
