import { type MemberRole, parseRole } from '../../contract/account-limits.ts'
import { findLanguage, type Language } from '../../contract/languages.ts'
import type { Database, Tx } from '../../db/database.ts'
import type { AccountTable } from '../../db/schema.ts'
import { conflict } from '../../lib/errors.ts'
import { sortableId } from '../../lib/id.ts'
import { reason } from '../../lib/reasons.ts'
import { type Actor, personActor } from '../actor.ts'
import { type AuditEntry, writeAuditEntry } from '../audit-store.ts'

/** A person's account in its organization. */
export type Account = {
  readonly id: string
  readonly organizationId: string
  readonly email: string
  readonly name: string
  readonly role: MemberRole
  /** Null for an account that signs in with an issuer only. */
  readonly passwordHash: string | null
  /** Language of the dashboard; null: that of the browser. */
  readonly language: Language | null
}

export type NewAccount = Pick<Account, 'organizationId' | 'email' | 'name' | 'role' | 'passwordHash'>

/** An account as shown to operators. */
export type AccountOverview = Account & { readonly createdAt: number; readonly seenAt: number | null }

/** Accounts, and what people change in their own. */
export function accountStore(db: Database) {
  return {
    async findAccount(organizationId: string, email: string): Promise<Account | undefined> {
      return findAccountByEmail(db.query, organizationId, email)
    },

    /** The accounts of an address in all organizations, oldest first. */
    async accountsWithEmail(email: string, limit: number): Promise<Account[]> {
      const rows = await db.query
        .selectFrom('account')
        .selectAll()
        .where('email', '=', email)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(toAccount)
    },

    /** The highest number of accounts that any address has. */
    async maxAccountsPerEmail(): Promise<number> {
      const row = await db.query
        .selectFrom('account')
        .select((eb) => eb.fn.countAll().as('count'))
        .groupBy('email')
        .orderBy('count', 'desc')
        .limit(1)
        .executeTakeFirst()
      return Number(row?.count ?? 0)
    },

    async accountById(id: string): Promise<Account | undefined> {
      return findAccountById(db.query, id)
    },

    async rename(account: Account, name: string, now: number): Promise<void> {
      if (name === account.name) return
      await db.transaction(async (tx) => {
        await tx.updateTable('account').set({ name }).where('id', '=', account.id).execute()
        await auditAccount(tx, account, personActor(account), 'person.renamed', { name }, now)
      })
    },

    async changeLanguage(accountId: string, language: Language | null): Promise<void> {
      await db.transaction(async (tx) => {
        await tx.updateTable('account').set({ language }).where('id', '=', accountId).execute()
      })
    },

    /** Changes the password and ends all other sessions. */
    async changePassword(account: Account, passwordHash: string, keepSessionId: string, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        await tx.updateTable('account').set({ password_hash: passwordHash }).where('id', '=', account.id).execute()
        await endSessions(tx, account.id, keepSessionId)
        await auditAccount(tx, account, personActor(account), 'person.password_changed', {}, now)
      })
    },

    /** All accounts by address and organization. */
    async allAccounts(): Promise<AccountOverview[]> {
      const rows = await db.query
        .selectFrom('account')
        .selectAll('account')
        .select((eb) =>
          eb
            .selectFrom('session')
            .select((of) => of.fn.max('session.seen_at').as('at'))
            .whereRef('session.account_id', '=', 'account.id')
            .as('seenAt'),
        )
        .orderBy('email')
        .orderBy('organization_id')
        .execute()
      return rows.map((row) => ({
        ...toAccount(row),
        createdAt: row.created_at,
        seenAt: row.seenAt === null ? null : Number(row.seenAt),
      }))
    },

    /**
     * Deletes the account with its sessions, factors and identities; audit entries remain. Returns whether the organization
     * has no owner now, which the operator must be told.
     */
    async removeAccount(account: Account, actor: Actor, now: number): Promise<boolean> {
      return db.transaction(async (tx) => {
        await deleteAccount(tx, account)
        await auditAccount(tx, account, actor, 'person.removed', {}, now)
        const owner = await tx
          .selectFrom('account')
          .select('id')
          .where('organization_id', '=', account.organizationId)
          .where('role', '=', 'owner')
          .executeTakeFirst()
        return owner === undefined
      })
    },
  }
}

/** Also deletes invitations of the same address. */
export async function deleteAccount(tx: Tx, { id, organizationId, email }: Account): Promise<void> {
  await tx
    .deleteFrom('one_time_link')
    .where('organization_id', '=', organizationId)
    .where('email', '=', email)
    .where('used_at', 'is', null)
    .execute()
  await tx.deleteFrom('challenge').where('account_id', '=', id).execute()
  await tx.deleteFrom('account').where('id', '=', id).execute()
}

/** A change of an account, in the audit trail of its organization. */
export async function auditAccount(
  tx: Tx,
  account: Pick<Account, 'organizationId' | 'email'>,
  actor: Actor,
  action: AuditEntry['action'],
  detail: Readonly<Record<string, string>>,
  now: number,
): Promise<void> {
  await writeAuditEntry(tx, account.organizationId, actor, { action, subject: account.email, detail }, now)
}

export async function endSessions(tx: Tx, accountId: string, keepSessionId = ''): Promise<void> {
  await tx.deleteFrom('session').where('account_id', '=', accountId).where('id', '!=', keepSessionId).execute()
}

/** Every reset of credentials and every new address removes them: they may belong to somebody else. */
export async function deleteIdentities(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('oidc_identity').where('account_id', '=', accountId).execute()
}

/** Changes the address; issuer identities, open links and other sessions end. */
export async function replaceEmail(
  tx: Tx,
  account: Account,
  email: string,
  { actor, keepSessionId = '', now }: { readonly actor: Actor; readonly keepSessionId?: string; readonly now: number },
): Promise<void> {
  if (await findAccountByEmail(tx, account.organizationId, email)) {
    throw conflict('email', `${email} already has an account in this organization.`, reason('email_taken', { email }))
  }
  await tx.updateTable('account').set({ email }).where('id', '=', account.id).execute()
  await deleteIdentities(tx, account.id)
  await tx.deleteFrom('one_time_link').where('account_id', '=', account.id).where('used_at', 'is', null).execute()
  await endSessions(tx, account.id, keepSessionId)
  await auditAccount(tx, { ...account, email }, actor, 'person.email_changed', { before: account.email, email }, now)
}

export async function findAccountByEmail(tx: Tx, organizationId: string, email: string): Promise<Account | undefined> {
  const row = await tx
    .selectFrom('account')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('email', '=', email)
    .executeTakeFirst()
  return row && toAccount(row)
}

export async function findAccountById(tx: Tx, id: string): Promise<Account | undefined> {
  const row = await tx.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toAccount(row)
}

/** Undefined if the organization already has an account with this address. */
export async function insertAccount(tx: Tx, account: NewAccount, now: number): Promise<Account | undefined> {
  const row: AccountTable = {
    id: sortableId('acc', now),
    organization_id: account.organizationId,
    email: account.email,
    name: account.name,
    role: account.role,
    password_hash: account.passwordHash,
    language: null,
    created_at: now,
  }
  const inserted = await tx
    .insertInto('account')
    .values(row)
    .onConflict((on) => on.columns(['organization_id', 'email']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted && toAccount(row)
}

export function toAccount(row: AccountTable): Account {
  return {
    id: row.id,
    organizationId: row.organization_id,
    email: row.email,
    name: row.name,
    role: parseRole(row.role),
    passwordHash: row.password_hash,
    language: findLanguage(row.language ?? '') ?? null,
  }
}
