/**
 * Why a row of an import is rejected, and remarks about accepted rows: codes that reports count. Pages, commands and downloads
 * write their sentences (`rejections` of the locales). Imports nothing, because pages use it.
 */

/** What an operator can do about rejected rows. */
export type RejectionFix =
  | 'side'
  | 'currency'
  | 'country'
  | 'date'
  | 'dateOrder'
  | 'condition'
  | 'term'
  | 'range'
  | 'amount'
  | 'unit'
  | 'move'
  | 'rate'
  | 'storage'
  | 'storageColumn'
  | 'source'
  | 'model'
  | 'device'
  | 'state'
  | 'nothing'

/** The fix of each reason; null if its sentence says it all. */
export const REJECTIONS = {
  side_unknown: 'side',
  currency_missing: 'currency',
  currency_differs: 'currency',
  country_unknown: 'country',
  date_missing: 'date',
  date_invalid: 'date',
  date_in_future: 'date',
  date_too_old: 'date',
  listed_on_invalid: 'date',
  date_ambiguous: 'dateOrder',
  condition_missing: 'condition',
  condition_unknown: 'term',
  amount_is_range: 'range',
  amount_missing: 'amount',
  amount_not_a_number: 'amount',
  amount_not_positive: 'amount',
  amount_out_of_range: 'unit',
  amount_implausible: 'unit',
  moves_own_price: 'move',
  rate_missing: 'rate',
  rate_too_new: 'rate',
  storage_not_of_model: 'storage',
  storage_missing: 'storageColumn',
  storage_not_a_size: 'storageColumn',
  source_missing: 'source',
  unknown_model: 'model',
  unknown_make: 'model',
  unknown_variant: 'model',
  unknown_sku: 'model',
  unknown_part_number: 'model',
  sku_ambiguous: 'model',
  part_number_ambiguous: 'model',
  title_ambiguous: 'model',
  title_unclear: 'model',
  title_incomplete: 'model',
  title_of_other_make: 'model',
  identifiers_conflict: 'model',
  device_missing: 'device',
  state_unknown: 'state',
  wanted_ad: 'nothing',
  locked: 'nothing',
  accessory: 'nothing',
  part: 'nothing',
  empty_box: 'nothing',
  several_items: 'nothing',
  several_sizes: 'nothing',
  several_models: 'nothing',
  for_parts: 'nothing',
  service: 'nothing',
  replica: 'nothing',
  value_invalid: null,
  not_json: null,
  not_an_object: null,
  not_a_row: null,
  storage_not_sold: null,
  memory_not_sold: null,
  storage_unlikely: null,
  memory_unlikely: null,
  too_many_sizes: null,
  dollar_rate: null,
  day_invalid: null,
  rate_not_positive: null,
  currency_not_a_code: null,
  tac_invalid: null,
  make_or_model_missing: null,
  allocation_date_invalid: null,
  confidence_invalid: null,
  field_too_long: null,
  device_id_unknown: null,
  identifier_missing: null,
  identifier_characters: null,
  identifier_too_long: null,
  identifier_too_short: null,
  reporting_date_invalid: null,
  status_invalid: null,
  change_type_invalid: null,
  release_date_invalid: null,
  make_not_latin: null,
  table_contradicts: null,
  record_invalid: null,
  not_a_repair_wiki: null,
  guide_invalid: null,
  guide_without_device: null,
  guide_not_a_repair: null,
  guide_unknown_part: null,
  repair_subject_unknown: null,
  record_repeated: null,
  fault_unknown: null,
} as const satisfies Record<string, RejectionFix | null>

export type RejectionCode = keyof typeof REJECTIONS

export const REMARKS = [
  'range_low_end',
  'note_not_understood',
  'size_not_stated',
  'smallest_of_sizes',
  'weak_battery',
  'stale_rate',
  'category_not_counted',
  'no_part_fault',
  'duplicate_identifier',
  'removed_not_listed',
  'unchanged',
  'older_than_stored',
  'listing_repeated',
  'leading_zero_restored',
  'unknown_reporting_body',
  'duplicate_fact',
  'id_taken',
  'better_source_kept',
  'variant_left_out',
  'variant_without_price',
] as const

export type RemarkCode = (typeof REMARKS)[number]
/** A code, or a code with what it is about: `stale_rate:EUR 2024-05-01`. */
export type Remark = RemarkCode | `${RemarkCode}:${string}`

/** Null for a code of another version. */
export const fixOf = (code: string): RejectionFix | null =>
  Object.hasOwn(REJECTIONS, code) ? REJECTIONS[code as RejectionCode] : null
