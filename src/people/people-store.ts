import { auditStore } from '../auth/audit-store.ts'
import type { Database } from '../db/database.ts'
import { accountStore } from './account-store.ts'
import { challengeStore } from './challenge-store.ts'
import { memberStore } from './member-store.ts'
import { oidcStore } from './oidc-store.ts'
import { oneTimeLinkStore } from './one-time-link-store.ts'
import { secondFactorStore } from './second-factor-store.ts'
import { sessionStore } from './session-store.ts'
import { setupStore } from './setup-store.ts'
import { signInAttemptStore } from './sign-in-attempt-store.ts'

export type PeopleStore = ReturnType<typeof peopleStore>

/** All stores about accounts, one file per subject. */
export function peopleStore(db: Database) {
  return {
    ...auditStore(db),
    ...accountStore(db),
    ...memberStore(db),
    ...oneTimeLinkStore(db),
    ...signInAttemptStore(db),
    ...sessionStore(db),
    ...setupStore(db),
    ...secondFactorStore(db),
    ...challengeStore(db),
    ...oidcStore(db),
  }
}
