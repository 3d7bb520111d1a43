import { expect, test } from 'bun:test'
import { mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEncryption } from './encryption.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'di-seal-'))

test('what is sealed opens for its own purpose and with its own key alone', () => {
  const seal = openEncryption({ secretKey: 'one', dataDir: '' })
  const sealed = seal.encrypt('a secret', 'ada')
  expect(sealed).not.toContain('secret')
  expect(seal.encrypt('a secret', 'ada')).not.toBe(sealed)
  expect(seal.decrypt(sealed, 'ada')).toBe('a secret')
  expect(() => seal.decrypt(sealed, 'eve')).toThrow('another SECRET_KEY')
  expect(() => openEncryption({ secretKey: 'two', dataDir: '' }).decrypt(sealed, 'ada')).toThrow('another SECRET_KEY')
})

test('without a key of its own the service makes a file that nobody else can read, once', () => {
  const dataDir = folder()
  const sealed = openEncryption({ secretKey: '', dataDir }).encrypt('a secret', 'ada')
  expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
  expect(openEncryption({ secretKey: '', dataDir }).decrypt(sealed, 'ada')).toBe('a secret')
})

test('where no file can be written it says what to set', () => {
  expect(() => openEncryption({ secretKey: '', dataDir: '/proc/nowhere' }).encrypt('x', 'y')).toThrow('Set SECRET_KEY')
})
