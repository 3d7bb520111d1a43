import { CURSOR_LIMIT } from '../contract/paging.ts'
import {
  changeStock,
  changeStockItem,
  getStockItem,
  listStock,
  type StockChangeWire,
  type StockItemWire,
  type StockLayout,
} from '../contract/stock.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { csvLines, csvResponse, csvTexts } from '../http/csv-response.ts'
import { can, type Principal } from '../http/principal.ts'
import { formatCsvLine } from '../lib/csv-writer.ts'
import { excerpt, notFound } from '../lib/errors.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { asItemError, presentItemError } from '../records/batch-item.ts'
import { layoutHeader, layoutRow, layoutSeparator } from './shop-layouts.ts'
import {
  nextCosts,
  presentStockItem,
  requirePlausibleAmounts,
  type StockItem,
  type SuggestedPrice,
} from './stock-item.ts'
import { stockSheetHeader, stockSheetRow } from './stock-sheet.ts'
import type { StockFilter, StockStore } from './stock-store.ts'

/** Items whose current price is asked at once. */
const PRICED_PER_STEP = 50
/** A request looks at this many items at most; the next page continues. */
const MAX_PRICED_ITEMS = 2_000

export type StockRouteDependencies = {
  readonly stock: Pick<StockStore, 'list' | 'export' | 'find' | 'change'>
  /** Asking price that current prices or the appraisal suggest, in the currency of the purchase. */
  readonly suggestPrice: (organizationId: string, item: StockItem) => Promise<SuggestedPrice | null>
  /** Converts an amount between two currencies at the latest rates. */
  readonly convert: (amount: number, from: string, to: string) => number
  /** Currency of an organization's policy. */
  readonly currencyOf: (organizationId: string) => string
  /** Labour rate of an organization's policy in minor units of a currency. */
  readonly labourPerHour: (organizationId: string, currency: string) => number
}

export function stockRoutes({
  stock,
  suggestPrice,
  convert,
  labourPerHour,
  currencyOf,
}: StockRouteDependencies): ApiRoute[] {
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

  /** Changes an item by the rules that hold for all ways to change it. */
  async function changeItem(
    principal: Principal,
    id: string,
    {
      asking_price: askingPrice,
      location,
      reserved_for: reservedFor,
      costs,
      add_photos: add = [],
      remove_photos: remove = [],
      confirm_amount: isConfirmed,
    }: StockChangeWire,
    now: number,
  ): Promise<void> {
    const { organizationId, actor } = principal
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
        reservedFor: reservedFor === '' ? null : reservedFor,
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
  }

  /** Items in stock that should have another price today, a few at a time: each needs its current price. */
  async function listToReprice(
    principal: Principal,
    filter: Omit<StockFilter, 'limit'>,
    limit: number,
    now: number,
  ): Promise<{ readonly items: StockItemWire[]; readonly after: number | undefined }> {
    const found: StockItemWire[] = []
    let { after } = filter
    for (let read = 0; read < MAX_PRICED_ITEMS && found.length <= limit; read += PRICED_PER_STEP) {
      const items = await stock.list(principal.organizationId, { ...filter, after, limit: PRICED_PER_STEP })
      for (const item of await Promise.all(items.map((each) => present(principal, each, now))))
        if (item.reprice) found.push(item)
      after = items.at(-1)?.number
      if (items.length < PRICED_PER_STEP) return { items: found, after: undefined }
      await yieldToEventLoop()
    }
    return { items: found, after }
  }

  return [
    route(listStock, async (c) => {
      const principal = c.get('principal')
      const { organizationId } = principal
      const query = c.get('query')
      const { status, q, purchase_id: purchaseId, after, limit = CURSOR_LIMIT, format, language, layout } = query
      const { now, id: requestId } = c.get('facts')
      const filter = { status, q, purchaseId, findsSellers: can(principal, 'sellers:read') }
      const all = () => presentBatches(stock.export(organizationId, filter), (item) => present(principal, item, now))
      if (format === 'csv' && layout) {
        const lines = layoutLines(layout, currencyOf(organizationId), all())
        return { file: csvResponse(`stock-${layout}.csv`, lines, requestId) }
      }
      if (format === 'csv') {
        const { t, style } = csvTexts(language)
        const lines = csvLines(stockSheetHeader(t), all(), (item) => stockSheetRow(item, t), style)
        return { file: csvResponse('stock.csv', lines, requestId) }
      }
      const from = after === undefined ? undefined : Number(after)
      if (query.reprice) {
        const inStock = { ...filter, status: 'in_stock', after: from } as const
        const { items, after: next } = await listToReprice(principal, inStock, limit, now)
        const page = items.slice(0, limit)
        const nextAfter = items.length > limit ? page.at(-1)?.number : next
        return {
          data: page,
          meta: {
            limit,
            has_next: nextAfter !== undefined,
            next_after: nextAfter === undefined ? (after ?? null) : String(nextAfter),
          },
        }
      }
      const items = await stock.list(organizationId, { ...filter, after: from, limit: limit + 1 })
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

    route(changeStock, async (c) => {
      const principal = c.get('principal')
      const { now } = c.get('facts')
      const data = []
      for (const [index, { id, ...change }] of c.get('body').items.entries()) {
        const error = await changeItem(principal, id, change, now).then(() => null, asItemError)
        if (error) data.push(presentItemError(index, error))
        else data.push({ index, success: true as const, result: (await findItem(principal, id, now)).data })
        if (index % PRICED_PER_STEP === PRICED_PER_STEP - 1) await yieldToEventLoop()
      }
      return { data }
    }),

    route(changeStockItem, async (c) => {
      const principal = c.get('principal')
      const { id } = c.get('params')
      const { now } = c.get('facts')
      await changeItem(principal, id, c.get('body'), now)
      return findItem(principal, id, now)
    }),
  ]
}

/** The file of another system: what can be sold now, in one currency. Programs read no byte order mark. */
async function* layoutLines(
  layout: StockLayout,
  currency: string,
  batches: AsyncIterable<readonly StockItemWire[]>,
): AsyncGenerator<string> {
  const style = { delimiter: layoutSeparator(layout), decimal: '.' } as const
  yield formatCsvLine(layoutHeader(layout, currency), style)
  for await (const items of batches) {
    const sellable = items.filter(
      (item) => item.status === 'in_stock' && item.reserved_for === null && item.currency === currency,
    )
    yield sellable.map((item) => formatCsvLine(layoutRow(layout, item), style)).join('')
  }
}

async function* presentBatches(
  batches: AsyncIterable<readonly StockItem[]>,
  present: (item: StockItem) => Promise<StockItemWire>,
): AsyncGenerator<StockItemWire[]> {
  for await (const batch of batches) yield await Promise.all(batch.map(present))
}
