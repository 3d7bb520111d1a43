import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unavailable } from './errors.ts'

const KEY_FILE = 'secret.key'
/** Begins every ciphertext, so that a search of the database finds all of them. */
export const CIPHERTEXT_PREFIX = 'aes256gcm:'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts secrets for storage. `owner` (such as an id) is authenticated with the ciphertext. */
export type Encryption = {
  /** Creates the key file if there is no key yet; for a database that has no secrets. */
  createKey(): void
  encrypt(text: string, owner: string): string
  decrypt(ciphertext: string, owner: string): string
  /** Keyed hash, to find what is encrypted by its exact value; the same for the same text and owner. */
  digest(text: string, owner: string): string
}

/**
 * AES-256-GCM with SECRET_KEY or, if that is not set, with a key file. Only `createKey` writes the file: a new key beside a
 * database with secrets could decrypt none of them.
 */
export function openEncryption({
  secretKey,
  dataDir,
}: {
  readonly secretKey: string
  readonly dataDir: string
}): Encryption {
  let cachedKey: Buffer | undefined
  const encryptionKey = () => {
    cachedKey ??= createHash('sha256')
      .update(secretKey || readKeyFile(dataDir))
      .digest()
    return cachedKey
  }
  return {
    createKey() {
      if (!secretKey) createKeyFile(dataDir)
    },
    encrypt(text, owner) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', encryptionKey(), nonce).setAAD(Buffer.from(owner))
      const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return CIPHERTEXT_PREFIX + Buffer.concat(parts).toString('base64')
    },
    digest(text, owner) {
      const hmac = createHmac('sha256', encryptionKey()).update('digest\0').update(owner).update('\0')
      return hmac.update(text).digest('hex').slice(0, 16)
    },
    decrypt(ciphertext, owner) {
      const bytes = Buffer.from(ciphertext.slice(CIPHERTEXT_PREFIX.length), 'base64')
      const cipher = createDecipheriv('aes-256-gcm', encryptionKey(), bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(owner))
        .setAuthTag(bytes.subarray(-TAG_BYTES))
      try {
        return cipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + cipher.final('utf8')
      } catch (error) {
        throw unavailable('This was encrypted with another SECRET_KEY.', 60, error)
      }
    },
  }
}

export const keyFilePath = (dataDir: string) => join(dataDir, KEY_FILE)

function readKeyFile(dataDir: string): string {
  try {
    return readFileSync(keyFilePath(dataDir), 'utf8').trim()
  } catch (error) {
    throw unavailable(`Set SECRET_KEY, or restore ${KEY_FILE} to DATA_DIR: the service has no key.`, 60, error)
  }
}

/** If two processes create it at once, one writes and both read the result. */
function createKeyFile(dataDir: string): void {
  const path = keyFilePath(dataDir)
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    writeFileSync(path, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw unavailable(`Set SECRET_KEY: the service cannot write ${KEY_FILE}.`, 60, error)
    }
  }
}
