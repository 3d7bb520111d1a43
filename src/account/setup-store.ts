import { asPerson, FIRST_START } from '../access/actor.ts'
import { writeAuditEntry } from '../access/audit-store.ts'
import { nameOperator } from '../access/operator-store.ts'
import { insertOrganization } from '../access/organization-store.ts'
import { secretHash } from '../access/secret.ts'
import type { Database, Tx } from '../db/open.ts'
import { joinOrganization } from './member-store.ts'
import { insertPerson, type Person } from './person-store.ts'
import { alreadySetUp, mintTypedCode, readTypedCode } from './typed-code.ts'

/** The fact that somebody was let in by a code; it is never taken back, so that no code ever works again. */
const DONE = 'first_owner_made'

export type FirstOwner = {
  readonly organization: string
  readonly email: string
  readonly name: string
  readonly passwordHash: string
}

/** How a service that belongs to nobody yet gets its first owner. */
export function setupStore(db: Database) {
  return {
    needsSetup: async () => !(await isSetUp(db.query)),

    /** Another code, beside those made before; undefined when there is somebody already. */
    async makeSetupCode(now: number): Promise<string | undefined> {
      const code = mintTypedCode()
      return db.transaction(async (tx) => {
        if (await isSetUp(tx)) return undefined
        await tx
          .insertInto('setup_code')
          .values({ hash: secretHash(code), created_at: now })
          .execute()
        return code
      })
    },

    /** Whether it is a code, before a password is hashed for it. */
    async isSetupCode(typed: string): Promise<boolean> {
      const row = await db.query
        .selectFrom('setup_code')
        .select('hash')
        .where('hash', '=', hashOf(typed))
        .executeTakeFirst()
      return row !== undefined
    },

    /**
     * The first owner and their organization; undefined if the code is none. Whoever writes first that it is done wins: a
     * second use waits for the first and finds it done. The organization that the first start made becomes theirs too, so
     * that its keys can be seen and revoked.
     */
    async makeFirstOwner(
      typed: string,
      owner: FirstOwner,
      now: number,
    ): Promise<{ person: Person; organizationId: string } | undefined> {
      return db.transaction(async (tx) => {
        const code = await tx
          .selectFrom('setup_code')
          .select('hash')
          .where('hash', '=', hashOf(typed))
          .executeTakeFirst()
        if (!code) return undefined
        const isFirst = await tx
          .insertInto('setting')
          .values({ name: DONE, value: 'yes' })
          .onConflict((conflict) => conflict.column('name').doNothing())
          .returning('name')
          .executeTakeFirst()
        if (!isFirst || (await hasPeople(tx))) throw alreadySetUp()
        await tx.deleteFrom('setup_code').execute()
        const person = { ...(await insertPerson(tx, owner.email, owner.name, now)), passwordHash: owner.passwordHash }
        await tx.updateTable('person').set({ password_hash: owner.passwordHash }).where('id', '=', person.id).execute()
        const actor = asPerson(person)
        const { id } = await insertOrganization(tx, owner.organization, actor, now)
        await nameOperator(tx, id, actor, now)
        for (const organizationId of [id, ...(await madeByFirstStart(tx))]) {
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

const hashOf = (typed: string) => secretHash(readTypedCode(typed))

async function isSetUp(tx: Tx): Promise<boolean> {
  const done = await tx.selectFrom('setting').select('name').where('name', '=', DONE).executeTakeFirst()
  return done !== undefined || hasPeople(tx)
}

async function hasPeople(tx: Tx): Promise<boolean> {
  return (await tx.selectFrom('person').select('id').limit(1).executeTakeFirst()) !== undefined
}

async function madeByFirstStart(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom('activity')
    .select('organization_id')
    .where('action', '=', 'organization.created')
    .where('who', '=', FIRST_START.who)
    .execute()
  return rows.map((row) => row.organization_id)
}
