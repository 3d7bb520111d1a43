import { type CompiledQuery, type Selectable, sql } from 'kysely'
import { type Actor, authorOf } from '../auth/actor.ts'
import { writeAuditEntry } from '../auth/audit-store.ts'
import type { DefectCode } from '../contract/defects.ts'
import { MAX_STOCK_PHOTOS, type StockStatusFilter } from '../contract/stock.ts'
import type { AuthorWire } from '../contract/values.ts'
import type { Database, Tx } from '../db/database.ts'
import { type Criterion, matchingKeys, takeKeys } from '../db/record-search.ts'
import type { StockItemTable } from '../db/schema.ts'
import { requireStorage } from '../db/storage-ledger.ts'
import { writeEvents } from '../events/event-store.ts'
import { conflict } from '../lib/errors.ts'
import { sortableId } from '../lib/id.ts'
import { reason } from '../lib/reasons.ts'
import { type RecordWrites, runningTotal } from '../records/record-store.ts'
import { type HashName, searchCriteria } from '../records/search-words-store.ts'
import type { StockCost, StockItem } from './stock-item.ts'

/** A bought device, as its appraisal describes it. */
export type StockedDevice = {
  readonly organizationId: string
  readonly appraisalId: string
  readonly deviceName: string
  /** Null if it was not graded or has defects. */
  readonly grade: string | null
  readonly defects: readonly DefectCode[]
  readonly identifier: string | null
  readonly secondIdentifier: string | null
  /** Normalized identifiers. */
  readonly identifierKeys: readonly string[]
}

/** A purchase or a sale that was recorded, and by whom. */
export type StockChange = {
  readonly status: 'in_stock' | 'sold'
  /** Whether it was not bought before; it may need a number. */
  readonly isPurchase: boolean
  /** Whether it was not in stock before: bought, or its sale taken back. */
  readonly entersStock: boolean
  /** Whether a device with the same identifier may be in stock already. */
  readonly mayBeDuplicate: boolean
  readonly author: AuthorWire
  readonly now: number
}

export type StockFilter = {
  readonly status?: StockStatusFilter | undefined
  /** Words that all occur, or a stock number. */
  readonly q?: string | undefined
  /** Whether `q` finds sellers. */
  readonly findsSellers?: boolean | undefined
  /** Only the devices of this purchase. */
  readonly purchaseId?: string | undefined
  /** Only items with a lower number. */
  readonly after?: number | undefined
  readonly limit: number
}

/** More change what parts cost by little. */
const MAX_ITEMS_WITH_COSTS = 500

/** Items read at a time for an export. */
const EXPORT_ROWS = 200

export type StockStore = ReturnType<typeof stockStore>

/** Stock of each organization. An outcome writes its item in the same commit. */
export function stockStore(
  db: Database,
  /** Keyed hashes of the words of a seller's name; without it a search does not find sellers. */
  { hashName }: { readonly hashName?: HashName } = {},
) {
  const total = runningTotal(db, 'stock_total', ['organization_id'])

  const releaseIdentity = ({ organizationId, appraisalId }: StockOwner): CompiledQuery =>
    db.query
      .deleteFrom('stock_identity')
      .where('organization_id', '=', organizationId)
      .where('appraisal_id', '=', appraisalId)
      .compile()

  /** Violates the key if another process bought the same device meanwhile; the caller then reads and decides again. */
  function identityWrites(
    device: StockedDevice,
    { status, entersStock, mayBeDuplicate }: StockChange,
  ): CompiledQuery[] {
    const { organizationId: organization_id, appraisalId: appraisal_id, identifierKeys } = device
    const rows = identifierKeys.map((identifier_key) => ({ organization_id, identifier_key, appraisal_id }))
    if (status === 'sold' || rows.length === 0) return [releaseIdentity(device)]
    const insert = db.query.insertInto('stock_identity').values(rows)
    if (entersStock && !mayBeDuplicate) return [releaseIdentity(device), insert.compile()]
    const replace = insert.onConflict((conflicting) =>
      conflicting.columns(['organization_id', 'identifier_key']).doUpdateSet({ appraisal_id }),
    )
    return [replace.compile()]
  }

  /** Items with the prices of their outcomes. */
  const items = (query: Database['query'], organizationId: string) =>
    query
      .selectFrom('stock_item as item')
      .innerJoin('appraisal_outcome as outcome', (join) =>
        join
          .onRef('outcome.organization_id', '=', 'item.organization_id')
          .onRef('outcome.appraisal_id', '=', 'item.appraisal_id'),
      )
      .innerJoin('appraisal', (join) =>
        join
          .onRef('appraisal.organization_id', '=', 'item.organization_id')
          .onRef('appraisal.id', '=', 'item.appraisal_id'),
      )
      .selectAll('item')
      .select([
        'appraisal.reference',
        'outcome.purchase_id',
        'outcome.device_id',
        'outcome.variant_id',
        'outcome.grade as priced_grade',
        'outcome.market',
        'outcome.bought_price',
        'outcome.bought_currency',
        'outcome.bought_on',
        'outcome.sold_price',
        'outcome.sold_currency',
        'outcome.sold_on',
        'outcome.sold_channel',
        'outcome.currency as forecast_currency',
        'outcome.forecast_sale',
      ])
      .select(
        sql<number>`(select count(*) from stock_photo as photo where photo.organization_id = item.organization_id
          and photo.appraisal_id = item.appraisal_id)`.as('photo_count'),
      )
      .where('item.organization_id', '=', organizationId)

  /** Numbers of the items in which all words of a text occur, highest first. */
  async function* search(organizationId: string, { status, q = '', findsSellers, after }: Omit<StockFilter, 'limit'>) {
    const words = await searchCriteria(db, q, {
      organizationId,
      id: sql`stock_item.appraisal_id`,
      deviceId: sql`(select device_id from appraisal where appraisal.organization_id = stock_item.organization_id
        and appraisal.id = stock_item.appraisal_id)`,
      hashName: findsSellers ? hashName : undefined,
    })
    const ofStatus =
      status === 'reserved'
        ? sql<boolean>`status = 'in_stock' and reserved_for is not null`
        : sql<boolean>`status = ${status}`
    const statusCriterion: Criterion = {
      ids: sql`select appraisal_id as id from stock_item where organization_id = ${organizationId} and ${ofStatus}`,
      isMet: () => ofStatus,
    }
    yield* matchingKeys<number>(db, {
      table: 'stock_item',
      key: 'number',
      id: 'appraisal_id',
      organizationId,
      criteria: [...words, ...(status ? [statusCriterion] : [])],
      conditions: [sql<boolean>`status != 'removed'`],
      order: 'desc',
      below: after,
    })
  }

  async function list(organizationId: string, filter: StockFilter): Promise<StockItem[]> {
    const { status, q, purchaseId, after, limit } = filter
    if (q?.trim()) return readItems(organizationId, await takeKeys(search(organizationId, filter), limit))
    let query = items(db.query, organizationId)
    if (status === 'reserved')
      query = query.where('item.status', '=', 'in_stock').where('item.reserved_for', 'is not', null)
    else query = status ? query.where('item.status', '=', status) : query.where('item.status', '!=', 'removed')
    if (purchaseId !== undefined) query = query.where('outcome.purchase_id', '=', purchaseId)
    if (after !== undefined) query = query.where('item.number', '<', after)
    const rows = await query.orderBy('item.number', 'desc').limit(limit).execute()
    return rows.map(toItem)
  }

  async function readItems(organizationId: string, numbers: readonly number[]): Promise<StockItem[]> {
    if (numbers.length === 0) return []
    const query = items(db.query, organizationId).where('item.number', 'in', numbers)
    return (await query.orderBy('item.number', 'desc').execute()).map(toItem)
  }

  return {
    list,

    /** All matching items, highest number first, in batches. */
    async *export(organizationId: string, filter: Omit<StockFilter, 'after' | 'limit'>): AsyncGenerator<StockItem[]> {
      if (filter.q?.trim()) {
        for await (const numbers of search(organizationId, filter))
          for (let at = 0; at < numbers.length; at += EXPORT_ROWS)
            yield await readItems(organizationId, numbers.slice(at, at + EXPORT_ROWS))
        return
      }
      for (let after: number | undefined; ; ) {
        const batch = await list(organizationId, { ...filter, after, limit: EXPORT_ROWS })
        const last = batch.at(-1)
        if (!last) return
        yield batch
        after = last.number
      }
    },

    async find(organizationId: string, id: string): Promise<StockItem | null> {
      const row = await items(db.query, organizationId)
        .where('item.appraisal_id', '=', id)
        .where('item.status', '!=', 'removed')
        .executeTakeFirst()
      if (!row) return null
      const photos = await db.query
        .selectFrom('stock_photo')
        .select(['id', 'image'])
        .where('organization_id', '=', organizationId)
        .where('appraisal_id', '=', id)
        .orderBy('id')
        .execute()
      return { ...toItem(row), photos }
    },

    /** Changes an item by its current state; false if there is none. */
    async change(
      organizationId: string,
      id: string,
      decide: (item: StockItem) => StockItemChange,
      actor: Actor,
      now: number,
    ): Promise<boolean> {
      return db.transaction(async (tx) => {
        // Locks the row, so that two changes do not overwrite each other's costs.
        await tx
          .updateTable('stock_item')
          .set({ updated_at: now })
          .where('organization_id', '=', organizationId)
          .where('appraisal_id', '=', id)
          .execute()
        const row = await items(tx, organizationId)
          .where('item.appraisal_id', '=', id)
          .where('item.status', '!=', 'removed')
          .executeTakeFirst()
        if (!row) return false
        const { askingPrice, location, reservedFor, costs, photos } = decide(toItem(row))
        if (photos) await changePhotos(tx, organizationId, id, photos, now)
        await tx
          .updateTable('stock_item')
          .set({
            ...(askingPrice === undefined ? {} : { asking_price: askingPrice }),
            ...(location === undefined ? {} : { location }),
            ...(reservedFor === undefined ? {} : { reserved_for: reservedFor }),
            ...(costs === undefined ? {} : { costs: JSON.stringify(costs) }),
            updated_at: now,
          })
          .where('organization_id', '=', organizationId)
          .where('appraisal_id', '=', id)
          .execute()
        const detail = {
          ...(askingPrice === undefined ? {} : { asking_price: String(askingPrice ?? '') }),
          ...(location === undefined ? {} : { location: location ?? '' }),
          ...(reservedFor === undefined ? {} : { reserved: String(reservedFor !== null) }),
          ...(costs === undefined ? {} : { costs: String(costs.reduce((sum, { amount }) => sum + amount, 0)) }),
          ...(photos === undefined ? {} : { photos: `+${photos.add.length} -${photos.remove.length}` }),
        }
        await writeAuditEntry(
          tx,
          organizationId,
          actor,
          { action: 'appraisal.stock_changed', subject: id, detail },
          now,
        )
        // What parts cost the organization is learned from them.
        if (costs !== undefined) await db.announceChange(tx, 'access')
        const item = toItem(row)
        const sum = (costs ?? item.costs).reduce((total, { amount }) => total + amount, 0)
        const data = {
          appraisal_id: id,
          stock_number: item.number,
          asking_price: askingPrice === undefined ? item.askingPrice : askingPrice,
          location: location === undefined ? item.location : location,
          is_reserved: (reservedFor === undefined ? item.reservedFor : reservedFor) !== null,
          costs: sum,
          currency: item.bought.currency,
        }
        const isShown = [askingPrice, location, reservedFor, costs].some((changed) => changed !== undefined)
        if (isShown)
          await writeEvents(db, tx, [
            { type: 'stock.changed', organizationId, subject: `stock item ${item.number}`, createdAt: now, data },
          ])
        return true
      })
    },

    /** Parts that were booked as costs of the newest items. */
    async bookedParts(organizationId: string): Promise<BookedPartCost[]> {
      const rows = await items(db.query, organizationId)
        .where('item.costs', '!=', '[]')
        .where('item.status', '!=', 'removed')
        .orderBy('item.number', 'desc')
        .limit(MAX_ITEMS_WITH_COSTS)
        .execute()
      return rows
        .map(toItem)
        .flatMap(({ deviceId, defects, bought, costs }) =>
          costs.flatMap(({ kind, note, amount }) =>
            kind === 'part' && deviceId ? [{ deviceId, defects, note, amount, currency: bought.currency }] : [],
          ),
        )
    },

    /**
     * Creates the item of a purchase with the next number, or changes the status of an existing item. The total is
     * incremented first, so that concurrent purchases of an organization wait for each other and get different numbers.
     */
    writes(device: StockedDevice, change: StockChange): Omit<RecordWrites, 'tables'> {
      const { status, isPurchase, author, now } = change
      const { organizationId, appraisalId, deviceName, grade, defects, identifier, secondIdentifier } = device
      const by = authorJson(author)
      const isSold = status === 'sold'
      const statement =
        sql`insert into stock_item (organization_id, appraisal_id, number, status, device_name, grade, defects,
          identifier, second_identifier, bought_at, bought_by, sold_at, sold_by, costs, updated_at)
        values (${organizationId}, ${appraisalId},
          (select coalesce(max(number), 0) + 1 from stock_item where organization_id = ${organizationId}),
          ${status}, ${deviceName}, ${grade}, ${JSON.stringify(defects)}, ${identifier},
          ${secondIdentifier}, ${now}, ${by},
          ${isSold ? now : null}, ${isSold ? by : null}, '[]', ${now})
        on conflict (organization_id, appraisal_id) do update set
          bought_at = case when stock_item.status = 'removed' then excluded.bought_at else stock_item.bought_at end,
          bought_by = case when stock_item.status = 'removed' then excluded.bought_by else stock_item.bought_by end,
          sold_at = case when stock_item.status = excluded.status then stock_item.sold_at else excluded.sold_at end,
          sold_by = case when stock_item.status = excluded.status then stock_item.sold_by else excluded.sold_by end,
          reserved_for = case when excluded.status = 'sold' then null else stock_item.reserved_for end,
          status = excluded.status, updated_at = excluded.updated_at`.compile(db.query)
      return {
        totals: isPurchase ? [{ total, key: [organizationId], by: 1 }] : [],
        statements: [statement, ...identityWrites(device, change)],
      }
    },

    /** The purchase was withdrawn: the item keeps its number, in case the purchase is recorded again. */
    removal(device: StockOwner, now: number): CompiledQuery[] {
      const { organizationId, appraisalId } = device
      const update = db.query
        .updateTable('stock_item')
        .set({ status: 'removed', sold_at: null, sold_by: null, updated_at: now })
        .where('organization_id', '=', organizationId)
        .where('appraisal_id', '=', appraisalId)
        .compile()
      return [update, releaseIdentity(device)]
    },
  }
}

/** A part that was bought for a device; the amount is in minor units of the currency. */
export type BookedPartCost = {
  readonly deviceId: string
  readonly defects: readonly DefectCode[]
  readonly note: string
  readonly amount: number
  readonly currency: string
}

type StockOwner = Pick<StockedDevice, 'organizationId' | 'appraisalId'>

/** Fields that are undefined stay. */
export type StockItemChange = {
  readonly askingPrice?: number | null | undefined
  readonly location?: string | null | undefined
  readonly reservedFor?: string | null | undefined
  readonly costs?: readonly StockCost[] | undefined
  readonly photos?: PhotoChange | undefined
}

/** Data URLs to add and ids to delete. */
type PhotoChange = { readonly add: readonly string[]; readonly remove: readonly string[] }

type StockRow = Selectable<StockItemTable> & {
  readonly reference: string
  readonly purchase_id: string | null
  readonly device_id: string
  readonly variant_id: string | null
  readonly priced_grade: string | null
  readonly market: string | null
  readonly bought_price: number | null
  readonly bought_currency: string | null
  readonly bought_on: string | null
  readonly sold_price: number | null
  readonly sold_currency: string | null
  readonly sold_on: string | null
  readonly sold_channel: string | null
  readonly forecast_currency: string
  readonly forecast_sale: number | null
  readonly photo_count: number
}

function toItem(row: StockRow): StockItem {
  const toNumber = (value: number | null) => (value === null ? null : Number(value))
  return {
    id: row.appraisal_id,
    number: Number(row.number),
    status: row.status === 'sold' ? 'sold' : 'in_stock',
    deviceId: row.device_id || null,
    deviceName: row.device_name,
    variantId: row.variant_id,
    grade: row.grade,
    defects: JSON.parse(row.defects),
    pricedGrade: row.priced_grade,
    market: row.market,
    identifier: row.identifier,
    secondIdentifier: row.second_identifier,
    reference: row.reference || null,
    purchaseId: row.purchase_id,
    bought: { price: Number(row.bought_price), currency: row.bought_currency ?? '', date: row.bought_on ?? '' },
    boughtAt: Number(row.bought_at),
    boughtBy: JSON.parse(row.bought_by),
    sold:
      row.sold_price === null
        ? null
        : {
            price: Number(row.sold_price),
            currency: row.sold_currency ?? '',
            date: row.sold_on ?? '',
            channel: row.sold_channel,
          },
    soldBy: row.sold_by === null ? null : JSON.parse(row.sold_by),
    costs: JSON.parse(row.costs),
    askingPrice: toNumber(row.asking_price),
    location: row.location,
    reservedFor: row.reserved_for,
    photoCount: Number(row.photo_count),
    expectedSale:
      row.forecast_sale === null ? null : { amount: Number(row.forecast_sale), currency: row.forecast_currency },
    updatedAt: Number(row.updated_at),
  }
}

async function changePhotos(
  tx: Tx,
  organizationId: string,
  appraisalId: string,
  { add, remove }: PhotoChange,
  now: number,
): Promise<void> {
  if (remove.length > 0) {
    await tx
      .deleteFrom('stock_photo')
      .where('organization_id', '=', organizationId)
      .where('appraisal_id', '=', appraisalId)
      .where('id', 'in', remove)
      .execute()
  }
  if (add.length === 0) return
  const ofItem = await tx
    .selectFrom('stock_photo')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('organization_id', '=', organizationId)
    .where('appraisal_id', '=', appraisalId)
    .executeTakeFirstOrThrow()
  if (Number(ofItem.total) + add.length > MAX_STOCK_PHOTOS)
    throw conflict(
      'add_photos',
      `A device has at most ${MAX_STOCK_PHOTOS} photos. Delete some first.`,
      reason('photos_per_device', { maximum: MAX_STOCK_PHOTOS }),
    )
  const added = add.map((image) => ({
    organization_id: organizationId,
    appraisal_id: appraisalId,
    id: sortableId('photo', now),
    bytes: image.length,
    image,
  }))
  const amount = added.reduce((sum, { bytes }) => sum + bytes, 0)
  await requireStorage(tx, organizationId, { kind: 'stock_photos', amount, field: 'add_photos', now })
  await tx.insertInto('stock_photo').values(added).execute()
}

const authorJson = (author: AuthorWire): string => JSON.stringify(authorOf(author))
