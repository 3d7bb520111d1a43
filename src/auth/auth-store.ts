import type { Database } from '../db/database.ts'
import { auditStore } from './audit-store.ts'
import { cachedKeyStore } from './cached-key-store.ts'
import { keyStore } from './key-store.ts'
import { operatorStore } from './operator-store.ts'
import { organizationStore } from './organization-store.ts'

export type { CachedKey } from './cached-key.ts'
export type { ApiKey } from './key-store.ts'
export type { Organization } from './organization-store.ts'

export type AuthStore = ReturnType<typeof authStore>

/** Organizations, their keys and their audit trail, one file per subject. */
export function authStore(db: Database) {
  return {
    ...organizationStore(db),
    ...keyStore(db),
    ...cachedKeyStore(db),
    ...auditStore(db),
    ...operatorStore(db),
  }
}
