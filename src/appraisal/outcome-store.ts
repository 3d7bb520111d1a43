import { type CompiledQuery, sql } from 'kysely'
import type { Actor } from '../auth/actor.ts'
import { type AuditEntry, auditRow, writeAuditEntry } from '../auth/audit-store.ts'
import type { DeclinedBy, OutcomeStatus } from '../contract/outcome.ts'
import type { SellerKind } from '../contract/sellers.ts'
import type { Database, TableRows } from '../db/database.ts'
import type { AppraisalOutcomeTable, StockItemTable } from '../db/schema.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { type RecordWrites, runningTotal, type TotalIncrement } from '../records/record-store.ts'
import type { DealForecast, DealSubject } from './deal-facts.ts'
import type { ReportedDeal, ReportPeriod } from './deal-report.ts'
import { LIST_ROW } from './list-row.ts'
import type { AppraisedDevice, Deal, Outcome, Sale } from './outcome.ts'

/** An appraisal with its outcome, read for a change. */
export type OutcomeRecord = {
  readonly appraisalJson: string
  readonly outcome: Outcome | null
  /** Changes when the outcome does. */
  readonly revision: number
  /** Whether it is a row of a device list so far. */
  readonly isListRow: boolean
}

/** A few milliseconds of work. */
const DEALS_PER_STEP = 2_000

/** Stored with an outcome, for own prices and for the report. */
export type DealFacts = {
  readonly subject: DealSubject | null
  readonly forecast: DealForecast
  /** The prices in US cents. */
  readonly boughtCents: number | null
  readonly soldCents: number | null
}

/** Deals of a report that are read at a time: SQLite reads in the event loop. */
const DEALS_PER_REPORT_STEP = 500

const KEY = ['organization_id', 'appraisal_id'] as const
/** The author stays as stored: the account may have been erased meanwhile. */
const KEPT_COLUMNS: readonly string[] = [...KEY, 'created_by']

type OutcomeWrites = Pick<RecordWrites, 'tables' | 'statements'>

type ChangedAppraisal = Pick<AppraisedDevice, 'organizationId' | 'appraisalId' | 'decision'>

/** Entries of the audit trail that are written with a change. */
type OutcomeAudit = { readonly actor: Actor; readonly now: number; readonly entries: readonly AuditEntry[] }

const auditRows = (organizationId: string, { actor, now, entries }: OutcomeAudit): TableRows => ({
  table: 'audit_entry',
  rows: entries.map((entry) => auditRow(organizationId, actor, entry, now)),
})

/** Devices in stock that were bought on one day in one currency. */
type StockedOn = {
  readonly currency: string
  readonly day: string
  readonly count: number
  readonly amount: number
  readonly expectedProfit: number
}

export type OutcomeStore = ReturnType<typeof outcomeStore>

export function outcomeStore(db: Database) {
  /** Counts the next deals of an organization. `last` is null after the last deal. */
  const summarizeStep = (organizationId: string, after: string) =>
    db.query
      .selectFrom((eb) =>
        eb
          .selectFrom('appraisal_outcome')
          .select([
            'appraisal_id',
            'configuration',
            'bought_price',
            'bought_cents',
            'bought_on',
            'sold_cents',
            'sold_on',
          ])
          .where('organization_id', '=', organizationId)
          .where('appraisal_id', '>', after)
          .orderBy('appraisal_id')
          .limit(DEALS_PER_STEP)
          .as('step'),
      )
      .select(({ fn }) => [
        fn.count<number>(sql`case when configuration is not null then bought_cents end`).as('purchases'),
        fn.count<number>(sql`case when configuration is not null then sold_cents end`).as('sales'),
        fn.count<number>(sql`case when configuration is null and bought_price is not null then 1 end`).as('excluded'),
        fn.max<string | null>('bought_on').as('newest_purchase'),
        fn.max<string | null>('sold_on').as('newest_sale'),
        fn.max<string | null>('appraisal_id').as('last'),
      ])
      .executeTakeFirstOrThrow()

  /** Fails the commit if the outcome is another than at `revision`; the caller then reads and decides again. */
  const statusUpdate = (
    { organizationId, appraisalId, decision }: ChangedAppraisal,
    outcome: OutcomeStatus | '',
    revision: number,
  ) =>
    db.query
      .updateTable('appraisal')
      .set({
        outcome,
        decision,
        outcome_revision: sql<number>`case when outcome_revision = ${revision} then outcome_revision + 1 else -1 end`,
      })
      .where('organization_id', '=', organizationId)
      .where('id', '=', appraisalId)
      .compile()

  const total = runningTotal(db, 'appraisal_total', ['organization_id', 'decision'])

  return {
    auditRows,

    /** A row of a device list becomes an offer. */
    leavesList: ({ organizationId, decision }: ChangedAppraisal): TotalIncrement[] => [
      { total, key: [organizationId, LIST_ROW], by: -1 },
      { total, key: [organizationId, decision], by: 1 },
    ],

    /** Appraisals of one organization with their outcomes, by id. */
    async find(organizationId: string, ids: readonly string[]): Promise<Map<string, OutcomeRecord>> {
      const appraisals = await db.query
        .selectFrom('appraisal')
        .select(['id', 'decision', 'response', 'outcome_revision'])
        .where('organization_id', '=', organizationId)
        .where('id', 'in', ids)
        .execute()
      // After the revisions: an outcome that changes in between does not match its revision.
      const outcomes = await readOutcomes(db.query, organizationId, ids)
      return new Map(
        appraisals.map(({ id, decision, response, outcome_revision: revision }) => [
          id,
          {
            appraisalJson: response,
            outcome: outcomes.get(id) ?? null,
            revision: Number(revision),
            isListRow: decision === LIST_ROW,
          },
        ]),
      )
    },

    /** `revision` is that of the outcome that was changed. */
    writes(
      device: AppraisedDevice,
      outcome: Outcome,
      revision: number,
      facts: DealFacts,
      audit: OutcomeAudit,
    ): OutcomeWrites {
      const row = toRow(device, outcome, facts)
      const updateColumns = Object.keys(row).filter((name) => !KEPT_COLUMNS.includes(name))
      const table: TableRows = {
        table: 'appraisal_outcome',
        rows: [row],
        options: { conflictColumns: KEY, updateColumns },
      }
      return {
        tables: [table, auditRows(device.organizationId, audit)],
        statements: [statusUpdate(device, outcome.status, revision)],
      }
    },

    /** Fails the commit if the outcome changed since it was read, for what is written beside an unchanged outcome. */
    unchanged: (device: ChangedAppraisal, outcome: Outcome | null, revision: number): CompiledQuery =>
      statusUpdate(device, outcome?.status ?? '', revision),

    /** Deals of an organization that were bought, sold or declined in a period of days, each once and a step at a time. */
    async *dealsWithin(organizationId: string, { from, to }: ReportPeriod): AsyncGenerator<ReportedDeal[]> {
      const columns = ['bought_on', 'sold_on', 'declined_on'] as const
      for (const [at, column] of columns.entries()) {
        for (let day = from, after = ''; ; ) {
          const rows = await db.query
            .selectFrom('appraisal_outcome as deal')
            // Authors and costs are those of the bought device.
            .leftJoin('stock_item as item', (join) =>
              join
                .onRef('item.organization_id', '=', 'deal.organization_id')
                .onRef('item.appraisal_id', '=', 'deal.appraisal_id'),
            )
            .leftJoin('seller_record as seller', (join) =>
              join
                .onRef('seller.organization_id', '=', 'deal.organization_id')
                .onRef('seller.appraisal_id', '=', 'deal.appraisal_id')
                .on('seller.status', '=', 'current'),
            )
            .selectAll('deal')
            .select([
              'item.bought_by',
              'item.sold_by',
              'item.costs',
              'item.number as item_number',
              'item.device_name as item_name',
              'item.identifier as item_identifier',
              'seller.kind as seller_kind',
            ])
            .where('deal.organization_id', '=', organizationId)
            // Row values, so that the index finds the start of a step also within a day of many deals.
            .where(sql<boolean>`(${sql.ref(`deal.${column}`)}, deal.appraisal_id) > (${day}, ${after})`)
            .where(`deal.${column}`, '<=', to)
            .orderBy(`deal.${column}`)
            .orderBy('deal.appraisal_id')
            .limit(DEALS_PER_REPORT_STEP)
            .execute()
          // The others were in an earlier step.
          const isWithin = (value: string | null) => value !== null && value >= from && value <= to
          yield rows.filter((row) => !columns.slice(0, at).some((each) => isWithin(row[each]))).map(toReportedDeal)
          const last = rows.at(-1)
          if (!last || rows.length < DEALS_PER_REPORT_STEP) break
          day = last[column] ?? to
          after = last.appraisal_id
          await yieldToEventLoop()
        }
      }
    },

    /** How many prices of deals an organization has, and whether they count in its prices. */
    async summary(organizationId: string) {
      let prices = 0
      let excluded = 0
      let newestOn: string | null = null
      for (let after = ''; ; ) {
        const step = await summarizeStep(organizationId, after)
        if (step.last === null) break
        prices += Number(step.purchases) + Number(step.sales)
        excluded += Number(step.excluded)
        for (const day of [step.newest_purchase, step.newest_sale])
          if (day !== null && day > (newestOn ?? '')) newestOn = day
        after = step.last
        await yieldToEventLoop()
      }
      const organization = await db.query
        .selectFrom('organization')
        .select('uses_deals')
        .where('id', '=', organizationId)
        .executeTakeFirst()
      return { isIncluded: organization?.uses_deals !== 0, prices, excluded, newestOn }
    },

    /** Includes the prices of an organization's deals in its own prices, or excludes them. */
    async setIncluded(organizationId: string, isIncluded: boolean, actor: Actor, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        await tx
          .updateTable('organization')
          .set({ uses_deals: isIncluded ? 1 : 0 })
          .where('id', '=', organizationId)
          .execute()
        // Deals that cannot count are included, because an index holds the ids of all.
        const devices = await tx
          .selectFrom('appraisal_outcome')
          .select('device_id')
          .distinct()
          .where('organization_id', '=', organizationId)
          .execute()
        const revision = await db.announceChange(tx, 'market')
        const changedDevices = devices.map(({ device_id }) => ({
          organization_id: organizationId,
          device_id,
          revision,
        }))
        const conflictColumns = ['organization_id', 'device_id']
        await db.insertMany(tx, 'organization_observed_device', changedDevices, { conflictColumns })
        const entry: AuditEntry = {
          action: 'organization.deals_changed',
          subject: organizationId,
          detail: { included: isIncluded ? 'yes' : 'no' },
        }
        await writeAuditEntry(tx, organizationId, actor, entry, now)
      })
    },

    /** Devices bought and not yet sold, by currency and day. */
    async inStock(organizationId: string): Promise<StockedOn[]> {
      const groups = new Map<string, StockedOn>()
      for (let after = ''; ; ) {
        const rows = await db.query
          .selectFrom('appraisal_outcome')
          .select(['appraisal_id', 'bought_currency', 'bought_on', 'bought_price', 'currency', 'forecast_sale'])
          .where('organization_id', '=', organizationId)
          .where('status', '=', 'bought')
          .where('appraisal_id', '>', after)
          .orderBy('appraisal_id')
          .limit(DEALS_PER_STEP)
          .execute()
        for (const row of rows) addToStock(groups, row)
        const last = rows.at(-1)
        if (!last || rows.length < DEALS_PER_STEP) return [...groups.values()]
        after = last.appraisal_id
        await yieldToEventLoop()
      }
    },

    removal(device: AppraisedDevice, revision: number, audit: OutcomeAudit): OutcomeWrites {
      const deletion = db.query
        .deleteFrom('appraisal_outcome')
        .where('organization_id', '=', device.organizationId)
        .where('appraisal_id', '=', device.appraisalId)
        .compile()
      return {
        tables: [auditRows(device.organizationId, audit)],
        statements: [deletion, statusUpdate(device, '', revision)],
      }
    },
  }
}

type StockedRow = Pick<
  AppraisalOutcomeTable,
  'bought_currency' | 'bought_on' | 'bought_price' | 'currency' | 'forecast_sale'
>

function addToStock(groups: Map<string, StockedOn>, row: StockedRow): void {
  const [currency, day, price] = [row.bought_currency ?? '', row.bought_on ?? '', Number(row.bought_price)]
  const group = groups.get(`${currency} ${day}`) ?? { currency, day, count: 0, amount: 0, expectedProfit: 0 }
  const profit = row.forecast_sale !== null && row.currency === currency ? Number(row.forecast_sale) - price : 0
  groups.set(`${currency} ${day}`, {
    currency,
    day,
    count: group.count + 1,
    amount: group.amount + price,
    expectedProfit: group.expectedProfit + profit,
  })
}

/** The outcomes of some appraisals of one organization, by appraisal. */
export async function readOutcomes(
  query: Database['query'],
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, Outcome>> {
  if (ids.length === 0) return new Map()
  const rows = await query
    .selectFrom('appraisal_outcome')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('appraisal_id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.appraisal_id, toOutcome(row)]))
}

function toRow(
  { organizationId, appraisalId, deviceId }: AppraisedDevice,
  { status, bought, sold, declined, note, purchaseId, isPriceReleased, createdBy, updatedAt }: Outcome,
  { subject, forecast, boughtCents, soldCents }: DealFacts,
): AppraisalOutcomeTable {
  return {
    organization_id: organizationId,
    appraisal_id: appraisalId,
    status,
    bought_price: bought?.price ?? null,
    bought_currency: bought?.currency ?? null,
    bought_on: bought?.date ?? null,
    sold_price: sold?.price ?? null,
    sold_currency: sold?.currency ?? null,
    sold_on: sold?.date ?? null,
    sold_channel: sold?.channel ?? null,
    declined_by: declined?.by ?? null,
    declined_on: declined?.date ?? null,
    note,
    created_by: JSON.stringify(createdBy),
    updated_at: updatedAt,
    purchase_id: purchaseId,
    device_id: deviceId ?? '',
    configuration: subject?.configuration ?? null,
    variant_id: subject?.variantId ?? null,
    grade: subject?.grade ?? null,
    market: subject?.market ?? null,
    bought_cents: boughtCents,
    sold_cents: soldCents,
    price_released: isPriceReleased ? 1 : 0,
    currency: forecast.currency,
    is_sample: forecast.isSample ? 1 : 0,
    forecast_offer: forecast.offer,
    forecast_sale: forecast.sale,
    forecast_sale_low: forecast.saleRange?.low ?? null,
    forecast_sale_high: forecast.saleRange?.high ?? null,
    forecast_costs: forecast.costs,
    forecast_downside: forecast.downside,
  }
}

type StockFacts = { [Column in 'bought_by' | 'sold_by' | 'costs']: StockItemTable[Column] | null } & {
  readonly item_number: number | null
  readonly item_name: string | null
  readonly item_identifier: string | null
  readonly seller_kind: string | null
}

function toReportedDeal(row: AppraisalOutcomeTable & StockFacts): ReportedDeal {
  const toNumber = (value: number | null) => (value === null ? null : Number(value))
  const [low, high] = [toNumber(row.forecast_sale_low), toNumber(row.forecast_sale_high)]
  return {
    appraisalId: row.appraisal_id,
    item:
      row.item_number === null || row.bought_price === null
        ? null
        : {
            number: Number(row.item_number),
            name: row.item_name ?? '',
            identifier: row.item_identifier,
            sellerKind: row.seller_kind as SellerKind | null,
          },
    deviceId: row.device_id || null,
    outcome: toOutcome(row),
    boughtBy: row.bought_by ? JSON.parse(row.bought_by) : null,
    soldBy: row.sold_by ? JSON.parse(row.sold_by) : null,
    stockCosts: row.costs && row.costs !== '[]' ? totalOf(JSON.parse(row.costs)) : 0,
    forecast: {
      currency: row.currency,
      isSample: row.is_sample === 1,
      offer: toNumber(row.forecast_offer),
      sale: toNumber(row.forecast_sale),
      saleRange: low === null || high === null ? null : { low, high },
      costs: toNumber(row.forecast_costs),
      downside: toNumber(row.forecast_downside),
    },
  }
}

const totalOf = (costs: readonly { readonly amount: number }[]) => costs.reduce((sum, { amount }) => sum + amount, 0)

const toDeal = (price: number | null, currency: string | null, date: string | null): Deal | null =>
  price === null || currency === null || date === null ? null : { price: Number(price), currency, date }

function toSale(row: AppraisalOutcomeTable): Sale | null {
  const deal = toDeal(row.sold_price, row.sold_currency, row.sold_on)
  return deal && { ...deal, channel: row.sold_channel }
}

function toOutcome(row: AppraisalOutcomeTable): Outcome {
  return {
    status: row.status as OutcomeStatus,
    bought: toDeal(row.bought_price, row.bought_currency, row.bought_on),
    sold: toSale(row),
    declined: row.declined_on === null ? null : { by: row.declined_by as DeclinedBy | null, date: row.declined_on },
    note: row.note,
    purchaseId: row.purchase_id,
    isPriceReleased: row.price_released === 1,
    createdBy: JSON.parse(row.created_by),
    updatedAt: Number(row.updated_at),
  }
}
