import { expect, test } from 'bun:test'
import { findTotpStep, generateTotpSecret, totpUri } from './totp.ts'

// The test values of RFC 6238, appendix B: the secret is the text "12345678901234567890".
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test('codes equal the test values of RFC 6238', () => {
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ] as const) {
    expect(findTotpStep(SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30))
  }
})

test('a code is valid one step early or late, with spaces in it, and no longer', () => {
  const at = 59_000
  expect(findTotpStep(SECRET, '287 082', at + 30_000)).toBe(1)
  expect(findTotpStep(SECRET, '287082', at - 30_000)).toBe(1)
  expect(findTotpStep(SECRET, '287082', at + 62_000)).toBeUndefined()
  for (const wrong of ['287083', '', 'abcdef', '28708']) expect(findTotpStep(SECRET, wrong, at)).toBeUndefined()
})

test('a new secret has 160 bits, and its URI names the account', () => {
  const secret = generateTotpSecret()
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(totpUri(secret, 'ada@shop.example')).toStartWith('otpauth://totp/Device%20Intelligence:ada%40shop.example?')
})
