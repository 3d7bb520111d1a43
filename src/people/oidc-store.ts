import { type Actor, personActor } from '../auth/actor.ts'
import { type AuditEntry, writeAuditEntry } from '../auth/audit-store.ts'
import { requireOrganization } from '../auth/organization-store.ts'
import type { MemberRole } from '../contract/account-limits.ts'
import type { Database, Tx } from '../db/database.ts'
import { conflict, unknownId } from '../lib/errors.ts'
import { joinOrganization } from './member-store.ts'
import type { OidcProfile } from './oidc-mapping.ts'
import { auditInAllOrganizations, insertPerson, type Person, personByEmail, toPerson } from './person-store.ts'
import { hasSecondFactor } from './second-factor.ts'
import { deleteFactors, factorsOf } from './second-factor-store.ts'

export type OidcSignIn = {
  readonly issuer: string
  readonly profile: OidcProfile
  /** The organization that the domain of the address belongs to. */
  readonly organizationId: string
  /** Role by the claims; undefined if they give none. */
  readonly role: MemberRole | undefined
}

const DEFAULT_ROLE: MemberRole = 'clerk'

/** Accounts of an issuer and organizations that require sign-in there. */
export function oidcStore(db: Database) {
  return {
    /**
     * The person of an issuer's account, linked or created if need be, as a member of the organization. The caller has
     * checked that the issuer verified the address and that its domain belongs to the organization.
     */
    async signInWithOidc(signIn: OidcSignIn, now: number): Promise<Person> {
      const { issuer, profile, organizationId, role } = signIn
      return db.transaction(async (tx) => {
        await requireOrganization(tx, organizationId)
        const person = (await linkedPerson(tx, issuer, profile.subject)) ?? (await linkPerson(tx, signIn, now))
        await joinWithRole(tx, person, organizationId, role, now)
        const entry: AuditEntry = { action: 'person.signed_in_by_oidc', subject: person.email, detail: { issuer } }
        await writeAuditEntry(tx, organizationId, personActor(person), entry, now)
        return person
      })
    },

    /** Whether the organization requires sign-in with the issuer, and who may still use a password. */
    async signOnRule(organizationId: string): Promise<{ readonly breakGlassId: string } | null> {
      const row = await db.query
        .selectFrom('organization_sign_on')
        .select('break_glass_person_id')
        .where('organization_id', '=', organizationId)
        .executeTakeFirst()
      return row ? { breakGlassId: row.break_glass_person_id } : null
    },

    /** Names of the person's organizations that require sign-in with the issuer and grant them no exception. */
    async organizationsRequiringSignOn(personId: string): Promise<string[]> {
      const rows = await db.query
        .selectFrom('membership')
        .innerJoin('organization_sign_on', 'organization_sign_on.organization_id', 'membership.organization_id')
        .innerJoin('organization', 'organization.id', 'membership.organization_id')
        .select('organization.name')
        .where('membership.person_id', '=', personId)
        .where('organization_sign_on.break_glass_person_id', '!=', personId)
        .execute()
      return rows.map(({ name }) => name)
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
            .values({ organization_id: organizationId, break_glass_person_id: breakGlassId })
            .execute()
        }
        const entry: AuditEntry = { action: 'organization.sign_on_changed', subject: organizationId, detail }
        await writeAuditEntry(tx, organizationId, actor, entry, now)
      })
    },
  }
}

async function linkedPerson(tx: Tx, issuer: string, subject: string): Promise<Person | undefined> {
  const row = await tx
    .selectFrom('oidc_identity')
    .innerJoin('person', 'person.id', 'oidc_identity.person_id')
    .selectAll('person')
    .where('oidc_identity.issuer', '=', issuer)
    .where('oidc_identity.subject', '=', subject)
    .executeTakeFirst()
  return row && toPerson(row)
}

async function linkPerson(tx: Tx, { issuer, profile, organizationId }: OidcSignIn, now: number): Promise<Person> {
  const existing = await personByEmail(tx, profile.email)
  // An unproven address: its password and passkeys may belong to someone else, so they are removed.
  if (existing && existing.emailProvenAt === null) await resetCredentials(tx, existing, now)
  const person = existing ?? (await createPerson(tx, profile, now))
  await tx
    .insertInto('oidc_identity')
    .values({ issuer, subject: profile.subject, person_id: person.id, created_at: now })
    .execute()
  const entry: AuditEntry = { action: 'person.oidc_linked', subject: person.email, detail: { issuer } }
  await writeAuditEntry(tx, organizationId, personActor(person), entry, now)
  return person
}

async function resetCredentials(tx: Tx, person: Person, now: number): Promise<void> {
  await tx
    .updateTable('person')
    .set({ password_hash: null, email_proven_at: now })
    .where('id', '=', person.id)
    .execute()
  await tx.deleteFrom('session').where('person_id', '=', person.id).execute()
  await deleteFactors(tx, person.id)
  const detail = { by: 'sign-in with the issuer' }
  await auditInAllOrganizations(tx, person, personActor(person), 'person.password_changed', detail, now)
}

async function createPerson(tx: Tx, { email, name }: OidcProfile, now: number): Promise<Person> {
  const person = await insertPerson(tx, email, name, now)
  await tx.updateTable('person').set({ email_proven_at: now }).where('id', '=', person.id).execute()
  return { ...person, emailProvenAt: now }
}

/** A role from the claims is applied at every sign-in, except that an organization keeps its last owner. */
async function joinWithRole(
  tx: Tx,
  person: Person,
  organizationId: string,
  role: MemberRole | undefined,
  now: number,
): Promise<void> {
  const members = await tx
    .selectFrom('membership')
    .select(['person_id', 'role'])
    .where('organization_id', '=', organizationId)
    .execute()
  const current = members.find(({ person_id }) => person_id === person.id)
  const actor = personActor(person)
  if (!current) {
    const joined = role ?? DEFAULT_ROLE
    await joinOrganization(tx, person.id, organizationId, joined, now)
    const entry: AuditEntry = { action: 'member.joined', subject: person.email, detail: { role: joined, by: 'OIDC' } }
    await writeAuditEntry(tx, organizationId, actor, entry, now)
    return
  }
  const isLastOwner =
    current.role === 'owner' && !members.some((member) => member.role === 'owner' && member.person_id !== person.id)
  if (role === undefined || role === current.role || isLastOwner) return
  await tx
    .updateTable('membership')
    .set({ role })
    .where('organization_id', '=', organizationId)
    .where('person_id', '=', person.id)
    .execute()
  const entry: AuditEntry = { action: 'member.role_changed', subject: person.email, detail: { role, by: 'OIDC' } }
  await writeAuditEntry(tx, organizationId, actor, entry, now)
}

/** The e-mail address of the owner who may still sign in with a password. */
async function requireBreakGlassOwner(tx: Tx, organizationId: string, personId: string): Promise<string> {
  const row = await tx
    .selectFrom('membership')
    .innerJoin('person', 'person.id', 'membership.person_id')
    .select(['person.email', 'person.password_hash', 'membership.role'])
    .where('membership.organization_id', '=', organizationId)
    .where('membership.person_id', '=', personId)
    .executeTakeFirst()
  if (!row) throw unknownId('member', personId)
  const isProtected = hasSecondFactor(await factorsOf(tx, personId))
  if (row.role !== 'owner' || row.password_hash === null || !isProtected) {
    throw conflict(
      'break_glass_id',
      `${row.email} cannot be the exception: it must be an owner with a password and a second factor.`,
    )
  }
  return row.email
}
