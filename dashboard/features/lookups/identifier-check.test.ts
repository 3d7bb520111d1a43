import { expect, test } from 'bun:test'
import { looksLikeIdentifier } from './identifier-check.ts'

test('an IMEI and the two of a dual-SIM phone are checked as typed, mistyped ones too', () => {
  for (const text of [
    '100000010000015',
    '10-000001-000001-5',
    '100000010000015 / 100000010000023',
    '100000010000016, 100000010000024',
    '100000010000015\t100000010000023',
  ])
    expect(looksLikeIdentifier(text), text).toBe(true)
  for (const text of ['iPhone 13', '13 128', '4006381333931', '100000010000015 iPhone 13'])
    expect(looksLikeIdentifier(text), text).toBe(false)
})
