import { describe, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { DAY_MS } from '../lib/time.ts'
import { nextAttemptAt, parseWebhookUrl, signDelivery } from './webhook.ts'

const ONE = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const TWO = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const NOW = Date.now()

describe('a delivery', () => {
  test('is verified by the library with the secret, and with no other', () => {
    const headers = signDelivery('evt_1', '{"a":1}', { current: ONE, previous: null, previousUntil: null }, NOW)
    expect(new Webhook(ONE).verify('{"a":1}', headers)).toEqual({ a: 1 })
    expect(() => new Webhook(TWO).verify('{"a":1}', headers)).toThrow()
    expect(() => new Webhook(ONE).verify('{"a":2}', headers)).toThrow()
  })

  test('is verified with either secret during the overlap, then only with the new one', () => {
    const secrets = { current: ONE, previous: TWO, previousUntil: NOW + 1 }
    for (const secret of [ONE, TWO]) new Webhook(secret).verify('{}', signDelivery('evt_1', '{}', secrets, NOW))
    const later = signDelivery('evt_1', '{}', { ...secrets, previousUntil: NOW - 1 }, NOW)
    expect(() => new Webhook(TWO).verify('{}', later)).toThrow()
  })

  test('is retried with growing delays for three days', () => {
    let at = NOW
    let pause = 0
    for (let attempts = 1; ; attempts++) {
      const next = nextAttemptAt(attempts, at)
      if (next === null) break
      expect(next - at).toBeGreaterThan(pause)
      pause = next - at
      at = next
    }
    expect(at - NOW).toBeGreaterThan(2.9 * DAY_MS)
    expect(at - NOW).toBeLessThan(3.2 * DAY_MS)
  })
})

describe('a URL', () => {
  for (const url of [
    'http://hooks.example/x',
    'https://user:secret@hooks.example/',
    'https://127.0.0.1/',
    'https://localhost/',
    'https://10.0.0.8:8443/',
    'https://[::1]/',
    'https://0x7f000001/',
    'https://2130706433/',
    'ftp://hooks.example/',
    'hooks.example',
    '',
  ]) {
    test(`"${url}" is rejected with a reason`, () => expect(() => parseWebhookUrl(url, false)).toThrow(/^url /))
  }
  test('of a public host is accepted, and a private one only if allowed', () => {
    expect(parseWebhookUrl('https://hooks.example/x?y=1', false)).toBe('https://hooks.example/x?y=1')
    expect(parseWebhookUrl('http://127.0.0.1:9000/x', true)).toBe('http://127.0.0.1:9000/x')
  })
})
