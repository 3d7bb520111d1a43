/**
 * Open Repair Data files: counts faults by brand, model and category. Single rows are not stored, and the free text
 * `problem` is never read: it may name people.
 */
import { basename } from 'node:path'
import openRepair from '../../../data/aliases/open-repair.json' with { type: 'json' }
import { invalid } from '../../lib/errors.ts'
import type { RejectionCode, RemarkCode } from '../../lib/rejections.ts'
import { loadBundledRepairData } from '../../repairs/bundled-repair-data.ts'
import type { FaultKind } from '../../repairs/fault-kinds.ts'
import type { FaultCountRecord } from '../../repairs/repair-fact-index.ts'
import { repairStore } from '../../repairs/repair-store.ts'
import type { Schema } from '../../tables/assign-columns.ts'
import { type Importer, importStoppedBeforeWriting } from '../importer.ts'
import { readTableRecords, type TableRecord } from '../read/table-records.ts'
import { readDeviceNames } from './repair-subject-store.ts'
import { createRepairSubjectFinder, type RepairSubjectFinder } from './repair-subjects.ts'

/** Our faults by their fault types; null for a type that is not a fault of a part. */
const FAULT_BY_TYPE = new Map(Object.entries(openRepair.faultTypes)) as ReadonlyMap<string, FaultKind | null>
/** Our category slugs by their product categories. */
const CATEGORY_BY_PRODUCT: ReadonlyMap<string, string> = new Map(Object.entries(openRepair.categories))

const REPAIR_COLUMNS: Schema<'fault_type' | 'product_category' | 'brand' | 'model'> = {
  fields: [
    { name: 'fault_type', words: ['faultType'] },
    { name: 'product_category', words: ['productCategory'] },
    { name: 'brand', words: ['make'] },
    { name: 'model', words: ['model'] },
  ],
  decoys: [],
}
const REQUIRED_COLUMNS = ['fault_type', 'product_category', 'brand']

export const openRepairImporter: Importer = {
  format: 'open-repair',
  help: 'Records of repairs as Open Repair Data files (CSV with fault_type, product_category, brand and perhaps model).',
  options: {
    source: 'a name for these records; importing under the same name replaces them (the file name when absent)',
  },
  async run(source, { db, dryRun, options, report, progress, notify, signal }) {
    const name = options.source ?? (source.name === '-' ? '' : basename(source.name))
    if (!name) throw invalid('source', undefined, 'a name for records from stdin')
    const finder = createRepairSubjectFinder(await readDeviceNames(db), loadBundledRepairData().lines)
    const counts = new Map<string, FaultCountRecord>()
    const ids = new Set<string>()
    let rows = 0
    let counted = 0
    let deviceFaults = 0
    for await (const record of readTableRecords(source, notify, REPAIR_COLUMNS, REQUIRED_COLUMNS)) {
      const { line, cell } = record
      if (signal.aborted) throw importStoppedBeforeWriting()
      rows++
      progress.at(rows, source.readBytes(), source.totalBytes)
      const id = cell('id_ords', 'id')
      if (id && ids.has(id)) {
        report.reject(line, 'record_repeated', id)
        continue
      }
      if (id) ids.add(id)
      const parsed = parseRecord(record, finder)
      if ('remark' in parsed) report.remark(parsed.remark)
      else if ('rejected' in parsed) report.reject(line, parsed.rejected, parsed.detail)
      else {
        const key = JSON.stringify([parsed.category, parsed.make, parsed.deviceId, parsed.fault])
        const existing = counts.get(key) ?? { ...parsed, count: 0 }
        counts.set(key, { ...existing, count: existing.count + 1 })
        counted++
        if (parsed.deviceId) deviceFaults++
      }
    }
    if (!dryRun) await repairStore(db).replaceFaults(name, [...counts.values()])
    return { rows, counted, of_known_devices: deviceFaults, groups: counts.size }
  },
}

type CountedFault = Omit<FaultCountRecord, 'count'>

/** A valid row that counts for nothing gets a remark. */
function parseRecord(
  { cell }: TableRecord,
  finder: RepairSubjectFinder,
): CountedFault | { remark: RemarkCode } | { rejected: RejectionCode; detail: string } {
  const category = CATEGORY_BY_PRODUCT.get(cell('product_category').toLowerCase())
  if (!category) return { remark: 'category_not_counted' }
  const type = cell('fault_type')
  const fault = FAULT_BY_TYPE.get(type.toLowerCase())
  if (fault === undefined) return { rejected: 'fault_unknown', detail: type }
  if (fault === null) return { remark: 'no_part_fault' }
  const brand = cell('brand')
  const make = /^(unknown|other|n\/?a|-)?$/i.test(brand) ? '' : finder.spellingOfMake(brand)
  const model = cell('model')
  const device = make && model ? finder.findDevice(make, model, category) : null
  return { category, make, deviceId: device?.id ?? '', fault }
}
