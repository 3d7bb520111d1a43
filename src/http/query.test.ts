import { expect, test } from 'bun:test'
import { queryParameters } from './query.ts'

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
    expect(queryParameters(`http://x/p${query}`).get('a')).toBe(value)
  })
}
