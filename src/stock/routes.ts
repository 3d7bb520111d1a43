import { CURSOR_LIMIT } from '../contract/paging.ts'
import { changeStockItem, getStockItem, listStock, type StockItemWire } from '../contract/stock.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { csvLines, csvResponse, csvTexts } from '../http/csv-response.ts'
import { can, type Principal } from '../http/principal.ts'
import { excerpt, notFound } from '../lib/errors.ts'
import {
  nextCosts,
  presentStockItem,
  requirePlausibleAmounts,
  type StockItem,
  type SuggestedPrice,
} from './stock-item.ts'
import { stockSheetHeader, stockSheetRow } from './stock-sheet.ts'
import type { StockStore } from './stock-store.ts'

export type StockRouteDependencies = {
  readonly stock: Pick<StockStore, 'list' | 'export' | 'find' | 'change'>
  /** Asking price that current prices or the appraisal suggest, in the currency of the purchase. */
  readonly suggestPrice: (organizationId: string, item: StockItem) => Promise<SuggestedPrice | null>
  /** Converts an amount between two currencies at the latest rates. */
  readonly convert: (amount: number, from: string, to: string) => number
  /** Labour rate of an organization's policy in minor units of a currency. */
  readonly labourPerHour: (organizationId: string, currency: string) => number
}

export function stockRoutes({ stock, suggestPrice, convert, labourPerHour }: StockRouteDependencies): ApiRoute[] {
  const present = async (
    { organizationId, seesMargins }: Principal,
    item: StockItem,
    now: number,
  ): Promise<StockItemWire> =>
    presentStockItem(item, await suggestPrice(organizationId, item), { now, seesMargins, convert })

  async function findItem(principal: Principal, id: string, now: number): Promise<{ data: StockItemWire }> {
    // Another organization's item is NOT_FOUND, so that callers cannot probe for ids.
    const item = await stock.find(principal.organizationId, id)
    if (!item) throw notFound(`Stock item ${excerpt(id)}`)
    return { data: await present(principal, item, now) }
  }

  return [
    route(listStock, async (c) => {
      const principal = c.get('principal')
      const { organizationId } = principal
      const { status, q, purchase_id: purchaseId, after, limit = CURSOR_LIMIT, format, language } = c.get('query')
      const { now, id: requestId } = c.get('facts')
      const findsSellers = can(principal, 'sellers:read')
      if (format === 'csv') {
        const { t, style } = csvTexts(language)
        const batches = presentBatches(stock.export(organizationId, { status, q, purchaseId, findsSellers }), (item) =>
          present(principal, item, now),
        )
        const lines = csvLines(stockSheetHeader(t), batches, (item) => stockSheetRow(item, t), style)
        return { file: csvResponse('stock.csv', lines, requestId) }
      }
      const filter = {
        status,
        q,
        purchaseId,
        findsSellers,
        after: after === undefined ? undefined : Number(after),
        limit: limit + 1,
      }
      const items = await stock.list(organizationId, filter)
      const page = items.slice(0, limit)
      return {
        data: await Promise.all(page.map((item) => present(principal, item, now))),
        meta: {
          limit,
          has_next: items.length > limit,
          next_after: page.length > 0 ? String(page.at(-1)?.number) : (after ?? null),
        },
      }
    }),

    route(getStockItem, (c) => findItem(c.get('principal'), c.get('params').id, c.get('facts').now)),

    route(changeStockItem, async (c) => {
      const principal = c.get('principal')
      const { organizationId, actor } = principal
      const { id } = c.get('params')
      const { now } = c.get('facts')
      const {
        asking_price: askingPrice,
        location,
        costs,
        add_photos: add = [],
        remove_photos: remove = [],
      } = c.get('body')
      const { confirm_amount: isConfirmed } = c.get('body')
      if (!isConfirmed && (askingPrice !== undefined || costs)) {
        const item = await stock.find(organizationId, id)
        if (item) requirePlausibleAmounts(item, { askingPrice, costs }, await suggestPrice(organizationId, item))
      }
      const isChanged = await stock.change(
        organizationId,
        id,
        (item) => ({
          askingPrice,
          photos: add.length + remove.length > 0 ? { add, remove } : undefined,
          location: location === '' ? null : location,
          costs:
            costs &&
            nextCosts(item.costs, costs, {
              author: principal,
              now,
              labourPerHour: labourPerHour(organizationId, item.bought.currency),
            }),
        }),
        actor,
        now,
      )
      if (!isChanged) throw notFound(`Stock item ${excerpt(id)}`)
      return findItem(principal, id, now)
    }),
  ]
}

async function* presentBatches(
  batches: AsyncIterable<readonly StockItem[]>,
  present: (item: StockItem) => Promise<StockItemWire>,
): AsyncGenerator<StockItemWire[]> {
  for await (const batch of batches) yield await Promise.all(batch.map(present))
}
