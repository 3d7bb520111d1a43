import { type Encryption, openEncryption } from '../lib/encryption.ts'
import { unavailable } from '../lib/errors.ts'
import type { Database, Tx } from './database.ts'
import { readSetting } from './setting-store.ts'

export const CHECK_SETTING = 'encryption_check'
const CHECK_TEXT = 'device-intelligence'

/**
 * Throws when this process has another key than the database was set up with. The first start writes a check value, and
 * nothing replaces it: of two processes that start with different keys on a new database, one is rejected.
 */
export async function assertEncryptionKey(db: Database, encryption: Encryption): Promise<void> {
  const stored = await readSetting(db.query, CHECK_SETTING)
  const check = stored ?? (await writeFirstCheck(db, encryption))
  if (check === undefined || canDecrypt(encryption, check)) return
  throw unavailable(
    'Cannot decrypt stored secrets: SECRET_KEY differs from the key of this database. Set the same SECRET_KEY for every process, or restore DATA_DIR/secret.key.',
    60,
  )
}

/** The check value of the process that came first; undefined without a key and a folder for one. */
async function writeFirstCheck(db: Database, encryption: Encryption): Promise<string | undefined> {
  let value: string
  try {
    encryption.createKey()
    value = encryption.encrypt(CHECK_TEXT, CHECK_TEXT)
  } catch {
    // The service still runs; requests that need encryption report the error.
    return undefined
  }
  return db.transaction(async (tx) => {
    await insertCheck(tx, value)
    return readSetting(tx, CHECK_SETTING)
  })
}

const insertCheck = (tx: Tx, value: string) =>
  tx
    .insertInto('setting')
    .values({ name: CHECK_SETTING, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()

/** Whether secrets of the database with this check value were encrypted with this key. */
export const isKeyOf = (key: string, check: string) =>
  canDecrypt(openEncryption({ secretKey: key, dataDir: '' }), check)

function canDecrypt(encryption: Encryption, value: string): boolean {
  try {
    return encryption.decrypt(value, CHECK_TEXT) === CHECK_TEXT
  } catch {
    return false
  }
}
