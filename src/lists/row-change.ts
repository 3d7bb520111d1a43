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
  /** IMEI or serial number; null as the row says, empty if it has none. Absent in changes stored before it could be corrected. */
  readonly identifier?: string | null
  /** Asking price per device in units of the currency; null as the row says. */
  readonly asking_price?: number | null
}

/** The cells of a row as a person corrected them. A correction replaces what the row says about the same matter. */
export function withRowChange(
  cellOf: (column: ListColumn) => string,
  change: RowChange | null,
): (column: ListColumn) => string {
  if (!change) return cellOf
  const {
    device_id: deviceId,
    storage,
    condition,
    defects,
    identifier = null,
    asking_price: askingPrice = null,
  } = change
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
  if (identifier !== null) {
    cells.set('identifier', identifier)
    cells.set('serial', '')
  }
  if (askingPrice !== null) cells.set('asking_price', `${askingPrice.toFixed(2)} ${currencyOf(cellOf('asking_price'))}`)
  return (column) => cells.get(column) ?? cellOf(column)
}

/** A sign or words beside the digits of a price, such as "€" or "kr". */
const currencyOf = (price: string): string => /\p{Sc}/u.exec(price)?.[0] ?? /\p{L}+/u.exec(price)?.[0] ?? ''
