import { type CompiledQuery, sql } from 'kysely'
import type { AuthorWire } from '../contract/values.ts'
import type { Database } from '../db/database.ts'
import { foldText } from '../lib/fold-text.ts'
import { type RecordWrites, runningTotal } from '../records/record-store.ts'

/** A bought device, as its appraisal describes it. */
export type StockedDevice = {
  readonly organizationId: string
  readonly appraisalId: string
  readonly deviceName: string
  readonly reference: string | null
  readonly identifier: string | null
  readonly secondIdentifier: string | null
}

/** A purchase or a sale that was recorded, and by whom. */
export type StockChange = {
  readonly status: 'in_stock' | 'sold'
  /** Whether the device was not in stock before; it may need a number. */
  readonly isPurchase: boolean
  readonly author: AuthorWire
  readonly now: number
}

export type StockStore = ReturnType<typeof stockStore>

/** Stock of each organization. An outcome writes its item in the same commit. */
export function stockStore(db: Database) {
  const total = runningTotal(db, 'stock_total', ['organization_id'])

  return {
    /**
     * Creates the item of a purchase with the next number, or changes the status of an existing item. The total is
     * incremented first, so that concurrent purchases of an organization wait for each other and get different numbers.
     */
    writes(device: StockedDevice, { status, isPurchase, author, now }: StockChange): Omit<RecordWrites, 'tables'> {
      const { organizationId, appraisalId, deviceName, identifier, secondIdentifier } = device
      const by = authorJson(author)
      const isSold = status === 'sold'
      const statement =
        sql`insert into stock_item (organization_id, appraisal_id, number, status, device_name, identifier,
          second_identifier, search_text, bought_at, bought_by, sold_at, sold_by, costs, updated_at)
        values (${organizationId}, ${appraisalId},
          (select coalesce(max(number), 0) + 1 from stock_item where organization_id = ${organizationId}),
          ${status}, ${deviceName}, ${identifier}, ${secondIdentifier}, ${searchText(device)}, ${now}, ${by},
          ${isSold ? now : null}, ${isSold ? by : null}, '[]', ${now})
        on conflict (organization_id, appraisal_id) do update set
          bought_at = case when stock_item.status = 'removed' then excluded.bought_at else stock_item.bought_at end,
          bought_by = case when stock_item.status = 'removed' then excluded.bought_by else stock_item.bought_by end,
          sold_at = case when stock_item.status = excluded.status then stock_item.sold_at else excluded.sold_at end,
          sold_by = case when stock_item.status = excluded.status then stock_item.sold_by else excluded.sold_by end,
          status = excluded.status, updated_at = excluded.updated_at`.compile(db.query)
      return { totals: isPurchase ? [{ total, key: [organizationId], by: 1 }] : [], statements: [statement] }
    },

    /** The purchase was withdrawn: the item keeps its number, in case the purchase is recorded again. */
    removal(
      { organizationId, appraisalId }: Pick<StockedDevice, 'organizationId' | 'appraisalId'>,
      now: number,
    ): CompiledQuery {
      return db.query
        .updateTable('stock_item')
        .set({ status: 'removed', sold_at: null, sold_by: null, updated_at: now })
        .where('organization_id', '=', organizationId)
        .where('appraisal_id', '=', appraisalId)
        .compile()
    },
  }
}

const authorJson = ({ kind, id, name }: AuthorWire): string => JSON.stringify({ kind, id, name })

function searchText({ deviceName, reference, identifier, secondIdentifier }: StockedDevice): string {
  const numbers = [identifier, secondIdentifier].flatMap((each) => each?.replace(/[^0-9A-Za-z]/g, '') ?? [])
  return foldText([deviceName, reference ?? '', ...numbers].join(' '))
}
