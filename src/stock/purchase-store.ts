import type { Selectable } from 'kysely'
import type { PurchaseLineWire, PurchaseWire } from '../contract/purchases.ts'
import type { AuthorWire } from '../contract/values.ts'
import type { Database, TableRows } from '../db/database.ts'
import type { PurchaseTable } from '../db/schema.ts'
import { isoInstant } from '../lib/time.ts'
import type { SellerStore } from './seller-store.ts'

/** Devices bought of one seller at once, without its lines: they are the outcomes that name it. */
export type Purchase = {
  readonly organizationId: string
  readonly id: string
  readonly date: string
  readonly currency: string
  readonly listId: string | null
  readonly createdBy: AuthorWire
  readonly createdAt: number
}

export type PurchaseFilter = {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly after?: string | undefined
  readonly limit: number
}

export type PurchaseStore = ReturnType<typeof purchaseStore>

export function purchaseStore(db: Database, sellers: Pick<SellerStore, 'namesOf'>) {
  const purchases = (organizationId: string) =>
    db.query.selectFrom('purchase').selectAll().where('organization_id', '=', organizationId)

  async function linesOf(organizationId: string, ids: readonly string[]): Promise<Map<string, PurchaseLineWire[]>> {
    const rows = await db.query
      .selectFrom('appraisal_outcome as outcome')
      .innerJoin('stock_item as item', (join) =>
        join
          .onRef('item.organization_id', '=', 'outcome.organization_id')
          .onRef('item.appraisal_id', '=', 'outcome.appraisal_id'),
      )
      .select([
        'outcome.purchase_id',
        'outcome.appraisal_id',
        'outcome.bought_price',
        'item.number',
        'item.status',
        'item.device_name',
        'item.identifier',
        'item.second_identifier',
      ])
      .where('outcome.organization_id', '=', organizationId)
      .where('outcome.purchase_id', 'in', ids)
      .orderBy('item.number')
      .execute()
    const lines = Map.groupBy(rows, (row) => row.purchase_id ?? '')
    return new Map(
      [...lines].map(([id, ofPurchase]) => [
        id,
        ofPurchase.map((row) => ({
          appraisal_id: row.appraisal_id,
          stock_number: Number(row.number),
          status: row.status === 'sold' ? 'sold' : 'in_stock',
          device_name: row.device_name,
          identifier: row.identifier,
          second_identifier: row.second_identifier,
          price: Number(row.bought_price),
        })),
      ]),
    )
  }

  async function present(
    organizationId: string,
    rows: readonly Selectable<PurchaseTable>[],
    { withSellers }: { readonly withSellers: boolean },
  ): Promise<PurchaseWire[]> {
    if (rows.length === 0) return []
    const lines = await linesOf(
      organizationId,
      rows.map(({ id }) => id),
    )
    const names = withSellers
      ? await sellers.namesOf(
          organizationId,
          rows.map(({ id }) => id),
        )
      : null
    return rows.map((row) => {
      const ofPurchase = lines.get(row.id) ?? []
      return {
        purchase_id: row.id,
        date: row.bought_on,
        currency: row.currency,
        total: ofPurchase.reduce((sum, { price }) => sum + price, 0),
        lines: ofPurchase,
        ...(names ? { seller: names.get(row.id) ?? null } : {}),
        list_id: row.list_id,
        created_by: JSON.parse(row.created_by),
        created_at: isoInstant(Number(row.created_at)),
      }
    })
  }

  return {
    /** Purchases of an organization by id. */
    async find(organizationId: string, ids: readonly string[]): Promise<Map<string, Purchase>> {
      if (ids.length === 0) return new Map()
      const rows = await purchases(organizationId).where('id', 'in', ids).execute()
      return new Map(rows.map((row) => [row.id, toPurchase(row)]))
    },

    /** One purchase with its devices. */
    async read(organizationId: string, id: string, options: { withSellers: boolean }): Promise<PurchaseWire | null> {
      const rows = await purchases(organizationId).where('id', '=', id).execute()
      return (await present(organizationId, rows, options))[0] ?? null
    },

    /** Newest first. */
    async list(
      organizationId: string,
      { from, to, after, limit, ...options }: PurchaseFilter & { withSellers: boolean },
    ): Promise<PurchaseWire[]> {
      let query = purchases(organizationId)
      if (from !== undefined) query = query.where('bought_on', '>=', from)
      if (to !== undefined) query = query.where('bought_on', '<=', to)
      if (after !== undefined) query = query.where('id', '<', after)
      return present(organizationId, await query.orderBy('id', 'desc').limit(limit).execute(), options)
    },

    rows: (created: readonly Purchase[]): TableRows => ({ table: 'purchase', rows: created.map(toRow) }),
  }
}

const toRow = ({ organizationId, id, date, currency, listId, createdBy, createdAt }: Purchase) => ({
  organization_id: organizationId,
  id,
  bought_on: date,
  currency,
  list_id: listId,
  created_by: JSON.stringify(createdBy),
  created_at: createdAt,
})

const toPurchase = (row: Selectable<PurchaseTable>): Purchase => ({
  organizationId: row.organization_id,
  id: row.id,
  date: row.bought_on,
  currency: row.currency,
  listId: row.list_id,
  createdBy: JSON.parse(row.created_by),
  createdAt: Number(row.created_at),
})
