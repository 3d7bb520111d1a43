import { hashSecret } from '../auth/secret-hash.ts'
import type { Database } from '../db/database.ts'
import { sortableId } from '../lib/id.ts'
import { LAST_SEEN_RESOLUTION_MS, SESSION_IDLE_TIMEOUT_MS, SESSION_LIFETIME_MS } from './lifetimes.ts'
import { membershipsOf } from './member-store.ts'
import { type Person, toPerson } from './person-store.ts'
import { generateToken } from './token.ts'

export type Session = { readonly id: string; readonly person: Person; readonly organizationId: string | null }

/** Sessions and the organization that each works in. */
export function sessionStore(db: Database) {
  return {
    /** A session with a new token in the given organization, or in the person's first. */
    async openSession(
      personId: string,
      from: { address: string; agent: string; organizationId: string | null; idToken?: string | undefined },
      now: number,
    ): Promise<string> {
      const token = generateToken()
      const organizationId = from.organizationId ?? (await membershipsOf(db, personId))[0]?.organizationId ?? null
      await db.transaction(async (tx) => {
        await tx
          .deleteFrom('session')
          .where('person_id', '=', personId)
          .where((eb) =>
            eb.or([
              eb('created_at', '<', now - SESSION_LIFETIME_MS),
              eb('seen_at', '<', now - SESSION_IDLE_TIMEOUT_MS),
            ]),
          )
          .execute()
        await tx
          .insertInto('session')
          .values({
            id: sortableId('ses', now),
            token_hash: hashSecret(token),
            person_id: personId,
            organization_id: organizationId,
            address: from.address,
            agent: from.agent.slice(0, 200),
            created_at: now,
            seen_at: now,
            id_token: from.idToken ?? null,
          })
          .execute()
      })
      return token
    },

    async findSession(token: string, now: number): Promise<Session | undefined> {
      const row = await db.query
        .selectFrom('session')
        .innerJoin('person', 'person.id', 'session.person_id')
        .selectAll('person')
        .select([
          'session.id as session_id',
          'session.organization_id as organization_id',
          'session.seen_at as seen_at',
        ])
        .where('session.token_hash', '=', hashSecret(token))
        .where('session.created_at', '>', now - SESSION_LIFETIME_MS)
        .where('session.seen_at', '>', now - SESSION_IDLE_TIMEOUT_MS)
        .executeTakeFirst()
      if (!row) return undefined
      if (row.seen_at < now - LAST_SEEN_RESOLUTION_MS) {
        await db.transaction(async (tx) => {
          await tx.updateTable('session').set({ seen_at: now }).where('id', '=', row.session_id).execute()
        })
      }
      return { id: row.session_id, person: toPerson(row), organizationId: row.organization_id }
    },

    /** The ended session; undefined if there was none. */
    async endSession(personId: string, sessionId: string): Promise<{ readonly idToken: string | null } | undefined> {
      return db.transaction((tx) =>
        tx
          .deleteFrom('session')
          .where('person_id', '=', personId)
          .where('id', '=', sessionId)
          .returning('id_token as idToken')
          .executeTakeFirst(),
      )
    },

    async sessions(personId: string) {
      return db.query
        .selectFrom('session')
        .select(['id', 'created_at as createdAt', 'seen_at as seenAt', 'address', 'agent'])
        .where('person_id', '=', personId)
        .orderBy('seen_at', 'desc')
        .execute()
    },

    async switchOrganization(sessionId: string, organizationId: string): Promise<void> {
      await db.transaction(async (tx) => {
        await tx.updateTable('session').set({ organization_id: organizationId }).where('id', '=', sessionId).execute()
      })
    },
  }
}
