/** The repair wiki's categories and guides. A guide replaces its own earlier version, so files can be imported one by one. */

import { reason } from '../../lib/reasons.ts'
import { loadBundledRepairData } from '../../repairs/bundled-repair-data.ts'
import { type FactRecord, NO_FACTS } from '../../repairs/repair-fact.ts'
import { repairStore } from '../../repairs/repair-store.ts'
import type { ImportContext, ImportResult } from '../importer.ts'
import { unreadableFile } from '../read/unreadable-file.ts'
import { writeInSteps } from '../step-writer-service.ts'
import { readDeviceNames } from './repair-subject-store.ts'
import { createRepairSubjectFinder, type RepairSubject } from './repair-subjects.ts'
import { NOT_A_REPAIR_WIKI, parseRepairWiki, type WikiItem } from './repair-wiki.ts'

const WIKI_SOURCE = 'repairsite'

export async function importRepairWiki(
  json: unknown,
  name: string,
  { db, now, dryRun, report, runId, signal }: ImportContext,
): Promise<ImportResult> {
  const items = parseRepairWiki(json)
  if (items.length > 0 && items.every((item) => item.kind === 'unread' && item.reason === NOT_A_REPAIR_WIKI)) {
    throw unreadableFile(
      `${name} holds neither our own repair facts nor categories and guides of the repair wiki.`,
      reason('file_unknown_format', { name }),
    )
  }
  const finder = createRepairSubjectFinder(await readDeviceNames(db), loadBundledRepairData().lines)
  const records: FactRecord[] = []
  let guides = 0
  let scores = 0
  for (const [at, item] of items.entries()) {
    if (item.kind === 'unread') {
      report.reject(at + 1, item.reason, item.detail)
      continue
    }
    const subject = finder.findSubject(item.deviceName)
    if (!subject) {
      report.reject(at + 1, 'repair_subject_unknown', item.deviceName)
      continue
    }
    records.push(toFactRecord(item, subject, now()))
    if (item.kind === 'guide') guides++
    else scores++
  }
  if (!dryRun) {
    const store = repairStore(db)
    await writeInSteps(db, records, (tx, step) => store.writeFactsInTransaction(tx, step, runId), {
      inLastTransaction: (tx) => db.announceChange(tx, 'repair'),
      signal,
    })
  }
  const subjects = new Set(records.map((record) => `${record.level} ${record.subject}`))
  return { rows: items.length, guides, scores, subjects: subjects.size }
}

function toFactRecord(item: Exclude<WikiItem, { kind: 'unread' }>, subject: RepairSubject, now: number): FactRecord {
  // A date in the future is an error of the list and must not outrank later facts.
  const updatedAt = Math.min(item.modifiedAt ?? now, now)
  if (item.kind === 'score') {
    const rubricYear = item.modifiedAt === null ? null : new Date(updatedAt).getUTCFullYear()
    return { ...NO_FACTS, ...subject, source: WIKI_SOURCE, updatedAt, score: { value: item.value, rubricYear } }
  }
  return {
    ...NO_FACTS,
    ...subject,
    source: `${WIKI_SOURCE} guide ${item.id}`,
    updatedAt,
    repairs: [item.repair],
    specialTools: item.tools.length > 0 ? item.tools : null,
  }
}
