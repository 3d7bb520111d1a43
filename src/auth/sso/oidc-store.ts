import type { MemberRole } from '../../contract/account-limits.ts'
import type { Database, Tx } from '../../db/database.ts'
import { conflict, unknownId } from '../../lib/errors.ts'
import { reason } from '../../lib/reasons.ts'
import {
  type Account,
  auditAccount,
  findAccountByEmail,
  findAccountById,
  insertAccount,
  toAccount,
} from '../accounts/account-store.ts'
import { type Actor, personActor } from '../actor.ts'
import { type AuditEntry, writeAuditEntry } from '../audit-store.ts'
import { requireOrganization } from '../organization-store.ts'
import { hasSecondFactor } from '../second-factor/second-factor.ts'
import { factorsOf } from '../second-factor/second-factor-store.ts'
import type { OidcProfile } from './oidc-mapping.ts'

export type OidcSignIn = {
  readonly issuer: string
  readonly profile: OidcProfile
  /** The organization that the domain of the address belongs to. */
  readonly organizationId: string
  /** Role by the claims; undefined if they give none. */
  readonly role: MemberRole | undefined
}

const DEFAULT_ROLE: MemberRole = 'clerk'

/** Identities at an issuer, and organizations that require sign-in there. */
export function oidcStore(db: Database) {
  return {
    /**
     * The account of an identity in the organization, linked or created if need be. The caller has checked that the issuer
     * verified the address and that its domain belongs to the organization.
     */
    async signInWithOidc(
      signIn: OidcSignIn,
      now: number,
    ): Promise<{ readonly account: Account; readonly isNewIdentity: boolean }> {
      const { issuer, organizationId } = signIn
      return db.transaction(async (tx) => {
        await requireOrganization(tx, organizationId)
        const linked = await linkedAccount(tx, signIn)
        const account = await applyRole(tx, linked ?? (await linkAccount(tx, signIn, now)), signIn.role, now)
        await auditAccount(tx, account, personActor(account), 'person.signed_in_by_oidc', { issuer }, now)
        return { account, isNewIdentity: linked === undefined }
      })
    },

    /** Whether the organization requires sign-in with the issuer, and who may still use a password. */
    async signOnRule(organizationId: string): Promise<{ readonly breakGlassId: string } | null> {
      const row = await db.query
        .selectFrom('organization_sign_on')
        .select('break_glass_account_id')
        .where('organization_id', '=', organizationId)
        .executeTakeFirst()
      return row ? { breakGlassId: row.break_glass_account_id } : null
    },

    /** `breakGlassId` null ends the requirement. The exception must be an owner with a second factor. */
    async requireSignOn(organizationId: string, breakGlassId: string | null, actor: Actor, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        await requireOrganization(tx, organizationId)
        await tx.deleteFrom('organization_sign_on').where('organization_id', '=', organizationId).execute()
        const detail: Record<string, string> = { required: breakGlassId === null ? 'no' : 'yes' }
        if (breakGlassId !== null) {
          detail.exception = await requireBreakGlassOwner(tx, organizationId, breakGlassId)
          await tx
            .insertInto('organization_sign_on')
            .values({ organization_id: organizationId, break_glass_account_id: breakGlassId })
            .execute()
          await endOwnSignIns(tx, organizationId, breakGlassId)
        }
        const entry: AuditEntry = { action: 'organization.sign_on_changed', subject: organizationId, detail }
        await writeAuditEntry(tx, organizationId, actor, entry, now)
      })
    },
  }
}

async function linkedAccount(tx: Tx, { organizationId, issuer, profile }: OidcSignIn): Promise<Account | undefined> {
  const row = await tx
    .selectFrom('oidc_identity')
    .innerJoin('account', 'account.id', 'oidc_identity.account_id')
    .selectAll('account')
    .where('oidc_identity.organization_id', '=', organizationId)
    .where('oidc_identity.issuer', '=', issuer)
    .where('oidc_identity.subject', '=', profile.subject)
    .executeTakeFirst()
  return row && toAccount(row)
}

async function linkAccount(
  tx: Tx,
  { issuer, profile, organizationId, role }: OidcSignIn,
  now: number,
): Promise<Account> {
  const existing = await findAccountByEmail(tx, organizationId, profile.email)
  if (existing) await requireNoIdentity(tx, existing, issuer)
  const account = existing ?? (await joinByOidc(tx, organizationId, profile, role ?? DEFAULT_ROLE, now))
  await tx
    .insertInto('oidc_identity')
    .values({
      organization_id: organizationId,
      issuer,
      subject: profile.subject,
      account_id: account.id,
      created_at: now,
    })
    .execute()
  await auditAccount(tx, account, personActor(account), 'person.oidc_linked', { issuer }, now)
  return account
}

/** A second person of the issuer with the same address, such as a new employee, does not get the account of the first. */
async function requireNoIdentity(tx: Tx, { id, email }: Account, issuer: string): Promise<void> {
  const identity = await tx
    .selectFrom('oidc_identity')
    .select('subject')
    .where('account_id', '=', id)
    .where('issuer', '=', issuer)
    .executeTakeFirst()
  if (!identity) return
  const message = `${email} belongs to another identity of the issuer. An owner ends that link under Settings → Team, with the second factor of the member.`
  throw conflict('identity', message, reason('identity_linked', { email }))
}

async function joinByOidc(
  tx: Tx,
  organizationId: string,
  { email, name }: OidcProfile,
  role: MemberRole,
  now: number,
): Promise<Account> {
  const account = await insertAccount(tx, { organizationId, email, name, role, passwordHash: null }, now)
  if (!account)
    throw conflict('email', `${email} already has an account in this organization.`, reason('email_taken', { email }))
  await auditAccount(tx, account, personActor(account), 'member.joined', { role, by: 'OIDC' }, now)
  return account
}

/** A role from the claims is applied at every sign-in, except that an organization keeps its last owner. */
async function applyRole(tx: Tx, account: Account, role: MemberRole | undefined, now: number): Promise<Account> {
  if (role === undefined || role === account.role) return account
  const otherOwner = await tx
    .selectFrom('account')
    .select('id')
    .where('organization_id', '=', account.organizationId)
    .where('role', '=', 'owner')
    .where('id', '!=', account.id)
    .executeTakeFirst()
  if (account.role === 'owner' && !otherOwner) return account
  await tx.updateTable('account').set({ role }).where('id', '=', account.id).execute()
  await auditAccount(tx, account, personActor(account), 'member.role_changed', { role, by: 'OIDC' }, now)
  return { ...account, role }
}

/** Ends sessions that did not begin at the issuer, in every process, and links that would begin one. */
async function endOwnSignIns(tx: Tx, organizationId: string, breakGlassId: string): Promise<void> {
  const members = tx
    .selectFrom('account')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '!=', breakGlassId)
  await tx.deleteFrom('session').where('account_id', 'in', members).where('id_token', 'is', null).execute()
  await tx
    .deleteFrom('one_time_link')
    .where('organization_id', '=', organizationId)
    .where('purpose', '=', 'password_reset')
    .where('account_id', '!=', breakGlassId)
    .execute()
}

/** The e-mail address of the owner who may still sign in with a password. */
async function requireBreakGlassOwner(tx: Tx, organizationId: string, accountId: string): Promise<string> {
  const account = await findAccountById(tx, accountId)
  if (account?.organizationId !== organizationId) throw unknownId('member', accountId)
  const isProtected = hasSecondFactor(await factorsOf(tx, accountId))
  if (account.role !== 'owner' || account.passwordHash === null || !isProtected) {
    throw conflict(
      'break_glass_id',
      `${account.email} cannot be the exception: it must be an owner with a password and a second factor.`,
      reason('owner_with_second_factor_needed'),
    )
  }
  return account.email
}
