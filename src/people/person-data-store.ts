import { findAuditEntriesOf, rewriteAuditEntries } from '../auth/audit-store.ts'
import { hashSecret } from '../auth/secret-hash.ts'
import type { Database, Tx } from '../db/database.ts'
import { unknownId } from '../lib/errors.ts'
import { isoInstant, isoInstantOrNull } from '../lib/time.ts'
import { personByEmail } from './person-store.ts'

type OwnDetail = { readonly before?: string; readonly name?: string }

/** All personal data of a person: to hand it out, and to erase it. */
export function personDataStore(db: Database) {
  async function findPersonId(email: string): Promise<string> {
    const person = await personByEmail(db.query, email)
    if (!person) throw unknownId('person', email)
    return person.id
  }

  return {
    async export(email: string) {
      const id = await findPersonId(email)
      const [person, memberships, sessions, passkeys, apps, links, uploads, shares, entries] = await Promise.all([
        db.query.selectFrom('person').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
        db.query.selectFrom('membership').selectAll().where('person_id', '=', id).execute(),
        db.query.selectFrom('session').selectAll().where('person_id', '=', id).execute(),
        db.query.selectFrom('passkey').selectAll().where('person_id', '=', id).execute(),
        db.query.selectFrom('totp').select('confirmed_at').where('person_id', '=', id).execute(),
        db.query.selectFrom('one_time_link').selectAll().where('email', '=', email).execute(),
        db.query.selectFrom('upload').selectAll().where('person_id', '=', id).execute(),
        db.query.selectFrom('appraisal_share').selectAll().where('created_by', '=', email).execute(),
        findAuditEntriesOf(db, id, [email]),
      ])
      return {
        person: {
          id,
          email: person.email,
          name: person.name,
          created_at: isoInstant(person.created_at),
          email_proven_at: isoInstantOrNull(person.email_proven_at),
          language: person.language,
        },
        memberships: memberships.map(({ organization_id, role, created_at }) => ({
          organization_id,
          role,
          joined_at: isoInstant(created_at),
        })),
        sessions: sessions.map(({ organization_id, address, agent, created_at, seen_at }) => ({
          organization_id,
          address,
          agent,
          created_at: isoInstant(created_at),
          seen_at: isoInstant(seen_at),
        })),
        passkeys: passkeys.map(({ name, created_at, last_used_at }) => ({
          name,
          created_at: isoInstant(created_at),
          last_used_at: isoInstantOrNull(last_used_at),
        })),
        authenticator_apps: apps.map(({ confirmed_at }) => ({ confirmed_at: isoInstantOrNull(confirmed_at) })),
        one_time_links: links.map(({ purpose, organization_id, role, created_at, used_at }) => ({
          purpose,
          organization_id,
          role,
          created_at: isoInstant(created_at),
          used_at: isoInstantOrNull(used_at),
        })),
        uploads: uploads.map(({ organization_id, format, file, created_at }) => ({
          organization_id,
          format,
          file,
          created_at: isoInstant(created_at),
        })),
        shared_appraisals: shares.map(({ organization_id, appraisal_id, created_at }) => ({
          organization_id,
          appraisal_id,
          created_at: isoInstant(created_at),
        })),
        audit_entries: entries.map(({ organization_id, who, action, subject, detail, created_at }) => ({
          organization_id,
          at: isoInstant(created_at),
          who,
          action,
          subject,
          detail: JSON.parse(detail) as unknown,
        })),
      }
    },

    /**
     * Removes the person with `remove`, then replaces their address and name by their id wherever records of organizations
     * keep them. Those records stay: what was done, when, and that the same person did it.
     */
    async erase(email: string, remove: (email: string) => Promise<string[]>): Promise<string[]> {
      const id = await findPersonId(email)
      const { name } = await db.query.selectFrom('person').select('name').where('id', '=', id).executeTakeFirstOrThrow()
      const withoutOwner = await remove(email)
      // Earlier names and addresses are known from the audit trail itself.
      const own = await findAuditEntriesOf(db, id, [email])
      const details = own.filter((entry) => entry.person_id === id).map(({ detail }) => JSON.parse(detail) as OwnDetail)
      const emails = [...new Set([email, ...details.flatMap(({ before }) => (before?.includes('@') ? [before] : []))])]
      const renamed = own.filter(({ person_id, action }) => person_id === id && action === 'person.renamed')
      const names = renamed.map(({ detail }) => (JSON.parse(detail) as OwnDetail).name ?? '')
      const texts = [...emails, ...[name, ...names].filter(Boolean).map((each) => JSON.stringify(each))]
      const erased = (text: string) =>
        texts.reduce((rest, each) => rest.replaceAll(each, each.startsWith('"') ? JSON.stringify(id) : id), text)
      await rewriteAuditEntries(db, await findAuditEntriesOf(db, id, emails), erased)
      await db.transaction((tx) => eraseElsewhere(tx, id, emails))
      return withoutOwner
    },
  }
}

async function eraseElsewhere(tx: Tx, id: string, emails: readonly string[]): Promise<void> {
  await tx.updateTable('appraisal_share').set({ created_by: id }).where('created_by', 'in', emails).execute()
  await tx.updateTable('api_key').set({ created_by: id }).where('created_by', 'in', emails).execute()
  await tx.updateTable('upload').set({ created_by: id }).where('person_id', '=', id).execute()
  await tx.updateTable('one_time_link').set({ created_by: id }).where('created_by', 'in', emails).execute()
  await tx.deleteFrom('one_time_link').where('email', 'in', emails).execute()
  await tx.deleteFrom('challenge').where('person_id', '=', id).execute()
  await tx.deleteFrom('sign_in_attempt').where('address_hash', 'in', emails.map(hashSecret)).execute()
}
