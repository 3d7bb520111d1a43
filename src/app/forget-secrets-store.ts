import type { Actor } from '../auth/actor.ts'
import { writeAuditEntry } from '../auth/audit-store.ts'
import type { Database, Tx } from '../db/database.ts'
import { assertEncryptionKey, CHECK_SETTING } from '../db/encryption-check-store.ts'
import { newWebhookSecret } from '../events/webhook-endpoint-store.ts'
import type { Encryption } from '../lib/encryption.ts'
import { SERVICE_SETTING_PREFIX } from './service-settings-store.ts'
import { isFeedRow, isSourceRow } from './stored-entries.ts'

type Context = {
  readonly tx: Tx
  readonly encryption: Encryption
  readonly actor: Actor
  readonly now: number
}

const DISABLED_REASON = 'Its secret was not in the restored backup. Rotate the secret, then enable the endpoint.'

/**
 * Every column with encrypted values, and how a database does without them. Each returns what is lost, in words. A test
 * compares the columns with those of a database in which everything is stored.
 */
export const ENCRYPTED_VALUES: readonly {
  readonly columns: readonly string[]
  readonly forget: (context: Context) => Promise<string[]>
}[] = [
  { columns: ['webhook_endpoint.secret', 'webhook_endpoint.previous_secret'], forget: replaceWebhookSecrets },
  { columns: ['totp.encrypted_secret'], forget: removeAuthenticatorApps },
  { columns: ['session.id_token'], forget: removeIdTokens },
  { columns: ['setting.value'], forget: removeStoredEntries },
  { columns: ['seller_record.document', 'seller_photo.document'], forget: removeSellers },
  { columns: ['quote.contact'], forget: removeQuoteContacts },
]

/** Removes everything that was encrypted with a lost key, so that the service starts with another one. */
export async function forgetSecrets(
  db: Database,
  encryption: Encryption,
  actor: Actor,
  now: number,
): Promise<string[]> {
  encryption.createKey()
  const forgotten = await db.transaction(async (tx) => {
    const lists: string[][] = []
    for (const { forget } of ENCRYPTED_VALUES) lists.push(await forget({ tx, encryption, actor, now }))
    return lists.flat()
  })
  await assertEncryptionKey(db, encryption)
  return forgotten
}

/** Nobody knows the new secret: the endpoint is disabled until its owner rotates it. */
async function replaceWebhookSecrets({ tx, encryption, actor, now }: Context): Promise<string[]> {
  const endpoints = await tx.selectFrom('webhook_endpoint').select(['id', 'organization_id', 'url']).execute()
  for (const { id, organization_id, url } of endpoints) {
    const disabled = { disabled_at: now, disabled_reason: DISABLED_REASON }
    await tx
      .updateTable('webhook_endpoint')
      .set({
        secret: encryption.encrypt(newWebhookSecret(), id),
        previous_secret: null,
        previous_until: null,
        ...disabled,
      })
      .where('id', '=', id)
      .execute()
    const entry = { action: 'webhook.disabled', subject: id, detail: { url, reason: DISABLED_REASON } } as const
    await writeAuditEntry(tx, organization_id, actor, entry, now)
  }
  return endpoints.map(({ id, url }) => `secret of the webhook ${id} (${url}): disabled until it is rotated`)
}

async function removeAuthenticatorApps({ tx, actor, now }: Context): Promise<string[]> {
  const accounts = await tx
    .selectFrom('totp')
    .innerJoin('account', 'account.id', 'totp.account_id')
    .select(['account.id', 'account.email', 'account.organization_id'])
    .execute()
  await tx.deleteFrom('totp').execute()
  for (const { email, organization_id } of accounts)
    await writeAuditEntry(tx, organization_id, actor, { action: 'person.totp_removed', subject: email }, now)
  return accounts.map(({ email }) => `authenticator app of ${email}`)
}

/** Only the sign-out at the issuer needs them. */
async function removeIdTokens({ tx }: Context): Promise<string[]> {
  await tx.updateTable('session').set({ id_token: null }).where('id_token', 'is not', null).execute()
  return []
}

async function removeStoredEntries({ tx }: Context): Promise<string[]> {
  const rows = await tx
    .selectFrom('setting')
    .select('name')
    .where('name', 'like', `${SERVICE_SETTING_PREFIX}%`)
    .execute()
  const names = rows.map(({ name }) => name.slice(SERVICE_SETTING_PREFIX.length))
  const entries = names.filter((name) => isSourceRow(name) || isFeedRow(name))
  const lost = [CHECK_SETTING, ...entries.map((name) => SERVICE_SETTING_PREFIX + name)]
  await tx.deleteFrom('setting').where('name', 'in', lost).execute()
  return entries.map((name) => `${name.replace(':', ' ')}, with its credentials`)
}

/** The quotes stay, without their customers. */
async function removeQuoteContacts({ tx }: Context): Promise<string[]> {
  const rows = await tx
    .updateTable('quote')
    .set({ contact: null, contact_hash: null })
    .where('contact', 'is not', null)
    .returning('id')
    .execute()
  return rows.length === 0 ? [] : [`name and contact of ${rows.length} ${rows.length === 1 ? 'quote' : 'quotes'}`]
}

/** The purchases stay, without their seller. */
async function removeSellers({ tx }: Context): Promise<string[]> {
  const { count } = await tx
    .selectFrom('seller_record')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  await tx.deleteFrom('seller_photo').execute()
  await tx.deleteFrom('seller_name').execute()
  await tx.deleteFrom('seller_record').execute()
  return Number(count) === 0
    ? []
    : [`record of the seller of ${count} ${Number(count) === 1 ? 'purchase' : 'purchases'}`]
}
