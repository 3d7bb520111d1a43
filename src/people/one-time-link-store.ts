import { type Actor, personActor } from '../auth/actor.ts'
import { type AuditEntry, writeAuditEntry } from '../auth/audit-store.ts'
import { requireOrganization } from '../auth/organization-store.ts'
import { hashSecret } from '../auth/secret-hash.ts'
import { type MemberRole, parseRole } from '../contract/account-limits.ts'
import type { Database, Tx } from '../db/database.ts'
import type { OneTimeLinkTable } from '../db/schema.ts'
import { unknownId } from '../lib/errors.ts'
import { sortableId } from '../lib/id.ts'
import { MINUTE_MS } from '../lib/time.ts'
import { LINK_LIFETIME_MS } from './lifetimes.ts'
import { isMemberElsewhere, joinOrganization, requireResettable } from './member-store.ts'
import { auditInAllOrganizations, insertPerson, type Person, personByEmail } from './person-store.ts'
import { deleteFactors } from './second-factor-store.ts'
import { generateToken } from './token.ts'

export type OneTimeLink = Pick<OneTimeLinkTable, 'id' | 'purpose' | 'email'> & {
  readonly organizationId: string | null
  readonly role: MemberRole | null
}

type NewLink = Omit<OneTimeLink, 'id'>

/** Creator of links that people request for themselves. */
const MAILED_BY = 'forgotten password'
/** Against flooding a mailbox. */
const MAIL_INTERVAL_MS = 5 * MINUTE_MS

/** One-time links: invitations and sign-in links. */
export function oneTimeLinkStore(db: Database) {
  return {
    /** A link from the operator. Using it sets a password and makes its holder a member; until then nothing changes. */
    async createSignInLink(
      organizationId: string,
      { email, role }: { readonly email: string; readonly role: MemberRole },
      actor: Actor,
      now: number,
    ): Promise<string> {
      return db.transaction(async (tx) => {
        await requireOrganization(tx, organizationId)
        const entry: AuditEntry = { action: 'member.invited', subject: email, detail: { role } }
        await writeAuditEntry(tx, organizationId, actor, entry, now)
        return (await insertLink(tx, { purpose: 'sign_in', email, organizationId, role }, actor.who, now)).token
      })
    },

    async invite(organizationId: string, email: string, role: MemberRole, actor: Actor, now: number) {
      return db.transaction(async (tx) => {
        await tx
          .deleteFrom('one_time_link')
          .where('organization_id', '=', organizationId)
          .where('email', '=', email)
          .where('purpose', '=', 'invitation')
          .where('used_at', 'is', null)
          .execute()
        const invitation = await insertLink(tx, { purpose: 'invitation', email, organizationId, role }, actor.who, now)
        const entry: AuditEntry = { action: 'member.invited', subject: email, detail: { role } }
        await writeAuditEntry(tx, organizationId, actor, entry, now)
        return invitation
      })
    },

    /**
     * A link by which a member of this organization chooses a new password. Unlike a link from the operator it proves
     * nothing about the address, because the owner who creates it sees it.
     */
    async createResetLink(organizationId: string, personId: string, actor: Actor, now: number) {
      return db.transaction(async (tx) => {
        const email = await requireResettable(tx, organizationId, personId, actor)
        await tx
          .deleteFrom('one_time_link')
          .where('email', '=', email)
          .where('purpose', '=', 'password_reset')
          .where('used_at', 'is', null)
          .execute()
        const link: NewLink = { purpose: 'password_reset', email, organizationId, role: null }
        const created = await insertLink(tx, link, actor.who, now)
        const entry: AuditEntry = { action: 'person.password_reset_started', subject: email }
        await writeAuditEntry(tx, organizationId, actor, entry, now)
        return { ...created, email }
      })
    },

    /**
     * A link that is only mailed to the address, so using it proves the address. Undefined if the address has no account, or
     * got a link within the last minutes.
     */
    async createMailedLink(email: string, now: number): Promise<string | undefined> {
      return db.transaction(async (tx) => {
        const person = await personByEmail(tx, email)
        if (!person) return undefined
        const recent = await tx
          .selectFrom('one_time_link')
          .select('id')
          .where('email', '=', email)
          .where('created_by', '=', MAILED_BY)
          .where('created_at', '>', now - MAIL_INTERVAL_MS)
          .executeTakeFirst()
        if (recent) return undefined
        const link: NewLink = { purpose: 'sign_in', email, organizationId: null, role: null }
        return (await insertLink(tx, link, MAILED_BY, now)).token
      })
    },

    async invitations(organizationId: string, now: number) {
      const rows = await db.query
        .selectFrom('one_time_link')
        .select([
          'id',
          'email',
          'role',
          'created_by as createdBy',
          'created_at as createdAt',
          'expires_at as expiresAt',
        ])
        .where('organization_id', '=', organizationId)
        .where('purpose', '=', 'invitation')
        .where('used_at', 'is', null)
        .where('expires_at', '>', now)
        .orderBy('id', 'desc')
        .execute()
      return rows.map((row) => ({ ...row, role: parseRole(row.role ?? '') }))
    },

    async withdrawInvitation(organizationId: string, id: string, actor: Actor, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        const found = await tx
          .selectFrom('one_time_link')
          .select('email')
          .where('organization_id', '=', organizationId)
          .where('id', '=', id)
          .where('purpose', '=', 'invitation')
          .where('used_at', 'is', null)
          .executeTakeFirst()
        if (!found) throw unknownId('invitation', id)
        await tx.deleteFrom('one_time_link').where('id', '=', id).execute()
        const entry: AuditEntry = { action: 'invitation.withdrawn', subject: found.email }
        await writeAuditEntry(tx, organizationId, actor, entry, now)
      })
    },

    async findLink(token: string, now: number): Promise<OneTimeLink | undefined> {
      const row = await db.query
        .selectFrom('one_time_link')
        .selectAll()
        .where('token_hash', '=', hashSecret(token))
        .where('used_at', 'is', null)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return (
        row && {
          id: row.id,
          purpose: row.purpose,
          email: row.email,
          organizationId: row.organization_id,
          role: row.role === null ? null : parseRole(row.role),
        }
      )
    },

    /**
     * Uses the link: afterwards the person exists, has the password and is a member. Undefined if the link was already used. A
     * link from the operator proves the email address. An account that used the address without proof loses its password,
     * sessions and second factors.
     */
    async useLink(
      link: OneTimeLink,
      chosen: { name: string; passwordHash: string | null },
      now: number,
    ): Promise<Person | undefined> {
      return db.transaction(async (tx) => {
        const used = await tx
          .updateTable('one_time_link')
          .set({ used_at: now })
          .where('id', '=', link.id)
          .where('used_at', 'is', null)
          .returning('id')
          .executeTakeFirst()
        if (!used) return undefined
        const existing = await personByEmail(tx, link.email)
        if (link.purpose === 'password_reset' && !(await isStillResettable(tx, link, existing))) return undefined
        const person = existing ?? (await insertPerson(tx, link.email, '', now))
        const name = chosen.name || person.name
        const isProof = link.purpose === 'sign_in'
        await tx.updateTable('person').set({ name }).where('id', '=', person.id).execute()
        if (isProof) {
          if (person.emailProvenAt === null) await deleteFactors(tx, person.id)
          await tx.updateTable('person').set({ email_proven_at: now }).where('id', '=', person.id).execute()
        }
        if (chosen.passwordHash !== null) await replacePassword(tx, person, chosen.passwordHash, now)
        if (link.organizationId && link.role) {
          const isNew = await joinOrganization(tx, person.id, link.organizationId, link.role, now)
          const action = isNew ? 'member.joined' : 'person.signed_in_by_link'
          await writeAuditEntry(tx, link.organizationId, personActor(person), { action, subject: link.email }, now)
        }
        return { ...person, name, passwordHash: chosen.passwordHash ?? person.passwordHash }
      })
    },
  }
}

/** A person who was removed, or joined another organization meanwhile, cannot use the link. */
async function isStillResettable(tx: Tx, link: OneTimeLink, person: Person | undefined): Promise<boolean> {
  if (!person || !link.organizationId) return false
  const membership = await tx
    .selectFrom('membership')
    .select('person_id')
    .where('person_id', '=', person.id)
    .where('organization_id', '=', link.organizationId)
    .executeTakeFirst()
  return membership !== undefined && !(await isMemberElsewhere(tx, link.organizationId, person.id))
}

/** Ends all sessions, because the old password may be known to others. The person's organizations get an audit entry. */
async function replacePassword(tx: Tx, person: Person, passwordHash: string, now: number): Promise<void> {
  await tx.updateTable('person').set({ password_hash: passwordHash }).where('id', '=', person.id).execute()
  await tx.deleteFrom('session').where('person_id', '=', person.id).execute()
  if (person.passwordHash === null) return
  const detail = { by: 'one-time link' }
  await auditInAllOrganizations(tx, person, personActor(person), 'person.password_changed', detail, now)
}

async function insertLink(
  tx: Tx,
  { purpose, email, organizationId, role }: NewLink,
  createdBy: string,
  now: number,
): Promise<{ token: string; expiresAt: number }> {
  const token = generateToken()
  const expiresAt = now + LINK_LIFETIME_MS
  const row: OneTimeLinkTable = {
    id: sortableId('lnk', now),
    token_hash: hashSecret(token),
    purpose,
    email,
    organization_id: organizationId,
    role,
    created_by: createdBy,
    created_at: now,
    expires_at: expiresAt,
    used_at: null,
  }
  await tx.insertInto('one_time_link').values(row).execute()
  return { token, expiresAt }
}
