// Generated from the OpenAPI document by `npm run generate`. Do not edit.

import type { CallOptions } from './client.ts'

import type { PagedRequest, PageMeta } from './paging.ts'

import type { ApiRequest, ListRequest } from './response.ts'

/** The variants to price. */
export type PricingBatchRequest = {
  /** 1 to 200 ids of variants. Each counts as one request against the limit. */
  variant_ids: string[]
  /** Which blocks to give. */
  pricing_type?: 'buyback' | 'resale' | 'both'
  /** ISO 4217 code. Amounts are then minor units of this currency, converted by the newest exchange rate (see `exchange_rate`). Absent: US cents. A currency without a rate is rejected with 400. */
  currency?: string
}

/** Prices that your organization saw. */
export type ObservationsRequest = {
  /** 1 to 1000 rows. */
  observations: ObservationRow[]
}

/** The identifiers to assess. */
export type IMEIBatchRequest = {
  /** 1 to 1000 identifiers. Each counts as one request against the limit. */
  items: IMEILookupRequest[]
}

/** Overrides of the organization's policy for this appraisal. Amounts are minor units of the policy's currency. */
export type AppraisalPolicyOverrides = {
  /** Required profit, in percent of the sale price. */
  target_margin_percent?: number
  /** Minimum profit per device. */
  min_profit?: number
  /** Selling fee in percent of the sale price: marketplace, payment, shipping. */
  selling_fee_percent?: number
  /** Labour cost per hour. */
  labour_per_hour?: number
  /** Cost per day until the sale: space, capital, insurance. */
  holding_cost_per_day?: number
  /** Maximum probability that a deal loses money. */
  max_loss_probability?: number
  /** Action at risk level `low`. */
  action_at_low_risk?: 'offer' | 'inspect' | 'reject'
  /** Action at risk level `medium`. */
  action_at_medium_risk?: 'offer' | 'inspect' | 'reject'
  /** Action at risk level `high`. */
  action_at_high_risk?: 'offer' | 'inspect' | 'reject'
  /** Action at risk level `critical`. Blacklisted devices are always rejected. */
  action_at_critical_risk?: 'offer' | 'inspect' | 'reject'
  /** Action if no identifier was given. */
  action_without_identifier?: 'offer' | 'inspect' | 'reject'
  /** Maximum risk points from checks that could not be made; above it the decision is `inspect`. */
  max_unverified_risk_points?: number
  /** Offers are rounded down to a multiple of this. */
  offer_rounding?: number
}

/** The devices to appraise. */
export type AppraisalBatchRequest = {
  /** 1 to 500 devices. Each counts as one request against the limit. */
  items: AppraisalRequest[]
}

/** What to watch. */
export type WatchRequest = {
  /** The IMEI, MEID, ESN or serial number to watch. Give this or `variant_id`. */
  identifier?: string
  /** Kind of identifier, in any letter case; `serial_number` is taken for `serial`. Absent: recognised from the identifier. */
  identifier_type?: 'imei' | 'serial' | 'esn' | 'meid' | 'serial_number'
  /** The variant whose price to watch. */
  variant_id?: string
  /** With `variant_id`: price change in percent that triggers an event; 5 unless given. */
  threshold_percent?: number
  /** End of the watch: a day (inclusive) or an instant. Without end if absent. */
  until?: string
  /** Your reference; included in every event. */
  reference?: string
}

/** The status of a watched identifier changed. Look it up again before you act. */
export type IdentifierStatusChangedEvent = {
  /** Event id, the same in the list and in every delivery. Sorts by time. */
  id: string
  /** Event type. */
  type: 'identifier.status_changed'
  /** Time of the event. */
  timestamp: string
  data: IdentifierStatusChanged
}

/** The status of a watched identifier changed. Look it up again before you act. */
export type IdentifierStatusChanged = {
  /** Watch that triggered the event. */
  watch_id: string
  /** Your reference of the watch. */
  reference: string | null
  /** Identifier as in the watch. */
  identifier: string
  /** Kind of identifier. */
  identifier_type: 'imei' | 'serial' | 'esn' | 'meid'
  /** Origin: `registry` for an imported list, or the name of an outside source. */
  source: string
  /** Name of the imported list, if any. */
  list: string | null
  /** `listed`: now reported. `changed`: reported with another status. `cleared`: no longer reported. */
  change: 'listed' | 'changed' | 'cleared'
  /** Previous status; null if none. */
  status_before: string | null
  /** New status; null if none. */
  status_after: string | null
  /** Human-readable message. */
  message: string
}

/** The resale price of a watched variant changed by at least its threshold. */
export type PriceChangedEvent = {
  /** Event id, the same in the list and in every delivery. Sorts by time. */
  id: string
  /** Event type. */
  type: 'price.changed'
  /** Time of the event. */
  timestamp: string
  data: PriceChanged
}

/** The resale price of a watched variant changed by at least its threshold. */
export type PriceChanged = {
  /** Watch that triggered the event. */
  watch_id: string
  /** Your reference of the watch. */
  reference: string | null
  /** The watched variant. */
  variant_id: string
  /** Watched grade. */
  condition: 'Good'
  /** Resale price at the last event, or when the watch was created. */
  previous_price: number
  /** Current resale price. */
  current_price: number
  /** From `previous_price` to `current_price`; negative if the price fell. */
  change_percent: number
  /** Currency of the amounts beside it: `USD`, unless another was asked for. */
  currency: string
}

/** An import of the service or of your own observations finished. */
export type ImportFinishedEvent = {
  /** Event id, the same in the list and in every delivery. Sorts by time. */
  id: string
  /** Event type. */
  type: 'import.finished'
  /** Time of the event. */
  timestamp: string
  data: ImportFinished
}

/** An import of the service or of your own observations finished. */
export type ImportFinished = {
  /** Id of the import. */
  run_id: string
  /** Kind of list, such as `lists` or `observations`. */
  format: string
  /** Result. */
  state: 'done' | 'failed'
  /** Counts, such as `rows` and `rejected`. */
  figures: Record<string, number>
}

/** An API key expires within a week. */
export type KeyExpiringEvent = {
  /** Event id, the same in the list and in every delivery. Sorts by time. */
  id: string
  /** Event type. */
  type: 'key.expiring'
  /** Time of the event. */
  timestamp: string
  data: KeyExpiring
}

/** An API key expires within a week. */
export type KeyExpiring = {
  /** The key. */
  key_id: string
  /** Its name. */
  name: string
  /** Its tier. */
  tier: 'public' | 'paid' | 'enterprise'
  /** Its last four characters. */
  last_four: string
  /** Expiry time. */
  expires_at: string
}

/** An appraisal was created. */
export type AppraisalCreatedEvent = {
  /** Event id, the same in the list and in every delivery. Sorts by time. */
  id: string
  /** Event type. */
  type: 'appraisal.created'
  /** Time of the event. */
  timestamp: string
  data: AppraisalCreated
}

/** An appraisal was created. */
export type AppraisalCreated = {
  /** The appraisal. */
  appraisal_id: string
  /** Your reference of the device. */
  reference: string | null
  /** Decision. */
  decision: 'buy' | 'buy_and_repair' | 'inspect' | 'reject' | 'identify'
  /** Device, if identified. */
  device_id: string | null
}

/** A webhook endpoint failed for three days and was disabled. */
export type WebhookDisabledEvent = {
  /** Event id, the same in the list and in every delivery. Sorts by time. */
  id: string
  /** Event type. */
  type: 'webhook.disabled'
  /** Time of the event. */
  timestamp: string
  data: WebhookDisabled
}

/** A webhook endpoint failed for three days and was disabled. */
export type WebhookDisabled = {
  /** The endpoint. */
  webhook_id: string
  /** Its address. */
  url: string
  /** Reason. */
  reason: string
}

/** The identifier to assess. Further fields are ignored. */
export type IMEILookupRequest = {
  /** IMEI, IMEISV, MEID, ESN or serial number, as text. Spaces, dots, dashes and slashes are ignored and the text is echoed as sent. */
  identifier: string
  /** Kind of identifier, in any letter case; `serial_number` is taken for `serial`. Absent: recognised from the identifier. */
  identifier_type?: 'imei' | 'serial' | 'esn' | 'meid' | 'serial_number'
}

/** What is in hand: at least one of `identifier`, `variant_id`, `device_id` and `text`. Further fields are ignored. */
export type AppraisalRequest = {
  /** IMEI, MEID, ESN or serial number of the device in hand. Needs the Enterprise tier. */
  identifier?: string
  /** Kind of identifier, in any letter case; `serial_number` is taken for `serial`. Absent: recognised from the identifier. */
  identifier_type?: 'imei' | 'serial' | 'esn' | 'meid' | 'serial_number'
  /** The variant, where it is known. */
  variant_id?: string
  /** The device, where its variant is not known. */
  device_id?: string
  /** A title or a model name, as people write them; also a model number, part number or SKU. */
  text?: string
  /** What tells the variants of the device apart, such as `storage` and `color`. */
  attributes?: Record<string, string>
  /** The grade of the device as it would be without the defects named beside it. Absent: all four are valued, and the offer is that for the worst. */
  condition?: 'Excellent' | 'Good' | 'Fair' | 'Poor'
  /** What is wrong with it, in the words of `/api/meta/defects`. */
  defects?: (
    | 'cracked_screen'
    | 'cracked_back'
    | 'weak_battery'
    | 'charging_port'
    | 'camera'
    | 'speaker_or_microphone'
    | 'buttons'
    | 'biometric_sensor'
    | 'radio'
    | 'sim_reader'
    | 'headphone_jack'
    | 'keyboard_or_trackpad'
    | 'hinge'
    | 'fan'
    | 'ports'
    | 'stick_drift'
    | 'disc_drive'
    | 'storage_drive'
    | 'lens'
    | 'image_sensor'
    | 'shutter'
    | 'viewfinder'
    | 'gimbal'
    | 'motor'
    | 'image_errors'
    | 'ear_cushions'
    | 'missing_earbud'
    | 'no_power'
    | 'water_damage'
    | 'activation_locked'
    | 'carrier_locked'
    | 'missing_accessories'
  )[]
  policy?: AppraisalPolicyOverrides
  /** Your own number for the device; history can be filtered by it. */
  reference?: string
  /** ISO 4217 code. Amounts are then minor units of this currency, converted by the newest exchange rate (see `exchange_rate`). Absent: US cents. A currency without a rate is rejected with 400. */
  currency?: string
}

/** Envelope of every error. The HTTP status is that of the code. */
export type ErrorEnvelope = {
  /** Always false on an error. */
  success: false
  error: ErrorObject
  /** Time of the response, UTC. */
  timestamp: string
}

/** Why the request failed. */
export type ErrorObject = {
  /** Stable machine-readable code. Use this in programs, not the message. */
  code:
    | 'VALIDATION_ERROR'
    | 'UNAUTHORIZED'
    | 'FORBIDDEN'
    | 'NOT_FOUND'
    | 'METHOD_NOT_ALLOWED'
    | 'REQUEST_TIMEOUT'
    | 'LIMIT_REACHED'
    | 'PAYLOAD_TOO_LARGE'
    | 'UNSUPPORTED_MEDIA_TYPE'
    | 'RATE_LIMIT_EXCEEDED'
    | 'INTERNAL_ERROR'
    | 'SERVICE_UNAVAILABLE'
  /** Human-readable message. Its wording may change. */
  message: string
  /** On `VALIDATION_ERROR`: each invalid parameter or field. */
  details?: ErrorDetail[]
  /** On `NOT_FOUND` of a device or variant: the most similar existing ids. */
  nearest_ids?: string[]
  /** Id of the request, as in `X-Request-Id`. Quote it when reporting a problem. */
  request_id: string
  /** URL of the documentation of this code. */
  docs: string
}

/** One invalid parameter or field. */
export type ErrorDetail = {
  /** Name of the invalid parameter or body field. */
  field: string
  /** The value that was sent (shortened) and what is accepted. */
  message: string
}

/** A model of a maker, with all its variants. */
export type Device = {
  /** Device identifier; equals `slug`. */
  id: string
  /** Name under which the maker sells it. */
  name: string
  /** Make and name in lower case, `[a-z0-9-]`. */
  slug: string
  category: Category
  make: Make
  /** The maker's model numbers, all regions. */
  model_numbers: string[]
  /** Name of a property to its value, both as text. */
  technical_specifications: Record<string, string>
  /** First day on sale. A source that knows only the month or year gives its first day; null if unknown. */
  release_date: string | null
  /** How much of `release_date` is known: of `month` only year and month, of `year` only the year count. */
  release_date_precision: 'day' | 'month' | 'year' | null
  /** Drawing of the device, served by this service. */
  thumbnail: string
  /** Whether the maker still sells it. */
  status: 'active' | 'discontinued'
  /** Identifiers that the device reports of itself. */
  model_identifiers: string[]
  /** All variants, in the catalogue's own order, disabled ones included. */
  variants: Variant[]
}

/** Kind of device. */
export type Category = {
  /** Name of the category. */
  name: string
  /** Drawing of the category. */
  thumbnail: string
}

/** Manufacturer. */
export type Make = {
  /** Name of the manufacturer. */
  name: string
  /** Drawing for the manufacturer; never a trademarked logo. */
  thumbnail: string
}

/** One configuration of a device: storage, color and what else tells it apart. */
export type Variant = {
  /** Variant identifier: the device id and its attributes, `[a-z0-9-]`. */
  id: string
  /** Stock keeping unit. */
  sku: string
  /** List price at launch in US cents; 0 together with `disabled` where no source knows it. */
  price: number
  /** Name of the variant. */
  name: string
  /** The maker's part numbers, without region suffix. */
  part_numbers: string[]
  /** The maker's model numbers of this variant. */
  model_numbers: string[]
  /** Drawing of the device. */
  thumbnail: string
  /** Attributes in the order of the catalogue. */
  attributes: Attribute[]
  /** True when the variant is not traded, for example because its list price is unknown. */
  disabled: boolean
}

/** What sets this variant apart from its siblings. */
export type Attribute = {
  /** For example `storage` or `color`. */
  attribute_name: string
  /** For example `128GB` or `Midnight`. */
  attribute_value: string
}

/** What was applied, and where in the list this page stands. */
export type PaginationMeta = {
  /** The page that was served. */
  page: number
  /** The page size that was applied. */
  limit: number
  /** Number of all matching records. */
  total: number
  /** `ceil(total / limit)`; 0 when nothing matches. */
  total_pages: number
  /** Whether a later page has records. */
  has_next: boolean
  /** Whether an earlier page has records. */
  has_prev: boolean
  /** Parameters that were ignored although they look like ones there are, such as `serach`. Absent when there are none. */
  ignored_parameters?: string[]
}

/** What the caller should know about the request itself. */
export type ResponseMeta = {
  /** Parameters that were ignored although they look like ones there are, such as `serach`. Absent when there are none. */
  ignored_parameters: string[]
}

/** A variant with the device it belongs to. */
export type VariantWithDevice = {
  /** Variant identifier: the device id and its attributes, `[a-z0-9-]`. */
  id: string
  /** Stock keeping unit. */
  sku: string
  /** List price at launch in US cents; 0 together with `disabled` where no source knows it. */
  price: number
  /** Name of the variant. */
  name: string
  /** The maker's part numbers, without region suffix. */
  part_numbers: string[]
  /** The maker's model numbers of this variant. */
  model_numbers: string[]
  /** Drawing of the device. */
  thumbnail: string
  /** Attributes in the order of the catalogue. */
  attributes: Attribute[]
  /** True when the variant is not traded, for example because its list price is unknown. */
  disabled: boolean
  device: VariantDevice
}

/** The device that a variant belongs to. */
export type VariantDevice = {
  /** Device identifier. */
  id: string
  /** Name of the device. */
  name: string
  /** Same as `id`. */
  slug: string
  make: Make
  category: Category
}

/** What device a text names, or why it names none. */
export type Match = {
  /** The text as it was sent. */
  text: string
  /** `matched`: exactly one device matches. `ambiguous`: several match, see `candidates`. `unknown`: not in the catalogue, or not a device. */
  decision: 'matched' | 'ambiguous' | 'unknown'
  /** Why nothing was matched, for example `unknown_model`, `accessory`, `for_parts`, `lot`, `make_mismatch`; null when something was. */
  reason: string | null
  /** The device, or null. */
  device_id: string | null
  /** Its name, or null. */
  device_name: string | null
  /** The variant, where a single one fits all that was said; else null. */
  variant_id: string | null
  /** Its name, or null. */
  variant_name: string | null
  /** How sure the match is; 0 when there is none. */
  confidence: number
  /** What was read beside the name: storage, ram, color, size, year, chip, carrier, lock and the like. */
  attributes: Attribute[]
  /** The grade that the words of the text mean, or null. */
  condition: 'Excellent' | 'Good' | 'Fair' | 'Poor' | null
  /** Words that could not be placed. */
  unmatched_words: string[]
  /** Devices that it may be, best first. */
  candidates: MatchCandidate[]
}

/** A device that the text may mean. */
export type MatchCandidate = {
  /** Device. */
  device_id: string
  /** Its name. */
  device_name: string
  /** Variant, where a single one fits; else null. */
  variant_id: string | null
  /** How well it fits, 0 to 100. */
  confidence: number
}

/** A kind of device, and how many there are of it. */
export type CategoryCount = {
  /** Name of the category. */
  name: string
  /** Drawing of the category. */
  thumbnail: string
  /** Devices of it in the registry. */
  device_count: number
  /** Variants of those devices, disabled ones included. */
  variant_count: number
}

/** A manufacturer, and how many of its devices there are. */
export type MakeCount = {
  /** Name of the manufacturer. */
  name: string
  /** Drawing for the manufacturer; never a trademarked logo. */
  thumbnail: string
  /** Devices of it in the registry. */
  device_count: number
  /** Variants of those devices, disabled ones included. */
  variant_count: number
}

/** One grade of condition and what it means. */
export type ConditionGrade = {
  /** The word used in prices. */
  name: 'Excellent' | 'Good' | 'Fair' | 'Poor'
  /** 1 is the best grade, 4 the worst. */
  rank: number
  /** What a device must be like to have this grade. */
  definition: string
  /** Whether every function must work. */
  fully_working: boolean
  /** State of the screen; null for devices without one. */
  screen: string | null
  /** State of the body. */
  body: string
  /** Minimum battery health for this grade; null where the grade asks for none or it cannot be read. */
  battery_min_percent: number | null
}

/** Something that can be wrong with a device beside its wear. */
export type Defect = {
  /** The word used in `defects[]` of an appraisal. */
  code:
    | 'cracked_screen'
    | 'cracked_back'
    | 'weak_battery'
    | 'charging_port'
    | 'camera'
    | 'speaker_or_microphone'
    | 'buttons'
    | 'biometric_sensor'
    | 'radio'
    | 'sim_reader'
    | 'headphone_jack'
    | 'keyboard_or_trackpad'
    | 'hinge'
    | 'fan'
    | 'ports'
    | 'stick_drift'
    | 'disc_drive'
    | 'storage_drive'
    | 'lens'
    | 'image_sensor'
    | 'shutter'
    | 'viewfinder'
    | 'gimbal'
    | 'motor'
    | 'image_errors'
    | 'ear_cushions'
    | 'missing_earbud'
    | 'no_power'
    | 'water_damage'
    | 'activation_locked'
    | 'carrier_locked'
    | 'missing_accessories'
  /** What a person ticks. */
  name: string
  /** What to look for. */
  description: string
  /** Repairs that fix it, by category; if several are possible, the most expensive one is assumed. */
  repairs: string[]
  /** Whether a device with it still has one of the four grades. */
  gradable: boolean
  /** The best grade it leaves; null where it leaves none. */
  best_grade: 'Excellent' | 'Good' | 'Fair' | 'Poor' | null
  /** Kinds of devices that can have it; an appraisal of another kind is rejected with 400. */
  categories: (
    | 'phone'
    | 'foldable'
    | 'tablet'
    | 'e_reader'
    | 'media_player'
    | 'laptop'
    | 'desktop'
    | 'all_in_one'
    | 'watch'
    | 'console'
    | 'handheld'
    | 'vr_headset'
    | 'headphones'
    | 'earbuds'
    | 'speaker'
    | 'smart_display'
    | 'streaming_player'
    | 'camera'
    | 'action_camera'
    | 'drone'
    | 'graphics_card'
  )[]
  /** Whether the device can be bought and sold at all while it has it. */
  sellable: boolean
}

/** What one variant is worth, by grade of condition. */
export type VariantPricing = {
  /** The variant asked for. */
  variant_id: string
  /** Name of its device. */
  device_name: string
  /** Name of the variant. */
  variant_name: string
  /** Absent with `pricing_type=resale`. */
  buyback?: PriceBlock
  /** Absent with `pricing_type=buyback`. */
  resale?: ResaleBlock
  /** How sure the prices are: 80 means about 5 % expected error, 60 about 10 %, 0 no basis. */
  market_confidence: number
  /** Observations of this variant that really entered, after outliers. */
  data_points: number
  /** Currency of the amounts beside it: `USD`, unless another was asked for. */
  currency: string
  /** Only with `currency`, and not for US dollars. */
  exchange_rate?: ExchangeRate
  /** Version of the pricing engine that made the numbers. */
  method: string
}

/** What a trade-in business pays for the device. */
export type PriceBlock = {
  current: ConditionAmounts
  interval: PriceIntervals
  /** Weekly points of the last `history_days` days (26 weeks unless asked otherwise), ascending by date; only weeks that have observations. */
  historical: PricePoint[]
  /** Time of the newest observation used; null when none was. */
  last_updated: string | null
  /** `market`: observed deals of this variant. `estimate`: no observations of its own, derived from siblings or from line and age. `sample`: as `estimate`, beside a history that is simulated and not of real deals. */
  source: 'market' | 'estimate' | 'sample'
}

/** Amount per grade in US cents, a worse grade never above a better one. Null only when there is no basis at all for a price. */
export type ConditionAmounts = {
  /** US cents for grade Excellent. */
  Excellent: number | null
  /** US cents for grade Good. */
  Good: number | null
  /** US cents for grade Fair. */
  Fair: number | null
  /** US cents for grade Poor. */
  Poor: number | null
}

/** The 80 % range per grade; null where the amount is null. */
export type PriceIntervals = {
  Excellent: PriceRange | null
  Good: PriceRange | null
  Fair: PriceRange | null
  Poor: PriceRange | null
}

/** The range that should hold 80 % of single deals, in US cents. */
export type PriceRange = {
  /** Lower end of the range. */
  low: number
  /** Upper end of the range. */
  high: number
}

/** One week of one grade. Weeks without observations have no point. */
export type PricePoint = {
  /** First day of the week (Monday). */
  date: string
  /** Median of the observations of that week, US cents. */
  value: number
  /** Currency of the amounts beside it: `USD`, unless another was asked for. */
  currency: string
  /** Grade of the observations. */
  condition: 'Excellent' | 'Good' | 'Fair' | 'Poor'
}

/** What the device sells for, used. */
export type ResaleBlock = {
  current: ConditionAmounts
  interval: PriceIntervals
  /** Weekly points of the last `history_days` days (26 weeks unless asked otherwise), ascending by date; only weeks that have observations. */
  historical: PricePoint[]
  /** Time of the newest observation used; null when none was. */
  last_updated: string | null
  /** `market`: observed deals of this variant. `estimate`: no observations of its own, derived from siblings or from line and age. `sample`: as `estimate`, beside a history that is simulated and not of real deals. */
  source: 'market' | 'estimate' | 'sample'
  /** Where prices went over the last weeks. A statement about the past, not a forecast. */
  trend: 'rising' | 'stable' | 'falling' | 'unknown'
  /** Chance in percent to sell within 28 days at the given price. */
  liquidity_score: number
}

/** Rate by which US dollars were converted. */
export type ExchangeRate = {
  /** Units of the currency for one US dollar. */
  rate: number
  /** Day of the rate. */
  date: string
  /** Whether the rate is more than 45 days old. Absent in old appraisals. */
  stale?: boolean
  /** `imported`: by the operator. `ecb`: bundled reference rate of the European Central Bank. `federal_reserve`: bundled monthly average. `peg`: derived from a fixed official rate. */
  source?: 'imported' | 'ecb' | 'federal_reserve' | 'peg'
}

/** The result of one item, or why it was rejected. */
export type PricingBatchItem =
  | {
      /** Position in the request, from 0. */
      index: number
      /** The item was processed. */
      success: true
      result: VariantPricing
    }
  | {
      /** Position in the request, from 0. */
      index: number
      /** The item was rejected. */
      success: false
      error: ItemError
    }

/** Why this item was rejected. */
export type ItemError = {
  /** Stable machine-readable code. Use this in programs, not the message. */
  code:
    | 'VALIDATION_ERROR'
    | 'UNAUTHORIZED'
    | 'FORBIDDEN'
    | 'NOT_FOUND'
    | 'METHOD_NOT_ALLOWED'
    | 'REQUEST_TIMEOUT'
    | 'LIMIT_REACHED'
    | 'PAYLOAD_TOO_LARGE'
    | 'UNSUPPORTED_MEDIA_TYPE'
    | 'RATE_LIMIT_EXCEEDED'
    | 'INTERNAL_ERROR'
    | 'SERVICE_UNAVAILABLE'
  /** Human-readable message. Its wording may change. */
  message: string
  /** On `VALIDATION_ERROR`: each invalid parameter or field. */
  details?: ErrorDetail[]
  /** On `NOT_FOUND` of a device or variant: the most similar existing ids. */
  nearest_ids?: string[]
}

/** What became of the rows. */
export type ObservationImportResult = {
  /** The record of this import. */
  run_id: string
  /** Rows that were sent. */
  rows: number
  /** Rows that could be used. */
  accepted: number
  /** Of these, rows that said something new; the others were known already. */
  written: number
  /** Rows that could not be used. */
  rejected: number
  /** How many rows were refused for each reason. */
  rejected_by: Record<string, number>
  /** Row by row, in the order of the request. */
  results: ObservationResult[]
}

/** What became of one row. */
export type ObservationResult =
  | {
      /** Place in the request, from 0. */
      index: number
      /** The row could be used. */
      accepted: true
      /** Your own number of the deal. */
      listing_id: string
      /** The device it was taken for. */
      device_id: string
      /** The variant; null where it fits several that differ in color alone. */
      variant_id: string | null
      /** The grade it was taken for; `damaged`, `broken` or `dead` for a defective device. */
      condition: string
    }
  | {
      /** Place in the request, from 0. */
      index: number
      /** The row could not be used. */
      accepted: false
      /** Your own number of the deal, where it could be read. */
      listing_id: string | null
      /** Why, in words that are the same for equal reasons. */
      reason: string
      /** What in the row it was, cut short; empty where there is nothing to show. */
      detail: string
    }

/** Common repairs, their cost, and whether they pay. */
export type DeviceRepairIntelligence = {
  /** The device. */
  device_id: string
  /** Name of the device. */
  device_name: string
  /** The variant asked for; null when the device was. */
  variant_id: string | null
  /** Repairability, 10 is easiest; null if not rated. */
  repairsite_score: number | null
  /** The score in words: excellent 8–10, good 6–7, fair 4–5, poor 2–3, very_poor 0–1, unknown if null. */
  repairability_rating: 'excellent' | 'good' | 'fair' | 'poor' | 'very_poor' | 'unknown'
  /** Repairs done most often. */
  common_repairs: CommonRepair[]
  /** What fails, most frequent first. */
  common_failure_points: string[]
  /** Null when no cost is known. */
  average_repair_cost: RepairCost | null
  /** Whether a repair pays: with the lower end of the average repair cost, (resale Good − resale Poor − cost) / cost is at least 1 `high`, at least 0.25 `medium`, at least 0 `low`, below 0 `negative`; `unknown` when a side is missing. */
  repair_roi_indicator: 'high' | 'medium' | 'low' | 'negative' | 'unknown'
  /** What to know before opening it, and which figures are reference ranges. */
  technical_notes: string[]
  /** Parts that are paired or only sold by the maker. */
  proprietary_parts: string[]
  /** Tools beyond an ordinary set. */
  special_tools_required: string[]
  /** Time of the newest fact used; null when there is none. */
  last_updated: string | null
  /** The repair dataset. */
  source: 'repairsite'
  /** Share of the facts that are known, in percent. */
  data_completeness: number
  /** Only with `currency`, and not for US dollars. */
  exchange_rate?: ExchangeRate
}

/** A repair that is often done on this device. */
export type CommonRepair = {
  /** Name of the repair. */
  name: string
  /** How hard the repair is; null if unknown. */
  difficulty: 'very_easy' | 'easy' | 'moderate' | 'difficult' | 'very_difficult' | null
  /** Usual working time in minutes; null if unknown. */
  estimated_time_minutes: number | null
  /** Parts that the repair needs. */
  parts: RepairPart[]
  /** Least cost of the work beside the parts, US cents; null when no time is known. */
  labour_min: number | null
  /** Highest cost of the work beside the parts, US cents; null when no time is known. */
  labour_max: number | null
  /** Address of a guide, or null. */
  repairsite_guide_url: string | null
}

/** A part that a repair needs. */
export type RepairPart = {
  /** Name of the part. */
  name: string
  /** Least cost of the part, US cents. */
  cost_min: number | null
  /** Highest cost of the part, US cents. */
  cost_max: number | null
  /** Currency of the amounts beside it: `USD`, unless another was asked for. */
  currency: string
  /** Whether the part can be had. */
  availability: 'in_stock' | 'limited' | 'backorder' | 'out_of_stock' | 'discontinued' | 'unknown'
}

/** Cost of a usual repair, parts and labour, weighted by how often each repair occurs. */
export type RepairCost = {
  /** Lower end, US cents. */
  min: number
  /** Upper end, US cents. */
  max: number
  /** Currency of the amounts beside it: `USD`, unless another was asked for. */
  currency: string
}

/** What is known about one device by its identifier, and how risky it is to buy. */
export type IMEILookupResult = {
  /** Identifier of this lookup; sorts by time. */
  lookup_id: string
  /** The identifier as it was sent. */
  identifier: string
  /** The type as it was sent or recognised. */
  identifier_type: 'imei' | 'serial' | 'esn' | 'meid'
  /** When the lookup was made. */
  timestamp: string
  device_match: DeviceMatch
  /** `clean` only if a source that covers the list answered (`cleared_by` names it); otherwise `unknown`. */
  blacklist_status: 'clean' | 'blacklisted' | 'pending' | 'unknown'
  /** Whether the device is bound to a carrier. */
  carrier_lock: 'unlocked' | 'locked' | 'unknown'
  /** The carrier, or null. */
  carrier_name: string | null
  /** 0 to 100, higher is worse: the sum of `risk_factors[].points`, capped at 100. */
  risk_score: number
  /** low 0–24, medium 25–49, high 50–74, critical 75–100. */
  risk_level: 'low' | 'medium' | 'high' | 'critical'
  /** Status on the GSMA's list. */
  gsma_status: 'clean' | 'blacklisted' | 'unknown'
  /** Status on the CTIA's stolen phone list. */
  ctia_status: 'clean' | 'lost_stolen' | 'unknown'
  /** True only on evidence; false is not proof of the contrary. */
  reported_lost_stolen: boolean
  /** True only on evidence; false is not proof of the contrary. */
  activation_lock: boolean
  /** Names of the sources that answered, joined by `+`; `none` if none did. */
  source: string
  /** Age of the facts: asked just now, from the cache, or too old but all there is. */
  freshness: 'real-time' | 'cached' | 'stale'
  /** Age of the oldest cached fact; null exactly when `real-time`. */
  cache_age_minutes: number | null
  /** Every reason for the score; anyone can recompute it from them. */
  risk_factors: RiskFactor[]
  /** What every `clean` of this answer rests on; empty exactly when no status is `clean`. */
  cleared_by: Clearance[]
  /** What to do next: `recheck_identifier` whenever the identifier was probably mistyped, whatever the score; otherwise low risk is `buy`, medium `inspect`, high and critical `reject`. */
  recommendation: 'buy' | 'inspect' | 'recheck_identifier' | 'reject'
  /** What was probably meant, likeliest first; empty when nothing suggests itself. */
  suggested_identifiers: string[]
}

/** What device the identifier belongs to. */
export type DeviceMatch = {
  /** How sure the match is; 0 when nothing matched. */
  confidence: number
  /** Device, or null. */
  matched_device_id: string | null
  /** Its name, or null. */
  matched_device_name: string | null
  /** Variant, or null: a TAC alone never names one. */
  matched_variant_id: string | null
  /** Its name, or null. */
  matched_variant_name: string | null
}

/** One reason for the score. */
export type RiskFactor = {
  /** Stable name of the reason, for example `check_digit_mismatch`. */
  code: string
  /** What it adds to the score; 0 for a remark. */
  points: number
  /** The reason as a sentence. */
  message: string
  /** Who said so: a source, or `identifier` for what the identifier itself shows. */
  source: string
  /** When the source saw it, or null. */
  observed_at: string | null
}

/** What a `clean` rests on. */
export type Clearance = {
  /** Who cleared it: `registry` for imported lists, or an outside source. */
  source: string
  /** Name of the list it is not on, or null where the source does not say. */
  list: string | null
  /** Where the silence of that list means something, or null. */
  area: string | null
  /** How many identifiers the list holds, or null. */
  entries: number | null
  /** When the list was imported last; for an outside source, when it answered. */
  updated_at: string | null
}

/** An answer as it was given at its time. Records made before version 0.2 lack `cleared_by`, `recommendation` and `suggested_identifiers`, and are otherwise alike. */
export type IMEILookupRecord = {
  /** Identifier of this lookup; sorts by time. */
  lookup_id: string
  /** The identifier as it was sent. */
  identifier: string
  /** The type as it was sent or recognised. */
  identifier_type: 'imei' | 'serial' | 'esn' | 'meid'
  /** When the lookup was made. */
  timestamp: string
  device_match: DeviceMatch
  /** `clean` only if a source that covers the list answered (`cleared_by` names it); otherwise `unknown`. */
  blacklist_status: 'clean' | 'blacklisted' | 'pending' | 'unknown'
  /** Whether the device is bound to a carrier. */
  carrier_lock: 'unlocked' | 'locked' | 'unknown'
  /** The carrier, or null. */
  carrier_name: string | null
  /** 0 to 100, higher is worse: the sum of `risk_factors[].points`, capped at 100. */
  risk_score: number
  /** low 0–24, medium 25–49, high 50–74, critical 75–100. */
  risk_level: 'low' | 'medium' | 'high' | 'critical'
  /** Status on the GSMA's list. */
  gsma_status: 'clean' | 'blacklisted' | 'unknown'
  /** Status on the CTIA's stolen phone list. */
  ctia_status: 'clean' | 'lost_stolen' | 'unknown'
  /** True only on evidence; false is not proof of the contrary. */
  reported_lost_stolen: boolean
  /** True only on evidence; false is not proof of the contrary. */
  activation_lock: boolean
  /** Names of the sources that answered, joined by `+`; `none` if none did. */
  source: string
  /** Age of the facts: asked just now, from the cache, or too old but all there is. */
  freshness: 'real-time' | 'cached' | 'stale'
  /** Age of the oldest cached fact; null exactly when `real-time`. */
  cache_age_minutes: number | null
  /** Every reason for the score; anyone can recompute it from them. */
  risk_factors: RiskFactor[]
  /** What every `clean` of this answer rests on; empty exactly when no status is `clean`. */
  cleared_by?: Clearance[]
  /** What to do next: `recheck_identifier` whenever the identifier was probably mistyped, whatever the score; otherwise low risk is `buy`, medium `inspect`, high and critical `reject`. */
  recommendation?: 'buy' | 'inspect' | 'recheck_identifier' | 'reject'
  /** What was probably meant, likeliest first; empty when nothing suggests itself. */
  suggested_identifiers?: string[]
}

/** The result of one item, or why it was rejected. */
export type IMEIBatchItem =
  | {
      /** Position in the request, from 0. */
      index: number
      /** The item was processed. */
      success: true
      result: IMEILookupResult
    }
  | {
      /** Position in the request, from 0. */
      index: number
      /** The item was rejected. */
      success: false
      error: ItemError
    }

/** An appraisal: identity, risk, prices, repairs, plans and the offer. */
export type Appraisal = {
  /** Id of the appraisal; sorts by time. */
  appraisal_id: string
  /** Time of the appraisal. */
  timestamp: string
  /** Your reference, as sent. */
  reference: string | null
  /** Defects taken into account, including those reported by a source. */
  defects: (
    | 'cracked_screen'
    | 'cracked_back'
    | 'weak_battery'
    | 'charging_port'
    | 'camera'
    | 'speaker_or_microphone'
    | 'buttons'
    | 'biometric_sensor'
    | 'radio'
    | 'sim_reader'
    | 'headphone_jack'
    | 'keyboard_or_trackpad'
    | 'hinge'
    | 'fan'
    | 'ports'
    | 'stick_drift'
    | 'disc_drive'
    | 'storage_drive'
    | 'lens'
    | 'image_sensor'
    | 'shutter'
    | 'viewfinder'
    | 'gimbal'
    | 'motor'
    | 'image_errors'
    | 'ear_cushions'
    | 'missing_earbud'
    | 'no_power'
    | 'water_damage'
    | 'activation_locked'
    | 'carrier_locked'
    | 'missing_accessories'
  )[]
  identity: AppraisalIdentity
  /** Lookup of the identifier; null if none was given. */
  risk: IMEILookupResult | null
  /** Prices per requested grade, best first; empty if the device is not identified. */
  value: AppraisalValue[]
  /** Repairs that fix the defects or raise the grade. */
  repairs: AppraisalRepair[]
  /** Plans for the grade of the offer. */
  plans: AppraisalPlan[]
  /** Plans that are not possible, with the reason. */
  rejected_plans: {
    /** The plan. */
    plan: 'sell_as_is' | 'repair_and_sell' | 'sell_for_parts'
    /** Why it is not possible. */
    reason: string
  }[]
  offer: AppraisalOffer
  /** Policy applied, including overrides; amounts in the currency of the response. */
  policy: AppraisalPolicy
  /** Whether any data is simulated: sample prices or a sandbox identifier. */
  sample: boolean
  /** Currency of all amounts; they are in its minor units. */
  currency: string
  /** Null where the currency is US dollars. */
  exchange_rate: ExchangeRate | null
}

/** Which device it is, how it was identified, and what is unresolved. */
export type AppraisalIdentity = {
  /** Device id; null if not identified. */
  device_id: string | null
  /** Its name. */
  device_name: string | null
  /** Kind that decides its grade texts and defects (`/api/meta/defects?category=`); null if it has none. Absent in older records. */
  device_kind?:
    | 'phone'
    | 'foldable'
    | 'tablet'
    | 'e_reader'
    | 'media_player'
    | 'laptop'
    | 'desktop'
    | 'all_in_one'
    | 'watch'
    | 'console'
    | 'handheld'
    | 'vr_headset'
    | 'headphones'
    | 'earbuds'
    | 'speaker'
    | 'smart_display'
    | 'streaming_player'
    | 'camera'
    | 'action_camera'
    | 'drone'
    | 'graphics_card'
    | null
  /** Variant id; null while attributes are unresolved. */
  variant_id: string | null
  /** Its name. */
  variant_name: string | null
  /** Confidence of the identification, in percent. */
  confidence: number
  /** Field of the request that identified the device; null if none did. */
  identified_by: 'variant_id' | 'device_id' | 'text' | 'identifier' | null
  /** Attributes that are known, storage first, such as the storage while the color is open; without memory that follows from the storage. Absent in records made before version 0.3. */
  attributes?: Attribute[]
  /** Attributes that still distinguish the matching variants, storage first; memory that follows from the storage is not listed. The cheapest matching variant is valued. */
  unresolved_attributes: {
    /** Name of the attribute. */
    name: string
    /** Values of the variants that still match. */
    values: string[]
    /** Whether the price depends on it. */
    affects_price: boolean
  }[]
  /** Conflicts between the fields of the request. They are findings, not errors. */
  contradictions: {
    /** Stable code. */
    code: string
    /** Human-readable message. */
    message: string
  }[]
  /** Candidates when the device is not identified; best first. */
  candidates: {
    /** Candidate device. */
    device_id: string
    /** Its name. */
    device_name: string
    /** Candidate variant, if one matches. */
    variant_id: string | null
    /** Confidence in percent. */
    confidence: number
  }[]
}

/** Prices of one grade. */
export type AppraisalValue = {
  /** The grade. */
  condition: 'Excellent' | 'Good' | 'Fair' | 'Poor'
  /** Resale price; null if no price is available. */
  resale: PriceEstimate | null
  /** Price trade-in businesses pay. */
  buyback: PriceEstimate | null
}

/** A price with the interval expected to contain 80 % of single deals. */
export type PriceEstimate = {
  /** Median. */
  amount: number
  /** Lower end of the 80 % interval. */
  low: number
  /** Upper end. */
  high: number
}

/** A possible repair. */
export type AppraisalRepair = {
  /** Repair category. */
  category: string
  /** The repair. */
  name: string
  /** Defects it fixes; empty if it only raises the grade. */
  defects: (
    | 'cracked_screen'
    | 'cracked_back'
    | 'weak_battery'
    | 'charging_port'
    | 'camera'
    | 'speaker_or_microphone'
    | 'buttons'
    | 'biometric_sensor'
    | 'radio'
    | 'sim_reader'
    | 'headphone_jack'
    | 'keyboard_or_trackpad'
    | 'hinge'
    | 'fan'
    | 'ports'
    | 'stick_drift'
    | 'disc_drive'
    | 'storage_drive'
    | 'lens'
    | 'image_sensor'
    | 'shutter'
    | 'viewfinder'
    | 'gimbal'
    | 'motor'
    | 'image_errors'
    | 'ear_cushions'
    | 'missing_earbud'
    | 'no_power'
    | 'water_damage'
    | 'activation_locked'
    | 'carrier_locked'
    | 'missing_accessories'
  )[]
  /** Minimum cost of the parts; null if unknown. */
  parts_min: number | null
  /** Maximum cost of the parts. */
  parts_max: number | null
  /** Minimum labour cost at the labour rate of the policy. */
  labour_min: number | null
  /** Maximum labour cost. */
  labour_max: number | null
  /** Typical working time in minutes. */
  minutes: number | null
  /** Increase of the proceeds, attributed to this repair by its share of the total repair cost. */
  value_added: number | null
  /** (value added − cost) / cost; null if either is unknown. */
  return_on_cost: number | null
}

/** One way to sell the device, evaluated at `offer.max_offer`. */
export type AppraisalPlan = {
  /** Plan. */
  plan: 'sell_as_is' | 'repair_and_sell' | 'sell_for_parts'
  /** Grade it is sold as; null for parts. */
  sold_as: 'Excellent' | 'Good' | 'Fair' | 'Poor' | null
  /** Categories of the repairs done before the sale. */
  repairs: string[]
  /** Median sale proceeds. */
  expected_proceeds: number
  /** Costs by kind. */
  costs: {
    /** Parts. */
    parts: number
    /** Labour. */
    labour: number
    /** Selling fee. */
    selling_fee: number
    /** Holding cost and expected depreciation until the sale. */
    holding_and_depreciation: number
  }
  /** Mean days until the sale. */
  days_to_sell: number
  /** Proceeds minus costs minus `offer.max_offer`. */
  expected_profit: number
  /** 80 % interval of the profit. */
  range: {
    /** Lower end. */
    low: number
    /** Upper end. */
    high: number
  }
  /** Probability of a loss. */
  loss_probability: number
  /** Highest offer at which this plan satisfies the policy; negative if there is none. */
  max_offer: number
}

/** Decision, highest offer and reasons. */
export type AppraisalOffer = {
  /** `buy`: buy and sell as is or for parts. `buy_and_repair`: buy and repair before selling. `inspect`: check the device before making the offer. `reject`: do not buy. `identify`: the device could not be identified. */
  decision: 'buy' | 'buy_and_repair' | 'inspect' | 'reject' | 'identify'
  /** Grade the offer is for; the worst if none was given. */
  condition: 'Excellent' | 'Good' | 'Fair' | 'Poor' | null
  /** Best plan; null if there is none. */
  plan: 'sell_as_is' | 'repair_and_sell' | 'sell_for_parts' | null
  /** Highest offer that satisfies the policy; null if it cannot be calculated. */
  max_offer: number | null
  /** Suggested offer: `max_offer`, capped at the market trade-in price. */
  recommended_offer: number | null
  /** The calculation line by line. The amounts before `market_buyback_cap` add up to `max_offer`; all amounts add up to `recommended_offer`. */
  reasons: AppraisalReason[]
  /** Offer for each requested grade, best first. */
  by_condition: {
    /** The grade. */
    condition: 'Excellent' | 'Good' | 'Fair' | 'Poor'
    /** Best plan. */
    plan: 'sell_as_is' | 'repair_and_sell' | 'sell_for_parts' | null
    /** Highest offer. */
    max_offer: number | null
    /** Suggested offer. */
    recommended_offer: number | null
  }[]
  /** Source of the prices; null without prices. */
  source: 'market' | 'estimate' | 'sample' | null
  /** Confidence of the prices in percent. */
  market_confidence: number
  /** Version of the calculation. */
  method: string
}

/** One line of the calculation. */
export type AppraisalReason = {
  /** Stable code. */
  code: string
  /** Human-readable text. */
  message: string
  /** Change of the offer. */
  amount: number
  /** Sum of the amounts so far. */
  running_total: number
}

/** Buying policy of an organization. Amounts are minor units of `currency`. */
export type AppraisalPolicy = {
  /** Currency of the amounts, and of offers unless the request names another. */
  currency: string
  /** Required profit, in percent of the sale price. */
  target_margin_percent: number
  /** Minimum profit per device. */
  min_profit: number
  /** Selling fee in percent of the sale price: marketplace, payment, shipping. */
  selling_fee_percent: number
  /** Labour cost per hour. */
  labour_per_hour: number
  /** Cost per day until the sale: space, capital, insurance. */
  holding_cost_per_day: number
  /** Maximum probability that a deal loses money. */
  max_loss_probability: number
  /** Action at risk level `low`. */
  action_at_low_risk: 'offer' | 'inspect' | 'reject'
  /** Action at risk level `medium`. */
  action_at_medium_risk: 'offer' | 'inspect' | 'reject'
  /** Action at risk level `high`. */
  action_at_high_risk: 'offer' | 'inspect' | 'reject'
  /** Action at risk level `critical`. Blacklisted devices are always rejected. */
  action_at_critical_risk: 'offer' | 'inspect' | 'reject'
  /** Action if no identifier was given. */
  action_without_identifier: 'offer' | 'inspect' | 'reject'
  /** Maximum risk points from checks that could not be made; above it the decision is `inspect`. */
  max_unverified_risk_points: number
  /** Offers are rounded down to a multiple of this. */
  offer_rounding: number
}

/** The result of one item, or why it was rejected. */
export type AppraisalBatchItem =
  | {
      /** Position in the request, from 0. */
      index: number
      /** The item was processed. */
      success: true
      result: Appraisal
    }
  | {
      /** Position in the request, from 0. */
      index: number
      /** The item was rejected. */
      success: false
      error: ItemError
    }

/** A watch on an identifier or on the price of a variant. */
export type Watch = {
  /** Watch id. */
  id: string
  /** What is watched. */
  kind: 'identifier' | 'variant'
  /** The identifier as it was sent. */
  identifier: string | null
  /** Identifier type. */
  identifier_type: 'imei' | 'serial' | 'esn' | 'meid' | null
  /** The variant. */
  variant_id: string | null
  /** Price change that triggers an event. */
  threshold_percent: number | null
  /** Resale price (Good) that changes are measured from, US cents. */
  reference_price: number | null
  /** End of the watch; null without end. */
  until: string | null
  /** Your reference. */
  reference: string | null
  /** Time of creation. */
  created_at: string
}

/** Where to read on. */
export type CursorMeta = {
  /** The size of an answer that was applied. */
  limit: number
  /** Whether there is more already. */
  has_next: boolean
  /** What to send as `after` to read on: the last id of this answer, or what was sent when it is empty. */
  next_after: string | null
  /** Parameters that were ignored although they look like ones there are, such as `serach`. Absent when there are none. */
  ignored_parameters?: string[]
}

/** An event, as listed and as sent to webhooks. */
export type ServiceEvent =
  | IdentifierStatusChangedEvent
  | PriceChangedEvent
  | ImportFinishedEvent
  | KeyExpiringEvent
  | AppraisalCreatedEvent
  | WebhookDisabledEvent

/** One price that was really named. */
export type ObservationRow = {
  /** Your own number of the deal. The same number again replaces what was said of it, and counts once. */
  listing_id: string
  /** The variant, where it is known. It decides alone. */
  variant_id?: string
  /** Its SKU in the registry, instead. */
  sku?: string
  /** The maker's part number, instead. */
  part_number?: string
  /** A title or model name, instead; it is matched as `GET /api/match` does it. */
  title?: string
  /** Beside `title`: the make. */
  make?: string
  /** Beside `title`: the storage, such as `128GB`. */
  storage?: string
  /** Beside `title`: the memory. */
  ram?: string
  /** Beside `title`: the color. */
  color?: string
  /** `Excellent`, `Good`, `Fair`, `Poor`, or a word that the import knows for one of them; `damaged`, `broken` or `no power` for a defective device. */
  condition: string
  /** What was paid, asked or offered, in minor units of `currency`. */
  amount: number
  /** ISO 4217 code. */
  currency?: string
  /** Day or instant of the deal. */
  observed_at: string
  /** `sold`, also when absent: a deal that was made. `ask`: a price that is asked. `quote`: what was offered to a seller. */
  side?: 'sold' | 'ask' | 'quote'
  /** Carrier or lock, such as `unlocked`. */
  lock?: string
}

/** Error code, for programs. */
export type ErrorCode = ErrorObject['code']

/** Query parameters of `listDevices`. */
export type ListDevicesQuery = {
  /** Page number. Anything that is not a whole number of at least 1 counts as 1; never refused. */
  page?: number
  /** Records per page. Above 100 it is taken as 100; anything that is not a whole number of at least 1 counts as 20; never refused. */
  limit?: number
  /** Words to find in name, make, category and slug, without regard to case and accents, by their beginnings; every word must match. When nothing does, one typing error per word of five or more letters is forgiven. A model number, model identifier, part number or SKU given exactly also finds its device. Best match first. Cut after 100 characters. */
  search?: string
  /** Whole name of a category, without regard to case. */
  category?: string
  /** Whole name of a manufacturer, without regard to case. */
  make?: string
  /** Only devices of this status. Another value matches nothing. */
  status?: 'active' | 'discontinued'
}

/** Query parameters of `listVariants`. */
export type ListVariantsQuery = {
  /** Page number. Anything that is not a whole number of at least 1 counts as 1; never refused. */
  page?: number
  /** Records per page. Above 100 it is taken as 100; anything that is not a whole number of at least 1 counts as 20; never refused. */
  limit?: number
  /** Only variants of this device. An unknown id gives an empty list. */
  device_id?: string
  /** Words to find in name, make, category and slug, without regard to case and accents, by their beginnings; every word must match. When nothing does, one typing error per word of five or more letters is forgiven. A model number, model identifier, part number or SKU given exactly also finds its device. Best match first. Cut after 100 characters. */
  search?: string
  /** Whole name of a manufacturer, without regard to case. */
  make?: string
  /** Whole name of a category, without regard to case. */
  category?: string
  /** Only the variant with this SKU. */
  sku?: string
  /** Only disabled variants, or only those that are not. */
  disabled?: 'true' | 'false'
  /** Attribute value, without regard to case and blanks, for example `256GB`. */
  storage?: string
  /** Attribute value, without regard to case and blanks, for example `Midnight`. */
  color?: string
  /** Attribute value, without regard to case and blanks, for example `8GB`. */
  ram?: string
  /** Attribute value, without regard to case and blanks, for example `Unlocked`. */
  carrier?: string
  /** Any further attribute by its own name (for example `size=45mm` or `connectivity=wifi`), without regard to case and blanks. Parameters that name no attribute are ignored. */
  attributes?: Record<string, string>
}

/** Query parameters of `matchText`. */
export type MatchTextQuery = {
  /** A listing's title, a model's name, number or identifier, or a part number; at most 300 characters. */
  text: string
  /** Manufacturer, where it is known beside the text. It is never crossed. */
  make?: string
  /** Most candidates to give. Above 20 it is taken as 20; anything that is not a whole number of at least 1 counts as 5; never refused. */
  limit?: number
}

/** Query parameters of `listConditions`. */
export type ListConditionsQuery = {
  /** Kind of device, one of `phone`, `foldable`, `tablet`, `e_reader`, `media_player`, `laptop`, `desktop`, `all_in_one`, `watch`, `console`, `handheld`, `vr_headset`, `headphones`, `earbuds`, `speaker`, `smart_display`, `streaming_player`, `camera`, `action_camera`, `drone`, `graphics_card`, or a category of the registry, in any letter case. */
  category?: string
  /** Device whose kind is meant; takes precedence over `category`. */
  device_id?: string
}

/** Query parameters of `listDefects`. */
export type ListDefectsQuery = {
  /** Kind of device, one of `phone`, `foldable`, `tablet`, `e_reader`, `media_player`, `laptop`, `desktop`, `all_in_one`, `watch`, `console`, `handheld`, `vr_headset`, `headphones`, `earbuds`, `speaker`, `smart_display`, `streaming_player`, `camera`, `action_camera`, `drone`, `graphics_card`, or a category of the registry, in any letter case. */
  category?: string
  /** Device whose kind is meant; takes precedence over `category`. */
  device_id?: string
}

/** Query parameters of `getPricing`. */
export type GetPricingQuery = {
  /** The variant to price. */
  variant_id: string
  /** Which blocks to give. */
  pricing_type?: 'buyback' | 'resale' | 'both'
  /** Accepted without effect: the response has all four grades. */
  condition?: string
  /** Accepted without effect. */
  days?: number
  /** How many days back `historical` goes, in whole weeks. It changes nothing else. */
  history_days?: number
  /** ISO 4217 code. Amounts are then minor units of this currency, converted by the newest exchange rate (see `exchange_rate`). Absent: US cents. A currency without a rate is rejected with 400. */
  currency?: string
}

/** Query parameters of `getRepairs`. */
export type GetRepairsQuery = {
  /** The device. Required unless `variant_id` is given. */
  device_id?: string
  /** The variant. Required unless `device_id` is given. */
  variant_id?: string
  /** ISO 4217 code. Amounts are then minor units of this currency, converted by the newest exchange rate (see `exchange_rate`). Absent: US cents. A currency without a rate is rejected with 400. */
  currency?: string
}

/** Query parameters of `listLookups`. */
export type ListLookupsQuery = {
  /** Page number. Anything that is not a whole number of at least 1 counts as 1; never refused. */
  page?: number
  /** Records per page. Above 100 it is taken as 100; anything that is not a whole number of at least 1 counts as 50; never refused. */
  limit?: number
  /** Only lookups of this identifier, however it is written. */
  identifier?: string
}

/** Query parameters of `listAppraisals`. */
export type ListAppraisalsQuery = {
  /** Page number. Anything that is not a whole number of at least 1 counts as 1; never refused. */
  page?: number
  /** Records per page. Above 100 it is taken as 100; anything that is not a whole number of at least 1 counts as 50; never refused. */
  limit?: number
  /** Only appraisals with this reference. */
  reference?: string
  /** Only appraisals with this decision. */
  decision?: 'buy' | 'buy_and_repair' | 'inspect' | 'reject' | 'identify'
}

/** Query parameters of `listWatches`. */
export type ListWatchesQuery = {
  /** Only watches after this one. */
  after?: string
  /** Only watches with this reference. */
  reference?: string
  /** Watches per answer; 50 unless given. */
  limit?: number
}

/** Query parameters of `listEvents`. */
export type ListEventsQuery = {
  /** Only events after this one. */
  after?: string
  /** Only events of this type. */
  type?:
    | 'identifier.status_changed'
    | 'price.changed'
    | 'import.finished'
    | 'key.expiring'
    | 'appraisal.created'
    | 'webhook.disabled'
  /** Events per answer; 50 unless given. */
  limit?: number
}

/** An endpoint. */
export type Operation = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly takesIdempotencyKey: boolean
  /** Whether a repeated request does no harm even without an idempotency key. */
  readonly isIdempotent: boolean
}

/** What a request is built from. */
export type RequestParts = {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

const OPERATIONS = {
  listDevices: { method: 'GET', path: '/api/devices', takesIdempotencyKey: false, isIdempotent: true },
  getDevice: { method: 'GET', path: '/api/devices/{id}', takesIdempotencyKey: false, isIdempotent: true },
  listVariants: { method: 'GET', path: '/api/variants', takesIdempotencyKey: false, isIdempotent: true },
  getVariant: { method: 'GET', path: '/api/variants/{id}', takesIdempotencyKey: false, isIdempotent: true },
  matchText: { method: 'GET', path: '/api/match', takesIdempotencyKey: false, isIdempotent: true },
  listCategories: { method: 'GET', path: '/api/meta/categories', takesIdempotencyKey: false, isIdempotent: true },
  listMakes: { method: 'GET', path: '/api/meta/makes', takesIdempotencyKey: false, isIdempotent: true },
  listConditions: { method: 'GET', path: '/api/meta/conditions', takesIdempotencyKey: false, isIdempotent: true },
  listDefects: { method: 'GET', path: '/api/meta/defects', takesIdempotencyKey: false, isIdempotent: true },
  getPricing: { method: 'GET', path: '/api/pricing', takesIdempotencyKey: false, isIdempotent: true },
  priceVariants: { method: 'POST', path: '/api/pricing/batch', takesIdempotencyKey: false, isIdempotent: true },
  contributeObservations: { method: 'POST', path: '/api/observations', takesIdempotencyKey: false, isIdempotent: true },
  getRepairs: { method: 'GET', path: '/api/repairs', takesIdempotencyKey: false, isIdempotent: true },
  assessIdentifier: { method: 'POST', path: '/api/imei', takesIdempotencyKey: true, isIdempotent: false },
  listLookups: { method: 'GET', path: '/api/imei', takesIdempotencyKey: false, isIdempotent: true },
  assessIdentifiers: { method: 'POST', path: '/api/imei/batch', takesIdempotencyKey: true, isIdempotent: false },
  appraiseDevice: { method: 'POST', path: '/api/appraisals', takesIdempotencyKey: true, isIdempotent: false },
  listAppraisals: { method: 'GET', path: '/api/appraisals', takesIdempotencyKey: false, isIdempotent: true },
  appraiseDevices: { method: 'POST', path: '/api/appraisals/batch', takesIdempotencyKey: true, isIdempotent: false },
  getAppraisal: { method: 'GET', path: '/api/appraisals/{id}', takesIdempotencyKey: false, isIdempotent: true },
  createWatch: { method: 'POST', path: '/api/watches', takesIdempotencyKey: false, isIdempotent: true },
  listWatches: { method: 'GET', path: '/api/watches', takesIdempotencyKey: false, isIdempotent: true },
  deleteWatch: { method: 'DELETE', path: '/api/watches/{id}', takesIdempotencyKey: false, isIdempotent: true },
  listEvents: { method: 'GET', path: '/api/events', takesIdempotencyKey: false, isIdempotent: true },
} satisfies Record<string, Operation>

/** One method per endpoint. */
export abstract class Endpoints {
  protected abstract read<Data>(operation: Operation, parts: RequestParts, options?: CallOptions): ApiRequest<Data>
  protected abstract readList<Item>(operation: Operation, parts: RequestParts, options?: CallOptions): ListRequest<Item>
  protected abstract list<Item, Meta extends PageMeta>(
    operation: Operation,
    parts: RequestParts,
    options?: CallOptions,
  ): PagedRequest<Item, Meta>

  /** List devices. Devices with all their variants, newest release first (unknown dates last), then by slug. With `search`: best match first, then that order. Tier: **Public**. */
  listDevices(query: ListDevicesQuery = {}, options?: CallOptions): PagedRequest<Device> {
    return this.list(OPERATIONS.listDevices, { query }, options)
  }

  /** Get one device. A device with all its variants. An id that is not there is 404, and `error.nearest_ids` has those that look most like it. Tier: **Public**. */
  getDevice(id: string, options?: CallOptions): ApiRequest<Device> {
    return this.read(OPERATIONS.getDevice, { params: { id } }, options)
  }

  /** List variants with their device. Variants in the order of their devices, then in the catalogue's own order. Disabled variants are listed and marked. Beside the parameters below every attribute can be filtered by its name. Tier: **Public**. */
  listVariants(query: ListVariantsQuery = {}, options?: CallOptions): PagedRequest<VariantWithDevice> {
    return this.list(OPERATIONS.listVariants, { query }, options)
  }

  /** Get one variant. A variant with the device it belongs to. An id that is not there is 404, and `error.nearest_ids` has those that look most like it. Tier: **Public**. */
  getVariant(id: string, options?: CallOptions): ApiRequest<VariantWithDevice> {
    return this.read(OPERATIONS.getVariant, { params: { id } }, options)
  }

  /** Find the device named by a text. Matches a listing title, model name or model number to a device and, if possible, a variant. Doubtful matches are rejected with a reason: every word that names a model must be accounted for, and the make must agree. Accessories, parts, boxes and lots are recognised. Tier: **Public**. */
  matchText(query: MatchTextQuery, options?: CallOptions): ApiRequest<Match> {
    return this.read(OPERATIONS.matchText, { query }, options)
  }

  /** List the categories. Every category in the registry by name, with its counts. Its `name` filters devices and variants. Tier: **Public**. */
  listCategories(options?: CallOptions): ListRequest<CategoryCount> {
    return this.readList(OPERATIONS.listCategories, {}, options)
  }

  /** List the makes. Every manufacturer in the registry by name, with its counts. Its `name` filters devices and variants. Tier: **Public**. */
  listMakes(options?: CallOptions): ListRequest<MakeCount> {
    return this.readList(OPERATIONS.listMakes, {}, options)
  }

  /** List the condition grades. The four grades that prices are given for, best first, and what each of them means; with `category` or `device_id` in the words of that kind of device. Tier: **Public**. */
  listConditions(query: ListConditionsQuery = {}, options?: CallOptions): ListRequest<ConditionGrade> {
    return this.readList(OPERATIONS.listConditions, { query }, options)
  }

  /** List the defects. Defects beside normal wear: the codes of `defects[]` in an appraisal, the repairs that fix them, and whether a device with the defect still has a grade. With `category` or `device_id` only those that such a device can have, in words that fit it; an appraisal rejects all others. Tier: **Public**. */
  listDefects(query: ListDefectsQuery = {}, options?: CallOptions): ListRequest<Defect> {
    return this.readList(OPERATIONS.listDefects, { query }, options)
  }

  /** Price one variant. Buyback and resale prices per grade of condition with an 80 % range, their history, and their confidence. `source` says whether the numbers come from observed deals (`market`), are derived (`estimate`) or simulated (`sample`). Tier: **Paid**. */
  getPricing(query: GetPricingQuery, options?: CallOptions): ApiRequest<VariantPricing> {
    return this.read(OPERATIONS.getPricing, { query }, options)
  }

  /** Price up to 200 variants. One answer or error per variant, in the order of the request: each is what `GET /api/pricing` says of it. Each id counts as one request against the limit, so that a batch costs what its single requests would; where fewer are left than it has ids, the whole batch is refused with 429 and nothing is priced. Tier: **Paid**. */
  priceVariants(body: PricingBatchRequest, options?: CallOptions): ListRequest<PricingBatchItem> {
    return this.readList(OPERATIONS.priceVariants, { body }, options)
  }

  /** Contribute prices. Up to 1,000 prices that your organization saw, best of all deals that it made. They take the way of an imported price list: the same matching, the same gate, the same reasons for a refusal, a record among the imports; the source is your organization. The same `listing_id` again counts once, so a request can be repeated as it stands. Prices follow within a second or two. Needs a key that the operator gave the right to contribute; every 100 rows begun count as one request against the limit. Tier: **Public**, with the right to **contribute**. */
  contributeObservations(body: ObservationsRequest, options?: CallOptions): ApiRequest<ObservationImportResult> {
    return this.read(OPERATIONS.contributeObservations, { body }, options)
  }

  /** Repair intelligence for a device or variant. Common repairs with difficulty, time and parts, common failures, repair costs, and whether a repair pays at current prices. Give `device_id`, `variant_id` or both; the variant must belong to the device. A device without repair data returns nulls, empty lists and `data_completeness` 0. Tier: **Paid**. */
  getRepairs(query: GetRepairsQuery = {}, options?: CallOptions): ApiRequest<DeviceRepairIntelligence> {
    return this.read(OPERATIONS.getRepairs, { query }, options)
  }

  /** Assess the risk of one identifier. Decodes the identifier, finds the device, queries all sources and scores their findings, with a reason for every point. The response is sent after its record is durable. A wrong check digit is a finding, not an error. Unknown is never clean: `clean` requires a response from a source that covers the list, named in `cleared_by`. A probable typing error gives `recheck_identifier` with `suggested_identifiers`. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Enterprise**. */
  assessIdentifier(body: IMEILookupRequest, options?: CallOptions): ApiRequest<IMEILookupResult> {
    return this.read(OPERATIONS.assessIdentifier, { body }, options)
  }

  /** List your organization's lookups. Complete lookup records of the caller's organization, newest first, as they were returned at the time. Tier: **Enterprise**. */
  listLookups(query: ListLookupsQuery = {}, options?: CallOptions): PagedRequest<IMEILookupRecord> {
    return this.list(OPERATIONS.listLookups, { query }, options)
  }

  /** Assess up to 1,000 identifiers. One result or error per item, in the order of the request. All records of a batch become durable together, or none does. Repeated identifiers are assessed once. Each item counts as one request against the limit. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Enterprise**. */
  assessIdentifiers(body: IMEIBatchRequest, options?: CallOptions): ListRequest<IMEIBatchItem> {
    return this.readList(OPERATIONS.assessIdentifiers, { body }, options)
  }

  /** Appraise one device. Identifies the device, checks its risk, estimates prices and repair costs, and calculates the highest offer at which the best plan earns your policy's margin within the allowed probability of a loss. `offer.reasons[]` is the calculation line by line. Conflicting input is a finding, not an error; if the device cannot be identified, the decision is `identify` with candidates. Blacklisted devices never get an offer. The response is sent after its record and that of the lookup are durable. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Paid**; **Enterprise** when an `identifier` is given. */
  appraiseDevice(body: AppraisalRequest, options?: CallOptions): ApiRequest<Appraisal> {
    return this.read(OPERATIONS.appraiseDevice, { body }, options)
  }

  /** List your organization's appraisals. Complete appraisal records of the caller's organization, newest first. Tier: **Paid**. */
  listAppraisals(query: ListAppraisalsQuery = {}, options?: CallOptions): PagedRequest<Appraisal> {
    return this.list(OPERATIONS.listAppraisals, { query }, options)
  }

  /** Appraise up to 500 devices. One appraisal or error per item, in the order of the request. All records of a batch become durable together, or none does. Each item counts as one request against the limit. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Paid**; **Enterprise** when an item has an `identifier`. */
  appraiseDevices(body: AppraisalBatchRequest, options?: CallOptions): ListRequest<AppraisalBatchItem> {
    return this.readList(OPERATIONS.appraiseDevices, { body }, options)
  }

  /** Get one appraisal. An appraisal of the caller's organization, as it was returned. Another organization's appraisal is not found. Tier: **Paid**. */
  getAppraisal(id: string, options?: CallOptions): ApiRequest<Appraisal> {
    return this.read(OPERATIONS.getAppraisal, { params: { id } }, options)
  }

  /** Watch an identifier or a price. Creates an event whenever an imported list, a feed or an outside source changes the status of the identifier (`identifier.status_changed`), or the resale price of the variant changes by the threshold (`price.changed`). Only later changes are reported; use a lookup for the current status. Watching the same subject again with the same reference updates the existing watch. Tier: **Enterprise**. */
  createWatch(body: WatchRequest, options?: CallOptions): ApiRequest<Watch> {
    return this.read(OPERATIONS.createWatch, { body }, options)
  }

  /** List your organization's watches. Oldest first, without ended watches. Continue with `after` = `meta.next_after`. Tier: **Enterprise**. */
  listWatches(query: ListWatchesQuery = {}, options?: CallOptions): PagedRequest<Watch, CursorMeta> {
    return this.list(OPERATIONS.listWatches, { query }, options)
  }

  /** End a watch. The watch ends immediately. Its events stay in the list. Tier: **Enterprise**. */
  deleteWatch(id: string, options?: CallOptions): ApiRequest<Watch> {
    return this.read(OPERATIONS.deleteWatch, { params: { id } }, options)
  }

  /** List events. Events of your organization and its watches of the last 30 days, oldest first. Continue with `after` = `meta.next_after` of the last response: every event is returned exactly once. After an id that is no longer stored the list starts with the oldest event. Webhook endpoints receive the same events with the same ids. Tier: **Enterprise**. */
  listEvents(query: ListEventsQuery = {}, options?: CallOptions): PagedRequest<ServiceEvent, CursorMeta> {
    return this.list(OPERATIONS.listEvents, { query }, options)
  }
}
