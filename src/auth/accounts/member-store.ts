import type { MemberRole } from '../../contract/account-limits.ts'
import type { Database, Tx } from '../../db/database.ts'
import type { Principal } from '../../http/principal.ts'
import { conflict, DomainError, unknownId } from '../../lib/errors.ts'
import { reason } from '../../lib/reasons.ts'
import { readOperatorOrganization } from '../operator-store.ts'
import { deleteFactors } from '../second-factor/second-factor-store.ts'
import {
  type Account,
  auditAccount,
  deleteAccount,
  deleteIdentities,
  endSessions,
  findAccountById,
  replaceEmail,
  toAccount,
} from './account-store.ts'

export type Member = Pick<Account, 'id' | 'email' | 'name' | 'role'> & {
  readonly joinedAt: number
  /** Last use of a session; null if there is none. */
  readonly seenAt: number | null
  readonly hasSecondFactor: boolean
}

/** The accounts of an organization, as its owners manage them. */
export function memberStore(db: Database) {
  return {
    async members(organizationId: string): Promise<Member[]> {
      const rows = await db.query
        .selectFrom('account')
        .selectAll('account')
        .select((eb) => [
          eb
            .selectFrom('session')
            .select((of) => of.fn.max('session.seen_at').as('at'))
            .whereRef('session.account_id', '=', 'account.id')
            .as('seenAt'),
          eb
            .selectFrom('totp')
            .select((of) => of.fn.countAll().as('count'))
            .whereRef('totp.account_id', '=', 'account.id')
            .where('totp.confirmed_at', 'is not', null)
            .as('apps'),
          eb
            .selectFrom('passkey')
            .select((of) => of.fn.countAll().as('count'))
            .whereRef('passkey.account_id', '=', 'account.id')
            .as('passkeys'),
        ])
        .where('account.organization_id', '=', organizationId)
        .orderBy('account.created_at')
        .orderBy('account.id')
        .execute()
      return rows.map((row) => {
        const { id, email, name, role } = toAccount(row)
        return {
          id,
          email,
          name,
          role,
          joinedAt: row.created_at,
          seenAt: row.seenAt === null ? null : Number(row.seenAt),
          hasSecondFactor: Number(row.apps) + Number(row.passkeys) > 0,
        }
      })
    },

    /** Takes away the second factors of a member who lost them, with issuer identities and sessions. */
    async resetSecondFactor(principal: Principal, organizationId: string, id: string, now: number): Promise<Account> {
      return db.transaction(async (tx) => {
        const account = await requireResettable(tx, principal, organizationId, id)
        await deleteFactors(tx, id)
        await deleteIdentities(tx, id)
        await endSessions(tx, id)
        await auditAccount(tx, account, principal.actor, 'person.second_factor_removed', {}, now)
        return account
      })
    },

    /**
     * Changes the role, or the address, for a service without mail, where nobody can prove one. Returns the account as it
     * was before.
     */
    async changeMember(
      principal: Principal,
      organizationId: string,
      { id, role, email }: { readonly id: string; readonly role?: MemberRole; readonly email?: string },
      now: number,
    ): Promise<Account> {
      const { actor } = principal
      return db.transaction(async (tx) => {
        const account = await requireMember(tx, organizationId, id)
        if (email !== undefined) {
          await requireResettable(tx, principal, organizationId, id)
          if (email !== account.email) await replaceEmail(tx, account, email, { actor, now })
        }
        if (role !== undefined) {
          await requireMayGrant(tx, principal, organizationId, role)
          if (role !== 'owner') await requireAnotherOwner(tx, organizationId, id)
          await tx.updateTable('account').set({ role }).where('id', '=', id).execute()
          await auditAccount(
            tx,
            { ...account, email: email ?? account.email },
            actor,
            'member.role_changed',
            { role },
            now,
          )
        }
        return account
      })
    },

    /** Deletes the account: it exists in this organization only. */
    async removeMember(
      { actor }: Principal,
      organizationId: string,
      id: string,
      now: number,
      /** Further writes in the same transaction. */
      alsoWrite?: (tx: Tx, account: Account) => Promise<void>,
    ): Promise<Account> {
      return db.transaction(async (tx) => {
        const account = await requireMember(tx, organizationId, id)
        await requireAnotherOwner(tx, organizationId, id)
        await deleteAccount(tx, account)
        await auditAccount(tx, account, actor, 'member.removed', {}, now)
        await alsoWrite?.(tx, account)
        return account
      })
    },
  }
}

/** An account of the organization whose credentials the principal may replace. */
export async function requireResettable(
  tx: Tx,
  principal: Principal,
  organizationId: string,
  id: string,
): Promise<Account> {
  const account = await requireMember(tx, organizationId, id)
  if (principal.actor.personId === id) {
    throw conflict('id', 'Change your own password, second factor and address in your account.', reason('own_account'))
  }
  await requireMayGrant(tx, principal, organizationId, account.role)
  return account
}

/**
 * Nobody grants more than they have: an owner of the operator's organization operates the service, so a key without that
 * right can neither create such an owner nor reset the credentials of one.
 */
export async function requireMayGrant(
  tx: Tx,
  { kind, operates }: Principal,
  organizationId: string,
  role: MemberRole,
): Promise<void> {
  if (role !== 'owner' || kind !== 'key' || operates) return
  if ((await readOperatorOrganization(tx)) !== organizationId) return
  const message = 'An owner of this organization operates the service, which your key has no right to.'
  throw new DomainError('forbidden', message, reason('key_lacks_right'))
}

/** Throws if the organization would have no owner left. */
async function requireAnotherOwner(tx: Tx, organizationId: string, leavingId: string): Promise<void> {
  // An update without a change locks the rows: two owners who remove each other at once cannot both succeed.
  await tx
    .updateTable('account')
    .set((eb) => ({ role: eb.ref('role') }))
    .where('organization_id', '=', organizationId)
    .execute()
  const others = await tx
    .selectFrom('account')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'owner')
    .where('id', '!=', leavingId)
    .executeTakeFirst()
  if (!others) throw conflict('id', 'The organization needs at least one owner.', reason('last_owner'))
}

/** An account of another organization is NOT_FOUND, so that callers cannot probe for it. */
async function requireMember(tx: Tx, organizationId: string, id: string): Promise<Account> {
  const account = await findAccountById(tx, id)
  if (account?.organizationId !== organizationId) throw unknownId('member', id)
  return account
}
