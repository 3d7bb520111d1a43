import { type MemberRole, parseRole } from '../../contract/account-limits.ts'
import type { Database, Tx } from '../../db/database.ts'
import type { OneTimeLinkTable } from '../../db/schema.ts'
import type { Principal } from '../../http/principal.ts'
import { conflict, unknownId } from '../../lib/errors.ts'
import { sortableId } from '../../lib/id.ts'
import { reason } from '../../lib/reasons.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import { personActor } from '../actor.ts'
import { type AuditEntry, writeAuditEntry } from '../audit-store.ts'
import { lockOrganization, requireOrganization } from '../organization-store.ts'
import { hashSecret } from '../secret-hash.ts'
import {
  type Account,
  auditAccount,
  deleteIdentities,
  endSessions,
  findAccountByEmail,
  findAccountById,
  insertAccount,
  replaceEmail,
} from './account-store.ts'
import { LINK_LIFETIME_MS } from './lifetimes.ts'
import { requireMayGrant, requireResettable } from './member-store.ts'
import { LINK_ID_PREFIX } from './one-time-link.ts'
import { generateToken } from './token.ts'

/**
 * An invitation creates an account of its organization, the other links change exactly one account: a reset sets its
 * password, an e-mail change its address.
 */
export type OneTimeLink = Pick<OneTimeLinkTable, 'id' | 'email'> & { readonly organizationId: string } & (
    | { readonly purpose: 'invitation'; readonly accountId: null; readonly role: MemberRole }
    | { readonly purpose: 'password_reset' | 'email_change'; readonly accountId: string; readonly role: null }
  )

type NewLink = Pick<OneTimeLinkTable, 'purpose' | 'email' | 'organization_id' | 'account_id' | 'role' | 'created_by'>

/** Creator of links that people request for themselves. */
const MAILED_BY = 'forgotten password'
/** Against flooding a mailbox. */
const MAIL_INTERVAL_MS = 5 * MINUTE_MS
/** Accounts of one address that a forgotten password is mailed for. */
const MAX_MAILED_ACCOUNTS = 20

/** One-time links: invitations, password resets and changes of an address. */
export function oneTimeLinkStore(db: Database) {
  return {
    async invite(
      principal: Principal,
      organizationId: string,
      { email, role }: { readonly email: string; readonly role: MemberRole },
      now: number,
    ) {
      return db.transaction(async (tx) => {
        await requireOrganization(tx, organizationId)
        await lockOrganization(tx, organizationId)
        await requireMayGrant(tx, principal, organizationId, role)
        if (await findAccountByEmail(tx, organizationId, email)) {
          throw conflict(
            'email',
            `${email} already has an account in this organization. Reset its password instead.`,
            reason('email_taken', { email }),
          )
        }
        await tx
          .deleteFrom('one_time_link')
          .where('organization_id', '=', organizationId)
          .where('email', '=', email)
          .where('purpose', '=', 'invitation')
          .where('used_at', 'is', null)
          .execute()
        const invitation = await insertLink(
          tx,
          {
            purpose: 'invitation',
            email,
            organization_id: organizationId,
            account_id: null,
            role,
            created_by: principal.actor.who,
          },
          now,
        )
        const entry: AuditEntry = { action: 'member.invited', subject: email, detail: { role } }
        await writeAuditEntry(tx, organizationId, principal.actor, entry, now)
        return invitation
      })
    },

    /** A link by which a member of this organization chooses a new password. */
    async createResetLink(principal: Principal, organizationId: string, accountId: string, now: number) {
      return db.transaction(async (tx) => {
        const account = await requireResettable(tx, principal, organizationId, accountId)
        await deleteOpenLinks(tx, accountId, 'password_reset')
        await auditAccount(tx, account, principal.actor, 'person.password_reset_started', {}, now)
        return { account, ...(await insertLink(tx, linkFor(account, 'password_reset', principal.actor.who), now)) }
      })
    },

    /** One link per account of the address; none if some were created within the last minutes. */
    async createForgottenPasswordLinks(
      email: string,
      now: number,
    ): Promise<{ readonly account: Account; readonly organization: string; readonly token: string }[]> {
      return db.transaction(async (tx) => {
        const recent = await tx
          .selectFrom('one_time_link')
          .select('id')
          .where('email', '=', email)
          .where('created_by', '=', MAILED_BY)
          .where('created_at', '>', now - MAIL_INTERVAL_MS)
          .executeTakeFirst()
        if (recent) return []
        const rows = await tx
          .selectFrom('account')
          .innerJoin('organization', 'organization.id', 'account.organization_id')
          .select(['account.id', 'organization.name as organization'])
          .where('account.email', '=', email)
          .orderBy('account.id')
          .limit(MAX_MAILED_ACCOUNTS)
          .execute()
        const links = []
        for (const { id, organization } of rows) {
          const account = await findAccountById(tx, id)
          if (!account) continue
          const { token } = await insertLink(tx, linkFor(account, 'password_reset', MAILED_BY), now)
          links.push({ account, organization, token })
        }
        return links
      })
    },

    /** A link that proves the new address. The caller has checked the password. */
    async createEmailLink(account: Account, email: string, now: number) {
      return db.transaction(async (tx) => {
        await deleteOpenLinks(tx, account.id, 'email_change')
        return insertLink(tx, { ...linkFor(account, 'email_change', account.email), email }, now)
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

    async withdrawInvitation({ actor }: Principal, organizationId: string, id: string, now: number): Promise<void> {
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
      return row && toLink(row)
    },

    /** Creates the account. Undefined if the link was used already or the address got an account meanwhile. */
    async acceptInvitation(
      link: Extract<OneTimeLink, { purpose: 'invitation' }>,
      chosen: { readonly name: string; readonly passwordHash: string },
      now: number,
    ): Promise<Account | undefined> {
      return db.transaction(async (tx) => {
        if (!(await takeLink(tx, link.id, now))) return undefined
        const account = await insertAccount(
          tx,
          {
            organizationId: link.organizationId,
            email: link.email,
            name: chosen.name,
            role: link.role,
            passwordHash: chosen.passwordHash,
          },
          now,
        )
        if (account) await auditAccount(tx, account, personActor(account), 'member.joined', { role: link.role }, now)
        return account
      })
    },

    /**
     * Sets the password of the link's account and ends its sessions and issuer identities, because others may know the
     * old credentials. Undefined if the link was used already or the account is gone.
     */
    async resetPassword(link: OneTimeLink, passwordHash: string, now: number): Promise<Account | undefined> {
      return db.transaction(async (tx) => {
        const account = await takeAccountLink(tx, link, 'password_reset', now)
        if (!account) return undefined
        await tx.updateTable('account').set({ password_hash: passwordHash }).where('id', '=', account.id).execute()
        await endSessions(tx, account.id)
        await deleteIdentities(tx, account.id)
        const detail = { by: 'one-time link' }
        await auditAccount(tx, account, personActor(account), 'person.password_changed', detail, now)
        return { ...account, passwordHash }
      })
    },

    /** Changes the address. Returns the account as it was before; undefined if the link was used already. */
    async confirmEmail(link: OneTimeLink, keepSessionId: string, now: number): Promise<Account | undefined> {
      return db.transaction(async (tx) => {
        const account = await takeAccountLink(tx, link, 'email_change', now)
        if (account) await replaceEmail(tx, account, link.email, { actor: personActor(account), keepSessionId, now })
        return account
      })
    },
  }
}

function toLink(row: OneTimeLinkTable): OneTimeLink | undefined {
  const { id, email, purpose, organization_id: organizationId, account_id: accountId } = row
  if (purpose === 'invitation') {
    return { id, email, organizationId, purpose, accountId: null, role: parseRole(row.role ?? '') }
  }
  return accountId === null ? undefined : { id, email, organizationId, purpose, accountId, role: null }
}

/** Of two concurrent uses only one succeeds. */
async function takeLink(tx: Tx, id: string, now: number): Promise<boolean> {
  const used = await tx
    .updateTable('one_time_link')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return used !== undefined
}

/** The account of a link that changes it, if the link is for this purpose and still unused. */
async function takeAccountLink(
  tx: Tx,
  link: OneTimeLink,
  purpose: 'password_reset' | 'email_change',
  now: number,
): Promise<Account | undefined> {
  if (link.purpose !== purpose || !(await takeLink(tx, link.id, now))) return undefined
  return findAccountById(tx, link.accountId)
}

const linkFor = (account: Account, purpose: 'password_reset' | 'email_change', createdBy: string): NewLink => ({
  purpose,
  email: account.email,
  organization_id: account.organizationId,
  account_id: account.id,
  role: null,
  created_by: createdBy,
})

async function deleteOpenLinks(tx: Tx, accountId: string, purpose: OneTimeLink['purpose']): Promise<void> {
  await tx
    .deleteFrom('one_time_link')
    .where('account_id', '=', accountId)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .execute()
}

async function insertLink(
  tx: Tx,
  link: NewLink,
  now: number,
): Promise<{ id: string; token: string; expiresAt: number }> {
  const id = sortableId(LINK_ID_PREFIX, now)
  const token = generateToken()
  const expiresAt = now + LINK_LIFETIME_MS
  const row: OneTimeLinkTable = {
    ...link,
    id,
    token_hash: hashSecret(token),
    created_at: now,
    expires_at: expiresAt,
    used_at: null,
  }
  await tx.insertInto('one_time_link').values(row).execute()
  return { id, token, expiresAt }
}
