import { type RawBuilder, sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'
import { contains, matchingKeys } from '../../db/record-search.ts'
import { writeSetting } from '../../db/setting-store.ts'
import { yieldToEventLoop } from '../../lib/event-loop.ts'
import { isoInstant, isoInstantOrNull } from '../../lib/time.ts'
import { findAuditEntriesOf, presentChange, rewriteAuditEntries, searchAudit } from '../audit-store.ts'
import { hashSecret } from '../secret-hash.ts'
import type { Account } from './account-store.ts'

type OwnDetail = { readonly before?: string; readonly name?: string }

export type AccountDataStore = ReturnType<typeof accountDataStore>

/** Names of settings with erasures that have not ended. */
const ERASING_PREFIX = 'erasing '

type RemovedAccount = Pick<Account, 'id' | 'organizationId' | 'email' | 'name'>

/** A removed account, and every name and address that its records may hold. */
type Erasure = RemovedAccount & {
  readonly emails: readonly string[]
  readonly names: readonly string[]
}

/** All personal data of an account: to hand it out, and to erase it. */
export function accountDataStore(db: Database) {
  /** Recorded before the first entry is rewritten: earlier names and addresses are known from the audit trail itself. */
  async function planErasure({ id, organizationId, email, name }: RemovedAccount): Promise<Erasure> {
    const emails = await allEmailsOf(db, { organizationId, email })
    const own = await findAuditEntriesOf(db, { id, organizationId }, [email])
    const renamed = own.filter(({ account_id, action }) => account_id === id && action === 'person.renamed')
    const names = renamed.map(({ detail }) => (JSON.parse(detail) as OwnDetail).name ?? '')
    const erasure = { id, organizationId, email, name, emails, names: [name, ...names] }
    await db.transaction((tx) => writeSetting(tx, `${ERASING_PREFIX}${id}`, JSON.stringify(erasure)))
    return erasure
  }

  /** May be repeated, also after a part of it was done. */
  async function finishErasure(promised: RemovedAccount | Erasure): Promise<void> {
    const erasure = 'emails' in promised ? promised : await planErasure(promised)
    const { id, emails, names } = erasure
    const texts = [...emails, ...names.filter(Boolean).map((each) => JSON.stringify(each))]
    const erased = (text: string) =>
      texts.reduce((rest, each) => rest.replaceAll(each, each.startsWith('"') ? JSON.stringify(id) : id), text)
    await rewriteAuditEntries(db, await findAuditEntriesOf(db, erasure, emails), erased)
    await db.transaction((tx) => eraseElsewhere(tx, erasure, emails))
    // Records of a person without a name have the address in its place.
    await eraseAuthor(db, erasure, [...new Set([...names, ...emails])])
    await db.transaction((tx) => tx.deleteFrom('setting').where('name', '=', `${ERASING_PREFIX}${id}`).execute())
  }

  return {
    async export({ id, organizationId, email }: Pick<Account, 'id' | 'organizationId' | 'email'>) {
      const [account, sessions, passkeys, apps, links, uploads, shares, entries] = await Promise.all([
        db.query.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
        db.query.selectFrom('session').selectAll().where('account_id', '=', id).execute(),
        db.query.selectFrom('passkey').selectAll().where('account_id', '=', id).execute(),
        db.query.selectFrom('totp').select('confirmed_at').where('account_id', '=', id).execute(),
        db.query
          .selectFrom('one_time_link')
          .selectAll()
          .where('organization_id', '=', organizationId)
          .where('email', '=', email)
          .execute(),
        db.query.selectFrom('upload').selectAll().where('owner_id', '=', id).execute(),
        db.query
          .selectFrom('appraisal_share')
          .selectAll()
          .where('organization_id', '=', organizationId)
          .where('created_by', 'like', `{"kind":"person","id":"${id}",%`)
          .execute(),
        findAuditEntriesOf(db, { id, organizationId }, [email]),
      ])
      return {
        account: {
          id,
          organization_id: organizationId,
          email,
          name: account.name,
          role: account.role,
          created_at: isoInstant(account.created_at),
          language: account.language,
        },
        sessions: sessions.map(({ address, agent, created_at, seen_at }) => ({
          address,
          agent,
          created_at: isoInstant(created_at),
          seen_at: isoInstant(seen_at),
        })),
        passkeys: passkeys.map(({ name, created_at, last_used_at }) => ({
          name,
          created_at: isoInstant(created_at),
          last_used_at: isoInstantOrNull(last_used_at),
        })),
        authenticator_apps: apps.map(({ confirmed_at }) => ({ confirmed_at: isoInstantOrNull(confirmed_at) })),
        one_time_links: links.map(({ purpose, organization_id, role, created_at, used_at }) => ({
          purpose,
          organization_id,
          role,
          created_at: isoInstant(created_at),
          used_at: isoInstantOrNull(used_at),
        })),
        uploads: uploads.map(({ organization_id, format, file, created_at }) => ({
          organization_id,
          format,
          file,
          created_at: isoInstant(created_at),
        })),
        shared_appraisals: shares.map(({ organization_id, appraisal_id, created_at }) => ({
          organization_id,
          appraisal_id,
          created_at: isoInstant(created_at),
        })),
        audit_entries: entries.map(presentChange),
      }
    },

    /**
     * Replaces address and name of a removed account by its id wherever records of its organization keep them. Those records
     * stay: what was done, when, and that the same person did it.
     */
    async erase(account: Account): Promise<void> {
      await finishErasure(account)
    },

    /** Records in the transaction of the removal that an account must be erased, also after a restart. */
    async promiseErasure(tx: Tx, { id, organizationId, email, name }: Account): Promise<void> {
      await writeSetting(tx, `${ERASING_PREFIX}${id}`, JSON.stringify({ id, organizationId, email, name }))
    },

    /** Ends the erasures that a kill or a full disk interrupted. */
    async finishErasures(): Promise<void> {
      const rows = await db.query
        .selectFrom('setting')
        .select('value')
        .where('name', 'like', `${ERASING_PREFIX}%`)
        .execute()
      for (const { value } of rows) await finishErasure(JSON.parse(value) as RemovedAccount | Erasure)
    },
  }
}

/** The address of the account and those that it had before. */
async function allEmailsOf(
  db: Database,
  { organizationId, email: current }: Pick<Account, 'organizationId' | 'email'>,
): Promise<string[]> {
  const emails = [current]
  // Grows while it is read: each address may have replaced another.
  for (const email of emails) {
    const isChange = sql<boolean>`action = 'person.email_changed' and subject = ${email}`
    for (const { detail } of await searchAudit(db, organizationId, isChange)) {
      const { before } = JSON.parse(detail) as OwnDetail
      if (before && !emails.includes(before)) emails.push(before)
    }
  }
  return emails
}

/** Columns of records that name an author, and the column by which an index finds the rows of an organization. */
const AUTHOR_COLUMNS = [
  ['lookup', 'response', 'id'],
  ['idempotency', 'response', 'key'],
  ['appraisal', 'response', 'id'],
  ['appraisal_identifier', 'created_by', 'identifier_key'],
  ['appraisal_outcome', 'created_by', 'appraisal_id'],
  ['appraisal_share', 'created_by', 'appraisal_id'],
  ['stock_item', 'bought_by', 'appraisal_id'],
  ['stock_item', 'sold_by', 'appraisal_id'],
  ['stock_item', 'costs', 'appraisal_id'],
  ['seller_record', 'created_by', 'id'],
  ['purchase', 'created_by', 'id'],
  ['price_rules', 'document', 'organization_id'],
  ['device_list', 'created_by', 'id'],
] as const

/** Rows that are rewritten in one transaction. */
const ERASED_ROWS_PER_STEP = 50

type Replacement = { readonly before: string; readonly after: string }

/** Replaces names of an author in the records of its organization. */
async function eraseAuthor(db: Database, { id, organizationId }: Erasure, names: readonly string[]): Promise<void> {
  // Without the kind before it, which stored lookups shorten.
  const author = (shownName: string) => JSON.stringify({ id, name: shownName }).slice(1)
  const authors = names.map((name) => ({ before: author(name), after: author(id) }))
  // What later appraisals of a device say about an earlier deal, see `identity.known_to_you`.
  const inSentences = names.flatMap((name) => {
    const escaped = JSON.stringify(name).slice(1, -1)
    return [
      { before: `"by":"${escaped}"`, after: `"by":"${id}"` },
      { before: ` bought by ${escaped} for `, after: ` bought by ${id} for ` },
      { before: `, by ${escaped}."`, after: `, by ${id}."` },
    ]
  })
  for (const [table, column, key] of AUTHOR_COLUMNS) {
    const replacements = column === 'response' ? [...authors, ...inSentences] : authors
    await replaceTexts(db, { table, column, key, organizationId }, replacements)
  }
}

type TextColumn = { readonly [name in 'column' | 'key' | 'organizationId']: string } & {
  readonly table: (typeof AUTHOR_COLUMNS)[number][0]
}

/** In short transactions of the rows that contain one of the texts. */
async function replaceTexts(
  db: Database,
  { table, column, key, organizationId }: TextColumn,
  replacements: readonly Replacement[],
): Promise<void> {
  const isAffected = sql.join(
    replacements.map(({ before }) => contains(column, before)),
    sql` or `,
  )
  const replaced = replacements.reduce<RawBuilder<unknown>>(
    (text, { before, after }) => sql`replace(${text}, ${before}, ${after})`,
    sql.ref(column),
  )
  const conditions = [sql<boolean>`(${isAffected})`]
  for await (const keys of matchingKeys<string>(db, { table, key, organizationId, conditions, order: 'asc' }))
    for (let at = 0; at < keys.length; at += ERASED_ROWS_PER_STEP) {
      const step = sql.join(keys.slice(at, at + ERASED_ROWS_PER_STEP))
      await db.transaction((tx) =>
        sql`update ${sql.table(table)} set ${sql.ref(column)} = ${replaced}
          where organization_id = ${organizationId} and ${sql.ref(key)} in (${step})`.execute(tx),
      )
      await yieldToEventLoop()
    }
}

async function eraseElsewhere(tx: Tx, { id, organizationId }: Erasure, emails: readonly string[]): Promise<void> {
  for (const table of ['api_key', 'one_time_link'] as const) {
    await tx
      .updateTable(table)
      .set({ created_by: id })
      .where('organization_id', '=', organizationId)
      .where('created_by', 'in', emails)
      .execute()
  }
  await tx.updateTable('upload').set({ created_by: id }).where('owner_id', '=', id).execute()
  await tx
    .deleteFrom('one_time_link')
    .where('organization_id', '=', organizationId)
    .where('email', 'in', emails)
    .execute()
  await tx.deleteFrom('sign_in_attempt').where('address_hash', 'in', emails.map(hashSecret)).execute()
}
