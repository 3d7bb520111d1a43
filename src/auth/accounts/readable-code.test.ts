import { expect, test } from 'bun:test'
import { generateReadableCode, normalizeReadableCode } from './readable-code.ts'

test('a set-up code is four groups of four, without letters that look like digits', () => {
  for (let count = 0; count < 200; count++)
    expect(generateReadableCode()).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
})

test('a code is accepted in any spelling', () => {
  const code = generateReadableCode(() => 0).replace('0000-0000', '01AB-CDEF')
  for (const typed of [
    code,
    code.toLowerCase(),
    code.replaceAll('-', ''),
    code.replaceAll('-', ' '),
    code.replaceAll('0', 'o').replaceAll('1', 'l'),
    ` ${code}\n`,
  ]) {
    expect(normalizeReadableCode(typed)).toBe(code)
  }
  expect(normalizeReadableCode('')).toBe('')
  expect(normalizeReadableCode('ü')).toBe('')
})
