/** Fields of a device list; of two columns with the same title the first of this list gets it. */
export const LIST_COLUMNS = [
  'identifier',
  'serial',
  'variant_id',
  'device_id',
  'text',
  'make',
  'condition',
  'defects',
  'storage',
  'color',
  'ram',
  'lock',
  'carrier',
  'battery',
  'quantity',
  'asking_price',
  'currency',
  'notes',
  'reference',
] as const
export type ListColumn = (typeof LIST_COLUMNS)[number]

/**
 * `no_device`: nothing names the device · `fault_not_stated`: the row says defective, not what is defective ·
 * `unread_words`: words that may change the price · `unread_note`: words of a note that probably do not · `value_rejected`:
 * the device cannot have this value · `implausible_price`: the asking price is far from what the device is worth; `words` hold the
 * expected range · `cell_cut`: the row was too long to store; `words` are the beginning of the first cell that was cut.
 */
export const ROW_QUESTIONS = [
  'no_device',
  'several_identifiers',
  'unreadable_identifier',
  'unknown_grade',
  'fault_not_stated',
  'unread_words',
  'unread_note',
  'unknown_lock',
  'unreadable_number',
  'implausible_price',
  'value_rejected',
  'cell_cut',
] as const
export type RowQuestionCode = (typeof ROW_QUESTIONS)[number]

/** What changed in a row between two versions of a list. */
export const LIST_CHANGE_KINDS = ['added', 'gone', 'price_changed', 'grade_changed', 'quantity_changed'] as const
export type DeviceListChangeKind = (typeof LIST_CHANGE_KINDS)[number]
