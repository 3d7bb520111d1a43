import { auditStore } from '../access/audit-store.ts'
import { organizationStore } from '../access/organization-store.ts'
import type { Database } from '../db/open.ts'
import { attemptStore } from './attempt-store.ts'
import { challengeStore } from './challenge-store.ts'
import { factorStore } from './factor-store.ts'
import { linkStore } from './link-store.ts'
import { memberStore } from './member-store.ts'
import { personStore } from './person-store.ts'
import { sessionStore } from './session-store.ts'
import { setupStore } from './setup-store.ts'

export type AccountStore = ReturnType<typeof accountStore>

/** Everything the dashboard keeps about people, one file per subject. */
export function accountStore(db: Database) {
  const { organizationName, organizationLimit, organizationTier, requireSecondFactor } = organizationStore(db)
  return {
    organizationName,
    organizationLimit,
    organizationTier,
    requireSecondFactor,
    ...auditStore(db),
    ...personStore(db),
    ...memberStore(db),
    ...linkStore(db),
    ...attemptStore(db),
    ...sessionStore(db),
    ...setupStore(db),
    ...factorStore(db),
    ...challengeStore(db),
  }
}
