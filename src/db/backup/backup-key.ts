import { Database as BunDatabase } from 'bun:sqlite'
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { CHECK_SETTING } from '../encryption-check-store.ts'

const KEY_SETTING = 'backup_key'
/** 128 MB and about half a second per guess of a passphrase. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 << 20 }
const SALT_BYTES = 16
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** How a backup holds the key of its secrets: as text, sealed with a passphrase, or not at all (SECRET_KEY is needed). */
export type BackupKey =
  | { readonly kind: 'included'; readonly key: string }
  | { readonly kind: 'sealed'; readonly sealed: string }
  | { readonly kind: 'separate' }

/** Encrypts the key with scrypt and AES-256-GCM. */
export function sealKey(key: string, passphrase: string): BackupKey {
  const salt = randomBytes(SALT_BYTES)
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', scryptSync(passphrase, salt, 32, SCRYPT), nonce)
  const parts = [salt, nonce, cipher.update(key, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return { kind: 'sealed', sealed: Buffer.concat(parts).toString('base64') }
}

/** Undefined if the passphrase is wrong. */
export function openSealedKey(sealed: string, passphrase: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64')
  const nonceEnd = SALT_BYTES + NONCE_BYTES
  const key = scryptSync(passphrase, bytes.subarray(0, SALT_BYTES), 32, SCRYPT)
  const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(SALT_BYTES, nonceEnd))
  cipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return cipher.update(bytes.subarray(nonceEnd, -TAG_BYTES), undefined, 'utf8') + cipher.final('utf8')
  } catch {
    return undefined
  }
}

/** The check value of the key, undefined if nothing was ever encrypted, and the key as far as the file holds it. */
export function readBackupKey(file: string): { readonly check: string | undefined; readonly key: BackupKey } {
  const connection = new BunDatabase(file, { readwrite: true, strict: true })
  try {
    connection.run('pragma query_only = on')
    const read = (name: string) =>
      (connection.query('select value from setting where name = ?').get(name) as { value: string } | null)?.value
    const stored = read(KEY_SETTING)
    return { check: read(CHECK_SETTING), key: stored ? (JSON.parse(stored) as BackupKey) : { kind: 'separate' } }
  } finally {
    connection.close()
  }
}

/** Stores the key in the file of a backup, or removes it from a restored one. */
export function writeBackupKey(file: string, key: BackupKey | null): void {
  const connection = new BunDatabase(file, { readwrite: true, strict: true })
  try {
    connection.run('pragma synchronous = full')
    connection.run('delete from setting where name = ?', [KEY_SETTING])
    if (key) connection.run('insert into setting (name, value) values (?, ?)', [KEY_SETTING, JSON.stringify(key)])
  } finally {
    connection.close()
  }
}
