import { expect, test } from 'bun:test'
import { mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEncryption } from './encryption.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'di-seal-'))

test('ciphertext is decrypted only with its purpose and key', () => {
  const seal = openEncryption({ secretKey: 'one', dataDir: '' })
  const sealed = seal.encrypt('a secret', 'ada')
  expect(sealed).not.toContain('secret')
  expect(seal.encrypt('a secret', 'ada')).not.toBe(sealed)
  expect(seal.decrypt(sealed, 'ada')).toBe('a secret')
  expect(() => seal.decrypt(sealed, 'eve')).toThrow('another SECRET_KEY')
  expect(() => openEncryption({ secretKey: 'two', dataDir: '' }).decrypt(sealed, 'ada')).toThrow('another SECRET_KEY')
})

test('without SECRET_KEY the service creates a private key file, once', () => {
  const dataDir = folder()
  const sealed = openEncryption({ secretKey: '', dataDir }).encrypt('a secret', 'ada')
  expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
  expect(openEncryption({ secretKey: '', dataDir }).decrypt(sealed, 'ada')).toBe('a secret')
})

test('if no file can be written, the error names the setting', () => {
  expect(() => openEncryption({ secretKey: '', dataDir: '/proc/nowhere' }).encrypt('x', 'y')).toThrow('Set SECRET_KEY')
})
