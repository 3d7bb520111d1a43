import type { Database, Tx } from '../db/open.ts'
import type { RepairFactTable } from '../db/schema.ts'
import type { FactRecord } from './fact.ts'
import type { FaultTally, Imported } from './fact-index.ts'
import { isFaultKind, LEVELS, type Level } from './kind.ts'

/** Reading is cut up so that requests are answered in between, however much was imported. */
const PAGE_ROWS = 500

type Place = Pick<FactRecord, 'level' | 'subject' | 'source' | 'updatedAt'>
type Facts = Omit<FactRecord, keyof Place>

export type RepairStore = {
  readImported(): Promise<Imported>
  /** Records of one source about one subject replace what that source said of it before. */
  writeFacts(records: readonly FactRecord[], runId: string): Promise<void>
  /** As `writeFacts`, inside someone's transaction, who announces it. */
  writeFactsIn(tx: Tx, records: readonly FactRecord[], runId: string): Promise<void>
  /** As `writeFacts`, and whatever else this source once said is forgotten. */
  replaceSource(source: string, records: readonly FactRecord[], runId: string): Promise<void>
  replaceFaults(source: string, tallies: readonly FaultTally[]): Promise<void>
}

export function repairStore(db: Database): RepairStore {
  async function writeFactsIn(tx: Tx, records: readonly FactRecord[], runId: string): Promise<void> {
    await db.insertMany(tx, 'repair_fact', rowsOf(records, runId), { conflict: ['level', 'subject', 'source'] })
  }

  async function write(forget: string | null, records: readonly FactRecord[], runId: string): Promise<void> {
    await db.transaction(async (tx) => {
      if (forget !== null) await tx.deleteFrom('repair_fact').where('source', '=', forget).execute()
      await writeFactsIn(tx, records, runId)
      await db.announce(tx, 'repair')
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
        for (const row of rows) imported.push(...recordsOf(row))
        if (rows.length < PAGE_ROWS) break
        await Bun.sleep(1)
      }
      const faults = await db.query.selectFrom('fault_count').selectAll().execute()
      return {
        imported,
        // A word of a newer program version is skipped, not fatal to this one.
        faultsImported: faults.flatMap(({ category, make, device_id, fault, seen }) =>
          isFaultKind(fault) ? [{ category, make, deviceId: device_id, fault, seen }] : [],
        ),
      }
    },
    writeFactsIn,
    writeFacts: (records, runId) => write(null, records, runId),
    replaceSource: (source, records, runId) => write(source, records, runId),
    async replaceFaults(source, tallies) {
      const rows = tallies.map(({ category, make, deviceId, fault, seen }) => ({
        source,
        category,
        make,
        device_id: deviceId,
        fault,
        seen,
      }))
      await db.transaction(async (tx) => {
        await tx.deleteFrom('fault_count').where('source', '=', source).execute()
        await db.insertMany(tx, 'fault_count', rows)
        await db.announce(tx, 'repair')
      })
    },
  }
}

/** A row that cannot be read costs its own facts, not everyone's answers. */
function recordsOf(row: RepairFactTable): FactRecord[] {
  if (!isLevel(row.level)) return []
  const place = { level: row.level, subject: row.subject, source: row.source, updatedAt: row.updated_at }
  try {
    return (JSON.parse(row.document) as Facts[]).map((said) => ({ ...place, ...said, without: said.without ?? [] }))
  } catch {
    return []
  }
}

function rowsOf(records: readonly FactRecord[], runId: string) {
  const groups = new Map<string, { place: Place; said: Facts[] }>()
  for (const { level, subject, source, updatedAt, ...facts } of records) {
    const key = JSON.stringify([level, subject, source])
    const group = groups.get(key) ?? { place: { level, subject, source, updatedAt }, said: [] }
    group.said.push(facts)
    groups.set(key, group)
  }
  return [...groups.values()].map(({ place, said }) => ({
    level: place.level,
    subject: place.subject,
    source: place.source,
    document: JSON.stringify(said),
    updated_at: place.updatedAt,
    run_id: runId,
  }))
}

function isLevel(word: string): word is Level {
  return (LEVELS as readonly string[]).includes(word)
}
