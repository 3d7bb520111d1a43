import { type Actor, personActor } from '../auth/actor.ts'
import { type AuditEntry, writeAuditEntry } from '../auth/audit-store.ts'
import { findLanguage, type Language } from '../contract/languages.ts'
import type { Database, Tx } from '../db/database.ts'
import type { PersonTable } from '../db/schema.ts'
import { conflict, unknownId } from '../lib/errors.ts'
import { sortableId } from '../lib/id.ts'

export type Person = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly passwordHash: string | null
  /** When the person last proved the address by a link from the operator; null if never. */
  readonly emailProvenAt: number | null
  /** Language of the dashboard; null: that of the browser. */
  readonly language: Language | null
}

/** A person as shown to operators. */
export type PersonOverview = Person & {
  readonly createdAt: number
  readonly seenAt: number | null
  readonly memberships: readonly { readonly organizationId: string; readonly role: string }[]
}

/** People across all organizations. */
export function personStore(db: Database) {
  return {
    findPerson: (email: string) => personByEmail(db.query, email),

    async personById(id: string): Promise<Person | undefined> {
      const row = await db.query.selectFrom('person').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toPerson(row)
    },

    /** Changes name or address; a changed address is in the audit trail of each organization. */
    async changePerson(
      person: Person,
      { name, email }: { readonly name: string; readonly email: string },
      now: number,
    ): Promise<void> {
      await db.transaction(async (tx) => {
        if (email !== person.email) {
          if (await personByEmail(tx, email)) throw conflict('email', 'This address cannot be used.')
          const detail = { before: person.email, email }
          await auditInAllOrganizations(tx, person, personActor(person), 'person.email_changed', detail, now)
        }
        if (name !== person.name) {
          await auditInAllOrganizations(tx, person, personActor(person), 'person.renamed', { name }, now)
        }
        const email_proven_at = email === person.email ? person.emailProvenAt : null
        await tx.updateTable('person').set({ name, email, email_proven_at }).where('id', '=', person.id).execute()
      })
    },

    async changeLanguage(personId: string, language: Language | null): Promise<void> {
      await db.transaction(async (tx) => {
        await tx.updateTable('person').set({ language }).where('id', '=', personId).execute()
      })
    },

    everybody: () => listPeople(db),

    /**
     * Deletes the person and their data; audit entries remain. Returns the organizations without an owner, which the
     * operator must be told about.
     */
    async removePerson(email: string, actor: Actor, now: number): Promise<string[]> {
      return db.transaction(async (tx) => {
        const person = await personByEmail(tx, email)
        if (!person) throw unknownId('person', email)
        const own = tx.selectFrom('membership').select('organization_id').where('person_id', '=', person.id)
        const organizations = (await own.execute()).map((row) => row.organization_id)
        for (const id of organizations) {
          await writeAuditEntry(tx, id, actor, { action: 'person.removed', subject: email }, now)
        }
        await tx.deleteFrom('one_time_link').where('email', '=', email).execute()
        for (const table of ['session', 'membership', 'totp', 'passkey', 'recovery_code', 'oidc_identity'] as const) {
          await tx.deleteFrom(table).where('person_id', '=', person.id).execute()
        }
        await tx.deleteFrom('person').where('id', '=', person.id).execute()
        const owned = await tx
          .selectFrom('membership')
          .select('organization_id')
          .where('role', '=', 'owner')
          .where('organization_id', 'in', [...organizations, ''])
          .execute()
        return organizations.filter((id) => !owned.some((row) => row.organization_id === id))
      })
    },

    /** Changes the password and ends all other sessions. Each organization of the person gets an audit entry. */
    async changePassword(
      person: Pick<Person, 'id' | 'email'>,
      passwordHash: string,
      keepSessionId: string,
      now: number,
    ): Promise<void> {
      await db.transaction(async (tx) => {
        await tx.updateTable('person').set({ password_hash: passwordHash }).where('id', '=', person.id).execute()
        await tx.deleteFrom('session').where('person_id', '=', person.id).where('id', '!=', keepSessionId).execute()
        await auditInAllOrganizations(tx, person, personActor(person), 'person.password_changed', {}, now)
      })
    },
  }
}

/** All people by email address, with their roles. */
async function listPeople(db: Database): Promise<PersonOverview[]> {
  const people = await db.query.selectFrom('person').selectAll().orderBy('email').execute()
  const memberships = await db.query.selectFrom('membership').selectAll().orderBy('organization_id').execute()
  const seen = await db.query
    .selectFrom('session')
    .select(['person_id', (eb) => eb.fn.max('seen_at').as('seenAt')])
    .groupBy('person_id')
    .execute()
  return people.map((row) => ({
    ...toPerson(row),
    createdAt: row.created_at,
    seenAt: Number(seen.find(({ person_id }) => person_id === row.id)?.seenAt ?? 0) || null,
    memberships: memberships
      .filter(({ person_id }) => person_id === row.id)
      .map(({ organization_id, role }) => ({ organizationId: organization_id, role })),
  }))
}

/** A change of credentials concerns every organization of the person. */
export async function auditInAllOrganizations(
  tx: Tx,
  person: Pick<Person, 'id' | 'email'>,
  actor: Actor,
  action: AuditEntry['action'],
  detail: Readonly<Record<string, string>>,
  now: number,
): Promise<void> {
  const own = tx.selectFrom('membership').select('organization_id').where('person_id', '=', person.id)
  for (const { organization_id } of await own.execute()) {
    await writeAuditEntry(tx, organization_id, actor, { action, subject: person.email, detail }, now)
  }
}

export async function personByEmail(tx: Tx, email: string): Promise<Person | undefined> {
  const row = await tx.selectFrom('person').selectAll().where('email', '=', email).executeTakeFirst()
  return row && toPerson(row)
}

export async function insertPerson(tx: Tx, email: string, name: string, now: number): Promise<Person> {
  const row: PersonTable = {
    id: sortableId('per', now),
    email,
    name,
    password_hash: null,
    created_at: now,
    email_proven_at: null,
    language: null,
  }
  await tx.insertInto('person').values(row).execute()
  return toPerson(row)
}

export function toPerson(row: PersonTable): Person {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    passwordHash: row.password_hash,
    emailProvenAt: row.email_proven_at,
    language: findLanguage(row.language ?? '') ?? null,
  }
}
