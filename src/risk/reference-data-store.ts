import { deleteRowsBelow } from '../db/batched-delete.ts'
import type { Database, Tx } from '../db/database.ts'
import { compileByKeyCount } from '../db/key-query.ts'
import type { HintedDevice, TacEntry } from './device-match.ts'
import { writeSourceFactsWithEvents } from './source-facts-store.ts'
import type { ImportedList, ListedIdentifier } from './sources/imported-lists-source.ts'
import type { CachedSourceFacts } from './sources/provider-service.ts'

/** A provider's cached facts about one identifier. */
export type SourceCacheEntry = { readonly source: string; readonly key: string; readonly facts: CachedSourceFacts }

export type ReferenceDataStore = ReturnType<typeof referenceDataStore>

/** Lists, type allocation codes and cached facts of providers. */
export function referenceDataStore(db: Database) {
  const listedByKeys = compileByKeyCount((size) =>
    db.query
      .selectFrom('listed_identifier')
      .select(['list', 'kind', 'key14', 'status', 'reported_on', 'listed_at'])
      .where('cleared_at', 'is', null)
      .where('key14', 'in', Array(size).fill(''))
      .compile(),
  )
  const tacsByKeys = compileByKeyCount((size) =>
    db.query
      .selectFrom('tac')
      .leftJoin('device', 'device.id', 'tac.device_id')
      .select(['tac.tac', 'tac.device_id', 'device.name', 'tac.make', 'tac.model', 'tac.source', 'tac.confidence'])
      .where('tac.tac', 'in', Array(size).fill(''))
      .compile(),
  )

  return {
    /** Current list entries of each key. */
    async listings(keys: readonly string[]): Promise<Map<string, ListedIdentifier[]>> {
      const { rows } = await db.query.executeQuery(listedByKeys(keys))
      return groupRows(
        rows,
        ({ key14 }) => key14,
        (row) => ({
          list: row.list,
          kind: row.kind,
          status: row.status,
          reportedOn: row.reported_on,
          listedAt: row.listed_at,
        }),
      )
    },

    async lists(): Promise<readonly ImportedList[]> {
      const rows = await db.query.selectFrom('identifier_list').selectAll().orderBy('name').execute()
      return rows.map(({ name, kind, entries, imported_at, area, max_age_days }) => ({
        name,
        kind,
        entries,
        importedAt: imported_at,
        clearance: area === null || max_age_days === null ? null : { area, maxAgeDays: max_age_days },
      }))
    },

    async tacs(tacs: readonly string[]): Promise<Map<string, TacEntry[]>> {
      const { rows } = await db.query.executeQuery(tacsByKeys(tacs))
      return groupRows(
        rows,
        ({ tac }) => tac,
        (row) => ({
          tac: row.tac,
          // A device that was removed from the registry has no id.
          deviceId: row.name === null ? null : row.device_id,
          deviceName: row.name,
          make: row.make,
          model: row.model,
          source: row.source,
          confidence: row.confidence,
        }),
      )
    },

    /** Only the GSMA's own list is complete. */
    async hasCompleteTacList(): Promise<boolean> {
      const row = await db.query
        .selectFrom('tac')
        .select('tac')
        .where('source', '=', 'gsma')
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

    async devices(ids: readonly string[]): Promise<readonly HintedDevice[]> {
      if (ids.length === 0) return []
      const rows = await db.query
        .selectFrom('device')
        .select(['id', 'name', 'released_on'])
        .where('id', 'in', [...ids])
        .execute()
      return rows.map(({ id, name, released_on }) => ({ id, name, releasedOn: released_on }))
    },

    /** When this TAC was first looked up; stores `now` if never. */
    async firstSeen(tac: string, now: number): Promise<number> {
      const find = (tx: Tx) =>
        tx.selectFrom('tac_sighting').select('first_seen_at').where('tac', '=', tac).executeTakeFirst()
      const sighting = await find(db.query)
      if (sighting) return sighting.first_seen_at
      return db.transaction(async (tx) => {
        await db.insertMany(tx, 'tac_sighting', [{ tac, first_seen_at: now }], {
          conflictColumns: ['tac'],
          updateColumns: [],
        })
        return (await find(tx))?.first_seen_at ?? now
      })
    },

    async cachedFacts(source: string, key: string): Promise<CachedSourceFacts | null> {
      const row = await db.query
        .selectFrom('source_cache')
        .select(['facts', 'fetched_at'])
        .where('source', '=', source)
        .where('key', '=', key)
        .executeTakeFirst()
      return row ? { facts: JSON.parse(row.facts), fetchedAt: row.fetched_at } : null
    },

    /** Writes events for watches of the identifiers in the same transaction. */
    writeFacts: (entries: readonly SourceCacheEntry[]): Promise<void> =>
      db.transaction(async (tx) => {
        const rows = entries.map(({ source, key, facts: cached }) => ({
          source,
          key,
          facts: JSON.stringify(cached.facts),
          fetched_at: cached.fetchedAt,
        }))
        const sourceFacts = entries.map(({ source, key, facts: cached }) => ({ source, key, facts: cached.facts }))
        await writeSourceFactsWithEvents(db, tx, sourceFacts, Math.max(...rows.map((row) => row.fetched_at)), () =>
          db.insertMany(tx, 'source_cache', rows, { conflictColumns: ['source', 'key'] }),
        )
      }),

    /** Deletes expired facts of providers. */
    async deleteFactsBefore(before: number): Promise<void> {
      await deleteRowsBelow(db, 'source_cache', 'fetched_at', before)
    },
  }
}

const groupRows = <Row, Value>(rows: readonly Row[], toKey: (row: Row) => string, toValue: (row: Row) => Value) =>
  new Map([...Map.groupBy(rows, toKey)].map(([key, group]) => [key, group.map(toValue)]))
