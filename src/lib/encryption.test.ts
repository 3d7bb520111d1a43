import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, statSync } from 'node:fs'
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
  const first = openEncryption({ secretKey: '', dataDir })
  first.createKey()
  first.createKey()
  const sealed = first.encrypt('a secret', 'ada')
  expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
  expect(openEncryption({ secretKey: '', dataDir }).decrypt(sealed, 'ada')).toBe('a secret')
})

test('if no file can be written, the error names the setting', () => {
  expect(() => openEncryption({ secretKey: '', dataDir: '/proc/nowhere' }).createKey()).toThrow('Set SECRET_KEY')
})

test('a missing key is an error, never replaced by a new one', () => {
  const dataDir = folder()
  const encryption = openEncryption({ secretKey: '', dataDir })
  expect(() => encryption.encrypt('x', 'y')).toThrow('the service has no key')
  expect(existsSync(join(dataDir, 'secret.key'))).toBe(false)
})
