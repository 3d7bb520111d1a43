import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { BrokenFraming, chunkedReader, lengthReader } from './body-reader.ts'

/** Feeds a text in the pieces that the cuts make of it. */
function feed(text: string, cuts: readonly number[]): { body: string; rest: string; isDone: boolean } {
  let body = ''
  const reader = chunkedReader((piece) => {
    body += Buffer.from(piece).toString('latin1')
  })
  const bytes = Buffer.from(text, 'latin1')
  const ends = [...new Set([...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b)
  let at = 0
  for (const end of ends) {
    const piece = bytes.subarray(at, end)
    const taken = reader.take(piece)
    at += taken
    if (taken < piece.length) break
  }
  return { body, rest: bytes.subarray(at).toString('latin1'), isDone: reader.isDone() }
}

const latin1 = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('latin1'))

describe('a body in chunks', () => {
  test('is the same however it is cut, and ends where it ends', () => {
    fc.assert(
      fc.property(fc.array(latin1), latin1, fc.array(fc.nat(500)), (chunks, next, cuts) => {
        const parts = chunks.filter((chunk) => chunk !== '')
        const text = parts.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')
        expect(feed(`${text}0\r\n\r\n${next}`, cuts)).toEqual({ body: parts.join(''), rest: next, isDone: true })
      }),
    )
  })

  test('may have extensions and a trailer, which are forgotten', () => {
    expect(feed('3;a=b\r\nabc\r\n0\r\nX-A: b\r\nX-C: d\r\n\r\nGET', [])).toEqual({
      body: 'abc',
      rest: 'GET',
      isDone: true,
    })
  })

  test('that is not all there is not done', () => {
    expect(feed('3\r\nabc\r\n0\r\n', [2]).isDone).toBe(false)
  })

  for (const [why, text] of [
    ['no size', '\r\nabc'],
    ['a size that is no number', 'x\r\n'],
    ['a size with a sign', '+3\r\nabc\r\n'],
    ['a size with 0x', '0x3\r\nabc\r\n'],
    ['a size too long to be one', '000000003\r\n'],
    ['a blank before the size', ' 3\r\nabc\r\n'],
    ['a chunk longer than its size', '2\r\nabc\r\n'],
    ['a size line that ends with LF alone', '3\nabc\r\n'],
    ['data that ends with LF alone', '3\r\nabc\n0\r\n\r\n'],
    ['a CR without LF', '3\rabc\r\n'],
    ['an extension without end', `3;${'a'.repeat(2_000)}`],
    ['a trailer without end', `0\r\n${'X-A: b\r\n'.repeat(2_000)}`],
  ] as const) {
    test(`is refused for ${why}`, () => expect(() => feed(text, [])).toThrow(BrokenFraming))
  }
})

test('a body of known length takes what is its own and no more', () => {
  const kept: number[] = []
  const reader = lengthReader(5, (piece) => kept.push(...piece))
  expect(reader.take(new Uint8Array([1, 2, 3]))).toBe(3)
  expect([reader.isDone(), reader.missing()]).toEqual([false, 2])
  expect(reader.take(new Uint8Array([4, 5, 6, 7]))).toBe(2)
  expect([reader.isDone(), reader.missing(), kept]).toEqual([true, 0, [1, 2, 3, 4, 5]])
})
