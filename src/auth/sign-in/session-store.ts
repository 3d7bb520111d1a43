import type { Database } from '../../db/database.ts'
import { sortableId } from '../../lib/id.ts'
import { type Account, toAccount } from '../accounts/account-store.ts'
import {
  isSessionOver,
  LAST_SEEN_RESOLUTION_MS,
  SESSION_LIFETIME_MS,
  SESSION_LIMIT_COLUMNS,
} from '../accounts/lifetimes.ts'
import { generateToken } from '../accounts/token.ts'
import type { Actor } from '../actor.ts'
import { writeAuditEntry } from '../audit-store.ts'
import { hashSecret } from '../secret-hash.ts'

export type Session = {
  readonly id: string
  readonly account: Account
  /** The organization of the account. */
  readonly organization: {
    readonly name: string
    readonly needsSecondFactor: boolean
    /** Minutes without use after which a shop device asks who is there; null: never. */
    readonly tillIdleMinutes: number | null
  }
  /** Name of the shop device that it is on; null on a person's own. */
  readonly shopDevice: string | null
}

/** Sessions of accounts. */
export function sessionStore(db: Database) {
  return {
    /** A session with a new token. */
    async openSession(
      accountId: string,
      from: { address: string; agent: string; idToken?: string | undefined; shopDevice?: string | null | undefined },
      now: number,
    ): Promise<string> {
      const token = generateToken()
      await db.transaction(async (tx) => {
        await tx
          .deleteFrom('session')
          .where('account_id', '=', accountId)
          .where('created_at', '<', now - SESSION_LIFETIME_MS)
          .execute()
        await tx
          .insertInto('session')
          .values({
            id: sortableId('ses', now),
            token_hash: hashSecret(token),
            account_id: accountId,
            address: from.address,
            agent: from.agent.slice(0, 200),
            created_at: now,
            seen_at: now,
            id_token: from.idToken ?? null,
            shop_device: from.shopDevice ?? null,
          })
          .execute()
      })
      return token
    },

    async findSession(token: string, now: number): Promise<Session | undefined> {
      const row = await db.query
        .selectFrom('session')
        .innerJoin('account', 'account.id', 'session.account_id')
        .innerJoin('organization', 'organization.id', 'account.organization_id')
        .selectAll('account')
        .select([
          'session.id as session_id',
          ...SESSION_LIMIT_COLUMNS,
          'organization.name as organization_name',
          'organization.second_factor_required as second_factor_required',
          'organization.till_idle_minutes as till_idle_minutes',
        ])
        .where('session.token_hash', '=', hashSecret(token))
        .executeTakeFirst()
      if (!row || isSessionOver(row, now)) return undefined
      if (row.seen_at < now - LAST_SEEN_RESOLUTION_MS) {
        await db.transaction(async (tx) => {
          await tx.updateTable('session').set({ seen_at: now }).where('id', '=', row.session_id).execute()
        })
      }
      return {
        id: row.session_id,
        account: toAccount(row),
        organization: {
          name: row.organization_name,
          needsSecondFactor: row.second_factor_required === 1,
          tillIdleMinutes: row.till_idle_minutes,
        },
        shopDevice: row.shop_device,
      }
    },

    /** The shop device of a session, also of one that is over: the next sign-in there is on it too. */
    async findShopDevice(token: string) {
      return db.query
        .selectFrom('session')
        .innerJoin('account', 'account.id', 'session.account_id')
        .select(['session.shop_device as name', 'account.organization_id as organizationId'])
        .where('session.token_hash', '=', hashSecret(token))
        .executeTakeFirst()
    },

    /** The ended session; undefined if there was none. */
    async endSession(accountId: string, sessionId: string): Promise<{ readonly idToken: string | null } | undefined> {
      return db.transaction((tx) =>
        tx
          .deleteFrom('session')
          .where('account_id', '=', accountId)
          .where('id', '=', sessionId)
          .returning('id_token as idToken')
          .executeTakeFirst(),
      )
    },

    /** Sessions on shop devices of an organization, last used first. */
    async shopDevices(organizationId: string, now: number) {
      const devices = await db.query
        .selectFrom('session')
        .innerJoin('account', 'account.id', 'session.account_id')
        .innerJoin('organization', 'organization.id', 'account.organization_id')
        .select([
          'session.id',
          'session.shop_device as name',
          'session.seen_at as seenAt',
          ...SESSION_LIMIT_COLUMNS,
          'account.name as personName',
          'account.email as personEmail',
          'account.role as personRole',
        ])
        .where('account.organization_id', '=', organizationId)
        .where('session.shop_device', 'is not', null)
        .orderBy('session.seen_at', 'desc')
        .execute()
      return devices.filter((device) => !isSessionOver(device, now))
    },

    /** Whether there was such a session on a shop device of the organization. */
    async endShopDevice(organizationId: string, sessionId: string, actor: Actor, now: number): Promise<boolean> {
      return db.transaction(async (tx) => {
        const found = await tx
          .selectFrom('session')
          .innerJoin('account', 'account.id', 'session.account_id')
          .select(['session.shop_device as name', 'account.email as email'])
          .where('session.id', '=', sessionId)
          .where('account.organization_id', '=', organizationId)
          .where('session.shop_device', 'is not', null)
          .executeTakeFirst()
        if (!found) return false
        await tx.deleteFrom('session').where('id', '=', sessionId).execute()
        const detail = { ended: found.name ?? '' }
        await writeAuditEntry(
          tx,
          organizationId,
          actor,
          { action: 'person.shop_device_ended', subject: found.email, detail },
          now,
        )
        return true
      })
    },

    async sessions(accountId: string) {
      return db.query
        .selectFrom('session')
        .select(['id', 'created_at as createdAt', 'seen_at as seenAt', 'address', 'agent'])
        .where('account_id', '=', accountId)
        .orderBy('seen_at', 'desc')
        .execute()
    },
  }
}
