import type { Selectable } from 'kysely'
import type { Actor } from '../auth/actor.ts'
import { type AuditEntry, writeAuditEntry } from '../auth/audit-store.ts'
import { readOrganizationTier } from '../auth/organization-store.ts'
import { tierIncludes } from '../contract/tiers.ts'
import { createWatch } from '../contract/watches.ts'
import { deleteRowsBelow } from '../db/batched-delete.ts'
import type { Database, Tx } from '../db/database.ts'
import type { WatchTable } from '../db/schema.ts'
import { requireStorage } from '../db/storage-ledger.ts'
import { limitReached } from '../lib/errors.ts'
import { sortableId } from '../lib/id.ts'
import { reason } from '../lib/reasons.ts'
import { DAY_MS } from '../lib/time.ts'
import type { NewEvent } from './event.ts'
import { writeEvents } from './event-store.ts'
import type { OrganizationWatch, Watch } from './watch.ts'

export type NewWatch = Omit<Watch, 'id' | 'createdAt'>

export type WatchStore = ReturnType<typeof watchStore>

const ROWS_PER_STEP = 500
/** Watches of one identifier or variant, each with its own reference. */
const MAX_PER_SUBJECT = 100

/** Identifiers are personal data with their own retention: the audit trail names the watch only. */
const watchEntry = (
  action: 'watch.created' | 'watch.ended',
  { id, kind, subject }: Selectable<WatchTable>,
): AuditEntry => ({
  action,
  subject: id,
  detail: kind === 'variant' ? { variant: subject } : { kind: 'identifier' },
})

/** Watches of each organization. */
export function watchStore(db: Database) {
  return {
    /** The same subject with the same reference is the same watch; its end and threshold are updated. */
    async watch(
      organizationId: string,
      newWatch: NewWatch,
      now: number,
      maxPerOrganization: number,
      actor: Actor,
    ): Promise<Watch> {
      const row = toWatchRow(organizationId, { ...newWatch, id: sortableId('wat', now), createdAt: now })
      return db.transaction(async (tx) => {
        // Locked until the commit: of two requests at the limit the second sees the first.
        await db.announceChange(tx, 'watches')
        await assertBelowLimits(tx, row, maxPerOrganization)
        await db.insertMany(tx, 'watch', [row], {
          conflictColumns: ['organization_id', 'subject', 'kind', 'reference'],
          updateColumns: ['until', 'threshold_percent', 'last_cents', 'identifier', 'identifier_type'],
        })
        const storedRow = await tx
          .selectFrom('watch')
          .selectAll()
          .where('organization_id', '=', organizationId)
          .where('subject', '=', row.subject)
          .where('kind', '=', row.kind)
          .where('reference', '=', row.reference)
          .executeTakeFirstOrThrow()
        await writeAuditEntry(tx, organizationId, actor, watchEntry('watch.created', storedRow), now)
        return toWatch(storedRow)
      })
    },

    async watches(
      organizationId: string,
      { after, reference, limit, now }: { after: string; reference?: string | undefined; limit: number; now: number },
    ): Promise<Watch[]> {
      let query = db.query
        .selectFrom('watch')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', '>', after)
        .where((eb) => eb.or([eb('until', 'is', null), eb('until', '>', now)]))
      if (reference !== undefined) query = query.where('reference', '=', reference)
      return (await query.orderBy('id').limit(limit).execute()).map(toWatch)
    },

    /** Undefined if the organization has no such watch. */
    async find(organizationId: string, id: string): Promise<Watch | undefined> {
      const row = await db.query
        .selectFrom('watch')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirst()
      return row && toWatch(row)
    },

    /** Null if the organization has no such watch. */
    async end(organizationId: string, id: string, actor: Actor, now: number): Promise<Watch | null> {
      return db.transaction(async (tx) => {
        const storedRow = await tx
          .selectFrom('watch')
          .selectAll()
          .where('organization_id', '=', organizationId)
          .where('id', '=', id)
          .executeTakeFirst()
        if (!storedRow) return null
        await tx.deleteFrom('watch').where('id', '=', id).execute()
        await writeAuditEntry(tx, organizationId, actor, watchEntry('watch.ended', storedRow), now)
        return toWatch(storedRow)
      })
    },

    /** Active watches of variants, in batches. */
    async *variantWatches(now: number): AsyncGenerator<OrganizationWatch[]> {
      for (let after = ''; ; ) {
        const rows = await db.query
          .selectFrom('watch')
          .selectAll()
          .where('kind', '=', 'variant')
          .where('id', '>', after)
          .where((eb) => eb.or([eb('until', 'is', null), eb('until', '>', now)]))
          .orderBy('id')
          .limit(ROWS_PER_STEP)
          .execute()
        const last = rows.at(-1)
        if (!last) return
        const active = await withoutPaused(db.query, rows)
        yield active.map(toOrganizationWatch)
        after = last.id
      }
    },

    /**
     * Stores a new reference price and its event in one transaction. Returns false without writing if another process has
     * changed the price already.
     */
    async updatePrice(watch: Watch, lastCents: number, event: NewEvent | null): Promise<boolean> {
      return db.transaction(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('watch')
          .set({ last_cents: lastCents })
          .where('id', '=', watch.id)
          .where('last_cents', 'is not distinct from', watch.lastCents)
          .executeTakeFirst()
        if (Number(numUpdatedRows) === 0) return false
        if (event) await writeEvents(db, tx, [event])
        return true
      })
    },

    /** Deletes watches that ended, and those of identifiers without end that are older than lookups are kept (0: forever). */
    async deleteEnded(now: number, retentionDays: number): Promise<void> {
      await deleteRowsBelow(db, 'watch', 'until', now + 1)
      if (retentionDays === 0) return
      await db.transaction((tx) =>
        tx
          .deleteFrom('watch')
          .where('until', 'is', null)
          .where('kind', '=', 'identifier')
          .where('created_at', '<', now - retentionDays * DAY_MS)
          .execute(),
      )
    },
  }
}

/** Watches by subject. */
export type WatchesBySubject = ReadonlyMap<string, OrganizationWatch[]>

/** Increases when a watch is created or the tier of an organization changes. */
export async function readWatchRevision(tx: Tx): Promise<number> {
  const row = await tx.selectFrom('change').select('counter').where('topic', '=', 'watches').executeTakeFirst()
  return row?.counter ?? 0
}

/** Updating an existing watch is always possible. */
async function assertBelowLimits(tx: Tx, row: WatchTable, maxPerOrganization: number): Promise<void> {
  const ownWatches = tx.selectFrom('watch').where('organization_id', '=', row.organization_id)
  const sameSubject = ownWatches.where('subject', '=', row.subject).where('kind', '=', row.kind)
  const references = await sameSubject.select('reference').limit(MAX_PER_SUBJECT).execute()
  if (references.some(({ reference }) => reference === row.reference)) return
  if (references.length >= MAX_PER_SUBJECT) {
    throw limitReached(
      'watch',
      `A subject can have at most ${MAX_PER_SUBJECT} watches. End a watch of it first.`,
      reason('limit_watches_of_subject', { limit: MAX_PER_SUBJECT }),
    )
  }
  const storage = {
    kind: 'watches',
    amount: 1,
    field: 'watch',
    now: row.created_at,
    limit: maxPerOrganization,
  } as const
  await requireStorage(tx, row.organization_id, storage)
}

/** Active identifier watches of the given subjects or TACs, by subject or TAC. */
export async function findIdentifierWatches(
  db: Database,
  tx: Tx,
  by: 'subject' | 'tac',
  values: readonly string[],
  now: number,
): Promise<WatchesBySubject> {
  const anyWatch = await tx.selectFrom('watch').select('id').orderBy('id').limit(1).executeTakeFirst()
  if (!anyWatch) return new Map()
  const rows = await db.bulk.findByValues(tx, 'watch', by, values)
  const unexpired = rows.filter(({ kind, until }) => kind === 'identifier' && (until === null || until > now))
  const active = Map.groupBy(await withoutPaused(tx, unexpired), (row) => row[by])
  return new Map([...active].map(([value, watches]) => [value, watches.map(toOrganizationWatch)]))
}

/** Watches of organizations below Enterprise are paused: they stay stored and report nothing. */
async function withoutPaused(tx: Tx, rows: readonly Selectable<WatchTable>[]): Promise<Selectable<WatchTable>[]> {
  const isActive = new Map<string, boolean>()
  for (const { organization_id: id } of rows) {
    if (!isActive.has(id)) isActive.set(id, tierIncludes(await readOrganizationTier(tx, id), createWatch.tier))
  }
  return rows.filter(({ organization_id: id }) => isActive.get(id))
}

function toWatchRow(organizationId: string, watch: Watch): WatchTable {
  return {
    id: watch.id,
    organization_id: organizationId,
    kind: watch.kind,
    subject: watch.subject,
    tac: watch.identifierType === 'imei' ? watch.subject.slice(0, 8) : '',
    identifier: watch.identifier ?? '',
    identifier_type: watch.identifierType ?? '',
    reference: watch.reference ?? '',
    threshold_percent: watch.thresholdPercent,
    last_cents: watch.lastCents,
    until: watch.until,
    created_at: watch.createdAt,
  }
}

const toOrganizationWatch = (row: WatchTable): OrganizationWatch => ({
  ...toWatch(row),
  organizationId: row.organization_id,
})

function toWatch(row: WatchTable): Watch {
  return {
    id: row.id,
    kind: row.kind,
    subject: row.subject,
    identifier: row.identifier || null,
    identifierType: (row.identifier_type || null) as Watch['identifierType'],
    reference: row.reference || null,
    thresholdPercent: row.threshold_percent,
    lastCents: row.last_cents,
    until: row.until,
    createdAt: row.created_at,
  }
}
