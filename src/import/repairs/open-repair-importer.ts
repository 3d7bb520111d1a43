/** Open Repair Data shaped files: what broke, by brand, model and category, counted and then forgotten row by row. */
import { basename } from 'node:path'
import { invalid } from '../../errors.ts'
import type { FaultTally } from '../../repair/fact-index.ts'
import { readOnBoard } from '../../repair/facts-on-board.ts'
import { repairStore } from '../../repair/store.ts'
import { type Importer, stoppedBeforeWriting } from '../importer.ts'
import { readRecords, type TableRecord } from '../read/records.ts'
import { categoryOfProduct, faultOfType } from './open-repair-faults.ts'
import { readNamedDevices } from './subject-store.ts'
import { type SubjectFinder, subjectFinder } from './subjects.ts'

const NEEDED = ['fault_type', 'product_category', 'brand']

export const openRepairImporter: Importer = {
  format: 'open-repair',
  help: 'Records of repairs as Open Repair Data files (CSV with fault_type, product_category, brand and perhaps model).',
  options: {
    source: 'a name for these records; importing under the same name replaces them (the file name when absent)',
  },
  async run(source, { db, dryRun, options, report, progress, note, signal }) {
    const name = options.source ?? (source.name === '-' ? '' : basename(source.name))
    if (!name) throw invalid('source', undefined, 'a name for records from stdin')
    const finder = subjectFinder(await readNamedDevices(db), readOnBoard().lines)
    const tallies = new Map<string, FaultTally & { seen: number }>()
    const ids = new Set<string>()
    let rows = 0
    let counted = 0
    let ofDevices = 0
    for await (const record of readRecords(source, note, NEEDED)) {
      const { line, at } = record
      if (signal.aborted) throw stoppedBeforeWriting()
      rows++
      progress.at(rows, source.readBytes(), source.totalBytes)
      const id = at('id_ords', 'id')
      if (id && ids.has(id)) {
        report.reject(line, 'record id seen before', id)
        continue
      }
      if (id) ids.add(id)
      const read = readRecord(record, finder)
      if (typeof read === 'string') {
        report.remark(read)
        continue
      }
      if ('rejected' in read) {
        report.reject(line, read.rejected, read.detail)
        continue
      }
      const key = JSON.stringify([read.category, read.make, read.deviceId, read.fault])
      const tally = tallies.get(key)
      if (tally) tally.seen++
      else tallies.set(key, { ...read, seen: 1 })
      counted++
      if (read.deviceId) ofDevices++
    }
    if (!dryRun) await repairStore(db).replaceFaults(name, [...tallies.values()])
    return { rows, counted, of_known_devices: ofDevices, groups: tallies.size }
  },
}

type Counted = Omit<FaultTally, 'seen'>

/** What a row counts for; a text says why a row in order counts for nothing. */
function readRecord(
  { at }: TableRecord,
  finder: SubjectFinder,
): Counted | string | { rejected: string; detail: string } {
  const product = at('product_category')
  const category = categoryOfProduct(product)
  if (!category) return 'product category that is not counted'
  const type = at('fault_type')
  const fault = faultOfType(type)
  if (fault === undefined) return { rejected: 'unknown fault type', detail: type }
  if (fault === null) return 'no fault of a part'
  const brand = at('brand')
  const make = /^(unknown|other|n\/?a|-)?$/i.test(brand) ? '' : finder.make(brand)
  const model = at('model')
  const device = make && model ? finder.device(make, model, category) : null
  return { category, make, deviceId: device?.id ?? '', fault }
}
