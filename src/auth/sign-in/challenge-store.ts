import type { Database } from '../../db/database.ts'
import { type Account, auditAccount } from '../accounts/account-store.ts'
import { CHALLENGE_LIFETIME_MS } from '../accounts/lifetimes.ts'
import { generateToken } from '../accounts/token.ts'
import { type Actor, personActor } from '../actor.ts'
import { hashSecret } from '../secret-hash.ts'

/** Purpose of a challenge; it is not valid for another one. */
export type ChallengePurpose =
  | 'other_device'
  | 'choose_account'
  | 'second_factor'
  | 'passkey_sign_in'
  | 'new_passkey'
  | 'oidc'

export type Challenge = {
  /** The account that signs in; null before it is known. */
  readonly accountId: string | null
  /** Bytes that an authenticator signs, the secrets of a sign-in with an issuer, or the accounts to choose from. */
  readonly challenge: string
}

/** A sign-in that the activity names. */
type SignedIn = {
  readonly account: Account
  readonly action: 'person.signed_in_by_link'
  readonly now: number
  /** Name of the shop device. */
  readonly device: string | null
}

/** Open challenges of sign-ins and passkeys: valid once, for ten minutes. */
export function challengeStore(db: Database) {
  return {
    async openChallenge(
      purpose: ChallengePurpose,
      challenge: Challenge,
      now: number,
      /** Who lets another person sign in, for the activity. */
      madeFor?: { readonly account: Account; readonly by: Actor },
    ): Promise<string> {
      const token = generateToken()
      await db.transaction(async (tx) => {
        await tx.deleteFrom('challenge').where('expires_at', '<', now).execute()
        await tx
          .insertInto('challenge')
          .values({
            token_hash: hashSecret(token),
            purpose,
            account_id: challenge.accountId,
            challenge: challenge.challenge,
            expires_at: now + CHALLENGE_LIFETIME_MS,
          })
          .execute()
        if (madeFor) await auditAccount(tx, madeFor.account, madeFor.by, 'person.device_code_made', {}, now)
      })
      return token
    },

    async findChallenge(purpose: ChallengePurpose, token: string, now: number): Promise<Challenge | undefined> {
      return db.query
        .selectFrom('challenge')
        .select(['account_id as accountId', 'challenge'])
        .where('token_hash', '=', hashSecret(token))
        .where('purpose', '=', purpose)
        .where('expires_at', '>', now)
        .executeTakeFirst()
    },

    /** Returns whether the challenge was still open: of two concurrent responses only one succeeds. */
    async closeChallenge(token: string, signedIn?: SignedIn): Promise<boolean> {
      return db.transaction(async (tx) => {
        const closed = await tx
          .deleteFrom('challenge')
          .where('token_hash', '=', hashSecret(token))
          .returning('token_hash')
          .executeTakeFirst()
        if (closed && signedIn) {
          const { account, action, now, device } = signedIn
          await auditAccount(tx, account, personActor({ ...account, device }), action, {}, now)
        }
        return closed !== undefined
      })
    },
  }
}
