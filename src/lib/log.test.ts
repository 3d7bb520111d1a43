import { expect, test } from 'bun:test'
import { openLog } from './log.ts'

function logged(write: (log: ReturnType<typeof openLog>) => void): string[] {
  let text = ''
  const log = openLog('info', (lines) => {
    text += lines
  })
  write(log)
  log.flush()
  return text.trimEnd().split('\n')
}

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
