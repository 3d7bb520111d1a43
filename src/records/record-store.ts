import { type CompiledQuery, sql } from 'kysely'
import { deleteRowsBelow } from '../db/batched-delete.ts'
import { toColumns } from '../db/column-batch.ts'
import type { Database, TableColumns, TableRows, Tx } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import type { NewEvent } from '../events/event.ts'
import { eventColumns, writeEvents } from '../events/event-store.ts'
import { DAY_MS } from '../lib/time.ts'
import { type IdempotencyRecord, type IdempotentRequest, PENDING } from './idempotency.ts'

/** A row count, because counting a million records is too slow for a page of fifty. */
type RunningTotal = {
  readonly name: string
  /** Adds to a row; its parameters are the key columns and the increment. */
  readonly incrementQuery: CompiledQuery
}

/** A total of `table` by `keyColumns`. Compiled once, because it runs with every commit. */
export function runningTotal(
  db: Database,
  table: 'lookup_total' | 'appraisal_total' | 'appraised_device' | 'stock_total',
  keyColumns: readonly string[],
): RunningTotal {
  const key = sql.join(keyColumns.map((name) => sql.ref(name)))
  const values = sql.join([...keyColumns.map(() => ''), 0])
  const incrementQuery = sql`insert into ${sql.table(table)} (${key}, total) values (${values})
    on conflict (${key}) do update set total = ${sql.table(table)}.total + excluded.total`.compile(db.query)
  return { name: table, incrementQuery }
}

export type TotalIncrement = { readonly total: RunningTotal; readonly key: readonly string[]; readonly by: number }

/** The rows, totals and events that one response writes. */
export type RecordWrites = {
  readonly tables: readonly TableRows[]
  readonly totals: readonly TotalIncrement[]
  readonly events?: readonly NewEvent[]
  /** Run after the rows are written. */
  readonly statements?: readonly CompiledQuery[]
  /** Devices whose prices change for an organization; every process recalculates them. */
  readonly ownPriceChanges?: readonly OwnPriceChange[]
}

export type OwnPriceChange = { readonly organizationId: string; readonly deviceId: string }

/** Written atomically: one response, or a whole batch. */
export type RecordUnit = {
  readonly organizationId: string
  readonly writes: RecordWrites
  readonly idempotency: IdempotencyRecord | null
  readonly now: number
}

/** `existing` if the idempotency key was already used: nothing of the unit was written. */
export type SaveResult = { readonly existing: IdempotencyRecord | null }

export type RecordStore = ReturnType<typeof recordStore>

const IDEMPOTENCY_KEY_TTL_MS = DAY_MS
/** Rows written before yielding to the event loop; the transaction stays open, and reads do not wait. */
const ROWS_PER_TURN = 128
const WRITTEN: SaveResult = { existing: null }

/** Stores responses of all organizations before they are sent. */
export function recordStore(db: Database) {
  /** Key conflicts are only known inside the transaction, so this cannot use `writeBatch`. */
  const saveWithClaims = (units: readonly RecordUnit[]): Promise<readonly SaveResult[]> =>
    db.transaction(async (tx) => {
      const results = await claimIdempotencyKeys(tx, units)
      const { tables, statements, events, ownPrices } = mergeUnits(
        units.filter((_, index) => results[index]?.existing === null),
      )
      for (const { table, rows, options } of tables) {
        for (let at = 0; at < rows.length; at += ROWS_PER_TURN) {
          if (at > 0) await new Promise((resolve) => setImmediate(resolve))
          await db.insertMany(tx, table, rows.slice(at, at + ROWS_PER_TURN) as never, options)
        }
      }
      for (const statement of statements) await tx.executeQuery(statement)
      if (ownPrices.length > 0) {
        const revision = await db.announceChange(tx, 'market')
        const rows = ownPrices.map((change) => ({ ...toOwnPriceRow(change), revision }))
        await db.insertMany(tx, 'organization_observed_device', rows, OWN_PRICE_KEY)
      }
      await writeEvents(db, tx, events)
      return results
    })

  return {
    /** Writes all units in one commit; returns when they are on the disk. */
    async save(units: readonly RecordUnit[]): Promise<readonly SaveResult[]> {
      if (units.some(({ idempotency: claim }) => claim !== null)) return saveWithClaims(units)
      const { tables, statements, events, ownPrices } = mergeUnits(units)
      const withChangeTopic = [
        ...(ownPrices.length > 0 ? [ownPriceColumns(ownPrices)] : []),
        ...(events.length > 0 ? [eventColumns(events)] : []),
      ]
      await db.bulk.writeBatch([...tables, ...withChangeTopic], statements)
      return units.map(() => WRITTEN)
    },

    async findClaim(organizationId: string, key: string, now: number): Promise<IdempotencyRecord | null> {
      const row = await db.query
        .selectFrom('idempotency')
        .select(['key', 'body_hash', 'response'])
        .where('organization_id', '=', organizationId)
        .where('key', '=', key)
        .where('created_at', '>', now - IDEMPOTENCY_KEY_TTL_MS)
        .executeTakeFirst()
      return row ? { key: row.key, bodyHash: row.body_hash, responseJson: row.response } : null
    },

    /** Claims a key before an operation; returns the claim of an earlier request with the same key instead. */
    async beginClaim(
      organizationId: string,
      { key, bodyHash }: IdempotentRequest,
      now: number,
    ): Promise<IdempotencyRecord | null> {
      const claim = { key, bodyHash, responseJson: PENDING }
      const unit = { organizationId, writes: { tables: [], totals: [] }, idempotency: claim, now }
      return db.transaction(async (tx) => {
        const [result] = await claimIdempotencyKeys(tx, [unit])
        return result?.existing ?? null
      })
    },

    /** Stores the response of an operation whose key was claimed. */
    async completeClaim(organizationId: string, key: string, responseJson: string): Promise<void> {
      await db.transaction(async (tx) => {
        await tx
          .updateTable('idempotency')
          .set({ response: responseJson })
          .where('organization_id', '=', organizationId)
          .where('key', '=', key)
          .execute()
      })
    },

    /** Frees the key of an operation that failed, so that the request can be repeated. */
    async releaseClaim(organizationId: string, key: string): Promise<void> {
      await db.transaction(async (tx) => {
        await tx
          .deleteFrom('idempotency')
          .where('organization_id', '=', organizationId)
          .where('key', '=', key)
          .execute()
      })
    },

    /** Deletes expired idempotency keys. */
    async deleteExpiredClaims(now: number): Promise<void> {
      await deleteRowsBelow(db, 'idempotency', 'created_at', now - IDEMPOTENCY_KEY_TTL_MS + 1)
    },
  }
}

const OWN_PRICE_KEY = { conflictColumns: ['organization_id', 'device_id'] }

/** Without `revision`, which the change counter provides. */
const toOwnPriceRow = ({ organizationId, deviceId }: OwnPriceChange) => ({
  organization_id: organizationId,
  device_id: deviceId,
})

function ownPriceColumns(changes: readonly OwnPriceChange[]): TableColumns {
  const rows = {
    table: 'organization_observed_device',
    rows: changes.map(toOwnPriceRow),
    options: OWN_PRICE_KEY,
  } as const
  return { ...toColumns(rows), changeTopic: 'market' }
}

/** The rows of all units by table and kind of write, one statement per total, and all other statements. */
function mergeUnits(units: readonly RecordUnit[]): {
  tables: TableRows[]
  statements: CompiledQuery[]
  events: NewEvent[]
  ownPrices: OwnPriceChange[]
} {
  const tables = new Map<string, TableRows & { rows: object[] }>()
  const increments = new Map<string, { increment: TotalIncrement; by: number }>()
  const ownPrices = new Map<string, OwnPriceChange>()
  for (const { writes } of units) {
    for (const { table, rows, options } of writes.tables) {
      const key = options ? `${table} ${JSON.stringify(options)}` : table
      const merged = tables.get(key)
      if (merged) merged.rows.push(...rows)
      else tables.set(key, { table, rows: [...rows], ...(options ? { options } : {}) })
    }
    for (const change of writes.ownPriceChanges ?? []) {
      ownPrices.set(`${change.organizationId} ${change.deviceId}`, change)
    }
    for (const increment of writes.totals) {
      const name = `${increment.total.name} ${increment.key.join(' ')}`
      const merged = increments.get(name)
      if (merged) merged.by += increment.by
      else increments.set(name, { increment, by: increment.by })
    }
  }
  // Always in the same order, to avoid deadlocks between processes.
  const orderedIncrements = [...increments]
    .filter(([, { by }]) => by > 0)
    .sort(([left], [right]) => compareText(left, right))
  return {
    events: units.flatMap(({ writes }) => writes.events ?? []),
    tables: [...tables.values()],
    statements: [
      ...orderedIncrements.map(([, { increment, by }]) => ({
        ...increment.total.incrementQuery,
        parameters: [...increment.key, by],
      })),
      ...units.flatMap(({ writes }) => writes.statements ?? []),
    ],
    ownPrices: [...ownPrices.values()],
  }
}

/**
 * The first writer of a key owns it; a later one, from any process, gets the first response. Within a group the earlier
 * unit wins.
 */
async function claimIdempotencyKeys(tx: Tx, units: readonly RecordUnit[]): Promise<SaveResult[]> {
  const results: SaveResult[] = units.map(() => WRITTEN)
  // Always in the same order, to avoid deadlocks between processes.
  const claims = units
    .flatMap(({ organizationId, idempotency: claim, now }, at) =>
      claim === null ? [] : { organizationId, claim, now, at, lockKey: `${organizationId} ${claim.key}` },
    )
    .sort((left, right) => compareText(left.lockKey, right.lockKey) || left.at - right.at)
  for (const { organizationId, claim, now, at } of claims) {
    const row = {
      organization_id: organizationId,
      key: claim.key,
      body_hash: claim.bodyHash,
      created_at: now,
      response: claim.responseJson,
    }
    const owner = await claimIdempotencyKey(tx, row)
    if (owner) results[at] = { existing: { key: owner.key, bodyHash: owner.body_hash, responseJson: owner.response } }
  }
  return results
}

/** Null if the row owns the key now, otherwise the row that does. */
async function claimIdempotencyKey(tx: Tx, row: Schema['idempotency']): Promise<Schema['idempotency'] | null> {
  await tx
    .deleteFrom('idempotency')
    .where('organization_id', '=', row.organization_id)
    .where('key', '=', row.key)
    .where('created_at', '<=', row.created_at - IDEMPOTENCY_KEY_TTL_MS)
    .execute()
  for (;;) {
    const [inserted] = await tx
      .insertInto('idempotency')
      .values(row)
      .onConflict((conflict) => conflict.columns(['organization_id', 'key']).doNothing())
      .returning('key')
      .execute()
    // The stored response does not tell who owns the key: two processes may answer alike.
    if (inserted) return null
    const owner = await tx
      .selectFrom('idempotency')
      .selectAll()
      .where('organization_id', '=', row.organization_id)
      .where('key', '=', row.key)
      .executeTakeFirst()
    // Otherwise the operation of the owner failed, and another process freed the key in between.
    if (owner) return owner
  }
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
