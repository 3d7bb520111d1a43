import { expect, test } from 'bun:test'
import { z } from 'zod'
import { queryParser } from './query-parser.ts'

const readQuery = queryParser(z.object({ a: z.string().optional() }))
const read = (url: string) => readQuery(url).query as { a?: string }

for (const [query, value] of [
  ['', undefined],
  ['?a', undefined],
  ['?a=', undefined],
  ['?a=1', '1'],
  ['?b=2&a=1&a=3', '1'],
  ['?a=&a=3', undefined],
  ['?a=x+y%20z', 'x y z'],
  ['?a=%zz', '%zz'],
  ['?a=%', '%'],
  ['?a=%e4', '\uFFFD'],
  ['?a=%C3%A4%', 'ä%'],
  ['?a=%00', '\0'],
  ['?%61=1', '1'],
  ['?a[]=1', undefined],
  ['?a=1#b', '1'],
] as const) {
  test(`"${query}" has a = ${JSON.stringify(value)}`, () => {
    expect(read(`http://x/p${query}`).a).toBe(value)
  })
}

test('the same query is parsed once', () => {
  expect(read('http://x/p?a=1')).toBe(read('http://y/q?a=1'))
})
