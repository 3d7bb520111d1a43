import type { Encryption } from '../lib/encryption.ts'
import { unavailable } from '../lib/errors.ts'
import type { Database } from './database.ts'
import { readSetting, writeSetting } from './setting-store.ts'

const CHECK_SETTING = 'encryption_check'
const CHECK_TEXT = 'device-intelligence'

/**
 * Throws when the secrets in the database were encrypted with another key than this process has. The first process to start
 * stores a check value; while nothing is encrypted yet, a start with another key replaces it.
 */
export async function assertEncryptionKey(db: Database, encryption: Encryption): Promise<void> {
  const stored = await readSetting(db.query, CHECK_SETTING)
  if (stored !== undefined && canDecrypt(encryption, stored)) return
  if (stored !== undefined && (await hasEncryptedSecrets(db))) {
    throw unavailable(
      'Cannot decrypt stored secrets: SECRET_KEY differs from the key of this database. Set the same SECRET_KEY for every process, or restore DATA_DIR/secret.key.',
      60,
    )
  }
  let value: string
  try {
    value = encryption.encrypt(CHECK_TEXT, CHECK_TEXT)
  } catch {
    // Without a key and a folder for one the service still runs; requests that need encryption report the error.
    return
  }
  await db.transaction((tx) => writeSetting(tx, CHECK_SETTING, value))
}

function canDecrypt(encryption: Encryption, value: string): boolean {
  try {
    return encryption.decrypt(value, CHECK_TEXT) === CHECK_TEXT
  } catch {
    return false
  }
}

async function hasEncryptedSecrets(db: Database): Promise<boolean> {
  const totp = await db.query.selectFrom('totp').select('person_id').limit(1).executeTakeFirst()
  if (totp) return true
  const endpoint = await db.query
    .selectFrom('webhook_endpoint')
    .select('id')
    .where('secret', 'not like', 'whsec_%')
    .limit(1)
    .executeTakeFirst()
  if (endpoint) return true
  // Headers of sources and feeds that were added in the dashboard.
  const entry = await db.query
    .selectFrom('setting')
    .select('name')
    .where((eb) => eb.or([eb('name', 'like', 'service:source:%'), eb('name', 'like', 'service:feed:%')]))
    .limit(1)
    .executeTakeFirst()
  return entry !== undefined
}
