/** The repair wiki's categories and guides. A guide replaces its own earlier version, so files can be imported one by one. */

import type { FactRecord } from '../../repair/fact.ts'
import { readOnBoard } from '../../repair/facts-on-board.ts'
import { repairStore } from '../../repair/store.ts'
import type { ImportContext, ImportResult } from '../importer.ts'
import { unreadable } from '../read/unreadable.ts'
import { writeInSteps } from '../steps.ts'
import { NOT_WIKI, readWiki, type WikiItem } from './guide.ts'
import { readNamedDevices } from './subject-store.ts'
import { type Subject, subjectFinder } from './subjects.ts'

const SOURCE = 'repairsite'

export async function importWiki(
  json: unknown,
  name: string,
  { db, now, dryRun, report, runId, signal }: ImportContext,
): Promise<ImportResult> {
  const items = readWiki(json)
  if (items.length > 0 && items.every((item) => item.kind === 'unread' && item.reason === NOT_WIKI)) {
    throw unreadable(`${name} holds neither our own repair facts nor categories and guides of the repair wiki.`)
  }
  const finder = subjectFinder(await readNamedDevices(db), readOnBoard().lines)
  const records: FactRecord[] = []
  let guides = 0
  let scores = 0
  for (const [at, item] of items.entries()) {
    if (item.kind === 'unread') {
      report.reject(at + 1, item.reason, item.detail)
      continue
    }
    const subject = finder.subject(item.about)
    if (!subject) {
      report.reject(at + 1, 'no device, line or category of this name', item.about)
      continue
    }
    records.push(recordOf(item, subject, now()))
    if (item.kind === 'guide') guides++
    else scores++
  }
  if (!dryRun) {
    const store = repairStore(db)
    await writeInSteps(db, records, (tx, step) => store.writeFactsIn(tx, step, runId), {
      finish: (tx) => db.announce(tx, 'repair'),
      signal,
    })
  }
  const subjects = new Set(records.map((record) => `${record.level} ${record.subject}`))
  return { rows: items.length, guides, scores, subjects: subjects.size }
}

function recordOf(item: Exclude<WikiItem, { kind: 'unread' }>, subject: Subject, now: number): FactRecord {
  const nothing = {
    score: null,
    repairs: [],
    failurePoints: [],
    notes: [],
    proprietaryParts: null,
    specialTools: null,
    without: [],
  }
  // A date in the future is a mistake of the list; it must not outrank what comes later.
  const updatedAt = Math.min(item.modifiedAt ?? now, now)
  if (item.kind === 'score') {
    const rubricYear = item.modifiedAt === null ? null : new Date(updatedAt).getUTCFullYear()
    return { ...nothing, ...subject, source: SOURCE, updatedAt, score: { value: item.value, rubricYear } }
  }
  return {
    ...nothing,
    ...subject,
    source: `${SOURCE} guide ${item.id}`,
    updatedAt,
    repairs: [item.repair],
    specialTools: item.tools.length > 0 ? item.tools : null,
  }
}
