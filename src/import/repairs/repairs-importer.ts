/** Repair facts: our own JSON, as `docs/repairs.md` describes it, or categories and guides of the repair wiki. */

import { reason } from '../../lib/reasons.ts'
import { loadBundledRepairData } from '../../repairs/bundled-repair-data.ts'
import { type FactRecord, isBundled } from '../../repairs/repair-fact.ts'
import { parseFactFile } from '../../repairs/repair-fact-file.ts'
import { repairStore } from '../../repairs/repair-store.ts'
import type { ImportContext, Importer, ImportResult } from '../importer.ts'
import { readJsonDocument } from '../read/json.ts'
import { unreadableFile } from '../read/unreadable-file.ts'
import { findExistingVariants, readDeviceNames } from './repair-subject-store.ts'
import { createRepairSubjectFinder } from './repair-subjects.ts'
import { importRepairWiki } from './repair-wiki-service.ts'

export const repairsImporter: Importer = {
  format: 'repairs',
  help: "Repair facts: our own JSON, or the repair wiki's categories and guides.",
  async run(source, context) {
    const json = await readJsonDocument(source, context.notify)
    const isOwnFormat = typeof json === 'object' && json !== null && 'format' in json
    return isOwnFormat ? importOwnFacts(json, source.name, context) : importRepairWiki(json, source.name, context)
  },
}

/** The file replaces all earlier facts of its source. */
async function importOwnFacts(
  json: unknown,
  name: string,
  { db, dryRun, report, runId }: ImportContext,
): Promise<ImportResult> {
  const file = parseFactFile(json)
  if ('rejected' in file)
    throw unreadableFile(
      `${name} is no list of repair facts: ${file.rejected}.`,
      reason('file_unknown_format', { name }),
    )
  for (const { record, message } of file.problems) report.reject(record, 'record_invalid', message)

  const { lines } = loadBundledRepairData()
  const finder = createRepairSubjectFinder(await readDeviceNames(db), lines)
  const variants = await findExistingVariants(
    db,
    file.records.filter((record) => record.level === 'variant').map((record) => record.subject),
  )
  const lineIds = new Set(lines.map((line) => line.id))
  const isKnown = ({ level, subject }: FactRecord) => {
    if (level === 'variant') return variants.has(subject)
    if (level === 'device') return finder.hasDevice(subject)
    return level === 'line' ? lineIds.has(subject) : finder.hasCategory(subject)
  }
  const accepted = file.records.filter((record, at) => {
    if (isKnown(record)) return true
    report.reject(at + 1, 'repair_subject_unknown', `${record.level} ${record.subject}`)
    return false
  })
  if (isBundled(file))
    throw unreadableFile(
      `"${file.source}" is reserved for the bundled facts; use another source name.`,
      reason('source_name_reserved', { name: file.source }),
    )
  if (!dryRun) await repairStore(db).replaceSource(file.source, accepted, runId)
  const subjects = new Set(accepted.map((record) => `${record.level} ${record.subject}`))
  return { rows: file.records.length + file.problems.length, subjects: subjects.size }
}
