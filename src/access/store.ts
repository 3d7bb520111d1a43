import type { Database } from '../db/open.ts'
import { auditStore } from './audit-store.ts'
import { heldKeyStore } from './held-key-store.ts'
import { keyStore } from './key-store.ts'
import { operatorStore } from './operator-store.ts'
import { organizationStore } from './organization-store.ts'

export type { HeldKey } from './held-key-store.ts'
export type { Key, KeyTerms, MadeKey } from './key-store.ts'
export type { Organization } from './organization-store.ts'

export type AccessStore = ReturnType<typeof accessStore>

/** Organizations, their keys and the audit trail of what was changed in them, one file per subject. */
export function accessStore(db: Database) {
  return { ...organizationStore(db), ...keyStore(db), ...heldKeyStore(db), ...auditStore(db), ...operatorStore(db) }
}
