import { type Actor, personActor } from '../auth/actor.ts'
import { hashSecret } from '../auth/secret-hash.ts'
import type { AuditAction } from '../contract/audit.ts'
import type { Database, Tx } from '../db/database.ts'
import { conflict, unknownId } from '../lib/errors.ts'
import { auditInAllOrganizations, type Person, personByEmail } from './person-store.ts'
import { generateReadableCode, normalizeReadableCode } from './readable-code.ts'
import { hasSecondFactor, type Passkey, type SecondFactors } from './second-factor.ts'

const RECOVERY_CODE_COUNT = 10

type PersonRef = Pick<Person, 'id' | 'email'>

/** Second factors: authenticator apps, passkeys and recovery codes. */
export function secondFactorStore(db: Database) {
  return {
    factorsOf: (personId: string) => factorsOf(db.query, personId),

    /** Replaces an unconfirmed secret, never one in use. */
    async beginTotp(personId: string, encrypted_secret: string): Promise<void> {
      await db.transaction(async (tx) => {
        const { totp } = await factorsOf(tx, personId)
        if (totp && !totp.isPending) throw conflict('totp', 'There is an authenticator app already. Remove it first.')
        const fresh = { encrypted_secret, confirmed_at: null, last_step: null }
        await tx
          .insertInto('totp')
          .values({ person_id: personId, ...fresh })
          .onConflict((on) => on.column('person_id').doUpdateSet(fresh))
          .execute()
      })
    },

    /** Confirms the app. Returns recovery codes if there were none. */
    async confirmTotp(person: PersonRef, step: number, now: number): Promise<string[] | null> {
      return db.transaction(async (tx) => {
        await tx
          .updateTable('totp')
          .set({ confirmed_at: now, last_step: step })
          .where('person_id', '=', person.id)
          .execute()
        await audit(tx, person, 'person.totp_added', now)
        return createRecoveryCodesIfNone(tx, person.id)
      })
    },

    /** Marks a time step as used: each code works once. */
    async takeTotpStep(personId: string, step: number): Promise<boolean> {
      return db.transaction(async (tx) => {
        const used = await tx
          .updateTable('totp')
          .set({ last_step: step })
          .where('person_id', '=', personId)
          .where('confirmed_at', 'is not', null)
          .where((eb) => eb.or([eb('last_step', 'is', null), eb('last_step', '<', step)]))
          .returning('person_id')
          .executeTakeFirst()
        return used !== undefined
      })
    },

    async removeTotp(person: PersonRef, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        await tx.deleteFrom('totp').where('person_id', '=', person.id).execute()
        await audit(tx, person, 'person.totp_removed', now)
        await deleteOrphanedRecoveryCodes(tx, person.id)
      })
    },

    async addPasskey(
      person: PersonRef,
      passkey: Pick<Passkey, 'id' | 'name' | 'publicKey' | 'counter' | 'transports'>,
      now: number,
    ): Promise<string[] | null> {
      return db.transaction(async (tx) => {
        const added = await tx
          .insertInto('passkey')
          .values({
            id: passkey.id,
            person_id: person.id,
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
        if (!added) throw conflict('passkey', 'This passkey is in use already.')
        await audit(tx, person, 'person.passkey_added', now, { name: passkey.name })
        return createRecoveryCodesIfNone(tx, person.id)
      })
    },

    async removePasskey(person: PersonRef, id: string, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        const removed = await tx
          .deleteFrom('passkey')
          .where('person_id', '=', person.id)
          .where('id', '=', id)
          .returning('name')
          .executeTakeFirst()
        if (!removed) throw unknownId('passkey', id)
        await audit(tx, person, 'person.passkey_removed', now, { name: removed.name })
        await deleteOrphanedRecoveryCodes(tx, person.id)
      })
    },

    async ownerOfPasskey(id: string): Promise<string | undefined> {
      const row = await db.query.selectFrom('passkey').select('person_id').where('id', '=', id).executeTakeFirst()
      return row?.person_id
    },

    async passkeyUsed(id: string, counter: number, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        await tx.updateTable('passkey').set({ counter, last_used_at: now }).where('id', '=', id).execute()
      })
    },

    async newRecoveryCodes(person: PersonRef, now: number): Promise<string[]> {
      return db.transaction(async (tx) => {
        await audit(tx, person, 'person.recovery_codes_made', now)
        return replaceRecoveryCodes(tx, person.id)
      })
    },

    /** Each code works once. */
    async takeRecoveryCode(person: PersonRef, typed: string, now: number): Promise<boolean> {
      return db.transaction(async (tx) => {
        const used = await tx
          .deleteFrom('recovery_code')
          .where('person_id', '=', person.id)
          .where('hash', '=', hashRecoveryCode(person.id, typed))
          .returning('hash')
          .executeTakeFirst()
        if (!used) return false
        await audit(tx, person, 'person.recovery_code_used', now)
        return true
      })
    },

    /** For the operator, if a person has lost all factors. */
    async removeFactors(email: string, actor: Actor, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        const person = await personByEmail(tx, email)
        if (!person) throw unknownId('person', email)
        await deleteFactors(tx, person.id)
        await tx.deleteFrom('session').where('person_id', '=', person.id).execute()
        await auditInAllOrganizations(tx, person, actor, 'person.second_factor_removed', {}, now)
      })
    },
  }
}

/** Writes an audit entry about a change that the person made. */
const audit = (tx: Tx, person: PersonRef, action: AuditAction, now: number, detail = {}) =>
  auditInAllOrganizations(tx, person, personActor(person), action, detail, now)

export async function deleteFactors(tx: Tx, personId: string): Promise<void> {
  for (const table of ['totp', 'passkey', 'recovery_code'] as const) {
    await tx.deleteFrom(table).where('person_id', '=', personId).execute()
  }
}

export async function factorsOf(tx: Tx, personId: string): Promise<SecondFactors> {
  const totp = await tx.selectFrom('totp').selectAll().where('person_id', '=', personId).executeTakeFirst()
  const passkeys = await tx
    .selectFrom('passkey')
    .selectAll()
    .where('person_id', '=', personId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const codes = await tx.selectFrom('recovery_code').select('hash').where('person_id', '=', personId).execute()
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
const hashRecoveryCode = (personId: string, typed: string) => hashSecret(`${personId} ${normalizeReadableCode(typed)}`)

async function createRecoveryCodesIfNone(tx: Tx, personId: string): Promise<string[] | null> {
  return (await factorsOf(tx, personId)).recoveryCodeCount === 0 ? replaceRecoveryCodes(tx, personId) : null
}

async function replaceRecoveryCodes(tx: Tx, personId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, () => generateReadableCode())
  await tx.deleteFrom('recovery_code').where('person_id', '=', personId).execute()
  await tx
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ hash: hashRecoveryCode(personId, code), person_id: personId })))
    .execute()
  return codes
}

/** Recovery codes are deleted with the last factor. */
async function deleteOrphanedRecoveryCodes(tx: Tx, personId: string): Promise<void> {
  if (hasSecondFactor(await factorsOf(tx, personId))) return
  await tx.deleteFrom('recovery_code').where('person_id', '=', personId).execute()
}
