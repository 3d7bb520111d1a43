import { FIRST_START_ACTOR, personActor } from '../auth/actor.ts'
import { writeAuditEntry } from '../auth/audit-store.ts'
import { writeOperator } from '../auth/operator-store.ts'
import { type FirstTerms, insertOrganization } from '../auth/organization-store.ts'
import { hashSecret } from '../auth/secret-hash.ts'
import type { Database, Tx } from '../db/database.ts'
import { readSetting } from '../db/setting-store.ts'
import { joinOrganization } from './member-store.ts'
import { insertPerson, type Person } from './person-store.ts'
import { alreadySetUpError, generateReadableCode, normalizeReadableCode } from './readable-code.ts'

/** Set once a code was used, so that no code ever works again. */
const SETUP_DONE = 'first_owner_made'

export type FirstOwner = {
  readonly organization: string
  readonly terms: FirstTerms
  readonly email: string
  readonly name: string
  readonly passwordHash: string
}

/** Set-up codes for the first owner. */
export function setupStore(db: Database) {
  return {
    needsSetup: async () => !(await isSetUp(db.query)),

    /** Creates another code; undefined if the service has an owner. */
    async makeSetupCode(now: number): Promise<string | undefined> {
      const code = generateReadableCode()
      return db.transaction(async (tx) => {
        if (await isSetUp(tx)) return undefined
        await tx
          .insertInto('setup_code')
          .values({ hash: hashSecret(code), created_at: now })
          .execute()
        return code
      })
    },

    /** Whether the code is valid; checked before the password is hashed. */
    async isSetupCode(input: string): Promise<boolean> {
      const row = await db.query
        .selectFrom('setup_code')
        .select('hash')
        .where('hash', '=', hashSetupCode(input))
        .executeTakeFirst()
      return row !== undefined
    },

    /**
     * Creates the first owner and their organization; undefined if the code is invalid. Concurrent uses are serialized, and only
     * the first succeeds. The owner also gets the demo organization, so that its keys can be seen and revoked.
     */
    async makeFirstOwner(
      input: string,
      owner: FirstOwner,
      now: number,
    ): Promise<{ person: Person; organizationId: string } | undefined> {
      return db.transaction(async (tx) => {
        const code = await tx
          .selectFrom('setup_code')
          .select('hash')
          .where('hash', '=', hashSetupCode(input))
          .executeTakeFirst()
        if (!code) return undefined
        const isFirst = await tx
          .insertInto('setting')
          .values({ name: SETUP_DONE, value: 'yes' })
          .onConflict((conflict) => conflict.column('name').doNothing())
          .returning('name')
          .executeTakeFirst()
        if (!isFirst || (await hasPeople(tx)) || (await hasSignInLink(tx))) throw alreadySetUpError()
        await tx.deleteFrom('setup_code').execute()
        const person = { ...(await insertPerson(tx, owner.email, owner.name, now)), passwordHash: owner.passwordHash }
        await tx
          .updateTable('person')
          .set({ password_hash: owner.passwordHash, email_proven_at: now })
          .where('id', '=', person.id)
          .execute()
        const actor = personActor(person)
        const { id } = await insertOrganization(db, tx, { ...owner.terms, name: owner.organization }, actor, now)
        await writeOperator(tx, id, actor, now)
        for (const organizationId of [id, ...(await organizationsOfFirstStart(tx))]) {
          await joinOrganization(tx, person.id, organizationId, 'owner', now)
          const detail = { role: 'owner', by: 'set-up code' }
          await writeAuditEntry(
            tx,
            organizationId,
            actor,
            { action: 'member.joined', subject: person.email, detail },
            now,
          )
        }
        return { person, organizationId: id }
      })
    },
  }
}

const hashSetupCode = (input: string) => hashSecret(normalizeReadableCode(input))

async function isSetUp(tx: Tx): Promise<boolean> {
  const isDone = (await readSetting(tx, SETUP_DONE)) !== undefined
  return isDone || (await hasPeople(tx)) || (await hasSignInLink(tx))
}

/** The operator already created an owner with `user create`. */
async function hasSignInLink(tx: Tx): Promise<boolean> {
  const links = tx.selectFrom('one_time_link').select('id').where('purpose', '=', 'sign_in')
  return (await links.limit(1).executeTakeFirst()) !== undefined
}

async function hasPeople(tx: Tx): Promise<boolean> {
  return (await tx.selectFrom('person').select('id').limit(1).executeTakeFirst()) !== undefined
}

async function organizationsOfFirstStart(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom('audit_entry')
    .select('organization_id')
    .where('action', '=', 'organization.created')
    .where('who', '=', FIRST_START_ACTOR.who)
    .execute()
  return rows.map((row) => row.organization_id)
}
