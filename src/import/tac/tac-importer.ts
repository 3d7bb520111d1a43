/** `import tac FILE`: facts about type allocation codes, linked to the devices of the catalogue where known. */

import type { TacTable } from '../../db/schema.ts'
import { reason } from '../../lib/reasons.ts'
import { loadImportRegistry } from '../catalogue/catalogue-writer-service.ts'
import { findDeviceId } from '../catalogue/device-lookup.ts'
import type { ImportRegistry } from '../catalogue/import-registry.ts'
import { resolveMake } from '../catalogue/makes.ts'
import { cleanText } from '../catalogue/names.ts'
import { type Importer, importStopped } from '../importer.ts'
import { decodeText } from '../read/encoding.ts'
import { openTable } from '../read/table-records.ts'
import { unreadableFile } from '../read/unreadable-file.ts'
import { writeInSteps } from '../step-writer-service.ts'
import { parseTacRow, TAC_COLUMNS, TAC_FORMATS, type TacFact, type TacFormat } from './tac-formats.ts'
import { readTacs, writeTacs } from './tac-store.ts'

/** Bands and other names of a model make long fields, but not that long. */
const MAX_FIELD_CHARS = 1000

export const tacImporter: Importer = {
  format: 'tac',
  help: 'type allocation codes: our own CSV (tac,make,model[,device_id][,confidence]), Osmocom, Samsung TAC list, GSMA TAC dump',
  exclusiveTarget: 'catalogue',
  async run(source, context) {
    const registry = await loadImportRegistry(context.db)
    const { format, title, records } = await openTable(
      decodeText(source, context.notify),
      source.name,
      TAC_COLUMNS,
      (header) => TAC_FORMATS.find(({ isHeader }) => isHeader(header)),
      ({ names }) =>
        unreadableFile(
          `${source.name} is not a known TAC list: it begins with ${names.join(',').slice(0, 200)}. See docs/importing.md for the formats.`,
          reason('file_unknown_format', { name: source.name }),
        ),
    )
    context.notify(`Reading ${source.name} as ${format.title}.${title ? ` It says: ${title}` : ''}`)
    let rows = 0
    const facts = new Map<string, TacTable>()
    for await (const record of records) {
      rows++
      context.progress.at(rows, source.readBytes(), source.totalBytes)
      const parsed: ReturnType<typeof parseTacRow> = record.fields.some((field) => field.length > MAX_FIELD_CHARS)
        ? { problem: 'field_too_long' }
        : parseTacRow(format, record)
      if (parsed.problem) context.report.reject(record.line, parsed.problem)
      if (parsed.remark) context.report.remark(parsed.remark)
      for (const fact of parsed.facts ?? []) {
        if (fact.deviceId && !registry.get(fact.deviceId)) {
          context.report.reject(record.line, 'device_id_unknown', fact.deviceId)
          continue
        }
        const tacRow = toTacRow(fact, format, registry)
        if (!isAllocated(fact.tac)) context.report.remark('unknown_reporting_body')
        const key = tacKey(tacRow)
        if (facts.has(key)) context.report.remark('duplicate_fact')
        facts.set(key, tacRow)
      }
      if (context.signal.aborted) break
    }
    const storedFacts = new Map((await readTacs(context.db, format.source)).map((row) => [tacKey(row), row]))
    const changed = [...facts.values()].filter((row) => !isSameFact(storedFacts.get(tacKey(row)), row))
    if (!context.dryRun) {
      const written = await writeInSteps(context.db, changed, (tx, step) => writeTacs(context.db, tx, step), {
        inLastTransaction: (tx) => context.db.announceChange(tx, 'catalogue'),
        signal: context.signal,
      })
      if (written < changed.length) throw importStopped(written, changed.length, 'TAC facts')
    }
    const allFacts = [...facts.values()]
    return {
      rows,
      tacs: new Set(allFacts.map((row) => row.tac)).size,
      tacs_with_device: new Set(allFacts.filter((row) => row.device_id).map((row) => row.tac)).size,
      facts: allFacts.length,
      facts_changed: changed.length,
    }
  },
}

function tacKey(row: TacTable): string {
  return `${row.tac}\n${row.make}\n${row.model}`
}

function isSameFact(a: TacTable | undefined, b: TacTable): boolean {
  return a !== undefined && a.device_id === b.device_id && a.confidence === b.confidence
}

function toTacRow(fact: TacFact, format: TacFormat, registry: ImportRegistry): TacTable {
  const { make, line } = resolveMake(cleanText(fact.make), registry.spellingOfMake)
  const model = cleanText(fact.model)
  const device = fact.deviceId ?? findDeviceId(registry, make, line, [model, ...fact.aliases], fact.tac)
  return {
    tac: fact.tac,
    device_id: device ?? null,
    make,
    model,
    source: format.source,
    confidence: fact.confidence ?? (isAllocated(fact.tac) ? format.confidence : DOUBTFUL_CONFIDENCE),
  }
}

/** First two digits of the bodies that allocate TACs or once did; 00 and 02 to 09 are for testing. */
const REPORTING_BODIES = new Set('01 10 30 33 35 44 45 49 50 51 52 53 54 86 91 98 99'.split(' '))
const DOUBTFUL_CONFIDENCE = 15

function isAllocated(tac: string): boolean {
  return REPORTING_BODIES.has(tac.slice(0, 2))
}
