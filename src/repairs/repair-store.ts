import type { Database, Tx } from '../db/database.ts'
import type { RepairFactTable } from '../db/schema.ts'
import { FACT_LEVELS, type FactLevel, isFaultKind } from './fault-kinds.ts'
import type { FactRecord } from './repair-fact.ts'
import type { FaultCountRecord, ImportedRepairData } from './repair-fact-index.ts'

/** Reads in pages, so that requests are served in between. */
const PAGE_ROWS = 500

type FactOrigin = Pick<FactRecord, 'level' | 'subject' | 'source' | 'updatedAt'>
type FactDocument = Omit<FactRecord, keyof FactOrigin>

export type RepairStore = {
  readImported(): Promise<ImportedRepairData>
  /** Replaces the earlier records of the same source about the same subject. */
  writeFacts(records: readonly FactRecord[], runId: string): Promise<void>
  /** Like `writeFacts`, inside a transaction of the caller, who announces the change. */
  writeFactsInTransaction(tx: Tx, records: readonly FactRecord[], runId: string): Promise<void>
  /** Like `writeFacts`, and deletes all other records of the source. */
  replaceSource(source: string, records: readonly FactRecord[], runId: string): Promise<void>
  replaceFaults(source: string, counts: readonly FaultCountRecord[]): Promise<void>
}

export function repairStore(db: Database): RepairStore {
  async function writeFactsIn(tx: Tx, records: readonly FactRecord[], runId: string): Promise<void> {
    await db.insertMany(tx, 'repair_fact', toFactRows(records, runId), {
      conflictColumns: ['level', 'subject', 'source'],
    })
  }

  async function write(replacedSource: string | null, records: readonly FactRecord[], runId: string): Promise<void> {
    await db.transaction(async (tx) => {
      if (replacedSource !== null) await tx.deleteFrom('repair_fact').where('source', '=', replacedSource).execute()
      await writeFactsIn(tx, records, runId)
      await db.announceChange(tx, 'repair')
    })
  }

  return {
    async readImported() {
      const imported: FactRecord[] = []
      for (let page = 0; ; page++) {
        const rows = await db.query
          .selectFrom('repair_fact')
          .selectAll()
          .orderBy('level')
          .orderBy('subject')
          .orderBy('source')
          .limit(PAGE_ROWS)
          .offset(page * PAGE_ROWS)
          .execute()
        for (const row of rows) imported.push(...toFactRecords(row))
        if (rows.length < PAGE_ROWS) break
        await Bun.sleep(1)
      }
      const faults = await db.query.selectFrom('fault_count').selectAll().execute()
      return {
        importedFacts: imported,
        // Skips kinds of a newer program version.
        importedFaults: faults.flatMap(({ category, make, device_id, fault, seen }) =>
          isFaultKind(fault) ? [{ category, make, deviceId: device_id, fault, count: seen }] : [],
        ),
      }
    },
    writeFactsInTransaction: writeFactsIn,
    writeFacts: (records, runId) => write(null, records, runId),
    replaceSource: (source, records, runId) => write(source, records, runId),
    async replaceFaults(source, counts) {
      const rows = counts.map(({ category, make, deviceId, fault, count }) => ({
        source,
        category,
        make,
        device_id: deviceId,
        fault,
        seen: count,
      }))
      await db.transaction(async (tx) => {
        await tx.deleteFrom('fault_count').where('source', '=', source).execute()
        await db.insertMany(tx, 'fault_count', rows)
        await db.announceChange(tx, 'repair')
      })
    },
  }
}

/** An unreadable row is skipped. */
function toFactRecords(row: RepairFactTable): FactRecord[] {
  if (!isFactLevel(row.level)) return []
  const origin = { level: row.level, subject: row.subject, source: row.source, updatedAt: row.updated_at }
  try {
    return (JSON.parse(row.document) as FactDocument[]).map((facts) => ({
      ...origin,
      ...facts,
      without: facts.without ?? [],
    }))
  } catch {
    return []
  }
}

function toFactRows(records: readonly FactRecord[], runId: string) {
  const groups = new Map<string, { origin: FactOrigin; documents: FactDocument[] }>()
  for (const { level, subject, source, updatedAt, ...facts } of records) {
    const key = JSON.stringify([level, subject, source])
    const group = groups.get(key) ?? { origin: { level, subject, source, updatedAt }, documents: [] }
    group.documents.push(facts)
    groups.set(key, group)
  }
  return [...groups.values()].map(({ origin, documents }) => ({
    level: origin.level,
    subject: origin.subject,
    source: origin.source,
    document: JSON.stringify(documents),
    updated_at: origin.updatedAt,
    run_id: runId,
  }))
}

function isFactLevel(word: string): word is FactLevel {
  return (FACT_LEVELS as readonly string[]).includes(word)
}
