import { expect, test } from 'bun:test'
import { isRequestHeader } from './request-header.ts'

test('headers of a source are sent as entered', () => {
  for (const header of [
    ['Authorization', 'Bearer x'],
    ['X-Api-Key', 'a b c'],
  ] as const)
    expect(isRequestHeader(header)).toBe(true)
})

test('headers that the connection sets, and line breaks, are rejected', () => {
  for (const header of [
    ['Host', 'other.example'],
    ['content-length', '0'],
    ['Transfer-Encoding', 'chunked'],
    ['Connection', 'close'],
    ['X-Key', 'a\r\nHost: other.example'],
    ['X-Key\r\nHost', 'x'],
    ['X Key', 'x'],
    ['', 'x'],
  ] as const)
    expect([header, isRequestHeader(header)]).toEqual([header, false])
})
