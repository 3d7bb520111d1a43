/** Our own repair facts, in the form that `docs/repairs.md` describes and the facts on board have. */
import { CommandError } from '../errors.ts'
import { readOnBoard } from '../repair/board.ts'
import type { FactRecord } from '../repair/fact.ts'
import { isOnBoard } from '../repair/fact.ts'
import { readFactFile } from '../repair/fact-file.ts'
import { repairStore } from '../repair/store.ts'
import type { Importer } from './importer.ts'
import { readJsonDocument } from './json.ts'
import { knownVariants, readNamedDevices, subjectFinder } from './repairs-subjects.ts'

export const repairsImporter: Importer = {
  format: 'repairs',
  help: 'Repair facts in our own JSON; the file is the whole of what its source says, and replaces what it said before.',
  async run(source, { db, dryRun, report, note, runId }) {
    const file = readFactFile(await readJsonDocument(source, note))
    if ('refused' in file) throw new CommandError(`${source.name} is no list of repair facts: ${file.refused}.`)
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
    const [first] = file.records
    if (first && isOnBoard(first)) throw new CommandError(`"${first.source}" is the name of the facts on board.`)
    if (first && !dryRun) await repairStore(db).replaceSource(first.source, kept, runId)
    const subjects = new Set(kept.map((record) => `${record.level} ${record.subject}`))
    return { rows: file.records.length + file.problems.length, subjects: subjects.size }
  },
}
