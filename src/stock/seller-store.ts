import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { type Actor, authorOf } from '../auth/actor.ts'
import { type AuditEntry, auditRow, writeAuditEntry } from '../auth/audit-store.ts'
import {
  CORRECTION_MINUTES,
  RECEIPT_HOURS,
  type SellerEntryWire,
  type SellerImageWire,
  type SellerInputWire,
  type SellerOnReceiptWire,
  type SellerRecordMode,
  type SellerStatus,
  type SellerWire,
} from '../contract/sellers.ts'
import type { AuthorWire } from '../contract/values.ts'
import type { Database, Tx } from '../db/database.ts'
import { matchingKeys, takeKeys } from '../db/record-search.ts'
import type { SellerRecordTable, StockItemTable } from '../db/schema.ts'
import { requireStorage } from '../db/storage-ledger.ts'
import type { Encryption } from '../lib/encryption.ts'
import { DomainError } from '../lib/errors.ts'
import { foldText } from '../lib/fold-text.ts'
import { sortableId } from '../lib/id.ts'
import { reason } from '../lib/reasons.ts'
import { DAY_MS, HOUR_MS, isoInstant, MINUTE_MS } from '../lib/time.ts'
import type { RecordAuthor } from '../records/durable-response-service.ts'
import type { RecordWrites } from '../records/record-store.ts'
import { wordsOf } from '../records/search-words-store.ts'

const EXPORT_ROWS = 200
const EXPIRED_PER_STATEMENT = 500
const CORRECTION_MS = CORRECTION_MINUTES * MINUTE_MS
const RECEIPT_MS = RECEIPT_HOURS * HOUR_MS

type ImageKind = SellerImageWire['kind']
/** `images`: what each stored image shows, in the order of their positions. */
type StoredSeller = Omit<SellerInputWire, 'signature' | 'photos'> & { readonly images: readonly ImageKind[] }
type StoredImage = { readonly kind: ImageKind; readonly image: string }

type Purchase = { readonly organizationId: string; readonly appraisalId: string }

type Deal = {
  readonly date: string
  readonly price: number
  readonly currency: string
  readonly purchaseId: string | null
}

/** The rows of a seller, once the deals of the devices are decided. */
type SellerWrites = (dealOf: (appraisalId: string) => Deal) => Pick<RecordWrites, 'tables' | 'statements'>

/** Who records a seller. */
export type SellerCaller = {
  readonly organizationId: string
  readonly principal: RecordAuthor
  readonly mayCorrectSellers?: boolean
  readonly now: number
}

type SellerSelection = {
  readonly appraisalId?: string | undefined
  readonly personId?: string | undefined
  readonly status?: SellerStatus | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}
export type SellerFilter = SellerSelection & { readonly after?: string | undefined; readonly limit: number }

export type SellerStore = ReturnType<typeof sellerStore>

/** Hashes of the words of a name, by which a search finds it without decrypting. */
export const nameHashes = (encryption: Pick<Encryption, 'digest'>, organizationId: string, text: string): string[] => [
  ...new Set(wordsOf(text).map((word) => encryption.digest(word, `seller name ${organizationId}`))),
]

/** Sellers of bought devices, encrypted. An outcome writes them in the same commit. */
export function sellerStore(db: Database, encryption: Pick<Encryption, 'encrypt' | 'decrypt' | 'digest'>) {
  const ownerOf = (organizationId: string, id: string) => `seller ${organizationId} ${id}`
  const ownerOfImage = (organizationId: string, photosId: string, position: number) =>
    `seller image ${organizationId} ${photosId} ${position}`

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
    const insertion = db.query
      .insertInto('seller_name')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
    const removal = nameRemoval({ organizationId, appraisalId })
    return rows.length === 0 ? [removal] : [removal, insertion.compile()]
  }

  const nameRemoval = ({ organizationId, appraisalId }: Purchase) =>
    db.query
      .deleteFrom('seller_name')
      .where('organization_id', '=', organizationId)
      .where('appraisal_id', '=', appraisalId)
      .compile()

  /** Ends the current version of a purchase, if there is one below `version`. */
  const ending = (purchase: Purchase, status: SellerStatus, now: number, version?: number) => {
    const update = db.query
      .updateTable('seller_record')
      .set({ status, ended_at: now })
      .where('organization_id', '=', purchase.organizationId)
      .where('appraisal_id', '=', purchase.appraisalId)
      .where('status', '=', 'current')
    return (version === undefined ? update : update.where('version', '<', version)).compile()
  }

  /** Versions of all records of some purchases, oldest first. */
  async function versionsOf(organizationId: string, appraisalIds: readonly string[]) {
    const rows = await db.query
      .selectFrom('seller_record')
      .select(['appraisal_id', 'version', 'status', 'person_key', 'digest', 'created_by', 'created_at'])
      .where('organization_id', '=', organizationId)
      .where('appraisal_id', 'in', appraisalIds)
      .orderBy('version')
      .execute()
    return Map.groupBy(rows, (row) => row.appraisal_id)
  }

  const records = (organizationId: string) =>
    db.query
      .selectFrom('seller_record as seller')
      .leftJoin('stock_item as item', (join) =>
        join
          .onRef('item.organization_id', '=', 'seller.organization_id')
          .onRef('item.appraisal_id', '=', 'seller.appraisal_id'),
      )
      .select([
        'seller.id',
        'seller.appraisal_id',
        'seller.purchase_id',
        'seller.version',
        'seller.status',
        'seller.person_key',
        'seller.document',
        'seller.photos_id',
        'seller.bought_on',
        'seller.bought_price',
        'seller.bought_currency',
        'seller.created_by',
        'seller.created_at',
        'seller.ended_at',
        'item.number',
        'item.device_name',
        'item.identifier',
        'item.second_identifier',
      ])
      .where('seller.organization_id', '=', organizationId)
  type RecordRow = Awaited<ReturnType<ReturnType<typeof records>['execute']>>[number]

  /** Versions of purchases of a period of days, newest first. */
  function searchPeriod(organizationId: string, { appraisalId, personId, status, from, to, after }: SellerFilter) {
    const ofOrganization = sql`organization_id = ${organizationId}`
    const isWithin = sql<boolean>`bought_on >= ${from ?? ''} and bought_on <= ${to ?? '9999-12-31'}`
    const isEqual = Object.entries({ appraisal_id: appraisalId, person_key: personId, status }).flatMap(
      ([column, value]) => (value === undefined ? [] : sql<boolean>`${sql.ref(column)} = ${value}`),
    )
    return matchingKeys<string>(db, {
      table: 'seller_record',
      key: 'id',
      organizationId,
      criteria: [isWithin, ...isEqual].map((condition) => ({
        ids: sql`select id from seller_record where ${ofOrganization} and ${condition}`,
        isMet: () => condition,
      })),
      order: 'desc',
      below: after,
    })
  }

  async function find(organizationId: string, filter: SellerFilter): Promise<RecordRow[]> {
    const { appraisalId, personId, status, from, to, after, limit } = filter
    let query = records(organizationId)
    if (from !== undefined || to !== undefined) {
      const ids = await takeKeys(searchPeriod(organizationId, filter), limit)
      if (ids.length === 0) return []
      query = query.where('seller.id', 'in', ids)
    } else {
      if (appraisalId !== undefined) query = query.where('seller.appraisal_id', '=', appraisalId)
      if (personId !== undefined) query = query.where('seller.person_key', '=', personId)
      if (status !== undefined) query = query.where('seller.status', '=', status)
      if (after !== undefined) query = query.where('seller.id', '<', after)
    }
    return query.orderBy('seller.id', 'desc').limit(limit).execute()
  }

  const decrypt = (organizationId: string, { id, document }: Pick<RecordRow, 'id' | 'document'>) =>
    JSON.parse(encryption.decrypt(document, ownerOf(organizationId, id))) as StoredSeller

  async function readImage(organizationId: string, photosId: string, position: number): Promise<StoredImage | null> {
    const row = await db.query
      .selectFrom('seller_photo')
      .select('document')
      .where('organization_id', '=', organizationId)
      .where('photos_id', '=', photosId)
      .where('position', '=', position)
      .executeTakeFirst()
    if (!row) return null
    return JSON.parse(encryption.decrypt(row.document, ownerOfImage(organizationId, photosId, position)))
  }

  const audit = (organizationId: string, actor: Actor, entry: AuditEntry, now: number) =>
    db.transaction((tx) => writeAuditEntry(tx, organizationId, actor, entry, now))

  async function list(organizationId: string, filter: SellerFilter): Promise<SellerEntryWire[]> {
    const rows = await find(organizationId, filter)
    return rows.map((row) => presentEntry(row, decrypt(organizationId, row)))
  }

  return {
    list,

    /** The whole register, newest first, in batches. */
    async *export(organizationId: string, selection: SellerSelection): AsyncGenerator<SellerEntryWire[]> {
      for (let after: string | undefined; ; ) {
        const batch = await list(organizationId, { ...selection, after, limit: EXPORT_ROWS })
        const last = batch.at(-1)
        if (!last) return
        yield batch
        after = last.id
      }
    },

    /**
     * A version of the seller for each of the devices, written with their purchases; the devices have its images in
     * common. Nothing is written for a device whose current version says the same. Throws if the organization does not
     * record this, and for a correction that the caller may not make.
     */
    async prepare(
      appraisalIds: readonly string[],
      seller: SellerInputWire,
      caller: SellerCaller,
      /** Name of the item of a batch, or of the purchase, in error messages. */
      prefix = '',
    ): Promise<SellerWrites> {
      const { organizationId, principal, now } = caller
      requireMode(await modeOf(organizationId), seller, prefix)
      const digest = encryption.digest(JSON.stringify(seller), `seller digest ${organizationId}`)
      const versions = await versionsOf(organizationId, appraisalIds)
      const changes = appraisalIds.flatMap((appraisalId) => {
        const earlier = versions.get(appraisalId) ?? []
        const current = earlier.find(({ status }) => status === 'current')
        if (current?.digest === digest) return []
        if (current && !mayCorrect(earlier, current, caller)) throw correctionOver(prefix)
        return { appraisalId, current, version: Number(earlier.at(-1)?.version ?? 0) + 1 }
      })
      if (changes.length === 0) return () => ({ tables: [] })
      const { signature, photos = [], ...person } = seller
      const images: StoredImage[] = [
        ...(signature ? [{ kind: 'signature', image: signature } as const] : []),
        ...photos,
      ]
      const bytes = images.reduce((sum, { image }) => sum + image.length, 0)
      const storage = { kind: 'seller_photos', amount: bytes, field: `${prefix}seller.photos`, now } as const
      if (bytes > 0) await requireStorage(db.query, organizationId, storage)
      const identity = person.id_number
        ? `id ${person.id_kind ?? ''} ${foldText(person.id_number).replace(/[^\p{L}\p{N}]/gu, '')}`
        : `name ${foldText(person.name)} ${person.date_of_birth ?? ''}`
      const personKey = encryption.digest(identity, `seller ${organizationId}`)
      const stored = JSON.stringify({ ...person, images: images.map(({ kind }) => kind) })
      return (dealOf) => {
        const photosId = sortableId('img', now)
        const rows = changes.map(({ appraisalId, version }) => {
          const id = sortableId('sel', now)
          const { date, price, currency, purchaseId } = dealOf(appraisalId)
          return {
            organization_id: organizationId,
            id,
            appraisal_id: appraisalId,
            purchase_id: purchaseId,
            kind: person.kind ?? 'person',
            version,
            status: 'current',
            person_key: personKey,
            document: encryption.encrypt(stored, ownerOf(organizationId, id)),
            digest,
            photos_id: images.length > 0 ? photosId : null,
            bought_on: date,
            bought_price: price,
            bought_currency: currency,
            created_by: JSON.stringify(authorOf(principal)),
            created_at: now,
          }
        })
        const pictures = images.map((image, position) => ({
          organization_id: organizationId,
          photos_id: photosId,
          position,
          bytes: image.image.length,
          document: encryption.encrypt(JSON.stringify(image), ownerOfImage(organizationId, photosId, position)),
        }))
        const entries = changes.map(({ appraisalId, current, version }): AuditEntry => {
          const samePerson = current?.person_key === personKey ? 'same' : 'other'
          return {
            action: current ? 'appraisal.seller_replaced' : 'appraisal.seller_recorded',
            subject: appraisalId,
            detail: { version: String(version), ...(current ? { person: samePerson } : {}) },
          }
        })
        return {
          tables: [
            { table: 'seller_record', rows },
            ...(pictures.length > 0 ? [{ table: 'seller_photo', rows: pictures } as const] : []),
            {
              table: 'audit_entry',
              rows: entries.map((entry) => auditRow(organizationId, principal.actor, entry, now)),
            },
          ],
          statements: changes.flatMap(({ appraisalId, version }) => [
            ending({ organizationId, appraisalId }, 'replaced', now, version),
            ...nameWrites({ organizationId, appraisalId }, person.name),
          ]),
        }
      }
    },

    /** The current version follows the price and the day of its purchase. */
    followPurchase: (
      { organizationId, appraisalId }: Purchase,
      { date, price, currency, purchaseId }: Deal,
    ): CompiledQuery =>
      db.query
        .updateTable('seller_record')
        .set({ bought_on: date, bought_price: price, bought_currency: currency, purchase_id: purchaseId })
        .where('organization_id', '=', organizationId)
        .where('appraisal_id', '=', appraisalId)
        .where('status', '=', 'current')
        .compile(),

    /** The seller of a purchase is that of a device that joins it. */
    async inherit(
      purchaseId: string,
      appraisalId: string,
      { organizationId, principal, now }: SellerCaller,
    ): Promise<SellerWrites> {
      const versions = (await versionsOf(organizationId, [appraisalId])).get(appraisalId) ?? []
      const source = await db.query
        .selectFrom('seller_record')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('purchase_id', '=', purchaseId)
        .where('status', '=', 'current')
        .limit(1)
        .executeTakeFirst()
      if (!source || versions.some(({ status }) => status === 'current')) return () => ({ tables: [] })
      const seller = decrypt(organizationId, source)
      const version = Number(versions.at(-1)?.version ?? 0) + 1
      return (dealOf) => {
        const id = sortableId('sel', now)
        const { date, price, currency } = dealOf(appraisalId)
        const row = {
          ...source,
          id,
          appraisal_id: appraisalId,
          version,
          document: encryption.encrypt(JSON.stringify(seller), ownerOf(organizationId, id)),
          bought_on: date,
          bought_price: price,
          bought_currency: currency,
          created_by: JSON.stringify(authorOf(principal)),
          created_at: now,
        }
        const detail = { version: String(version) }
        const entry: AuditEntry = { action: 'appraisal.seller_recorded', subject: appraisalId, detail }
        return {
          tables: [
            { table: 'seller_record', rows: [row] },
            { table: 'audit_entry', rows: [auditRow(organizationId, principal.actor, entry, now)] },
          ],
          statements: nameWrites({ organizationId, appraisalId }, seller.name),
        }
      }
    },

    /** Who sold purchases, by purchase. */
    async namesOf(organizationId: string, purchaseIds: readonly string[]) {
      const rows = await db.query
        .selectFrom('seller_record')
        .select(['id', 'purchase_id', 'document'])
        .where('organization_id', '=', organizationId)
        .where('purchase_id', 'in', purchaseIds)
        .where('status', '=', 'current')
        .execute()
      const perPurchase = new Map(rows.map((row) => [row.purchase_id ?? '', row]))
      return new Map(
        [...perPurchase].map(([purchaseId, row]) => {
          const { kind, name, vat_number } = presentPerson(decrypt(organizationId, row))
          return [purchaseId, { kind, name, vat_number }]
        }),
      )
    },

    /** The purchase was withdrawn: its record stays in the register until the retention ends. */
    withdrawal({ organizationId, appraisalId }: Purchase, actor: Actor, now: number): CompiledQuery[] {
      const entry = { action: 'appraisal.seller_withdrawn', subject: appraisalId } as const
      const { id, who, account_id, detail } = auditRow(organizationId, actor, entry, now)
      // In one statement with its condition: only a purchase with a seller has an entry.
      const auditEntry = sql`insert into audit_entry (id, organization_id, account_id, who, action, subject, detail,
          created_at)
        select ${id}, organization_id, ${account_id}, ${who}, ${entry.action}, appraisal_id, ${detail},
          ${sql.val(now)} from seller_record
        where organization_id = ${organizationId} and appraisal_id = ${appraisalId} and status = 'current'`
      return [
        auditEntry.compile(db.query),
        ending({ organizationId, appraisalId }, 'withdrawn', now),
        nameRemoval({ organizationId, appraisalId }),
      ]
    },

    /** A page of what is stored about a person; null if there is nothing. */
    async find(
      organizationId: string,
      personId: string,
      page: { readonly after?: string | undefined; readonly limit: number },
      actor: Actor,
      now: number,
    ): Promise<SellerWire | null> {
      const rows = await find(organizationId, { personId, ...page })
      if (rows.length === 0 && page.after === undefined) return null
      await audit(organizationId, actor, { action: 'appraisal.seller_read', subject: personId }, now)
      return {
        person_id: personId,
        purchases: rows.map((row) => {
          const seller = decrypt(organizationId, row)
          const images = seller.images.map((kind, position) => ({ id: `${row.photos_id}-${position}`, kind }))
          return { ...presentEntry(row, seller), images }
        }),
      }
    },

    /** An image of a person; null if there is none. */
    async findImage(
      organizationId: string,
      personId: string,
      imageId: string,
      actor: Actor,
      now: number,
    ): Promise<SellerImageWire | null> {
      const [photosId = '', position = ''] = imageId.split('-')
      const record = await db.query
        .selectFrom('seller_record')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('person_key', '=', personId)
        .where('photos_id', '=', photosId)
        .executeTakeFirst()
      const image =
        record && /^\d{1,2}$/.test(position) && (await readImage(organizationId, photosId, Number(position)))
      if (!image) return null
      const detail = { image: imageId }
      await audit(organizationId, actor, { action: 'appraisal.seller_read', subject: personId, detail }, now)
      return { id: imageId, ...image }
    },

    /** The current seller of a purchase, for its receipt; null if none is recorded. */
    async findForReceipt(
      appraisalId: string,
      { organizationId, principal, mayReadSellers, now }: SellerCaller & { readonly mayReadSellers: boolean },
    ): Promise<SellerOnReceiptWire | null> {
      const [row] = await find(organizationId, { appraisalId, status: 'current', limit: 1 })
      if (!row) return null
      const isOwn = isAuthor(row.created_by, principal) && now - Number(row.created_at) <= RECEIPT_MS
      if (!isOwn && !mayReadSellers)
        throw new DomainError(
          'forbidden',
          `Who recorded a seller may read it for ${RECEIPT_HOURS} hours; after that only managers and owners may.`,
          reason('seller_not_yours'),
        )
      const seller = decrypt(organizationId, row)
      const position = seller.images.indexOf('signature')
      const signature = position >= 0 && row.photos_id ? await readImage(organizationId, row.photos_id, position) : null
      const detail = { purpose: 'receipt' }
      await audit(
        organizationId,
        principal.actor,
        { action: 'appraisal.seller_read', subject: row.person_key, detail },
        now,
      )
      return { ...presentPerson(seller), signature: signature?.image ?? null }
    },

    auditExport: (organizationId: string, actor: Actor, now: number) =>
      audit(organizationId, actor, { action: 'appraisal.sellers_exported', subject: organizationId }, now),

    /** Deletes everything stored about a person; returns the number of purchases. */
    async erase(organizationId: string, personId: string, actor: Actor, now: number): Promise<number> {
      return db.transaction(async (tx) => {
        // Deleted first: another process may record another seller of the same device meanwhile.
        const rows = await tx
          .deleteFrom('seller_record')
          .where('organization_id', '=', organizationId)
          .where('person_key', '=', personId)
          .returning(['appraisal_id', 'photos_id', 'status'])
          .execute()
        if (rows.length === 0) return 0
        await deleteImages(tx, organizationId, rows)
        await deleteNames(tx, organizationId, rows)
        const purchases = new Set(rows.map((row) => row.appraisal_id)).size
        const entry = {
          action: 'appraisal.seller_erased',
          subject: personId,
          detail: { purchases: String(purchases) },
        } as const
        await writeAuditEntry(tx, organizationId, actor, entry, now)
        return purchases
      })
    },
  }
}

type StoredVersion = {
  readonly version: number
  readonly status: string
  readonly created_by: string
  readonly created_at: number
}

const isAuthor = (createdBy: string, { kind, id }: AuthorWire) => {
  const author = JSON.parse(createdBy) as AuthorWire
  return author.kind === kind && author.id === id
}

/** Who recorded a seller may correct it shortly after the first version; a manager at any time. */
function mayCorrect(
  versions: readonly StoredVersion[],
  current: StoredVersion,
  { principal, mayCorrectSellers, now }: SellerCaller,
): boolean {
  if (mayCorrectSellers) return true
  const withdrawn = versions.findLastIndex(({ status }) => status === 'withdrawn')
  const first = versions[withdrawn + 1] ?? current
  return isAuthor(current.created_by, principal) && now - Number(first.created_at) <= CORRECTION_MS
}

function correctionOver(prefix: string): DomainError {
  const message = `The seller of this purchase is recorded. Who recorded it may correct it for ${CORRECTION_MINUTES} minutes; after that a manager must.`
  const why = reason('seller_correction_over', { minutes: CORRECTION_MINUTES })
  return new DomainError('forbidden', message, why, [{ field: `${prefix}seller`, message }])
}

const presentPerson = (seller: StoredSeller) => ({
  kind: seller.kind ?? 'person',
  name: seller.name,
  vat_number: seller.vat_number ?? null,
  address: seller.address ?? null,
  id_kind: seller.id_kind ?? null,
  id_number: seller.id_number ?? null,
  date_of_birth: seller.date_of_birth ?? null,
  payout: seller.payout ? { method: seller.payout.method, reference: seller.payout.reference ?? null } : null,
})

type EntryRow = Pick<
  SellerRecordTable,
  | 'id'
  | 'appraisal_id'
  | 'purchase_id'
  | 'version'
  | 'status'
  | 'person_key'
  | 'bought_on'
  | 'bought_price'
  | 'bought_currency'
  | 'created_by'
  | 'created_at'
  | 'ended_at'
> & { [Column in 'number' | 'device_name' | 'identifier' | 'second_identifier']: StockItemTable[Column] | null }

const presentEntry = (row: EntryRow, seller: StoredSeller): SellerEntryWire => ({
  id: row.id,
  appraisal_id: row.appraisal_id,
  purchase_id: row.purchase_id,
  version: Number(row.version),
  status: row.status as SellerStatus,
  person_id: row.person_key,
  bought_on: row.bought_on,
  price: Number(row.bought_price),
  currency: row.bought_currency,
  stock_number: row.number === null ? null : Number(row.number),
  device_name: row.device_name ?? '',
  identifier: row.identifier,
  second_identifier: row.second_identifier,
  ...presentPerson(seller),
  photo_count: seller.images.filter((kind) => kind !== 'signature').length,
  created_by: JSON.parse(row.created_by),
  created_at: isoInstant(Number(row.created_at)),
  ended_at: row.ended_at === null ? null : isoInstant(Number(row.ended_at)),
})

type DeletedRecord = Pick<SellerRecordTable, 'appraisal_id' | 'photos_id' | 'status'>

/** Deletes the images of deleted records that no other record has. */
async function deleteImages(tx: Tx, organizationId: string, records: readonly DeletedRecord[]): Promise<void> {
  const ids = [...new Set(records.flatMap(({ photos_id: id }) => id ?? []))]
  for (let at = 0; at < ids.length; at += EXPIRED_PER_STATEMENT) {
    const step = ids.slice(at, at + EXPIRED_PER_STATEMENT)
    const stillUsed = tx
      .selectFrom('seller_record')
      .select('photos_id')
      .where('organization_id', '=', organizationId)
      .where('photos_id', 'in', step)
    await tx
      .deleteFrom('seller_photo')
      .where('organization_id', '=', organizationId)
      .where('photos_id', 'in', step)
      .where('photos_id', 'not in', stillUsed.$narrowType<{ photos_id: string }>())
      .execute()
  }
}

/** A search no longer finds purchases by the names of deleted current versions. */
async function deleteNames(tx: Tx, organizationId: string, records: readonly DeletedRecord[]): Promise<void> {
  const ids = records.flatMap(({ appraisal_id: id, status }) => (status === 'current' ? id : []))
  for (let at = 0; at < ids.length; at += EXPIRED_PER_STATEMENT)
    await tx
      .deleteFrom('seller_name')
      .where('organization_id', '=', organizationId)
      .where('appraisal_id', 'in', ids.slice(at, at + EXPIRED_PER_STATEMENT))
      .execute()
}

/** Deletes the sellers that organizations keep no longer. */
export async function deleteExpiredSellers(db: Database, now: number): Promise<void> {
  const organizations = await db.query
    .selectFrom('organization')
    .select(['id', 'seller_retention_days'])
    .where('seller_retention_days', 'is not', null)
    .execute()
  for (const { id, seller_retention_days: days } of organizations)
    await deleteSellers(db, sql<boolean>`organization_id = ${id} and created_at < ${now - Number(days) * DAY_MS}`)
}

/** Deletes the sellers of appraisals with ids below a bound. */
export const deleteSellersBelow = (db: Database, appraisalId: string): Promise<void> =>
  deleteSellers(db, sql<boolean>`appraisal_id < ${appraisalId}`)

async function deleteSellers(db: Database, condition: RawBuilder<boolean>): Promise<void> {
  for (;;) {
    const count = await db.transaction(async (tx) => {
      const expired = await tx
        .selectFrom('seller_record')
        .select(['organization_id', 'id', 'appraisal_id', 'photos_id', 'status'])
        .where(condition)
        .limit(EXPIRED_PER_STATEMENT)
        .execute()
      for (const [organizationId, rows] of Map.groupBy(expired, (row) => row.organization_id)) {
        await tx
          .deleteFrom('seller_record')
          .where('organization_id', '=', organizationId)
          .where(
            'id',
            'in',
            rows.map(({ id }) => id),
          )
          .execute()
        await deleteImages(tx, organizationId, rows)
        await deleteNames(tx, organizationId, rows)
      }
      return expired.length
    })
    if (count < EXPIRED_PER_STATEMENT) return
  }
}

function requireMode(mode: SellerRecordMode, seller: SellerInputWire, prefix: string): void {
  // The setting is about natural persons.
  if (mode === 'full' || seller.kind === 'company') return
  const extra = Object.entries(seller).find(
    ([field, value]) => value !== undefined && field !== 'kind' && field !== 'name' && field !== 'payout',
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
