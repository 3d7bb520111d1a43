import { expect, test } from 'bun:test'
import { shareLargeBody } from './shared-blob.ts'

const long = () => new Uint8Array(100_000).fill(97)
const textOf = (body: Uint8Array<ArrayBuffer> | Blob) => new Response(body).text()

test('a short answer is its bytes', () => {
  const bytes = new Uint8Array(10)
  expect(shareLargeBody(bytes, 1)).toBe(bytes)
})

test('a long answer is copied once within a millisecond, and holds what it held then', async () => {
  const bytes = long()
  const first = shareLargeBody(bytes, 1)
  expect(shareLargeBody(bytes, 1)).toBe(first)
  bytes[0] = 98
  const second = shareLargeBody(bytes, 2)
  expect(second).not.toBe(first)
  expect([await textOf(first), await textOf(second)].map((text) => text[0])).toEqual(['a', 'b'])
})

test('two long answers of one millisecond are two', async () => {
  const [one, other] = [long(), long()]
  other[0] = 98
  expect(await textOf(shareLargeBody(one, 5))).not.toBe(await textOf(shareLargeBody(other, 5)))
})
