import type { Actor } from '../auth/actor.ts'
import { type AuditEntry, writeAuditEntry } from '../auth/audit-store.ts'
import { type MemberRole, parseRole } from '../contract/account-limits.ts'
import type { Database, Tx } from '../db/database.ts'
import { conflict, unknownId } from '../lib/errors.ts'
import { deleteFactors } from './second-factor-store.ts'

export type Membership = {
  readonly organizationId: string
  readonly organizationName: string
  readonly role: MemberRole
  readonly needsSecondFactor: boolean
}

export type Member = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: MemberRole
  readonly joinedAt: number
  /** Last use of a session; null if there is none. */
  readonly seenAt: number | null
  readonly hasSecondFactor: boolean
  /** Whether the person belongs to no other organization. */
  readonly isOnlyHere: boolean
}

/** Memberships and roles. */
export function memberStore(db: Database) {
  return {
    memberships: (personId: string) => membershipsOf(db, personId),

    async members(organizationId: string): Promise<Member[]> {
      const rows = await db.query
        .selectFrom('membership')
        .innerJoin('person', 'person.id', 'membership.person_id')
        .select(['person.id', 'person.email', 'person.name', 'membership.role', 'membership.created_at as joinedAt'])
        .select((eb) => [
          eb
            .selectFrom('session')
            .select((of) => of.fn.max('session.seen_at').as('at'))
            .whereRef('session.person_id', '=', 'person.id')
            .as('seenAt'),
          eb
            .selectFrom('membership as elsewhere')
            .select((of) => of.fn.countAll().as('count'))
            .whereRef('elsewhere.person_id', '=', 'person.id')
            .where('elsewhere.organization_id', '!=', organizationId)
            .as('elsewhere'),
          eb
            .selectFrom('totp')
            .select((of) => of.fn.countAll().as('count'))
            .whereRef('totp.person_id', '=', 'person.id')
            .where('totp.confirmed_at', 'is not', null)
            .as('apps'),
          eb
            .selectFrom('passkey')
            .select((of) => of.fn.countAll().as('count'))
            .whereRef('passkey.person_id', '=', 'person.id')
            .as('passkeys'),
        ])
        .where('membership.organization_id', '=', organizationId)
        .orderBy('membership.created_at')
        .orderBy('person.id')
        .execute()
      return rows.map(({ elsewhere, apps, passkeys, seenAt, ...row }) => ({
        ...row,
        role: parseRole(row.role),
        seenAt: seenAt === null ? null : Number(seenAt),
        hasSecondFactor: Number(apps) + Number(passkeys) > 0,
        isOnlyHere: Number(elsewhere) === 0,
      }))
    },

    /** Takes away the second factors of a member who lost them and ends their sessions. */
    async resetSecondFactor(organizationId: string, personId: string, actor: Actor, now: number): Promise<string> {
      return db.transaction(async (tx) => {
        const email = await requireResettable(tx, organizationId, personId, actor)
        await deleteFactors(tx, personId)
        await tx.deleteFrom('session').where('person_id', '=', personId).execute()
        const entry: AuditEntry = { action: 'person.second_factor_removed', subject: email }
        await writeAuditEntry(tx, organizationId, actor, entry, now)
        return email
      })
    },

    async changeRole(
      organizationId: string,
      personId: string,
      role: MemberRole,
      actor: Actor,
      now: number,
    ): Promise<void> {
      await db.transaction(async (tx) => {
        const email = await memberEmail(tx, organizationId, personId)
        if (role !== 'owner') await requireAnotherOwner(tx, organizationId, personId)
        await tx
          .updateTable('membership')
          .set({ role })
          .where('organization_id', '=', organizationId)
          .where('person_id', '=', personId)
          .execute()
        const entry: AuditEntry = { action: 'member.role_changed', subject: email, detail: { role } }
        await writeAuditEntry(tx, organizationId, actor, entry, now)
      })
    },

    async removeMember(organizationId: string, personId: string, actor: Actor, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        const email = await memberEmail(tx, organizationId, personId)
        await requireAnotherOwner(tx, organizationId, personId)
        await tx
          .deleteFrom('membership')
          .where('organization_id', '=', organizationId)
          .where('person_id', '=', personId)
          .execute()
        await tx
          .updateTable('session')
          .set({ organization_id: null })
          .where('person_id', '=', personId)
          .where('organization_id', '=', organizationId)
          .execute()
        await tx
          .deleteFrom('one_time_link')
          .where('organization_id', '=', organizationId)
          .where('email', '=', email)
          .where('used_at', 'is', null)
          .execute()
        await writeAuditEntry(tx, organizationId, actor, { action: 'member.removed', subject: email }, now)
      })
    },
  }
}

export async function membershipsOf(db: Database, personId: string): Promise<Membership[]> {
  const rows = await db.query
    .selectFrom('membership')
    .innerJoin('organization', 'organization.id', 'membership.organization_id')
    .select([
      'organization.id as organizationId',
      'organization.name as organizationName',
      'organization.second_factor_required as required',
      'membership.role as role',
    ])
    .where('membership.person_id', '=', personId)
    .orderBy('membership.created_at')
    .orderBy('organization.id')
    .execute()
  return rows.map(({ required, ...row }) => ({ ...row, role: parseRole(row.role), needsSecondFactor: required === 1 }))
}

/** Returns whether the person was not a member before. */
export async function joinOrganization(
  tx: Tx,
  personId: string,
  organizationId: string,
  role: MemberRole,
  now: number,
): Promise<boolean> {
  const inserted = await tx
    .insertInto('membership')
    .values({ organization_id: organizationId, person_id: personId, role, created_at: now })
    .onConflict((conflict) => conflict.columns(['organization_id', 'person_id']).doNothing())
    .returning('person_id')
    .executeTakeFirst()
  return inserted !== undefined
}

/**
 * Returns the address of a member whose credentials an owner may reset. A person who also belongs to other organizations
 * is excluded: the holder of a reset link could enter those as well.
 */
export async function requireResettable(
  tx: Tx,
  organizationId: string,
  personId: string,
  actor: Actor,
): Promise<string> {
  const email = await memberEmail(tx, organizationId, personId)
  if (actor.personId === personId) throw conflict('id', 'Change your own password and second factor in your account.')
  if (await isMemberElsewhere(tx, organizationId, personId)) {
    const message = `${email} also belongs to other organizations. Only the operator of the service can reset this account.`
    throw conflict('id', message)
  }
  return email
}

export async function isMemberElsewhere(tx: Tx, organizationId: string, personId: string): Promise<boolean> {
  const others = tx
    .selectFrom('membership')
    .select('person_id')
    .where('person_id', '=', personId)
    .where('organization_id', '!=', organizationId)
  return (await others.limit(1).executeTakeFirst()) !== undefined
}

/** Throws if the organization would have no owner left. */
async function requireAnotherOwner(tx: Tx, organizationId: string, leavingId: string): Promise<void> {
  // An update without a change locks the rows: two owners who remove each other at once cannot both succeed.
  await tx
    .updateTable('membership')
    .set((eb) => ({ role: eb.ref('role') }))
    .where('organization_id', '=', organizationId)
    .execute()
  const others = await tx
    .selectFrom('membership')
    .select('person_id')
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'owner')
    .where('person_id', '!=', leavingId)
    .executeTakeFirst()
  if (!others) throw conflict('id', 'The organization needs at least one owner.')
}

async function memberEmail(tx: Tx, organizationId: string, personId: string): Promise<string> {
  const row = await tx
    .selectFrom('membership')
    .innerJoin('person', 'person.id', 'membership.person_id')
    .select('person.email')
    .where('membership.organization_id', '=', organizationId)
    .where('membership.person_id', '=', personId)
    .executeTakeFirst()
  if (!row) throw unknownId('member', personId)
  return row.email
}
