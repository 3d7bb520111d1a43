/** Repair facts: our own JSON, as `docs/repairs.md` describes it, or categories and guides of the repair wiki. */

import { type FactRecord, isOnBoard } from '../../repair/fact.ts'
import { readFactFile } from '../../repair/fact-file.ts'
import { readOnBoard } from '../../repair/facts-on-board.ts'
import { repairStore } from '../../repair/store.ts'
import type { ImportContext, Importer, ImportResult } from '../importer.ts'
import { readJsonDocument } from '../read/json.ts'
import { unreadable } from '../read/unreadable.ts'
import { knownVariants, readNamedDevices } from './subject-store.ts'
import { subjectFinder } from './subjects.ts'
import { importWiki } from './wiki.ts'

export const repairsImporter: Importer = {
  format: 'repairs',
  help: "Repair facts: our own JSON, or the repair wiki's categories and guides.",
  async run(source, context) {
    const json = await readJsonDocument(source, context.note)
    const isOurs = typeof json === 'object' && json !== null && 'format' in json
    return isOurs ? importOwn(json, source.name, context) : importWiki(json, source.name, context)
  },
}

/** The file is the whole of what its source says, and replaces what that said before. */
async function importOwn(
  json: unknown,
  name: string,
  { db, dryRun, report, runId }: ImportContext,
): Promise<ImportResult> {
  const file = readFactFile(json)
  if ('refused' in file) throw unreadable(`${name} is no list of repair facts: ${file.refused}.`)
  for (const { record, message } of file.problems) report.reject(record, 'record is not in order', message)

  const { lines } = readOnBoard()
  const finder = subjectFinder(await readNamedDevices(db), lines)
  const variants = await knownVariants(
    db,
    file.records.filter((each) => each.level === 'variant').map((each) => each.subject),
  )
  const lineIds = new Set(lines.map((line) => line.id))
  const isKnown = ({ level, subject }: FactRecord) => {
    if (level === 'variant') return variants.has(subject)
    if (level === 'device') return finder.hasDevice(subject)
    return level === 'line' ? lineIds.has(subject) : finder.hasCategory(subject)
  }
  const kept = file.records.filter((record, at) => {
    if (isKnown(record)) return true
    report.reject(at + 1, `no such ${record.level}`, record.subject)
    return false
  })
  if (isOnBoard(file)) throw unreadable(`"${file.source}" is the name of the facts on board.`)
  if (!dryRun) await repairStore(db).replaceSource(file.source, kept, runId)
  const subjects = new Set(kept.map((record) => `${record.level} ${record.subject}`))
  return { rows: file.records.length + file.problems.length, subjects: subjects.size }
}
