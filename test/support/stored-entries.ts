import { replaceFeeds, replaceSources } from '../../src/app/replace-entries.ts'
import { serviceSettingsStore } from '../../src/app/service-settings-store.ts'
import { WHOLE_SERVICE } from '../../src/auth/audit-store.ts'
import { type DatabaseOptions, openDatabase } from '../../src/db/database.ts'
import { assertEncryptionKey } from '../../src/db/encryption-check-store.ts'
import { openEncryption } from '../../src/lib/encryption.ts'
import { secretKeyFor } from './secret-key.ts'
import { OPERATOR } from './service.ts'

type Definition = Readonly<Record<string, unknown>>

/** Makes these the identifier sources of a service. */
export const storeSources = (opening: DatabaseOptions, sources: readonly Definition[]) =>
  withDependencies(opening, (dependencies) => replaceSources(dependencies, sources, newAuthor()))

/** Makes these the feeds of a service. */
export const storeFeeds = (opening: DatabaseOptions, feeds: readonly Definition[]) =>
  withDependencies(opening, (dependencies) => replaceFeeds(dependencies, feeds, newAuthor()))

const newAuthor = () => ({ organizationId: WHOLE_SERVICE, actor: OPERATOR, now: Date.now() })

async function withDependencies<Result>(
  opening: DatabaseOptions,
  run: (dependencies: Parameters<typeof replaceFeeds>[0]) => Promise<Result>,
): Promise<Result> {
  const db = await openDatabase(opening)
  try {
    const encryption = openEncryption({ secretKey: secretKeyFor(opening.url), dataDir: opening.dataDir })
    await assertEncryptionKey(db, encryption)
    return await run({ store: serviceSettingsStore(db), encryption })
  } finally {
    await db.close()
  }
}
