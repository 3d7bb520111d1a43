import { sortableId } from '../access/id.ts'
import type { Database, Tx } from '../db/open.ts'
import type { PersonTable } from '../db/schema.ts'

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

    /** The new password, and the end of every other session: whoever knew the old one is out. */
    async changePassword(personId: string, passwordHash: string, keepSessionId: string): Promise<void> {
      await db.transaction(async (tx) => {
        await tx.updateTable('person').set({ password_hash: passwordHash }).where('id', '=', personId).execute()
        await tx.deleteFrom('session').where('person_id', '=', personId).where('id', '!=', keepSessionId).execute()
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
