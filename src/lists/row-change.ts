/** Corrections of a person to a row of a device list. */
import { describeDevice, tidyName } from '../appraisal/described-device.ts'
import type { Condition } from '../contract/condition-grades.ts'
import type { DefectCode } from '../contract/defect-catalogue.ts'
import type { ListColumn } from '../contract/device-list-columns.ts'
import { once } from '../lib/memoize.ts'

export type RowChange = {
  readonly device_id: string | null
  readonly storage: string | null
  readonly condition: Condition | null
  readonly defects: readonly DefectCode[] | null
}

/** The cells of a row as a person corrected them. A correction replaces what the row says about the same matter. */
export function withRowChange(
  cellOf: (column: ListColumn) => string,
  change: RowChange | null,
): (column: ListColumn) => string {
  if (!change) return cellOf
  const { device_id: deviceId, storage, condition, defects } = change
  const cells = new Map<ListColumn, string>()
  const described = once(() => describeDevice(cellOf('text')))
  if (defects) {
    // The person saw the notes and the words of the title: the list of defects is complete.
    cells.set('defects', defects.join(', ') || 'none')
    cells.set('notes', '')
    cells.set('battery', '')
    cells.set('text', tidyName(described().reading.rest))
  }
  if (deviceId) {
    const { findings, unreadWords } = described()
    const statements = [...findings, ...unreadWords].map(({ words }) => words)
    cells.set('device_id', deviceId)
    cells.set('variant_id', '')
    cells.set('make', '')
    cells.set('text', defects ? '' : [...new Set(statements)].join(', '))
  }
  if (condition) cells.set('condition', condition)
  if (storage) cells.set('storage', storage)
  return (column) => cells.get(column) ?? cellOf(column)
}
