import type { Config } from '../config.ts'
import { openDatabase } from '../db/database.ts'
import { assertEncryptionKey } from '../db/encryption-check-store.ts'
import { openEncryption } from '../lib/encryption.ts'
import type { Log } from '../lib/log.ts'
import { recordStatement } from '../lib/trace.ts'

/** The database and the encryption of its secrets; throws if they were encrypted with another key. */
export async function openServiceDatabase(config: Config, log: Log) {
  const system = config.databaseUrl ? 'postgresql' : 'sqlite'
  const onStatement = (sql: string, durationMs: number, isError: boolean) =>
    recordStatement(system, sql, durationMs, isError)
  const db = await openDatabase({
    url: config.databaseUrl,
    dataDir: config.dataDir,
    workload: 'server',
    ...(config.otlpEndpoint ? { onStatement } : {}),
    onWait: () => log.info('waiting for another process to finish migrations'),
  })
  const encryption = openEncryption(config)
  try {
    await assertEncryptionKey(db, encryption)
  } catch (error) {
    await db.close()
    throw error
  }
  return { db, encryption }
}
