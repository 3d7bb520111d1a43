import type { Database } from '../../db/database.ts'
import { auditStore } from '../audit-store.ts'
import { secondFactorStore } from '../second-factor/second-factor-store.ts'
import { challengeStore } from '../sign-in/challenge-store.ts'
import { sessionStore } from '../sign-in/session-store.ts'
import { signInAttemptStore } from '../sign-in/sign-in-attempt-store.ts'
import { oidcStore } from '../sso/oidc-store.ts'
import { accountStore } from './account-store.ts'
import { memberStore } from './member-store.ts'
import { oneTimeLinkStore } from './one-time-link-store.ts'
import { setupStore } from './setup-store.ts'

export type AccountsStore = ReturnType<typeof accountsStore>

/** All stores about accounts, one file per subject. */
export function accountsStore(db: Database) {
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
