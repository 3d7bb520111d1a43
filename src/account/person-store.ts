import { asPerson } from '../access/actor.ts'
import { type AuditEntry, writeAuditEntry } from '../access/audit-store.ts'
import type { Database, Tx } from '../db/open.ts'
import type { PersonTable } from '../db/schema.ts'
import { sortableId } from '../id.ts'

export type Person = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly passwordHash: string | null
}

/** People, whatever organizations they belong to. */
export function personStore(db: Database) {
  return {
    findPerson: (email: string) => personByEmail(db.query, email),

    /**
     * The new password, and the end of every other session: whoever knew the old one is out. A password opens every
     * organization of the person, so each of them is told.
     */
    async changePassword(
      person: Pick<Person, 'id' | 'email'>,
      passwordHash: string,
      keepSessionId: string,
      now: number,
    ): Promise<void> {
      await db.transaction(async (tx) => {
        await tx.updateTable('person').set({ password_hash: passwordHash }).where('id', '=', person.id).execute()
        await tx.deleteFrom('session').where('person_id', '=', person.id).where('id', '!=', keepSessionId).execute()
        const own = tx.selectFrom('membership').select('organization_id').where('person_id', '=', person.id)
        for (const { organization_id } of await own.execute()) {
          const entry: AuditEntry = { action: 'person.password_changed', subject: person.email }
          await writeAuditEntry(tx, organization_id, asPerson(person), entry, now)
        }
      })
    },
  }
}

export async function personByEmail(tx: Tx, email: string): Promise<Person | undefined> {
  const row = await tx.selectFrom('person').selectAll().where('email', '=', email).executeTakeFirst()
  return row && personOf(row)
}

export async function insertPerson(tx: Tx, email: string, name: string, now: number): Promise<Person> {
  const row: PersonTable = {
    id: sortableId('per', now),
    email,
    name,
    password_hash: null,
    created_at: now,
  }
  await tx.insertInto('person').values(row).execute()
  return personOf(row)
}

export function personOf(row: PersonTable): Person {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    passwordHash: row.password_hash,
  }
}
