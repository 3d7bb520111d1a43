import type { Database, Tx } from '../../db/database.ts'
import { readSetting } from '../../db/setting-store.ts'
import { personActor } from '../actor.ts'
import { writeAuditEntry } from '../audit-store.ts'
import { findFirstOrganization } from '../first-start-store.ts'
import { writeOperator } from '../operator-store.ts'
import { type FirstTerms, insertOrganization, setUpOrganization } from '../organization-store.ts'
import { hashSecret } from '../secret-hash.ts'
import { type Account, insertAccount } from './account-store.ts'
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
     * Creates the first owner in the organization of the first start, or in a new one; undefined if the code is invalid.
     * Concurrent uses are serialized, and only the first succeeds.
     */
    async makeFirstOwner(input: string, owner: FirstOwner, now: number): Promise<Account | undefined> {
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
        if (!isFirst || (await hasAccounts(tx)) || (await hasInvitation(tx))) throw alreadySetUpError()
        await tx.deleteFrom('setup_code').execute()
        const organizationId = await organizationForOwner(db, tx, owner, now)
        const { email, name, passwordHash } = owner
        const account = await insertAccount(tx, { organizationId, email, name, role: 'owner', passwordHash }, now)
        if (!account) throw alreadySetUpError()
        const actor = personActor(account)
        await writeOperator(tx, organizationId, actor, now)
        const detail = { role: 'owner', by: 'set-up code' }
        await writeAuditEntry(tx, organizationId, actor, { action: 'member.joined', subject: email, detail }, now)
        return account
      })
    },
  }
}

const hashSetupCode = (input: string) => hashSecret(normalizeReadableCode(input))

async function isSetUp(tx: Tx): Promise<boolean> {
  const isDone = (await readSetting(tx, SETUP_DONE)) !== undefined
  return isDone || (await hasAccounts(tx)) || (await hasInvitation(tx))
}

/** The operator already invited an owner with `user create`. */
async function hasInvitation(tx: Tx): Promise<boolean> {
  const links = tx.selectFrom('one_time_link').select('id').where('purpose', '=', 'invitation')
  return (await links.limit(1).executeTakeFirst()) !== undefined
}

async function hasAccounts(tx: Tx): Promise<boolean> {
  return (await tx.selectFrom('account').select('id').limit(1).executeTakeFirst()) !== undefined
}

async function organizationForOwner(db: Database, tx: Tx, owner: FirstOwner, now: number): Promise<string> {
  // The account does not exist yet, so its id is not in these entries.
  const actor = { personId: null, who: owner.email }
  const terms = { ...owner.terms, name: owner.organization }
  const first = await findFirstOrganization(tx)
  if (first === undefined) return (await insertOrganization(db, tx, terms, actor, now)).id
  await setUpOrganization(db, tx, first, terms, actor, now)
  return first
}
