import type { Database } from '../db/open.ts'
import { activityStore } from './activity-store.ts'
import { attemptStore } from './attempt-store.ts'
import { linkStore } from './link-store.ts'
import { memberStore } from './member-store.ts'
import { organizationStore } from './organization-store.ts'
import { personStore } from './person-store.ts'
import { sessionStore } from './session-store.ts'

export type AccountStore = ReturnType<typeof accountStore>

/** Everything the dashboard keeps about people, one file per subject. */
export function accountStore(db: Database) {
  return {
    ...personStore(db),
    ...memberStore(db),
    ...organizationStore(db),
    ...linkStore(db),
    ...attemptStore(db),
    ...sessionStore(db),
    ...activityStore(db),
  }
}
