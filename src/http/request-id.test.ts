import { expect, test } from 'bun:test'
import { generateReadableCode } from '../auth/accounts/readable-code.ts'
import { generateToken } from '../auth/accounts/token.ts'
import { acceptRequestId, newRequestId, redactRequestId } from './request-id.ts'

test('a valid id is used, anything else is replaced', () => {
  for (const sane of ['a', 'order-4711/7', '4bf92f3577b34da6a3ce929d0e0e4736', 'x'.repeat(128)]) {
    expect(acceptRequestId(sane)).toBe(sane)
  }
  for (const odd of ['', 'a b', 'a"b', 'ä', 'x'.repeat(129), 'a\nb']) {
    expect(acceptRequestId(odd)).toMatch(/^req_[0-9a-z]+$/)
  }
  expect(newRequestId()).not.toBe(newRequestId())
})

test('a key or an IMEI sent as an id is not repeated in the log', () => {
  expect(redactRequestId('pk_ent_abcdefghijklmnop')).toBe('pk_***')
  expect(redactRequestId('call-pk_pub_abc')).toBe('call-pk_***')
  expect(redactRequestId('490154203237518')).toBe('49015420*****18')
  expect(redactRequestId('imei:490154203237518')).toBe('imei:49015420*****18')
})

test('nor is a longer or shorter run of digits, whatever surrounds it', () => {
  expect(redactRequestId('x490154203237518y')).toBe('x49015420*****18y')
  expect(redactRequestId('49015420323751')).toBe('49015420****51')
  expect(redactRequestId('7301842915610283746')).toBe('73018429*********46')
})

test('nor the token of a link or a session, nor a set-up code', () => {
  const withoutDigit = 'fOkgvjjKYbcQR-jmimXjwQfWaNpjwgEmWcyhoGFs_nI'
  expect(redactRequestId(withoutDigit)).toBe('***')
  for (let tries = 0; tries < 100; tries++) {
    const token = generateToken()
    expect(redactRequestId(token)).not.toContain(token)
    expect(redactRequestId(`link:${token}`)).not.toContain(token)
    const code = generateReadableCode()
    expect(redactRequestId(code)).not.toContain(code)
  }
})

test('common id formats are logged unchanged', () => {
  for (const id of [
    '4bf92f3577b34da6a3ce929d0e0e4736',
    '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    'order-4711',
    newRequestId(),
  ]) {
    expect(redactRequestId(id)).toBe(id)
  }
})
