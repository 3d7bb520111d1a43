import { expect, test } from 'bun:test'
import { bestEncoding, matchesEtag } from './content-negotiation.ts'

for (const [accepted, best] of [
  [null, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.5, gzip;q=0.9', 'gzip'],
  ['br;q=0, gzip;q=0', 'identity'],
  ['*', 'br'],
  ['identity', 'identity'],
  ['GZIP', 'gzip'],
  [';;;,,,q=', 'identity'],
] as const) {
  test(`Accept-Encoding ${JSON.stringify(accepted)} gets ${best}`, () => expect(bestEncoding(accepted)).toBe(best))
}

test('If-None-Match accepts lists, weak tags and the asterisk', () => {
  expect(matchesEtag('"a"', '"a"')).toBe(true)
  expect(matchesEtag('"x", W/"a"', '"a"')).toBe(true)
  expect(matchesEtag('*', '"a"')).toBe(true)
  expect(matchesEtag('"b"', '"a"')).toBe(false)
})
