import { type CompiledQuery, sql } from 'kysely'
import type { Database, Tx } from '../db/open.ts'
import type { LookupTable } from '../db/schema.ts'
import { DAY_MS } from '../time.ts'
import { lookupIdBound } from './lookup-id.ts'

export type LookupRecord = {
  readonly id: string
  readonly organizationId: string
  readonly identifierKey: string
  readonly createdAt: number
  /** The JSON the caller gets as `data`. */
  readonly answer: string
}

/** The first answer to an `Idempotency-Key`, while it counts. */
export type Claim = { readonly key: string; readonly bodyHash: string; readonly answer: string }

/** What becomes durable together: one lookup, or all of a batch. */
export type LookupUnit = {
  readonly organizationId: string
  readonly records: readonly LookupRecord[]
  readonly claim: Claim | null
  readonly now: number
}

/** `claimed` when somebody else had used the idempotency key first: nothing of the unit was written. */
export type Saved = { readonly claimed: Claim | null }

/** Which lookups to export: from an instant on, up to one, of one identifier. */
export type ExportRange = { readonly from?: number; readonly to?: number; readonly identifierKey?: string }

export type LookupStore = ReturnType<typeof lookupStore>

const IDEMPOTENCY_MS = DAY_MS
const STEP_ROWS = 500
/** Rows written before other requests get their turn; the transaction stays open meanwhile, and nothing waits to read. */
const TURN_ROWS = 128
const SAVED: Saved = { claimed: null }

/** The lookups that were answered, each organization's for itself. */
export function lookupStore(db: Database) {
  // Compiled once: this runs with every commit.
  const addition = db.query
    .insertInto('lookup_total')
    .values({ organization_id: '', total: 0 })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet({ total: sql<number>`lookup_total.total + excluded.total` }),
    )
    .compile()
  /** A query of the total for each organization, always in the same order, so that two processes never wait in a circle. */
  function additionsFor(units: readonly LookupUnit[]): CompiledQuery[] {
    const counts = new Map<string, number>()
    for (const { organizationId, records } of units) {
      counts.set(organizationId, (counts.get(organizationId) ?? 0) + records.length)
    }
    return [...counts]
      .filter(([, count]) => count > 0)
      .sort(([left], [right]) => compare(left, right))
      .map((parameters) => ({ ...addition, parameters }))
  }

  /** Whether a key is free is only known inside the transaction, so this one is not handed over whole. */
  const saveClaiming = (units: readonly LookupUnit[]): Promise<readonly Saved[]> =>
    db.transaction(async (tx) => {
      const outcomes = await claim(db, tx, units)
      const written = units.filter((_, at) => outcomes[at]?.claimed === null)
      const rows = written.flatMap(({ records }) => records.map(rowOf))
      for (let at = 0; at < rows.length; at += TURN_ROWS) {
        if (at > 0) await new Promise((turn) => setImmediate(turn))
        await db.insertMany(tx, 'lookup', rows.slice(at, at + TURN_ROWS))
      }
      for (const each of additionsFor(written)) await tx.executeQuery(each)
      return outcomes
    })

  return {
    /** All units in one commit. Returns only when they are on the disk. */
    async save(units: readonly LookupUnit[]): Promise<readonly Saved[]> {
      if (units.some(({ claim }) => claim !== null)) return saveClaiming(units)
      const rows = units.flatMap(({ records }) => records.map(rowOf))
      await db.write([{ table: 'lookup', rows }], additionsFor(units))
      return units.map(() => SAVED)
    },

    async findClaim(organizationId: string, key: string, now: number): Promise<Claim | null> {
      const row = await db.query
        .selectFrom('idempotency')
        .select(['key', 'body_hash', 'answer'])
        .where('organization_id', '=', organizationId)
        .where('key', '=', key)
        .where('created_at', '>', now - IDEMPOTENCY_MS)
        .executeTakeFirst()
      return row ? { key: row.key, bodyHash: row.body_hash, answer: row.answer } : null
    },

    /** The answers of one organization, newest first, as the JSON they were. */
    async history(organizationId: string, page: { offset: number; limit: number; identifierKey: string | null }) {
      const mine = db.query.selectFrom('lookup').where('organization_id', '=', organizationId)
      const wanted = page.identifierKey === null ? mine : mine.where('identifier_key', '=', page.identifierKey)
      const counted =
        page.identifierKey === null
          ? db.query.selectFrom('lookup_total').select('total').where('organization_id', '=', organizationId)
          : wanted.select(({ fn }) => fn.countAll<number>().as('total'))
      const total = Number((await counted.executeTakeFirst())?.total ?? 0)
      // A page far past the end is known to be empty without walking there.
      if (page.offset >= total) return { answers: [], total }
      const rows = await wanted.select('answer').orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute()
      return { answers: rows.map(({ answer }) => answer), total }
    },

    /** One answer of one organization, as the JSON it was. */
    async find(organizationId: string, id: string): Promise<string | null> {
      const row = await db.query
        .selectFrom('lookup')
        .select('answer')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirst()
      return row?.answer ?? null
    },

    /** The answers of one organization, oldest first, in steps, so that an export never holds the store or the memory. */
    async *export(organizationId: string, range: ExportRange = {}): AsyncGenerator<string[]> {
      let after = range.from === undefined ? '' : lookupIdBound(range.from)
      for (;;) {
        let query = db.query
          .selectFrom('lookup')
          .select(['id', 'answer'])
          .where('organization_id', '=', organizationId)
          .where('id', '>', after)
        if (range.to !== undefined) query = query.where('id', '<', lookupIdBound(range.to))
        if (range.identifierKey !== undefined) query = query.where('identifier_key', '=', range.identifierKey)
        const rows = await query.orderBy('id').limit(STEP_ROWS).execute()
        const last = rows.at(-1)
        if (!last) return
        yield rows.map(({ answer }) => answer)
        after = last.id
      }
    },

    async organizationExists(id: string): Promise<boolean> {
      const row = await db.query.selectFrom('organization').select('id').where('id', '=', id).executeTakeFirst()
      return row !== undefined
    },

    /** Deletes lookups made before `before`, a few at a time; gives the number deleted. */
    async deleteLookupsBefore(before: number): Promise<number> {
      let deleted = 0
      const organizations = await db.query.selectFrom('lookup_total').select('organization_id').execute()
      for (const { organization_id } of organizations) {
        for (;;) {
          const step = await db.transaction((tx) => deleteSome(tx, organization_id, lookupIdBound(before)))
          deleted += step
          if (step < STEP_ROWS) break
        }
      }
      return deleted
    },

    /** Idempotency keys that count no more. */
    async forgetClaims(now: number): Promise<void> {
      await db.transaction((tx) =>
        tx
          .deleteFrom('idempotency')
          .where('created_at', '<=', now - IDEMPOTENCY_MS)
          .execute(),
      )
    },
  }
}

function rowOf({ organizationId, id, identifierKey, createdAt, answer }: LookupRecord): LookupTable {
  return { organization_id: organizationId, id, identifier_key: identifierKey, created_at: createdAt, answer }
}

/**
 * The first to write a key owns it; whoever comes second, from any process, learns the first answer instead. Two units
 * of one group may carry the same key: then the earlier one owns it.
 */
async function claim(db: Database, tx: Tx, units: readonly LookupUnit[]): Promise<Saved[]> {
  const outcomes: Saved[] = units.map(() => SAVED)
  // Always in the same order, so that two processes never wait for each other.
  const claiming = units
    .map(({ organizationId, claim, now }, at) => ({ organizationId, claim, now, at }))
    .filter((unit) => unit.claim !== null)
    .sort((left, right) => compare(sortKey(left), sortKey(right)) || left.at - right.at)
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
      .where('created_at', '<=', now - IDEMPOTENCY_MS)
      .execute()
    const row = {
      organization_id: organizationId,
      key: claim.key,
      body_hash: claim.bodyHash,
      created_at: now,
      answer: claim.answer,
    }
    await db.insertMany(tx, 'idempotency', [row], { conflict: ['organization_id', 'key'], update: [] })
    const owner = await mine.executeTakeFirstOrThrow()
    if (owner.answer !== claim.answer) {
      outcomes[at] = { claimed: { key: owner.key, bodyHash: owner.body_hash, answer: owner.answer } }
    }
  }
  return outcomes
}

function sortKey({ organizationId, claim }: { organizationId: string; claim: Claim | null }): string {
  return `${organizationId} ${claim?.key}`
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

async function deleteSome(tx: Tx, organizationId: string, bound: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('lookup')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', (query) =>
      query
        .selectFrom('lookup')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('id', '<', bound)
        .orderBy('id')
        .limit(STEP_ROWS),
    )
    .executeTakeFirstOrThrow()
  const deleted = Number(numDeletedRows)
  if (deleted > 0) {
    await tx
      .updateTable('lookup_total')
      .set({ total: sql<number>`total - ${deleted}` })
      .where('organization_id', '=', organizationId)
      .execute()
  }
  return deleted
}
