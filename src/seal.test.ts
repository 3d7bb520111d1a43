import { expect, test } from 'bun:test'
import { mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSeal } from './seal.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'di-seal-'))

test('what is sealed opens for its own purpose and with its own key alone', () => {
  const seal = openSeal({ secretKey: 'one', dataDir: '' })
  const sealed = seal.close('a secret', 'ada')
  expect(sealed).not.toContain('secret')
  expect(seal.close('a secret', 'ada')).not.toBe(sealed)
  expect(seal.open(sealed, 'ada')).toBe('a secret')
  expect(() => seal.open(sealed, 'eve')).toThrow('another SECRET_KEY')
  expect(() => openSeal({ secretKey: 'two', dataDir: '' }).open(sealed, 'ada')).toThrow('another SECRET_KEY')
})

test('without a key of its own the service makes a file that nobody else can read, once', () => {
  const dataDir = folder()
  const sealed = openSeal({ secretKey: '', dataDir }).close('a secret', 'ada')
  expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
  expect(openSeal({ secretKey: '', dataDir }).open(sealed, 'ada')).toBe('a secret')
})

test('where no file can be written it says what to set', () => {
  expect(() => openSeal({ secretKey: '', dataDir: '/proc/nowhere' }).close('x', 'y')).toThrow('needs SECRET_KEY')
})
