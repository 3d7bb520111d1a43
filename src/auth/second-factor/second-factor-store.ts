import type { AuditAction } from '../../contract/audit.ts'
import type { Database, Tx } from '../../db/database.ts'
import { conflict, unknownId } from '../../lib/errors.ts'
import { reason } from '../../lib/reasons.ts'
import { type Account, auditAccount } from '../accounts/account-store.ts'
import { generateReadableCode, normalizeReadableCode } from '../accounts/readable-code.ts'
import { personActor } from '../actor.ts'
import { hashSecret } from '../secret-hash.ts'
import { hasSecondFactor, type Passkey, type SecondFactors } from './second-factor.ts'

const RECOVERY_CODE_COUNT = 10

type AccountRef = Pick<Account, 'id' | 'organizationId' | 'email'>

/** Second factors: authenticator apps, passkeys and recovery codes. */
export function secondFactorStore(db: Database) {
  return {
    factorsOf: (accountId: string) => factorsOf(db.query, accountId),

    /** Replaces an unconfirmed secret, never one in use. */
    async beginTotp(accountId: string, encrypted_secret: string): Promise<void> {
      await db.transaction(async (tx) => {
        const { totp } = await factorsOf(tx, accountId)
        if (totp && !totp.isPending)
          throw conflict('totp', 'There is an authenticator app already. Remove it first.', reason('app_exists'))
        const fresh = { encrypted_secret, confirmed_at: null, last_step: null }
        await tx
          .insertInto('totp')
          .values({ account_id: accountId, ...fresh })
          .onConflict((on) => on.column('account_id').doUpdateSet(fresh))
          .execute()
      })
    },

    /** Confirms the app. Returns recovery codes if there were none. */
    async confirmTotp(account: AccountRef, step: number, now: number): Promise<string[] | null> {
      return db.transaction(async (tx) => {
        await tx
          .updateTable('totp')
          .set({ confirmed_at: now, last_step: step })
          .where('account_id', '=', account.id)
          .execute()
        await audit(tx, account, 'person.totp_added', now)
        return createRecoveryCodesIfNone(tx, account.id)
      })
    },

    /** Marks a time step as used: each code works once. */
    async takeTotpStep(accountId: string, step: number): Promise<boolean> {
      return db.transaction(async (tx) => {
        const used = await tx
          .updateTable('totp')
          .set({ last_step: step })
          .where('account_id', '=', accountId)
          .where('confirmed_at', 'is not', null)
          .where((eb) => eb.or([eb('last_step', 'is', null), eb('last_step', '<', step)]))
          .returning('account_id')
          .executeTakeFirst()
        return used !== undefined
      })
    },

    async removeTotp(account: AccountRef, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        await tx.deleteFrom('totp').where('account_id', '=', account.id).execute()
        await audit(tx, account, 'person.totp_removed', now)
        await deleteOrphanedRecoveryCodes(tx, account.id)
      })
    },

    async addPasskey(
      account: AccountRef,
      passkey: Pick<Passkey, 'id' | 'name' | 'publicKey' | 'counter' | 'transports'>,
      now: number,
    ): Promise<string[] | null> {
      return db.transaction(async (tx) => {
        const added = await tx
          .insertInto('passkey')
          .values({
            id: passkey.id,
            account_id: account.id,
            name: passkey.name,
            public_key: passkey.publicKey,
            counter: passkey.counter,
            transports: JSON.stringify(passkey.transports),
            created_at: now,
            last_used_at: null,
          })
          .onConflict((on) => on.column('id').doNothing())
          .returning('id')
          .executeTakeFirst()
        if (!added) throw conflict('passkey', 'This passkey is in use already.', reason('passkey_exists'))
        await audit(tx, account, 'person.passkey_added', now, { name: passkey.name })
        return createRecoveryCodesIfNone(tx, account.id)
      })
    },

    async removePasskey(account: AccountRef, id: string, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        const removed = await tx
          .deleteFrom('passkey')
          .where('account_id', '=', account.id)
          .where('id', '=', id)
          .returning('name')
          .executeTakeFirst()
        if (!removed) throw unknownId('passkey', id)
        await audit(tx, account, 'person.passkey_removed', now, { name: removed.name })
        await deleteOrphanedRecoveryCodes(tx, account.id)
      })
    },

    async ownerOfPasskey(id: string): Promise<string | undefined> {
      const row = await db.query.selectFrom('passkey').select('account_id').where('id', '=', id).executeTakeFirst()
      return row?.account_id
    },

    async passkeyUsed(id: string, counter: number, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        await tx.updateTable('passkey').set({ counter, last_used_at: now }).where('id', '=', id).execute()
      })
    },

    async newRecoveryCodes(account: AccountRef, now: number): Promise<string[]> {
      return db.transaction(async (tx) => {
        await audit(tx, account, 'person.recovery_codes_made', now)
        return replaceRecoveryCodes(tx, account.id)
      })
    },

    /** Each code works once. */
    async takeRecoveryCode(account: AccountRef, typed: string, now: number): Promise<boolean> {
      return db.transaction(async (tx) => {
        const used = await tx
          .deleteFrom('recovery_code')
          .where('account_id', '=', account.id)
          .where('hash', '=', hashRecoveryCode(account.id, typed))
          .returning('hash')
          .executeTakeFirst()
        if (!used) return false
        await audit(tx, account, 'person.recovery_code_used', now)
        return true
      })
    },
  }
}

/** Writes an audit entry about a change that the person made. */
const audit = (tx: Tx, account: AccountRef, action: AuditAction, now: number, detail = {}) =>
  auditAccount(tx, account, personActor(account), action, detail, now)

export async function deleteFactors(tx: Tx, accountId: string): Promise<void> {
  for (const table of ['totp', 'passkey', 'recovery_code'] as const) {
    await tx.deleteFrom(table).where('account_id', '=', accountId).execute()
  }
}

export async function factorsOf(tx: Tx, accountId: string): Promise<SecondFactors> {
  const totp = await tx.selectFrom('totp').selectAll().where('account_id', '=', accountId).executeTakeFirst()
  const passkeys = await tx
    .selectFrom('passkey')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const codes = await tx.selectFrom('recovery_code').select('hash').where('account_id', '=', accountId).execute()
  return {
    totp: totp ? { encryptedSecret: totp.encrypted_secret, isPending: totp.confirmed_at === null } : null,
    passkeys: passkeys.map((row) => ({
      id: row.id,
      name: row.name,
      publicKey: row.public_key,
      counter: row.counter,
      transports: JSON.parse(row.transports),
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at,
    })),
    recoveryCodeCount: codes.length,
  }
}

/** 80 random bits each; the hash includes the person, so that codes of two people never collide. */
const hashRecoveryCode = (accountId: string, typed: string) =>
  hashSecret(`${accountId} ${normalizeReadableCode(typed)}`)

async function createRecoveryCodesIfNone(tx: Tx, accountId: string): Promise<string[] | null> {
  return (await factorsOf(tx, accountId)).recoveryCodeCount === 0 ? replaceRecoveryCodes(tx, accountId) : null
}

async function replaceRecoveryCodes(tx: Tx, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, () => generateReadableCode())
  await tx.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
  await tx
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ hash: hashRecoveryCode(accountId, code), account_id: accountId })))
    .execute()
  return codes
}

/** Recovery codes are deleted with the last factor. */
async function deleteOrphanedRecoveryCodes(tx: Tx, accountId: string): Promise<void> {
  if (hasSecondFactor(await factorsOf(tx, accountId))) return
  await tx.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
}
