import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Actor } from '../auth/actor.ts'
import { writeAuditEntry } from '../auth/audit-store.ts'
import type { SellerEntryWire, SellerInputWire, SellerRecordMode, SellerWire } from '../contract/sellers.ts'
import type { AuthorWire } from '../contract/values.ts'
import type { Database } from '../db/database.ts'
import { matchingKeys, takeKeys } from '../db/record-search.ts'
import type { Encryption } from '../lib/encryption.ts'
import { DomainError, limitReached } from '../lib/errors.ts'
import { foldText } from '../lib/fold-text.ts'
import { reason } from '../lib/reasons.ts'
import { DAY_MS, isoInstant } from '../lib/time.ts'
import type { RecordWrites } from '../records/record-store.ts'
import { wordsOf } from '../records/search-words-store.ts'

/** Photos of sellers per organization; about 2,000 purchases with two photos each. */
const MAX_PHOTO_BYTES = 1_000_000_000
const MAX_PURCHASES_PER_PERSON = 100
const EXPORT_ROWS = 200
const EXPIRED_PER_STATEMENT = 1_000

type StoredSeller = Omit<SellerInputWire, 'signature' | 'photos'> & { readonly photo_count: number }
type StoredPhotos = Pick<SellerInputWire, 'signature' | 'photos'>

type Purchase = { readonly organizationId: string; readonly appraisalId: string }

export type SellerFilter = {
  readonly appraisalId?: string | undefined
  readonly personId?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly after?: string | undefined
  readonly limit: number
}

export type SellerStore = ReturnType<typeof sellerStore>

/** Everything stored of a seller. */
const SELLER_TABLES = ['seller_record', 'seller_photos', 'seller_name'] as const

/** Hashes of the words of a name, by which a search finds it without decrypting. */
export const nameHashes = (encryption: Pick<Encryption, 'digest'>, organizationId: string, text: string): string[] => [
  ...new Set(wordsOf(text).map((word) => encryption.digest(word, `seller name ${organizationId}`))),
]

/** Sellers of bought devices, encrypted. An outcome writes them in the same commit. */
export function sellerStore(db: Database, encryption: Pick<Encryption, 'encrypt' | 'decrypt' | 'digest'>) {
  const ownerOf = (organizationId: string, appraisalId: string) => `seller ${organizationId} ${appraisalId}`

  /** What an organization records about sellers. */
  async function modeOf(organizationId: string): Promise<SellerRecordMode> {
    const row = await db.query
      .selectFrom('organization')
      .select('seller_record')
      .where('id', '=', organizationId)
      .executeTakeFirst()
    return (row?.seller_record ?? 'off') as SellerRecordMode
  }

  /** Replaces the words of an earlier seller of the device. */
  function nameWrites({ organizationId, appraisalId }: Purchase, name: string): CompiledQuery[] {
    const rows = nameHashes(encryption, organizationId, name).map((name_hash) => ({
      organization_id: organizationId,
      name_hash,
      appraisal_id: appraisalId,
    }))
    const removal = db.query
      .deleteFrom('seller_name')
      .where('organization_id', '=', organizationId)
      .where('appraisal_id', '=', appraisalId)
      .compile()
    const insertion = db.query
      .insertInto('seller_name')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
    return rows.length === 0 ? [removal] : [removal, insertion.compile()]
  }

  const purchases = (organizationId: string) =>
    db.query
      .selectFrom('seller_record as seller')
      .innerJoin('appraisal_outcome as outcome', (join) =>
        join
          .onRef('outcome.organization_id', '=', 'seller.organization_id')
          .onRef('outcome.appraisal_id', '=', 'seller.appraisal_id'),
      )
      .leftJoin('stock_item as item', (join) =>
        join
          .onRef('item.organization_id', '=', 'seller.organization_id')
          .onRef('item.appraisal_id', '=', 'seller.appraisal_id'),
      )
      .select([
        'seller.appraisal_id',
        'seller.person_key',
        'seller.document',
        'seller.created_by',
        'seller.created_at',
        'outcome.bought_on',
        'outcome.bought_price',
        'outcome.bought_currency',
        'item.number',
        'item.device_name',
        'item.identifier',
        'item.second_identifier',
      ])
      .where('seller.organization_id', '=', organizationId)

  /** Purchases of a period of days, newest appraisal first. */
  function searchPeriod(organizationId: string, { appraisalId, personId, from, to, after }: SellerFilter) {
    const ofOrganization = sql`organization_id = ${organizationId}`
    const isWithin = (day: RawBuilder<unknown>) =>
      sql<boolean>`${day} >= ${from ?? ''} and ${day} <= ${to ?? '9999-12-31'}`
    // By the primary key: SQLite would look for the purchase among all of the period.
    const boughtOn = sql`(select bought_on from appraisal_outcome as outcome where outcome.${ofOrganization}
      and outcome.appraisal_id = seller_record.appraisal_id)`
    return matchingKeys<string>(db, {
      table: 'seller_record',
      key: 'appraisal_id',
      organizationId,
      criteria: [
        {
          ids: sql`select appraisal_id as id from appraisal_outcome where ${ofOrganization}
            and ${isWithin(sql`bought_on`)}`,
          isMet: () => isWithin(boughtOn),
        },
        ...Object.entries({ appraisal_id: appraisalId, person_key: personId }).flatMap(([column, value]) => {
          if (value === undefined) return []
          const isEqual = sql<boolean>`${sql.ref(column)} = ${value}`
          return {
            ids: sql`select appraisal_id as id from seller_record where ${ofOrganization} and ${isEqual}`,
            isMet: () => isEqual,
          }
        }),
      ],
      order: 'desc',
      below: after,
    })
  }

  async function list(organizationId: string, filter: SellerFilter): Promise<SellerEntryWire[]> {
    const { appraisalId, personId, from, to, after, limit } = filter
    let query = purchases(organizationId)
    if (from !== undefined || to !== undefined) {
      const ids = await takeKeys(searchPeriod(organizationId, filter), limit)
      if (ids.length === 0) return []
      query = query.where('seller.appraisal_id', 'in', ids)
    } else {
      if (appraisalId !== undefined) query = query.where('seller.appraisal_id', '=', appraisalId)
      if (personId !== undefined) query = query.where('seller.person_key', '=', personId)
      if (after !== undefined) query = query.where('seller.appraisal_id', '<', after)
    }
    const rows = await query.orderBy('seller.appraisal_id', 'desc').limit(limit).execute()
    return rows.map((row) => {
      const seller = JSON.parse(
        encryption.decrypt(row.document, ownerOf(organizationId, row.appraisal_id)),
      ) as StoredSeller
      return {
        appraisal_id: row.appraisal_id,
        person_id: row.person_key,
        bought_on: row.bought_on ?? '',
        price: Number(row.bought_price),
        currency: row.bought_currency ?? '',
        stock_number: row.number === null ? null : Number(row.number),
        device_name: row.device_name ?? '',
        identifier: row.identifier,
        second_identifier: row.second_identifier,
        name: seller.name,
        address: seller.address ?? null,
        id_kind: seller.id_kind ?? null,
        id_number: seller.id_number ?? null,
        date_of_birth: seller.date_of_birth ?? null,
        payout: seller.payout ? { method: seller.payout.method, reference: seller.payout.reference ?? null } : null,
        photo_count: seller.photo_count,
        created_by: JSON.parse(row.created_by),
        created_at: isoInstant(Number(row.created_at)),
      }
    })
  }

  return {
    list,

    /** The whole register, newest first, in batches. */
    async *export(
      organizationId: string,
      filter: Omit<SellerFilter, 'after' | 'limit'>,
    ): AsyncGenerator<SellerEntryWire[]> {
      for (let after: string | undefined; ; ) {
        const batch = await list(organizationId, { ...filter, after, limit: EXPORT_ROWS })
        const last = batch.at(-1)
        if (!last) return
        yield batch
        after = last.appraisal_id
      }
    },

    /** Rows of a seller that are written with the purchase; throws if the organization does not record this. */
    async prepare(
      purchase: Purchase,
      seller: SellerInputWire,
      author: AuthorWire,
      now: number,
      /** Name of the item of a batch, or of the purchase, in error messages. */
      prefix = '',
    ): Promise<Pick<RecordWrites, 'tables' | 'statements'>> {
      const { organizationId, appraisalId } = purchase
      requireMode(await modeOf(organizationId), seller, prefix)
      const { signature, photos = [], ...person } = seller
      const bytes = photos.reduce((sum, { image }) => sum + image.length, signature?.length ?? 0)
      if (bytes > 0) await requireRoom(db, organizationId, bytes, prefix)
      const owner = ownerOf(organizationId, appraisalId)
      const createdBy = { kind: author.kind, id: author.id, name: author.name }
      const identity = person.id_number
        ? `id ${person.id_kind ?? ''} ${foldText(person.id_number).replace(/[^\p{L}\p{N}]/gu, '')}`
        : `name ${foldText(person.name)} ${person.date_of_birth ?? ''}`
      const record = {
        organization_id: organizationId,
        appraisal_id: appraisalId,
        person_key: encryption.digest(identity, `seller ${organizationId}`),
        document: encryption.encrypt(JSON.stringify({ ...person, photo_count: photos.length }), owner),
        photo_bytes: bytes,
        created_by: JSON.stringify(createdBy),
        created_at: now,
      }
      const pictures = {
        organization_id: organizationId,
        appraisal_id: appraisalId,
        document: encryption.encrypt(JSON.stringify({ signature, photos }), owner),
      }
      const options = { conflictColumns: ['organization_id', 'appraisal_id'] }
      return {
        tables: [
          { table: 'seller_record', rows: [record], options },
          { table: 'seller_photos', rows: [pictures], options },
        ],
        statements: nameWrites(purchase, person.name),
      }
    },

    /** The purchase was withdrawn: there is no reason to keep its seller. */
    removal: ({ organizationId, appraisalId }: Purchase) =>
      SELLER_TABLES.map((table) =>
        db.query
          .deleteFrom(table)
          .where('organization_id', '=', organizationId)
          .where('appraisal_id', '=', appraisalId)
          .compile(),
      ),

    /** Everything stored about a person; null if there is nothing. */
    async find(organizationId: string, personId: string, actor: Actor, now: number): Promise<SellerWire | null> {
      const entries = await list(organizationId, { personId, limit: MAX_PURCHASES_PER_PERSON })
      if (entries.length === 0) return null
      const rows = await db.query
        .selectFrom('seller_photos')
        .select(['appraisal_id', 'document'])
        .where('organization_id', '=', organizationId)
        .where(
          'appraisal_id',
          'in',
          entries.map((entry) => entry.appraisal_id),
        )
        .execute()
      const pictures = new Map(
        rows.map(({ appraisal_id: id, document }) => [
          id,
          JSON.parse(encryption.decrypt(document, ownerOf(organizationId, id))) as StoredPhotos,
        ]),
      )
      await db.transaction((tx) =>
        writeAuditEntry(tx, organizationId, actor, { action: 'appraisal.seller_read', subject: personId }, now),
      )
      return {
        person_id: personId,
        purchases: entries.map((entry) => {
          const { signature, photos } = pictures.get(entry.appraisal_id) ?? {}
          return { ...entry, signature: signature ?? null, photos: photos ?? [] }
        }),
      }
    },

    auditExport: (organizationId: string, actor: Actor, now: number) =>
      db.transaction((tx) =>
        writeAuditEntry(
          tx,
          organizationId,
          actor,
          { action: 'appraisal.sellers_exported', subject: organizationId },
          now,
        ),
      ),

    /** Deletes everything stored about a person; returns the number of purchases. */
    async erase(organizationId: string, personId: string, actor: Actor, now: number): Promise<number> {
      return db.transaction(async (tx) => {
        // Deleted first: another process may record another seller of the same device meanwhile.
        const rows = await tx
          .deleteFrom('seller_record')
          .where('organization_id', '=', organizationId)
          .where('person_key', '=', personId)
          .returning('appraisal_id')
          .execute()
        if (rows.length === 0) return 0
        for (const table of ['seller_photos', 'seller_name'] as const) {
          await tx
            .deleteFrom(table)
            .where('organization_id', '=', organizationId)
            .where(
              'appraisal_id',
              'in',
              rows.map((row) => row.appraisal_id),
            )
            .execute()
        }
        const detail = { purchases: String(rows.length) }
        await writeAuditEntry(
          tx,
          organizationId,
          actor,
          { action: 'appraisal.seller_erased', subject: personId, detail },
          now,
        )
        return rows.length
      })
    },
  }
}

/** Deletes the sellers that organizations keep no longer. */
export async function deleteExpiredSellers(db: Database, now: number): Promise<void> {
  const organizations = await db.query
    .selectFrom('organization')
    .select(['id', 'seller_retention_days'])
    .where('seller_retention_days', 'is not', null)
    .execute()
  for (const { id, seller_retention_days: days } of organizations) {
    const before = now - Number(days) * DAY_MS
    await db.transaction(async (tx) => {
      const expired = await tx
        .deleteFrom('seller_record')
        .where('organization_id', '=', id)
        .where('created_at', '<', before)
        .returning('appraisal_id')
        .execute()
      const ids = expired.map((row) => row.appraisal_id)
      for (const table of ['seller_photos', 'seller_name'] as const)
        for (let at = 0; at < ids.length; at += EXPIRED_PER_STATEMENT)
          await tx
            .deleteFrom(table)
            .where('organization_id', '=', id)
            .where('appraisal_id', 'in', ids.slice(at, at + EXPIRED_PER_STATEMENT))
            .execute()
    })
  }
}

function requireMode(mode: SellerRecordMode, seller: SellerInputWire, prefix: string): void {
  if (mode === 'full') return
  const extra = Object.entries(seller).find(
    ([field, value]) => value !== undefined && field !== 'name' && field !== 'payout',
  )
  if (mode === 'name' && !extra) return
  const message =
    mode === 'off'
      ? 'Your organization records no sellers. An owner turns it on with the setting seller_record.'
      : `Your organization records the name and the payout of sellers only, not ${extra?.[0]}. An owner changes the setting seller_record to full.`
  throw new DomainError('invalid', message, reason(mode === 'off' ? 'no_seller_records' : 'seller_name_only'), [
    { field: `${prefix}${extra && mode === 'name' ? `seller.${extra[0]}` : 'seller'}`, message },
  ])
}

async function requireRoom(db: Database, organizationId: string, bytes: number, prefix: string): Promise<void> {
  const { total } = await db.query
    .selectFrom('seller_record')
    .select(({ fn }) => fn.sum<number | null>('photo_bytes').as('total'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  if (Number(total ?? 0) + bytes <= MAX_PHOTO_BYTES) return
  const hint = 'Set seller_retention_days, or record the purchase without photos.'
  throw limitReached(
    `${prefix}seller.photos`,
    MAX_PHOTO_BYTES,
    'bytes of photos of sellers',
    hint,
    reason('limit_photos'),
  )
}
