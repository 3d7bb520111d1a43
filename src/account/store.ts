import { sortableId } from '../access/id.ts'
import { ROLES, type Role } from '../contract/account.ts'
import { TIERS, type Tier } from '../contract/endpoints.ts'
import type { Database, Tx } from '../db/open.ts'
import type { OneTimeLinkTable, PersonTable } from '../db/schema.ts'
import { CommandError, notFound } from '../errors.ts'
import { ATTEMPT_LIFE_MS, LINK_LIFE_MS, SEEN_EVERY_MS, SESSION_IDLE_MS, SESSION_LIFE_MS } from './lifetime.ts'
import { mintToken, tokenHash } from './token.ts'

export type Person = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly passwordHash: string | null
}
export type Membership = { readonly organizationId: string; readonly organizationName: string; readonly role: Role }
export type Session = { readonly id: string; readonly person: Person; readonly organizationId: string | null }
export type Link = Pick<OneTimeLinkTable, 'id' | 'purpose' | 'email'> & {
  readonly organizationId: string | null
  readonly role: Role | null
}
export type Actor = { readonly personId: string | null; readonly who: string }
export type Deed = { readonly action: string; readonly subject: string; readonly detail?: Record<string, string> }

export type AccountStore = ReturnType<typeof accountStore>

export function accountStore(db: Database) {
  async function record(tx: Tx, organizationId: string, actor: Actor, deed: Deed, now: number): Promise<void> {
    await tx
      .insertInto('activity')
      .values({
        id: sortableId('act', now),
        organization_id: organizationId,
        person_id: actor.personId,
        who: actor.who,
        action: deed.action,
        subject: deed.subject,
        detail: JSON.stringify(deed.detail ?? {}),
        created_at: now,
      })
      .execute()
  }

  async function insertLink(
    tx: Tx,
    link: Omit<OneTimeLinkTable, 'id' | 'token_hash' | 'created_at' | 'expires_at' | 'used_at'>,
    now: number,
  ): Promise<{ id: string; token: string; expiresAt: number }> {
    const token = mintToken()
    const row = {
      ...link,
      id: sortableId('lnk', now),
      token_hash: tokenHash(token),
      created_at: now,
      expires_at: now + LINK_LIFE_MS,
      used_at: null,
    }
    await tx.insertInto('one_time_link').values(row).execute()
    return { id: row.id, token, expiresAt: row.expires_at }
  }

  async function joinOrganization(tx: Tx, personId: string, organizationId: string, role: Role, now: number) {
    await tx
      .insertInto('membership')
      .values({ organization_id: organizationId, person_id: personId, role, created_at: now })
      .onConflict((conflict) => conflict.columns(['organization_id', 'person_id']).doNothing())
      .execute()
  }

  async function personByEmail(tx: Tx, email: string): Promise<Person | undefined> {
    const row = await tx.selectFrom('person').selectAll().where('email', '=', email).executeTakeFirst()
    return row && personOf(row)
  }

  async function memberships(personId: string): Promise<Membership[]> {
    const rows = await db.query
      .selectFrom('membership')
      .innerJoin('organization', 'organization.id', 'membership.organization_id')
      .select(['organization.id as organizationId', 'organization.name as organizationName', 'membership.role as role'])
      .where('membership.person_id', '=', personId)
      .orderBy('membership.created_at')
      .orderBy('organization.id')
      .execute()
    return rows.map((row) => ({ ...row, role: roleOf(row.role) }))
  }

  /** Refuses to leave an organization without anyone who could invite others. */
  async function keepAnOwner(tx: Tx, organizationId: string, leavingId: string): Promise<boolean> {
    // Writing the rows as they are holds them: two owners who remove each other at once do not both succeed.
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
    return others !== undefined
  }

  return {
    memberships,

    findPerson: (email: string) => personByEmail(db.query, email),

    /** The person with this address, new if need be, made a member, and a link that signs them in once. */
    async inviteFromCommandLine(email: string, organizationId: string, role: Role, now: number): Promise<string> {
      return db.transaction(async (tx) => {
        const organization = await tx
          .selectFrom('organization')
          .select('id')
          .where('id', '=', organizationId)
          .executeTakeFirst()
        if (!organization) {
          throw new CommandError(`There is no organization ${organizationId}; "org list" shows those there are.`)
        }
        const person = (await personByEmail(tx, email)) ?? (await insertPerson(tx, email, '', now))
        await joinOrganization(tx, person.id, organizationId, role, now)
        const actor = { personId: null, who: 'command line' }
        await record(tx, organizationId, actor, { action: 'member.added', subject: email, detail: { role } }, now)
        const link = {
          purpose: 'sign_in' as const,
          email,
          organization_id: organizationId,
          role,
          created_by: actor.who,
        }
        return (await insertLink(tx, link, now)).token
      })
    },

    async invite(organizationId: string, email: string, role: Role, actor: Actor, now: number) {
      return db.transaction(async (tx) => {
        await tx
          .deleteFrom('one_time_link')
          .where('organization_id', '=', organizationId)
          .where('email', '=', email)
          .where('purpose', '=', 'invitation')
          .where('used_at', 'is', null)
          .execute()
        const link = {
          purpose: 'invitation' as const,
          email,
          organization_id: organizationId,
          role,
          created_by: actor.who,
        }
        const made = await insertLink(tx, link, now)
        await record(tx, organizationId, actor, { action: 'member.invited', subject: email, detail: { role } }, now)
        return made
      })
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
        if (!found) throw notFound('The invitation')
        await tx.deleteFrom('one_time_link').where('id', '=', id).execute()
        await record(tx, organizationId, actor, { action: 'invitation.withdrawn', subject: found.email }, now)
      })
    },

    async findLink(token: string, now: number): Promise<Link | undefined> {
      const row = await db.query
        .selectFrom('one_time_link')
        .selectAll()
        .where('token_hash', '=', tokenHash(token))
        .where('used_at', 'is', null)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return (
        row && {
          id: row.id,
          purpose: row.purpose,
          email: row.email,
          organizationId: row.organization_id,
          role: row.role === null ? null : roleOf(row.role),
        }
      )
    },

    /** Uses the link up: the person exists afterwards, has the password and is a member. Undefined if it was used meanwhile. */
    async useLink(
      link: Link,
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
        const person = (await personByEmail(tx, link.email)) ?? (await insertPerson(tx, link.email, '', now))
        const name = chosen.name || person.name
        const passwordHash = chosen.passwordHash ?? person.passwordHash
        await tx.updateTable('person').set({ name, password_hash: passwordHash }).where('id', '=', person.id).execute()
        if (link.organizationId && link.role) {
          await joinOrganization(tx, person.id, link.organizationId, link.role, now)
          const actor = { personId: person.id, who: link.email }
          const action = link.purpose === 'invitation' ? 'member.joined' : 'person.signed_in_by_link'
          await record(tx, link.organizationId, actor, { action, subject: link.email }, now)
        }
        return { ...person, name, passwordHash }
      })
    },

    /**
     * Counts an attempt before the password is looked at, so that attempts side by side are all counted, and counts it
     * for every address alike. Returns until when none may be made, or null if this one may.
     */
    async beginAttempt(email: string, until: (failures: number) => number | null, now: number): Promise<number | null> {
      const address_hash = tokenHash(email)
      return db.transaction(async (tx) => {
        await tx
          .deleteFrom('sign_in_attempt')
          .where('attempted_at', '<', now - ATTEMPT_LIFE_MS)
          .execute()
        await tx
          .insertInto('sign_in_attempt')
          .values({ address_hash, failures: 0, blocked_until: null, attempted_at: now })
          .onConflict((conflict) => conflict.column('address_hash').doNothing())
          .execute()
        // The count and the question whether it may be counted are one statement: two at once never both pass.
        const counted = await tx
          .updateTable('sign_in_attempt')
          .set((eb) => ({ failures: eb('failures', '+', 1), attempted_at: now }))
          .where('address_hash', '=', address_hash)
          .where((eb) => eb.or([eb('blocked_until', 'is', null), eb('blocked_until', '<=', now)]))
          .returning('failures')
          .executeTakeFirst()
        const row = tx.selectFrom('sign_in_attempt').select('blocked_until').where('address_hash', '=', address_hash)
        if (!counted) return (await row.executeTakeFirst())?.blocked_until ?? now + 1_000
        const blocked_until = until(counted.failures)
        await tx
          .updateTable('sign_in_attempt')
          .set({ blocked_until })
          .where('address_hash', '=', address_hash)
          .execute()
        return null
      })
    },

    async clearAttempts(email: string): Promise<void> {
      await db.transaction(async (tx) => {
        await tx.deleteFrom('sign_in_attempt').where('address_hash', '=', tokenHash(email)).execute()
      })
    },

    /** The new password, and the end of every other session: whoever knew the old one is out. */
    async changePassword(personId: string, passwordHash: string, keepSessionId: string): Promise<void> {
      await db.transaction(async (tx) => {
        await tx.updateTable('person').set({ password_hash: passwordHash }).where('id', '=', personId).execute()
        await tx.deleteFrom('session').where('person_id', '=', personId).where('id', '!=', keepSessionId).execute()
      })
    },

    /** A session with a new token, in the given organization or else the first of the person's. */
    async openSession(
      personId: string,
      from: { address: string; agent: string; organizationId: string | null },
      now: number,
    ): Promise<string> {
      const token = mintToken()
      const organizationId = from.organizationId ?? (await memberships(personId))[0]?.organizationId ?? null
      await db.transaction(async (tx) => {
        await tx
          .deleteFrom('session')
          .where('person_id', '=', personId)
          .where((eb) =>
            eb.or([eb('created_at', '<', now - SESSION_LIFE_MS), eb('seen_at', '<', now - SESSION_IDLE_MS)]),
          )
          .execute()
        await tx
          .insertInto('session')
          .values({
            id: sortableId('ses', now),
            token_hash: tokenHash(token),
            person_id: personId,
            organization_id: organizationId,
            address: from.address,
            agent: from.agent.slice(0, 200),
            created_at: now,
            seen_at: now,
          })
          .execute()
      })
      return token
    },

    async findSession(token: string, now: number): Promise<Session | undefined> {
      const row = await db.query
        .selectFrom('session')
        .innerJoin('person', 'person.id', 'session.person_id')
        .selectAll('person')
        .select([
          'session.id as session_id',
          'session.organization_id as organization_id',
          'session.seen_at as seen_at',
        ])
        .where('session.token_hash', '=', tokenHash(token))
        .where('session.created_at', '>', now - SESSION_LIFE_MS)
        .where('session.seen_at', '>', now - SESSION_IDLE_MS)
        .executeTakeFirst()
      if (!row) return undefined
      if (row.seen_at < now - SEEN_EVERY_MS) {
        await db.transaction(async (tx) => {
          await tx.updateTable('session').set({ seen_at: now }).where('id', '=', row.session_id).execute()
        })
      }
      return { id: row.session_id, person: personOf(row), organizationId: row.organization_id }
    },

    async endSession(personId: string, sessionId: string): Promise<boolean> {
      return db.transaction(async (tx) => {
        const ended = await tx
          .deleteFrom('session')
          .where('person_id', '=', personId)
          .where('id', '=', sessionId)
          .returning('id')
          .executeTakeFirst()
        return ended !== undefined
      })
    },

    async sessions(personId: string) {
      return db.query
        .selectFrom('session')
        .select(['id', 'created_at as createdAt', 'seen_at as seenAt', 'address', 'agent'])
        .where('person_id', '=', personId)
        .orderBy('seen_at', 'desc')
        .execute()
    },

    async switchOrganization(sessionId: string, organizationId: string): Promise<void> {
      await db.transaction(async (tx) => {
        await tx.updateTable('session').set({ organization_id: organizationId }).where('id', '=', sessionId).execute()
      })
    },

    async organizationTier(organizationId: string): Promise<Tier> {
      const row = await db.query
        .selectFrom('organization_tier')
        .select('tier')
        .where('organization_id', '=', organizationId)
        .executeTakeFirst()
      return TIERS.find((tier) => tier === row?.tier) ?? 'enterprise'
    },

    async setOrganizationTier(organizationId: string, tier: Tier): Promise<void> {
      await db.transaction(async (tx) => {
        await tx
          .insertInto('organization_tier')
          .values({ organization_id: organizationId, tier })
          .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ tier }))
          .execute()
      })
    },

    async organizationName(organizationId: string): Promise<string | null> {
      const row = await db.query
        .selectFrom('organization')
        .select('name')
        .where('id', '=', organizationId)
        .executeTakeFirst()
      return row?.name ?? null
    },

    async organizationLimit(organizationId: string): Promise<number | null> {
      const row = await db.query
        .selectFrom('organization')
        .select('limit_per_minute')
        .where('id', '=', organizationId)
        .executeTakeFirst()
      return row?.limit_per_minute ?? null
    },

    async members(organizationId: string) {
      const rows = await db.query
        .selectFrom('membership')
        .innerJoin('person', 'person.id', 'membership.person_id')
        .select(['person.id', 'person.email', 'person.name', 'membership.role', 'membership.created_at as joinedAt'])
        .where('membership.organization_id', '=', organizationId)
        .orderBy('membership.created_at')
        .orderBy('person.id')
        .execute()
      return rows.map((row) => ({ ...row, role: roleOf(row.role) }))
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
      return rows.map((row) => ({ ...row, role: roleOf(row.role ?? 'member') }))
    },

    /** False when that would leave the organization without an owner. */
    async changeRole(
      organizationId: string,
      personId: string,
      role: Role,
      actor: Actor,
      now: number,
    ): Promise<boolean> {
      return db.transaction(async (tx) => {
        const email = await memberEmail(tx, organizationId, personId)
        if (role === 'member' && !(await keepAnOwner(tx, organizationId, personId))) return false
        await tx
          .updateTable('membership')
          .set({ role })
          .where('organization_id', '=', organizationId)
          .where('person_id', '=', personId)
          .execute()
        await record(
          tx,
          organizationId,
          actor,
          { action: 'member.role_changed', subject: email, detail: { role } },
          now,
        )
        return true
      })
    },

    async removeMember(organizationId: string, personId: string, actor: Actor, now: number): Promise<boolean> {
      return db.transaction(async (tx) => {
        const email = await memberEmail(tx, organizationId, personId)
        if (!(await keepAnOwner(tx, organizationId, personId))) return false
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
        await record(tx, organizationId, actor, { action: 'member.removed', subject: email }, now)
        return true
      })
    },

    async recordDeed(organizationId: string, actor: Actor, deed: Deed, now: number): Promise<void> {
      await db.transaction((tx) => record(tx, organizationId, actor, deed, now))
    },

    async activity(organizationId: string, page: { limit: number; offset: number }) {
      const mine = db.query.selectFrom('activity').where('organization_id', '=', organizationId)
      const { total } = await mine.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      const rows = await mine.selectAll().orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute()
      return { rows, total: Number(total) }
    },

    /** Who made which key, as the activity tells it. */
    async keyMakers(organizationId: string): Promise<Map<string, string>> {
      const rows = await db.query
        .selectFrom('activity')
        .select(['subject', 'who'])
        .where('organization_id', '=', organizationId)
        .where('action', 'in', ['key.created', 'key.rotated'])
        .execute()
      return new Map(rows.map((row) => [row.subject, row.who]))
    },
  }
}

async function insertPerson(tx: Tx, email: string, name: string, now: number): Promise<Person> {
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

async function memberEmail(tx: Tx, organizationId: string, personId: string): Promise<string> {
  const row = await tx
    .selectFrom('membership')
    .innerJoin('person', 'person.id', 'membership.person_id')
    .select('person.email')
    .where('membership.organization_id', '=', organizationId)
    .where('membership.person_id', '=', personId)
    .executeTakeFirst()
  if (!row) throw notFound('The member')
  return row.email
}

function personOf(row: PersonTable): Person {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    passwordHash: row.password_hash,
  }
}

function roleOf(text: string): Role {
  return ROLES.find((role) => role === text) ?? 'member'
}
