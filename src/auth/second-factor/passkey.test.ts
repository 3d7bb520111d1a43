import { expect, test } from 'bun:test'
import { relyingPartyOf } from './passkey.ts'

test('passkeys belong to the host of the base URL, whatever host a request names', () => {
  const expected = { hostName: 'shop.example', origins: ['https://shop.example'] }
  for (const host of ['shop.example', 'evil.example', 'localhost:3000', undefined]) {
    expect(relyingPartyOf('https://shop.example', host)).toEqual(expected)
  }
})

test('without a base URL passkeys work on localhost at the port of the service, and nowhere else', () => {
  for (const baseUrl of ['http://127.0.0.1:3000', 'http://[::1]:3000']) {
    expect(relyingPartyOf(baseUrl, 'localhost:3000')).toEqual({
      hostName: 'localhost',
      origins: ['http://localhost:3000'],
    })
    const others = ['127.0.0.1:3000', 'localhost:8080', 'localhost', 'localhost:3000.evil.example', 'evil.example:3000']
    for (const host of [...others, undefined]) expect(relyingPartyOf(baseUrl, host)).toBeNull()
  }
  expect(relyingPartyOf('http://192.168.0.7:3000', 'localhost:3000')).toBeNull()
})
