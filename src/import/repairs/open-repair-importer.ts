/** Open Repair Data shaped files: what broke, by brand, model and category, counted and then forgotten row by row. */
import { basename } from 'node:path'
import { invalid } from '../../lib/errors.ts'
import { loadBundledRepairData } from '../../repairs/bundled-repair-data.ts'
import type { FaultCountRecord } from '../../repairs/repair-fact-index.ts'
import { repairStore } from '../../repairs/repair-store.ts'
import { type Importer, importStoppedBeforeWriting } from '../importer.ts'
import { readTableRecords, type TableRecord } from '../read/table-records.ts'
import { categoryForProduct, faultForType } from './open-repair-faults.ts'
import { readDeviceNames } from './repair-subject-store.ts'
import { createRepairSubjectFinder, type RepairSubjectFinder } from './repair-subjects.ts'

const REQUIRED_COLUMNS = ['fault_type', 'product_category', 'brand']

export const openRepairImporter: Importer = {
  format: 'open-repair',
  help: 'Records of repairs as Open Repair Data files (CSV with fault_type, product_category, brand and perhaps model).',
  options: {
    source: 'a name for these records; importing under the same name replaces them (the file name when absent)',
  },
  async run(source, { db, dryRun, options, report, progress, notify: note, signal }) {
    const name = options.source ?? (source.name === '-' ? '' : basename(source.name))
    if (!name) throw invalid('source', undefined, 'a name for records from stdin')
    const finder = createRepairSubjectFinder(await readDeviceNames(db), loadBundledRepairData().lines)
    const tallies = new Map<string, FaultCountRecord & { count: number }>()
    const ids = new Set<string>()
    let rows = 0
    let counted = 0
    let ofDevices = 0
    for await (const record of readTableRecords(source, note, REQUIRED_COLUMNS)) {
      const { line, cell: at } = record
      if (signal.aborted) throw importStoppedBeforeWriting()
      rows++
      progress.at(rows, source.readBytes(), source.totalBytes)
      const id = at('id_ords', 'id')
      if (id && ids.has(id)) {
        report.reject(line, 'record id seen before', id)
        continue
      }
      if (id) ids.add(id)
      const read = parseRecord(record, finder)
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
      if (tally) tally.count++
      else tallies.set(key, { ...read, count: 1 })
      counted++
      if (read.deviceId) ofDevices++
    }
    if (!dryRun) await repairStore(db).replaceFaults(name, [...tallies.values()])
    return { rows, counted, of_known_devices: ofDevices, groups: tallies.size }
  },
}

type CountedFault = Omit<FaultCountRecord, 'count'>

/** What a row counts for; a text says why a row in order counts for nothing. */
function parseRecord(
  { cell: at }: TableRecord,
  finder: RepairSubjectFinder,
): CountedFault | string | { rejected: string; detail: string } {
  const product = at('product_category')
  const category = categoryForProduct(product)
  if (!category) return 'product category that is not counted'
  const type = at('fault_type')
  const fault = faultForType(type)
  if (fault === undefined) return { rejected: 'unknown fault type', detail: type }
  if (fault === null) return 'no fault of a part'
  const brand = at('brand')
  const make = /^(unknown|other|n\/?a|-)?$/i.test(brand) ? '' : finder.spellingOfMake(brand)
  const model = at('model')
  const device = make && model ? finder.findDevice(make, model, category) : null
  return { category, make, deviceId: device?.id ?? '', fault }
}
