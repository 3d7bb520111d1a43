import type { CompiledQuery } from 'kysely'
import { deleteRowsBelow } from '../db/batched-delete.ts'
import type { Database, TableRows, Tx } from '../db/database.ts'
import type { NewEvent } from '../events/event.ts'
import { eventColumns, writeEvents } from '../events/event-store.ts'
import { DAY_MS } from '../lib/time.ts'
import type { IdempotencyRecord } from './idempotency.ts'

/** A number kept beside the records of a kind, because counting a million of them takes too long for a page of fifty. */
export type RunningTotal = {
  readonly name: string
  /** Adds to the row of a key; its parameters are the key's columns and what to add. */
  readonly incrementQuery: CompiledQuery
}

export type TotalIncrement = { readonly total: RunningTotal; readonly key: readonly string[]; readonly by: number }

/** What one answer puts into the store: its records, of one kind or several, and what they add to the totals. */
export type RecordWrites = {
  readonly tables: readonly TableRows[]
  readonly totals: readonly TotalIncrement[]
  /** What is told of it. */
  readonly events?: readonly NewEvent[]
}

/** What becomes durable together: one answer, or all of a batch. */
export type RecordUnit = {
  readonly organizationId: string
  readonly writes: RecordWrites
  readonly idempotency: IdempotencyRecord | null
  readonly now: number
}

/** `claimed` when somebody else had used the idempotency key first: nothing of the unit was written. */
export type SaveResult = { readonly existing: IdempotencyRecord | null }

export type RecordStore = ReturnType<typeof recordStore>

const IDEMPOTENCY_KEY_TTL_MS = DAY_MS
/** Rows written before other requests get their turn; the transaction stays open meanwhile, and nothing waits to read. */
const ROWS_PER_TURN = 128
const WRITTEN: SaveResult = { existing: null }

/** Where answers are kept before they are given, each organization's for itself. */
export function recordStore(db: Database) {
  /** Whether a key is free is only known inside the transaction, so this one is not handed over whole. */
  const saveClaiming = (units: readonly RecordUnit[]): Promise<readonly SaveResult[]> =>
    db.transaction(async (tx) => {
      const outcomes = await claimIdempotencyKeys(db, tx, units)
      const { tables, counts, events } = mergeUnits(units.filter((_, at) => outcomes[at]?.existing === null))
      for (const { table, rows, options } of tables) {
        for (let at = 0; at < rows.length; at += ROWS_PER_TURN) {
          if (at > 0) await new Promise((turn) => setImmediate(turn))
          await db.insertMany(tx, table, rows.slice(at, at + ROWS_PER_TURN) as never, options)
        }
      }
      for (const each of counts) await tx.executeQuery(each)
      await writeEvents(db, tx, events)
      return outcomes
    })

  return {
    /** All units in one commit. Returns only when they are on the disk. */
    async save(units: readonly RecordUnit[]): Promise<readonly SaveResult[]> {
      if (units.some(({ idempotency: claim }) => claim !== null)) return saveClaiming(units)
      const { tables, counts, events } = mergeUnits(units)
      await db.writeBatch(events.length > 0 ? [...tables, eventColumns(events)] : tables, counts)
      return units.map(() => WRITTEN)
    },

    async findClaim(organizationId: string, key: string, now: number): Promise<IdempotencyRecord | null> {
      const row = await db.query
        .selectFrom('idempotency')
        .select(['key', 'body_hash', 'answer'])
        .where('organization_id', '=', organizationId)
        .where('key', '=', key)
        .where('created_at', '>', now - IDEMPOTENCY_KEY_TTL_MS)
        .executeTakeFirst()
      return row ? { key: row.key, bodyHash: row.body_hash, responseJson: row.answer } : null
    },

    /** Idempotency keys that count no more. */
    async forgetClaims(now: number): Promise<void> {
      await deleteRowsBelow(db, 'idempotency', 'created_at', now - IDEMPOTENCY_KEY_TTL_MS + 1)
    },
  }
}

/** The rows of all units table by table, and one statement for each total that they raise. */
function mergeUnits(units: readonly RecordUnit[]): {
  tables: TableRows[]
  counts: CompiledQuery[]
  events: NewEvent[]
} {
  const tables = new Map<string, TableRows & { rows: object[] }>()
  const counts = new Map<string, { count: TotalIncrement; by: number }>()
  for (const { writes } of units) {
    for (const { table, rows, options } of writes.tables) {
      const known = tables.get(table)
      if (known) known.rows.push(...rows)
      else tables.set(table, { table, rows: [...rows], ...(options ? { options } : {}) })
    }
    for (const count of writes.totals) {
      const name = `${count.total.name} ${count.key.join(' ')}`
      const known = counts.get(name)
      if (known) known.by += count.by
      else counts.set(name, { count, by: count.by })
    }
  }
  // Always in the same order, so that two processes never wait for each other in a circle.
  const ordered = [...counts].filter(([, { by }]) => by > 0).sort(([left], [right]) => compareText(left, right))
  return {
    events: units.flatMap(({ writes }) => writes.events ?? []),
    tables: [...tables.values()],
    counts: ordered.map(([, { count, by }]) => ({ ...count.total.incrementQuery, parameters: [...count.key, by] })),
  }
}

/**
 * The first to write a key owns it; whoever comes second, from any process, learns the first answer instead. Two units
 * of one group may carry the same key: then the earlier one owns it.
 */
async function claimIdempotencyKeys(db: Database, tx: Tx, units: readonly RecordUnit[]): Promise<SaveResult[]> {
  const outcomes: SaveResult[] = units.map(() => WRITTEN)
  // Always in the same order, so that two processes never wait for each other.
  const claiming = units
    .map(({ organizationId, idempotency: claim, now }, at) => ({ organizationId, claim, now, at }))
    .filter((unit) => unit.claim !== null)
    .sort((left, right) => compareText(lockOrderKey(left), lockOrderKey(right)) || left.at - right.at)
  for (const { organizationId, claim, now, at } of claiming) {
    if (claim === null) continue
    const mine = tx
      .selectFrom('idempotency')
      .select(['key', 'body_hash', 'answer'])
      .where('organization_id', '=', organizationId)
      .where('key', '=', claim.key)
    await tx
      .deleteFrom('idempotency')
      .where('organization_id', '=', organizationId)
      .where('key', '=', claim.key)
      .where('created_at', '<=', now - IDEMPOTENCY_KEY_TTL_MS)
      .execute()
    const row = {
      organization_id: organizationId,
      key: claim.key,
      body_hash: claim.bodyHash,
      created_at: now,
      answer: claim.responseJson,
    }
    await db.insertMany(tx, 'idempotency', [row], { conflictColumns: ['organization_id', 'key'], updateColumns: [] })
    const owner = await mine.executeTakeFirstOrThrow()
    if (owner.answer !== claim.responseJson) {
      outcomes[at] = { existing: { key: owner.key, bodyHash: owner.body_hash, responseJson: owner.answer } }
    }
  }
  return outcomes
}

function lockOrderKey({ organizationId, claim }: { organizationId: string; claim: IdempotencyRecord | null }): string {
  return `${organizationId} ${claim?.key}`
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
