import { expect, test } from 'bun:test'
import { type Log, type LogLevel, openLog } from './log.ts'

function logged(write: (log: Log) => void, level: LogLevel = 'info', isTerminal = false): string[] {
  let text = ''
  const log = openLog(level, {
    isTerminal,
    write: (lines) => {
      text += lines
    },
  })
  write(log)
  log.flush()
  return text.trimEnd().split('\n')
}

const request = (status: number) => ({
  loggedId: `req_${status}`,
  method: 'GET',
  route: '/api/devices',
  status,
  durationMs: 1.25,
  principal: null,
  trace: null,
})
const AT = Date.UTC(2026, 0, 2, 12, 30, 5)

test('a program reads JSON with every request; at level warn only those that failed', () => {
  const requests = (log: Log) => {
    log.request(request(200), AT)
    log.request(request(503), AT)
  }
  const entries = logged(requests).map((line) => JSON.parse(line))
  expect(entries.map(({ level, status, us }) => [level, status, us])).toEqual([
    ['info', 200, 1250],
    ['warn', 503, 1250],
  ])
  expect(logged(requests, 'warn').map((line) => JSON.parse(line).status)).toEqual([503])
})

test('a person on a terminal reads plain text, and requests do not scroll the set-up code away', () => {
  const lines = (level: LogLevel) =>
    logged(
      (log) => {
        log.request(request(200), AT)
        log.request(request(503), AT)
        log.warn('cannot reach the source', { source: 'list', attempts: 3, cause: undefined })
      },
      level,
      true,
    )
  const [failed, warning, ...others] = lines('info')
  expect(failed).toBe('12:30:05 GET /api/devices 503, 1.3 ms, req_503')
  expect(warning).toMatch(/^\d\d:\d\d:\d\d warning: cannot reach the source, source=list, attempts=3$/)
  expect(others).toEqual([])
  expect(lines('debug')).toHaveLength(3)
})

test('a stack trace, a line break or a number beyond JSON stays one line of JSON', () => {
  const lines = logged((log) => {
    log.error('request failed', { cause: new Error('first\nsecond').stack })
    log.warn('odd', { value: 12n, text: 'a\r\nb\u2028c' })
  })
  expect(lines.map((line) => JSON.parse(line).message)).toEqual(['request failed', 'odd'])
})

test('a long text, such as a forged header, is truncated', () => {
  const [line = ''] = logged((log) => log.warn('MCP message failed', { cause: 'x'.repeat(100_000) }))
  expect(line.length).toBeLessThan(5_000)
  expect(JSON.parse(line).cause).toEndWith('x…')
})
