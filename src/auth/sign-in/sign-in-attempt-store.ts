import type { Database } from '../../db/database.ts'
import { ATTEMPT_LIFETIME_MS } from '../accounts/lifetimes.ts'
import { hashSecret } from '../secret-hash.ts'

/** Sign-in attempts by hash of the email address. */
export function signInAttemptStore(db: Database) {
  return {
    /**
     * Counts an attempt before the password is checked, so that concurrent attempts are all counted, for known and unknown
     * addresses alike. Returns the end of the block, or null if the attempt is allowed.
     */
    async beginAttempt(email: string, until: (failures: number) => number | null, now: number): Promise<number | null> {
      const address_hash = hashSecret(email)
      return db.transaction(async (tx) => {
        await tx
          .deleteFrom('sign_in_attempt')
          .where('attempted_at', '<', now - ATTEMPT_LIFETIME_MS)
          .execute()
        await tx
          .insertInto('sign_in_attempt')
          .values({ address_hash, failures: 0, blocked_until: null, attempted_at: now })
          .onConflict((conflict) => conflict.column('address_hash').doNothing())
          .execute()
        // Check and count in one statement, so that concurrent attempts cannot both pass.
        const counted = await tx
          .updateTable('sign_in_attempt')
          .set((eb) => ({ failures: eb('failures', '+', 1), attempted_at: now }))
          .where('address_hash', '=', address_hash)
          .where((eb) => eb.or([eb('blocked_until', 'is', null), eb('blocked_until', '<=', now)]))
          .returning('failures')
          .executeTakeFirst()
        const row = tx.selectFrom('sign_in_attempt').select('blocked_until').where('address_hash', '=', address_hash)
        if (!counted) return (await row.executeTakeFirst())?.blocked_until ?? now + 1_000
        const blocked_until = until(counted.failures)
        await tx
          .updateTable('sign_in_attempt')
          .set({ blocked_until })
          .where('address_hash', '=', address_hash)
          .execute()
        return null
      })
    },

    async clearAttempts(email: string): Promise<void> {
      await db.transaction(async (tx) => {
        await tx.deleteFrom('sign_in_attempt').where('address_hash', '=', hashSecret(email)).execute()
      })
    },
  }
}
