/** `import tac FILE`: facts about type allocation codes, tied to the devices of the registry where they are known. */
import type { TacTable } from '../../db/schema.ts'
import { findDevice } from '../catalogue/known-device.ts'
import type { KnownRegistry } from '../catalogue/known-registry.ts'
import { openRegistry } from '../catalogue/load.ts'
import { makeOf } from '../catalogue/makes.ts'
import { tidyText } from '../catalogue/names.ts'
import { ORIGINS } from '../catalogue/origins.ts'
import { readTacs, writeTacs } from '../catalogue/tac-store.ts'
import { type Importer, stopped } from '../importer.ts'
import { readRows } from '../read/csv.ts'
import { readText } from '../read/encoding.ts'
import { type Header, readHeader } from '../read/header.ts'
import { unreadable } from '../read/unreadable.ts'
import { writeInSteps } from '../steps.ts'
import { TAC_KINDS, type TacFact, type TacKind } from './tac-lists.ts'

/** Bands and other names of a model make long fields, but not that long. */
const MAX_LINE_FIELD = 1000

export const tacImporter: Importer = {
  format: 'tac',
  help: 'type allocation codes: our own CSV (tac,make,model[,device_id][,confidence]), Osmocom, Samsung TAC list, GSMA TAC dump',
  rewrites: 'catalogue',
  async run(source, context) {
    const registry = await openRegistry(context.db)
    let header: Header | undefined
    let kind: TacKind | undefined
    let banner = ''
    let rows = 0
    const found = new Map<string, TacTable>()
    for await (const row of readRows(readText(source, context.note), source.name)) {
      if (!header || !kind) {
        const candidate = readHeader(row.fields)
        kind = TAC_KINDS.find((one) => one.isHeader(candidate))
        if (kind) {
          header = candidate
          context.note(`Reading ${source.name} as ${ORIGINS[kind.source].title}.${banner ? ` It says: ${banner}` : ''}`)
        } else if (!banner && row.line === 1) banner = row.fields.join(',').trim().slice(0, 200)
        else break
        continue
      }
      rows++
      context.progress.at(rows, source.readBytes(), source.totalBytes)
      const reading = row.fields.some((field) => field.length > MAX_LINE_FIELD)
        ? { problem: 'a field is longer than 1,000 characters' }
        : kind.read(row, header)
      if (reading.problem) context.report.reject(row.line, reading.problem)
      if (reading.remark) context.report.remark(reading.remark)
      for (const fact of reading.facts ?? []) {
        if (fact.deviceId && !registry.get(fact.deviceId)) {
          context.report.reject(row.line, 'device_id is not in the registry', fact.deviceId)
          continue
        }
        const stored = tacRow(fact, kind, registry)
        if (!isAllocated(fact.tac)) context.report.remark('TAC of no reporting body that ever gave one, little trusted')
        const key = keyOf(stored)
        if (found.has(key)) context.report.remark('the same fact again')
        found.set(key, stored)
      }
      if (context.signal.aborted) break
    }
    if (!kind) {
      throw unreadable(
        `${source.name} is no TAC list we know: it begins with ${banner || 'nothing'}. See docs/importing.md for the formats.`,
      )
    }
    const before = new Map((await readTacs(context.db, kind.source)).map((row) => [keyOf(row), row]))
    const changed = [...found.values()].filter((row) => !sameFact(before.get(keyOf(row)), row))
    if (!context.dryRun) {
      const done = await writeInSteps(context.db, changed, (tx, step) => writeTacs(context.db, tx, step), {
        finish: (tx) => context.db.announce(tx, 'catalogue'),
        signal: context.signal,
      })
      if (done < changed.length) throw stopped(done, changed.length, 'TAC facts')
    }
    const all = [...found.values()]
    return {
      rows,
      tacs: new Set(all.map((row) => row.tac)).size,
      tacs_with_device: new Set(all.filter((row) => row.device_id).map((row) => row.tac)).size,
      facts: all.length,
      facts_changed: changed.length,
    }
  },
}

function keyOf(row: TacTable): string {
  return `${row.tac}\n${row.make}\n${row.model}`
}

function sameFact(a: TacTable | undefined, b: TacTable): boolean {
  return a !== undefined && a.device_id === b.device_id && a.confidence === b.confidence
}

function tacRow(fact: TacFact, kind: TacKind, registry: KnownRegistry): TacTable {
  const { make, line } = makeOf(tidyText(fact.make), registry.make)
  const model = tidyText(fact.model)
  const device = fact.deviceId ?? findDevice(registry, make, line, [model, ...fact.alsoKnownAs], fact.tac)
  return {
    tac: fact.tac,
    device_id: device ?? null,
    make,
    model,
    source: kind.source,
    confidence: fact.confidence ?? (isAllocated(fact.tac) ? kind.confidence : DOUBTFUL_CONFIDENCE),
  }
}

/** First two digits of the bodies that allocate TACs or once did; 00 and 02 to 09 are for testing. */
const REPORTING_BODIES = new Set('01 10 30 33 35 44 45 49 50 51 52 53 54 86 91 98 99'.split(' '))
const DOUBTFUL_CONFIDENCE = 15

function isAllocated(tac: string): boolean {
  return REPORTING_BODIES.has(tac.slice(0, 2))
}
