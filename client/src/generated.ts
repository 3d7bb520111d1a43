// Generated from the OpenAPI document by `npm run generate`. Do not edit.

import type { CallOptions } from './client.ts'

import type { PagedRequest, PageMeta } from './paging.ts'

import type { ApiRequest, ListRequest } from './response.ts'

/** The variants to price. */
export type PricingBatchRequest = {
  /** 1 to 200 ids of variants. Each counts as one request against the limit. */
  variant_ids: string[]
  /** Price blocks to return. */
  pricing_type?: 'buyback' | 'resale' | 'both'
  /** Market whose prices to return: a country code such as `us`, `gb` or `hr`, or `eu`. Absent: the market of your organization, then that of the service. An unknown code is rejected with 400; the message suggests similar codes. */
  market?: string
  /** Carrier lock of the device to price. A carrier-locked device sells for less. */
  lock?: 'unlocked' | 'locked'
  /** ISO 4217 code. Amounts are returned in minor units of this currency, converted by the newest exchange rate (see `exchange_rate`). Default: US cents. A currency without a rate is rejected with 400. */
  currency?: string
}

/** Prices observed by your organization. */
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
  /** Minimum `market_confidence` of the price; below it the decision is `inspect`, to be priced by hand. */
  min_confidence?: number
  /** Offers are rounded down to a multiple of this. */
  offer_rounding?: number
}

/** The devices to appraise. */
export type AppraisalBatchRequest = {
  /** 1 to 500 devices. Each counts as one request against the limit. */
  items: AppraisalRequest[]
}

/** The device in hand, as for an appraisal: at least one of `lookup_id`, `variant_id`, `device_id` and `text`. Unknown fields are ignored. */
export type AppraisalPreviewRequest = {
  /** A lookup of the identifier of the device. */
  lookup_id?: string
  /** The variant, if known. */
  variant_id?: string
  /** The device, if the variant is unknown. */
  device_id?: string
  /** Listing title or model name; also a model number, part number or SKU. Grade, defects, lock and battery health that it states are read (`read_from_text[]`); the other fields win over it. */
  text?: string
  /** Attributes that select the variant, such as `storage` and `color`. */
  attributes?: Record<string, string>
  /** Cosmetic grade without the listed defects. Default: all four grades are valued and the offer is for the worst. */
  condition?: 'Excellent' | 'Good' | 'Fair' | 'Poor'
  /** Defect codes of `/api/meta/defects`. */
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
  /** Your reference for the device; the history can be filtered by it. */
  reference?: string
  /** What you agreed to pay, in minor units of the currency of the response. Stored with the appraisal; it does not change the calculation. */
  agreed_offer?: number
  /** True to record that the device was not bought. */
  declined?: boolean
  /** Market whose prices to return: a country code such as `us`, `gb` or `hr`, or `eu`. Absent: the market of your organization, then that of the service. An unknown code is rejected with 400; the message suggests similar codes. */
  market?: string
  /** Carrier lock of the device. Absent: locked if the defect `carrier_locked` is listed or a source reports it. */
  lock?: 'unlocked' | 'locked'
  /** ISO 4217 code. Amounts are returned in minor units of this currency, converted by the newest exchange rate (see `exchange_rate`). Default: US cents. A currency without a rate is rejected with 400. */
  currency?: string
}

/** Outcome of an appraised device. */
export type OutcomeRequest = {
  /** `bought`: you bought the device. `declined`: there was no deal. `sold`: you sold the device you bought. */
  status: 'bought' | 'declined' | 'sold'
  /** Price paid (`bought`) or received (`sold`), in minor units of `currency`. Required for both. */
  price?: number
  /** True if the price is right although it is far from what launch price and existing prices allow. The deal is stored, and counts for prices once two others agree with it. */
  confirm_amount?: boolean
  /** ISO 4217 code of `price`. Default: the currency of the appraisal. */
  currency?: string
  /** With `declined`: who declined, you or the customer. */
  declined_by?: 'shop' | 'customer'
  /** Day of the deal. Default: the day recorded earlier for this status, otherwise today in `time_zone`. */
  date?: string
  /** Time zone of the day, such as `Europe/Vilnius`. Default: UTC. */
  time_zone?: string
  /** Your note. Absent: the earlier note is kept; an empty text removes it. */
  note?: string
}

/** The outcomes to record. */
export type OutcomeBatchRequest = {
  /** 1 to 500 outcomes, applied in this order. Each counts as one request against the limit. */
  items: OutcomeRow[]
}

/** What to watch. */
export type WatchRequest = {
  /** The IMEI, MEID, ESN or serial number to watch. Give this or `variant_id`. */
  identifier?: string
  /** Kind of identifier, in any letter case; `serial_number` means `serial`. Absent: recognised from the identifier. */
  identifier_type?: 'imei' | 'serial' | 'esn' | 'meid' | 'serial_number'
  /** The variant whose price to watch. */
  variant_id?: string
  /** With `variant_id`: price change in percent that triggers an event; default 5. */
  threshold_percent?: number
  /** End of the watch: a day (inclusive) or an instant. Without end if absent; for an identifier, until the service deletes old lookups (see `until` in the response). */
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
  /** Currency of the amounts; `USD` by default. */
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
  counts: Record<string, number>
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

/** An appraised device was recorded as bought. */
export type AppraisalBoughtEvent = {
  /** Event id, the same in the list and in every delivery. Sorts by time. */
  id: string
  /** Event type. */
  type: 'appraisal.bought'
  /** Time of the event. */
  timestamp: string
  data: AppraisalBought
}

/** An appraised device was recorded as bought. */
export type AppraisalBought = {
  /** The appraisal. */
  appraisal_id: string
  /** Your reference of the device. */
  reference: string | null
  /** Device, if identified. */
  device_id: string | null
  /** Price paid, in minor units of `currency`. */
  price: number
  /** Currency of the price. */
  currency: string
  /** Day of the purchase. */
  date: string
  /** Whether it replaces an outcome that was recorded earlier. */
  correction: boolean
}

/** An appraisal was recorded as declined. */
export type AppraisalDeclinedEvent = {
  /** Event id, the same in the list and in every delivery. Sorts by time. */
  id: string
  /** Event type. */
  type: 'appraisal.declined'
  /** Time of the event. */
  timestamp: string
  data: AppraisalDeclined
}

/** An appraisal was recorded as declined. */
export type AppraisalDeclined = {
  /** The appraisal. */
  appraisal_id: string
  /** Your reference of the device. */
  reference: string | null
  /** Device, if identified. */
  device_id: string | null
  /** Who declined; null if not recorded. */
  declined_by: 'shop' | 'customer' | null
  /** Day. */
  date: string
  /** Whether it replaces an outcome that was recorded earlier. */
  correction: boolean
}

/** A device that was bought was recorded as sold. */
export type AppraisalSoldEvent = {
  /** Event id, the same in the list and in every delivery. Sorts by time. */
  id: string
  /** Event type. */
  type: 'appraisal.sold'
  /** Time of the event. */
  timestamp: string
  data: AppraisalSold
}

/** A device that was bought was recorded as sold. */
export type AppraisalSold = {
  /** The appraisal. */
  appraisal_id: string
  /** Your reference of the device. */
  reference: string | null
  /** Device, if identified. */
  device_id: string | null
  /** Sale price, in minor units of `currency`. */
  price: number
  /** Currency of the sale price. */
  currency: string
  /** Day of the sale. */
  date: string
  /** Price paid, in minor units of `bought_currency`. */
  bought_price: number
  /** Currency of the price paid. */
  bought_currency: string
  /** Day of the purchase. */
  bought_date: string
  /** Whether it replaces an outcome that was recorded earlier. */
  correction: boolean
}

/** The outcome of an appraisal was removed; the appraisal is open again. */
export type AppraisalReopenedEvent = {
  /** Event id, the same in the list and in every delivery. Sorts by time. */
  id: string
  /** Event type. */
  type: 'appraisal.reopened'
  /** Time of the event. */
  timestamp: string
  data: AppraisalReopened
}

/** The outcome of an appraisal was removed; the appraisal is open again. */
export type AppraisalReopened = {
  /** The appraisal. */
  appraisal_id: string
  /** Your reference of the device. */
  reference: string | null
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

/** A test event, sent on request to one endpoint whatever types it receives. */
export type WebhookTestEvent = {
  /** Event id, the same in the list and in every delivery. Sorts by time. */
  id: string
  /** Event type. */
  type: 'webhook.test'
  /** Time of the event. */
  timestamp: string
  data: WebhookTest
}

/** A test event, sent on request to one endpoint whatever types it receives. */
export type WebhookTest = {
  /** The endpoint. */
  webhook_id: string
  /** Human-readable message. */
  message: string
}

/** The requests of the month reached 80 or 100 percent of the monthly quota. */
export type UsageThresholdReachedEvent = {
  /** Event id, the same in the list and in every delivery. Sorts by time. */
  id: string
  /** Event type. */
  type: 'usage.threshold_reached'
  /** Time of the event. */
  timestamp: string
  data: UsageThresholdReached
}

/** The requests of the month reached 80 or 100 percent of the monthly quota. */
export type UsageThresholdReached = {
  /** Calendar month (UTC), such as `2026-11`. */
  month: string
  /** Reached share of the quota: 80 or 100. */
  threshold_percent: number
  /** Quota in requests per month. */
  monthly_requests: number
  /** Requests of the month so far. */
  used: number
  /** Whether requests beyond the quota are rejected. */
  is_hard: boolean
}

/** The identifier to assess. Unknown fields are ignored. */
export type IMEILookupRequest = {
  /** IMEI, IMEISV, MEID, ESN or serial number, as text. Spaces, dots, dashes and slashes are ignored; the text is returned as sent. */
  identifier: string
  /** Kind of identifier, in any letter case; `serial_number` means `serial`. Absent: recognised from the identifier. */
  identifier_type?: 'imei' | 'serial' | 'esn' | 'meid' | 'serial_number'
  /** Model of the device in hand, as a device id or a title. If it names one model, later lookups recognise devices with the same type allocation code (TAC). A model that is not recognised is ignored and reported as risk factor `stated_model_unknown` (0 points). */
  model?: string
}

/** The device in hand: at least one of `identifier`, `variant_id`, `device_id` and `text`. Unknown fields are ignored. */
export type AppraisalRequest = {
  /** IMEI, MEID, ESN or serial number of the device in hand. Needs the Enterprise tier. */
  identifier?: string
  /** Kind of identifier, in any letter case; `serial_number` means `serial`. Absent: recognised from the identifier. */
  identifier_type?: 'imei' | 'serial' | 'esn' | 'meid' | 'serial_number'
  /** The variant, if known. */
  variant_id?: string
  /** The device, if the variant is unknown. */
  device_id?: string
  /** Listing title or model name; also a model number, part number or SKU. Grade, defects, lock and battery health that it states are read (`read_from_text[]`); the other fields win over it. */
  text?: string
  /** Attributes that select the variant, such as `storage` and `color`. */
  attributes?: Record<string, string>
  /** Cosmetic grade without the listed defects. Default: all four grades are valued and the offer is for the worst. */
  condition?: 'Excellent' | 'Good' | 'Fair' | 'Poor'
  /** Defect codes of `/api/meta/defects`. */
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
  /** Your reference for the device; the history can be filtered by it. */
  reference?: string
  /** What you agreed to pay, in minor units of the currency of the response. Stored with the appraisal; it does not change the calculation. */
  agreed_offer?: number
  /** True to record that the device was not bought. */
  declined?: boolean
  /** Market whose prices to return: a country code such as `us`, `gb` or `hr`, or `eu`. Absent: the market of your organization, then that of the service. An unknown code is rejected with 400; the message suggests similar codes. */
  market?: string
  /** Carrier lock of the device. Absent: locked if the defect `carrier_locked` is listed or a source reports it. */
  lock?: 'unlocked' | 'locked'
  /** ISO 4217 code. Amounts are returned in minor units of this currency, converted by the newest exchange rate (see `exchange_rate`). Default: US cents. A currency without a rate is rejected with 400. */
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

/** A device model with all its variants. */
export type Device = {
  /** Device identifier; equals `slug`. */
  id: string
  /** Marketing name without the make: `make.name` and `name` together name the device. */
  name: string
  /** Make and name in lower case, `[a-z0-9-]`. */
  slug: string
  category: Category
  make: Make
  /** The maker's model numbers, all regions. */
  model_numbers: string[]
  /** Property names and values, both as text. */
  technical_specifications: Record<string, string>
  /** First day on sale. If only the month or year is known, its first day; null if unknown. */
  release_date: string | null
  /** Precision of `release_date`: with `month` the day is not meaningful, with `year` the month neither. */
  release_date_precision: 'day' | 'month' | 'year' | null
  /** Drawing of the device, served by this service. */
  thumbnail: string
  /** Whether the maker still sells it. */
  status: 'active' | 'discontinued'
  /** Identifiers reported by the device's software. */
  model_identifiers: string[]
  /** All variants in catalogue order, including disabled ones. */
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

/** One configuration of a device, such as storage and color. */
export type Variant = {
  /** Variant identifier: the device id and its attributes, `[a-z0-9-]`. */
  id: string
  /** Stock keeping unit. */
  sku: string
  /** Launch list price in US cents, as `price_source` says; 0 if unknown. */
  price: number
  /** `list`: published US list price. `estimated`: list price of another country in US cents without its tax. `unknown`: no list price is known and `price` is 0. */
  price_source: 'list' | 'estimated' | 'unknown'
  /** Launch list prices by market, as published there; empty if none is known. */
  list_prices: ListPrice[]
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
  /** True if the variant is not for sale any more or was never sold. An unknown price does not disable it. */
  disabled: boolean
}

/** Launch list price in one market. */
export type ListPrice = {
  /** Country code in lower case, or `eu`. */
  market: string
  /** Currency of the price. */
  currency: string
  /** Minor units of the currency, with the tax that buyers pay there; US prices are without tax. */
  amount: number
}

/** An attribute of a variant. */
export type Attribute = {
  /** For example `storage` or `color`. */
  attribute_name: string
  /** For example `128GB` or `Midnight`. */
  attribute_value: string
}

/** Pagination of the response. */
export type PaginationMeta = {
  /** Page number. */
  page: number
  /** Page size. */
  limit: number
  /** Total number of matching records. */
  total: number
  /** `ceil(total / limit)`; 0 when nothing matches. */
  total_pages: number
  /** Whether a later page has records. */
  has_next: boolean
  /** Whether an earlier page has records. */
  has_prev: boolean
  /** Ignored parameters that look like misspelled names, such as `serach`. Absent if there are none. */
  ignored_parameters?: string[]
}

/** Remarks on the request. */
export type ResponseMeta = {
  /** Ignored parameters that look like misspelled names, such as `serach`. Absent if there are none. */
  ignored_parameters: string[]
}

/** A variant with the device it belongs to. */
export type VariantWithDevice = {
  /** Variant identifier: the device id and its attributes, `[a-z0-9-]`. */
  id: string
  /** Stock keeping unit. */
  sku: string
  /** Launch list price in US cents, as `price_source` says; 0 if unknown. */
  price: number
  /** `list`: published US list price. `estimated`: list price of another country in US cents without its tax. `unknown`: no list price is known and `price` is 0. */
  price_source: 'list' | 'estimated' | 'unknown'
  /** Launch list prices by market, as published there; empty if none is known. */
  list_prices: ListPrice[]
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
  /** True if the variant is not for sale any more or was never sold. An unknown price does not disable it. */
  disabled: boolean
  device: VariantDevice
}

/** The device that a variant belongs to. */
export type VariantDevice = {
  /** Device identifier. */
  id: string
  /** Name of the device, without the make. */
  name: string
  /** Same as `id`. */
  slug: string
  make: Make
  category: Category
}

/** The device named by a text, or why there is none. */
export type Match = {
  /** The text as it was sent. */
  text: string
  /** `matched`: exactly one device matches. `ambiguous`: several match, see `candidates`. `unknown`: not in the catalogue, or not a device. */
  decision: 'matched' | 'ambiguous' | 'unknown'
  /** Why nothing matched, for example `unknown_model`, `accessory`, `for_parts`, `lot`, `make_mismatch`; null for a match. */
  reason: string | null
  /** The device, or null. */
  device_id: string | null
  /** Its name, or null. */
  device_name: string | null
  /** The only variant of the catalogue that fits, or null. `assumed_attributes` says what the text left open. */
  variant_id: string | null
  /** Its name, or null. */
  variant_name: string | null
  /** Confidence of the match in percent; 0 without a match. */
  confidence: number
  /** Attributes found in the text, such as storage, ram, color, size, year, chip, carrier and lock. */
  attributes: Attribute[]
  /** Attributes of the variant that the text does not state, such as the color where the catalogue lists only one. */
  assumed_attributes: Attribute[]
  /** Condition grade found in the text, or null. */
  condition: 'Excellent' | 'Good' | 'Fair' | 'Poor' | null
  /** Words of the text that were not matched. */
  unmatched_words: string[]
  /** Possible devices, best first. */
  candidates: MatchCandidate[]
}

/** A possible device. */
export type MatchCandidate = {
  /** Device. */
  device_id: string
  /** Its name. */
  device_name: string
  /** Variant, if exactly one fits; otherwise null. */
  variant_id: string | null
  /** Confidence in percent. */
  confidence: number
}

/** A category with its counts. */
export type CategoryCount = {
  /** Name of the category. */
  name: string
  /** Drawing of the category. */
  thumbnail: string
  /** Number of devices in the registry. */
  device_count: number
  /** Number of variants, including disabled ones. */
  variant_count: number
}

/** A manufacturer with its counts. */
export type MakeCount = {
  /** Name of the manufacturer. */
  name: string
  /** Drawing for the manufacturer; never a trademarked logo. */
  thumbnail: string
  /** Number of devices in the registry. */
  device_count: number
  /** Number of variants, including disabled ones. */
  variant_count: number
}

/** A condition grade and its definition. */
export type ConditionGrade = {
  /** Name used in prices. */
  name: 'Excellent' | 'Good' | 'Fair' | 'Poor'
  /** 1 is the best grade, 4 the worst. */
  rank: number
  /** Definition of the grade. */
  definition: string
  /** Whether every function must work. */
  fully_working: boolean
  /** State of the screen; null for devices without one. */
  screen: string | null
  /** State of the body. */
  body: string
  /** Minimum battery health for this grade; null if there is none or it cannot be read. */
  battery_min_percent: number | null
}

/** A defect beyond normal wear. */
export type Defect = {
  /** Code for `defects[]` of an appraisal. */
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
  /** Label. */
  name: string
  /** What to look for. */
  description: string
  /** Repairs that fix it, by category; if several are possible, the most expensive one is assumed. */
  repairs: string[]
  /** Whether a device with this defect still has one of the four grades. */
  gradable: boolean
  /** Best grade possible with this defect; null if none. */
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
  /** Whether a device with this defect can be bought and sold. */
  sellable: boolean
}

/** Prices of one variant by condition grade. */
export type VariantPricing = {
  /** The requested variant. */
  variant_id: string
  /** Name of its device. */
  device_name: string
  /** Name of the variant. */
  variant_name: string
  /** Absent with `pricing_type=resale`. */
  buyback?: PriceBlock
  /** Absent with `pricing_type=buyback`. */
  resale?: ResaleBlock
  /** Confidence of the prices: 80 means about 5 % expected error, 60 about 10 %, 0 no basis. */
  market_confidence: number
  /** Number of observations of this variant in use, without outliers. */
  data_points: number
  /** Launch price behind an estimate. `list`: US list price. `announced`: price announced in another country, without tax. `estimated`: from specifications, make and product line, with a wider range. Null if there is none. */
  launch_price_basis: 'list' | 'announced' | 'estimated' | null
  market: PriceMarket
  /** Carrier lock of the device that the prices are for: `unlocked`, or `locked` to one carrier. */
  lock: 'unlocked' | 'locked'
  /** Currency of the amounts; `USD` by default. */
  currency: string
  /** Present if `currency` is given and is not USD. */
  exchange_rate?: ExchangeRate
  /** Version of the pricing engine. */
  method: string
}

/** Prices that trade-in businesses pay. */
export type PriceBlock = {
  current: ConditionAmounts
  interval: PriceIntervals
  /** Weekly points of the last `history_days` days (default 26 weeks) in ascending order; only weeks with observations. */
  historical: PricePoint[]
  /** Time of the newest observation used; without any, the time of the market fit that the estimate comes from. */
  last_updated: string
  /** `market`: observed prices of this variant. `estimate`: derived from related variants or from product line and age. `sample`: as `estimate`, with a simulated history. */
  source: 'market' | 'estimate' | 'sample'
}

/** Amount per grade in US cents, never higher for a worse grade. Null only if there is no basis for a price. */
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

/** The 80 % range per grade; null if the amount is null. */
export type PriceIntervals = {
  Excellent: PriceRange | null
  Good: PriceRange | null
  Fair: PriceRange | null
  Poor: PriceRange | null
}

/** Range expected to contain 80 % of single deals, in US cents. */
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
  /** Currency of the amounts; `USD` by default. */
  currency: string
  /** Grade of the observations. */
  condition: 'Excellent' | 'Good' | 'Fair' | 'Poor'
}

/** Prices at which used devices sell. */
export type ResaleBlock = {
  current: ConditionAmounts
  interval: PriceIntervals
  /** Weekly points of the last `history_days` days (default 26 weeks) in ascending order; only weeks with observations. */
  historical: PricePoint[]
  /** Time of the newest observation used; without any, the time of the market fit that the estimate comes from. */
  last_updated: string
  /** `market`: observed prices of this variant. `estimate`: derived from related variants or from product line and age. `sample`: as `estimate`, with a simulated history. */
  source: 'market' | 'estimate' | 'sample'
  /** Price trend of the last weeks; not a forecast. */
  trend: 'rising' | 'stable' | 'falling' | 'unknown'
  /** Probability in percent of a sale within 28 days at this price. */
  liquidity_score: number
}

/** The market whose prices these are. */
export type PriceMarket = {
  /** Country code in lower case, or `eu`. */
  code: string
  /** `observed`: the price level was learned from prices of this market. `borrowed`: prices of other markets, moved to the level expected of this one. `estimated`: nothing was observed anywhere. */
  basis: 'observed' | 'borrowed' | 'estimated'
  /** Whether prices of this market are shown with value added or sales tax. */
  tax_included: boolean
  /** Observations of this market that its price level was learned from. */
  observations: number
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

/** What the cheapest variant of a device sells for. */
export type LowestPrice = {
  /** The device. */
  device_id: string
  /** Resale price in grade Good in US cents; null for an unknown device or no price. */
  resale: number | null
}

/** Result of an import of observations. */
export type ObservationImportResult = {
  /** Id of this import. */
  run_id: string
  /** Number of rows sent. */
  rows: number
  /** Number of accepted rows. */
  accepted: number
  /** Accepted rows with new information; the others were already stored. */
  written: number
  /** Number of rejected rows. */
  rejected: number
  /** Number of rejected rows per reason. */
  rejected_by: Record<string, number>
  /** Result per row, in the order of the request. */
  results: ObservationResult[]
}

/** Result of one row. */
export type ObservationResult =
  | {
      /** Position in the request, from 0. */
      index: number
      /** The row was accepted. */
      accepted: true
      /** Your id of the deal. */
      listing_id: string
      /** The matched device. */
      device_id: string
      /** The variant; null if several fit that differ only in color. */
      variant_id: string | null
      /** The recognized grade; `damaged`, `broken` or `dead` for a defective device. */
      condition: string
    }
  | {
      /** Position in the request, from 0. */
      index: number
      /** The row was rejected. */
      accepted: false
      /** Your id of the deal, if it could be read. */
      listing_id: string | null
      /** Reject reason; the same text for the same reason. */
      reason: string
      /** The offending value, shortened; empty if there is none. */
      detail: string
    }

/** Common repairs, their cost and return. */
export type DeviceRepairIntelligence = {
  /** The device. */
  device_id: string
  /** Name of the device. */
  device_name: string
  /** The requested variant; null if the request named only the device. */
  variant_id: string | null
  /** Repairability, 10 is easiest; null if not rated. */
  repairsite_score: number | null
  /** The score in words: excellent 8–10, good 6–7, fair 4–5, poor 2–3, very_poor 0–1, unknown if null. */
  repairability_rating: 'excellent' | 'good' | 'fair' | 'poor' | 'very_poor' | 'unknown'
  /** Most common repairs. */
  common_repairs: CommonRepair[]
  /** Common failures, most frequent first. */
  common_failure_points: string[]
  /** Null if no cost is known. */
  average_repair_cost: RepairCost | null
  /** Return on repair: (resale Good − resale Poor − cost) / cost, with the lower end of the average repair cost. `high` from 1, `medium` from 0.25, `low` from 0, `negative` below 0, `unknown` if a figure is missing. */
  repair_roi_indicator: 'high' | 'medium' | 'low' | 'negative' | 'unknown'
  /** Notes for technicians, and which figures are reference ranges. */
  technical_notes: string[]
  /** Parts that are paired or sold only by the manufacturer. */
  proprietary_parts: string[]
  /** Special tools. */
  special_tools_required: string[]
  /** Time of the newest fact used; without any, of the bundled repair data. */
  last_updated: string
  /** The repair dataset. */
  source: 'repairsite'
  /** Share of the facts that are known, in percent. */
  data_completeness: number
  /** Present if `currency` is given and is not USD. */
  exchange_rate?: ExchangeRate
}

/** A common repair of this device. */
export type CommonRepair = {
  /** Name of the repair. */
  name: string
  /** How hard the repair is; null if unknown. */
  difficulty: 'very_easy' | 'easy' | 'moderate' | 'difficult' | 'very_difficult' | null
  /** Usual working time in minutes; null if unknown. */
  estimated_time_minutes: number | null
  /** Parts needed for the repair. */
  parts: RepairPart[]
  /** Minimum labour cost without parts, US cents; null if the time is unknown. */
  labour_min: number | null
  /** Maximum labour cost without parts, US cents; null if the time is unknown. */
  labour_max: number | null
  /** URL of a repair guide, or null. */
  repairsite_guide_url: string | null
}

/** A part needed for a repair. */
export type RepairPart = {
  /** Name of the part. */
  name: string
  /** Minimum cost of the part, US cents. */
  cost_min: number | null
  /** Maximum cost of the part, US cents. */
  cost_max: number | null
  /** Currency of the amounts; `USD` by default. */
  currency: string
  /** Availability of the part. */
  availability: 'in_stock' | 'limited' | 'backorder' | 'out_of_stock' | 'discontinued' | 'unknown'
}

/** Cost of a usual repair, parts and labour, weighted by how often each repair occurs. */
export type RepairCost = {
  /** Lower end, US cents. */
  min: number
  /** Upper end, US cents. */
  max: number
  /** Currency of the amounts; `USD` by default. */
  currency: string
}

/** Facts and risk assessment of one device by its identifier. */
export type IMEILookupResult = {
  /** Identifier of this lookup; sorts by time. */
  lookup_id: string
  /** The identifier as sent. */
  identifier: string
  /** Identifier type, as sent or recognized. */
  identifier_type: 'imei' | 'serial' | 'esn' | 'meid'
  /** Time of the lookup. */
  timestamp: string
  device_match: DeviceMatch
  /** `clean` only if a source that covers the list answered (`cleared_by` names it); otherwise `unknown`. */
  blacklist_status: 'clean' | 'blacklisted' | 'pending' | 'unknown'
  /** Whether the device is locked to a carrier. */
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
  /** True only on evidence; false does not prove the contrary. */
  reported_lost_stolen: boolean
  /** True only on evidence; false does not prove the contrary. */
  activation_lock: boolean
  /** Names of the sources that responded, joined by `+`; `none` if none did. */
  source: string
  /** Age of the facts: queried now, cached, or stale because the source is unavailable. */
  freshness: 'real-time' | 'cached' | 'stale'
  /** Age of the oldest cached fact; null exactly when `real-time`. */
  cache_age_minutes: number | null
  /** All reasons for the score; their points add up to it. */
  risk_factors: RiskFactor[]
  /** Evidence for each `clean` status; empty exactly if no status is `clean`. */
  cleared_by: Clearance[]
  /** References of the checks at the outside sources. Absent if no source gave one. */
  evidence?: CheckEvidence[]
  /** Recommended action: `recheck_identifier` if the identifier is probably mistyped, whatever the score; otherwise `buy` at low, `inspect` at medium, `reject` at high and critical risk. */
  recommendation: 'buy' | 'inspect' | 'recheck_identifier' | 'reject'
  /** Probable corrections of a mistyped identifier, most likely first; may be empty. */
  suggested_identifiers: string[]
}

/** The device that the identifier belongs to. */
export type DeviceMatch = {
  /** Confidence of the match in percent; 0 without a match. */
  confidence: number
  /** Device, or null. */
  matched_device_id: string | null
  /** Its name, or null. */
  matched_device_name: string | null
  /** Variant, or null: a TAC alone never identifies one. */
  matched_variant_id: string | null
  /** Its name, or null. */
  matched_variant_name: string | null
}

/** One reason for the score. */
export type RiskFactor = {
  /** Stable code, for example `check_digit_mismatch`. */
  code: string
  /** Points added to the score; 0 for a remark. */
  points: number
  /** Human-readable reason. */
  message: string
  /** Name of the source, or `identifier` for findings from the identifier itself. */
  source: string
  /** Time of the observation, or null. */
  observed_at: string | null
}

/** Evidence for a `clean` status. */
export type Clearance = {
  /** `registry` for imported lists, or the name of an outside source. */
  source: string
  /** Name of the list that does not contain the identifier; null if unknown. */
  list: string | null
  /** Area covered by the list, or null. */
  area: string | null
  /** Number of identifiers on the list, or null. */
  entries: number | null
  /** Time of the last import; for an outside source, time of its response. */
  updated_at: string | null
}

/** Reference of a check at an outside source. */
export type CheckEvidence = {
  /** Name of the outside source. */
  source: string
  /** Reference of the check at the source. */
  evidence_id: string
  /** Time of the check. */
  checked_at: string
}

/** Pagination of the response, by page number or by `after`. */
export type HistoryMeta = {
  /** Page number; 1 with `after`. */
  page: number
  /** Page size. */
  limit: number
  /** Total number of matching records. */
  total: number
  /** `ceil(total / limit)`; 0 when nothing matches. */
  total_pages: number
  /** Whether a later page has records. */
  has_next: boolean
  /** Whether an earlier page has records. */
  has_prev: boolean
  /** Ignored parameters that look like misspelled names, such as `serach`. Absent if there are none. */
  ignored_parameters?: string[]
  /** Value of `after` for the next page; null on the last page. */
  next_after: string | null
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

/** A test identifier with a fixed result. */
export type SandboxIdentifier = {
  /** The identifier. */
  identifier: string
  /** Its type. */
  identifier_type: 'imei' | 'serial' | 'esn' | 'meid'
  /** Short name of the result. */
  outcome: string
  /** What the identifier shows. */
  about: string
}

/** An appraisal: identity, risk, prices, repairs, plans and the offer. */
export type Appraisal = {
  /** Id of the appraisal; sorts by time. */
  appraisal_id: string
  /** Time of the appraisal. */
  timestamp: string
  /** Who made the appraisal. */
  created_by: Author
  /** Your reference, as sent. */
  reference: string | null
  /** What you agreed to pay, as sent; null if not sent. */
  agreed_offer: number | null
  /** Whether you recorded that the device was not bought. */
  declined: boolean
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
  /** What was read from `text` beside the device, and is taken into account. */
  read_from_text: AppraisalReadField[]
  /** Stated fields that differ from the text. The stated field counts; where the text describes a cheaper device, the decision is `inspect`. Conflicts about which device it is are in `identity.contradictions`. */
  contradictions: AppraisalTextContradiction[]
  identity: AppraisalIdentity
  /** Lookup of the identifier; null if none was given. */
  risk: IMEILookupResult | null
  /** Prices per requested grade, best first; empty if the device is not identified. */
  value: AppraisalValue[]
  /** Repairs that fix the defects or raise the grade. */
  repairs: AppraisalRepair[]
  /** Plans for the grade of the offer. Absent for clerks who may not see margins. */
  plans?: AppraisalPlan[]
  /** Plans that are not possible, with the reason. Absent for clerks who may not see margins. */
  rejected_plans?: {
    /** The plan. */
    plan: 'sell_as_is' | 'repair_and_sell' | 'sell_for_parts'
    /** Why it is not possible. */
    reason: string
  }[]
  offer: AppraisalOffer
  /** Policy applied, including overrides; amounts in the currency of the response. Absent for clerks who may not see margins. */
  policy?: AppraisalPolicy
  /** The market whose prices these are; null without prices. */
  market: PriceMarket | null
  /** Carrier lock that the prices are for: as sent, else `locked` if a source or the defect `carrier_locked` says so. */
  lock: 'unlocked' | 'locked'
  /** Whether any data is simulated: sample prices or a sandbox identifier. */
  sample: boolean
  /** Currency of all amounts; they are in its minor units. */
  currency: string
  /** Null if the currency is USD. */
  exchange_rate: ExchangeRate | null
  /** Outcome of the deal; null while it is open. */
  outcome: Outcome | null
}

/** Who made the record. */
export type Author = {
  /** A person with a session, an API key, or a command on the machine of the service. */
  kind: 'person' | 'key' | 'command'
  /** Id of the account or of the key; `command line` for a command. */
  id: string
  /** Name of the person or of the key at that time. */
  name: string
}

/** Words of the text and what they were read as. */
export type AppraisalReadField = {
  /** The words, as written. */
  words: string
  /** What they state: `defects`, `condition`, `lock`, `battery_health`, `wanted` or an attribute such as `attributes.storage`. */
  field: string
  /** The value: a defect code, a grade, a lock, percent, or the value of the attribute. */
  value: string
}

/** A stated field that differs from the text. */
export type AppraisalTextContradiction = {
  /** The field. */
  field: string
  /** Its value in the request, which counts. */
  stated: string
  /** The words of the text. */
  words: string
  /** The value that the words state. */
  value: string
  /** Human-readable message. */
  message: string
}

/** Which device it is, how it was identified, and what is unresolved. */
export type AppraisalIdentity = {
  /** Device id; null if not identified. */
  device_id: string | null
  /** Its name. */
  device_name: string | null
  /** Kind that decides its grade texts and defects (`/api/meta/defects?category=`); null if it has none. */
  device_kind:
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
  /** Attributes that are known, storage first, such as the storage while the color is open; without memory that follows from the storage. */
  attributes: Attribute[]
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
  /** Grade it is sold as; null for parts and for devices that have no grade, such as dead ones. */
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
  /** The calculation line by line. The amounts before `market_buyback_cap` add up to `max_offer`; all amounts add up to `recommended_offer`. Clerks who may not see margins get the findings without amounts. */
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
  /** Change of the offer. Absent for clerks who may not see margins. */
  amount?: number
  /** Sum of the amounts so far. Absent for clerks who may not see margins. */
  running_total?: number
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
  /** Minimum `market_confidence` of the price; below it the decision is `inspect`, to be priced by hand. Absent in old appraisals. */
  min_confidence?: number
  /** Offers are rounded down to a multiple of this. */
  offer_rounding: number
}

/** Outcome of an appraised device. */
export type Outcome = {
  /** Status of the deal. */
  status: 'bought' | 'declined' | 'sold'
  /** The purchase; null if it was declined. */
  bought: OutcomeDeal | null
  /** The sale; null unless the status is `sold`. */
  sold: OutcomeDeal | null
  /** Set if the status is `declined`. */
  declined: {
    /** Who declined; null if not recorded. */
    by: 'shop' | 'customer' | null
    /** Day. */
    date: string
  } | null
  /** Your note. */
  note: string | null
  /** Time of the last change. */
  updated_at: string
}

/** A purchase or a sale. */
export type OutcomeDeal = {
  /** Price in minor units of `currency`. */
  price: number
  /** Currency of the price. */
  currency: string
  /** Day of the deal. */
  date: string
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

/** An appraisal that is not recorded, with the offers for all grades. */
export type AppraisalPreview = {
  /** Time of the appraisal. */
  timestamp: string
  /** Your reference, as sent. */
  reference: string | null
  /** What you agreed to pay, as sent; null if not sent. */
  agreed_offer: number | null
  /** Whether you recorded that the device was not bought. */
  declined: boolean
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
  /** What was read from `text` beside the device, and is taken into account. */
  read_from_text: AppraisalReadField[]
  /** Stated fields that differ from the text. The stated field counts; where the text describes a cheaper device, the decision is `inspect`. Conflicts about which device it is are in `identity.contradictions`. */
  contradictions: AppraisalTextContradiction[]
  identity: AppraisalIdentity
  /** Lookup of the identifier; null if none was given. */
  risk: IMEILookupResult | null
  /** Prices per requested grade, best first; empty if the device is not identified. */
  value: AppraisalValue[]
  /** Repairs that fix the defects or raise the grade. */
  repairs: AppraisalRepair[]
  /** Plans for the grade of the offer. Absent for clerks who may not see margins. */
  plans?: AppraisalPlan[]
  /** Plans that are not possible, with the reason. Absent for clerks who may not see margins. */
  rejected_plans?: {
    /** The plan. */
    plan: 'sell_as_is' | 'repair_and_sell' | 'sell_for_parts'
    /** Why it is not possible. */
    reason: string
  }[]
  offer: AppraisalOffer
  /** Policy applied, including overrides; amounts in the currency of the response. Absent for clerks who may not see margins. */
  policy?: AppraisalPolicy
  /** The market whose prices these are; null without prices. */
  market: PriceMarket | null
  /** Carrier lock that the prices are for: as sent, else `locked` if a source or the defect `carrier_locked` says so. */
  lock: 'unlocked' | 'locked'
  /** Whether any data is simulated: sample prices or a sandbox identifier. */
  sample: boolean
  /** Currency of all amounts; they are in its minor units. */
  currency: string
  /** Null if the currency is USD. */
  exchange_rate: ExchangeRate | null
  /** Prices and offers for all four grades, best first. */
  grades: {
    /** The grade. */
    condition: 'Excellent' | 'Good' | 'Fair' | 'Poor'
    /** Resale price; null if no price is available. */
    resale: PriceEstimate | null
    /** Price trade-in businesses pay. */
    buyback: PriceEstimate | null
    /** Highest offer. */
    max_offer: number | null
    /** Suggested offer. */
    recommended_offer: number | null
  }[]
  /** What trade-in businesses pay for a device in this state, with its defects; null if unknown. */
  trade_in: PriceEstimate | null
}

/** A device that was appraised. */
export type AppraisedDevice = {
  /** The device. */
  device_id: string
  /** Its name; its id if it is no longer in the registry. */
  device_name: string
  /** Number of appraisals. */
  total: number
}

/** The outcome of an appraisal after the change. */
export type RecordedOutcome = {
  /** The appraisal. */
  appraisal_id: string
  /** Its outcome; null if it is open again. */
  outcome: Outcome | null
}

/** The result of one item, or why it was rejected. */
export type OutcomeBatchItem =
  | {
      /** Position in the request, from 0. */
      index: number
      /** The item was processed. */
      success: true
      result: RecordedOutcome
    }
  | {
      /** Position in the request, from 0. */
      index: number
      /** The item was rejected. */
      success: false
      error: ItemError
    }

/** A code on a printed receipt. The code itself is shown once. */
export type AppraisalShare = {
  /** Id of the share. */
  share_id: string
  /** Facts that anyone with the code sees. */
  facts: ('device' | 'identifier' | 'grade' | 'check' | 'offer' | 'reference')[]
  /** Time of its creation. */
  created_at: string
  /** E-mail address of the person, or the API key or program that created it. */
  created_by: string
  /** Time at which it was revoked; null while it works. */
  revoked_at: string | null
}

/** A new share with its address. */
export type NewAppraisalShare = {
  share: AppraisalShare
  /** Address of the verification page with the code. Absent in a repeated response. */
  url?: string
}

export type Done = {
  /** Always true. */
  done: true
}

/** Purchases, sales and declined offers of a period, and how good the forecasts were. */
export type DealReport = {
  /** First day. */
  from: string
  /** Last day. */
  to: string
  /** Currency of all amounts, which are in its minor units. */
  currency: string
  /** Currencies that were converted, deal by deal, by the newest rate on or before the day of the deal; usually empty. */
  exchange_rates: {
    /** Currency of some deals. */
    currency: string
    /** The newest rate that was used; null for US dollars. */
    exchange_rate: ExchangeRate | null
  }[]
  /** The whole period. */
  totals: {
    bought: DealPurchases
    sold: DealSales
    declined: DealsDeclined
  }
  /** Devices that are bought and not sold as of today, whatever the day of purchase. */
  in_stock: DealPurchases
  /** Each month of the period; purchases by the day of the purchase, sales by the day of the sale. */
  months: {
    /** Calendar month. */
    month: string
    bought: DealPurchases
    sold: DealSales
    declined: DealsDeclined
  }[]
  forecast: DealForecasts
}

/** Purchases. */
export type DealPurchases = {
  /** Devices bought. */
  count: number
  /** Money paid for them. */
  amount: number
}

/** Sales. */
export type DealSales = {
  /** Devices sold. */
  count: number
  /** Money received for them. */
  amount: number
  /** Purchase price of the sold devices. */
  cost: number
  /** `amount` − `cost`. Repairs, fees and taxes are not recorded and not deducted. */
  profit: number
  /** `profit` in percent of `amount`; null without sales. */
  margin_percent: number | null
  /** Median days between purchase and sale; null without sales. */
  median_days_held: number | null
}

/** Declined offers. */
export type DealsDeclined = {
  /** Appraisals without a deal. */
  count: number
  /** Declined by you. */
  by_shop: number
  /** Declined by the customer. */
  by_customer: number
}

/** Forecast against outcome. */
export type DealForecasts = {
  /** Recommended offer against the price paid, for purchases in the period. */
  offers: {
    /** Purchases whose appraisal recommended an offer. */
    deals: number
    /** Sum of the recommended offers. */
    recommended: number
    /** Sum of the prices paid. */
    paid: number
    /** Purchases above the recommended offer. */
    above_offer: number
    /** Median of (paid − recommended) in percent of the recommended offer. */
    median_difference_percent: number | null
  }
  /** Forecast sale price against the price received, for sales in the period. */
  sales: {
    /** Sales whose appraisal forecast a sale price. */
    sales: number
    /** Sum of the forecast sale prices. */
    forecast: number
    /** Sum of the prices received. */
    sold: number
    /** Median of (sold − forecast) in percent of the forecast: positive if devices sell for more. */
    median_error_percent: number | null
    /** Median of its absolute value. */
    median_absolute_error_percent: number | null
  }
  /** Sales inside and outside the forecast 80 % range. */
  range: {
    /** Sales of devices that were sold as appraised, with a price range. */
    sales: number
    /** Sales inside the 80 % range. */
    inside: number
    /** Sales below the range. */
    below: number
    /** Sales above the range. */
    above: number
    /** Share inside the range; null without sales. */
    share: number | null
    /** Share that the range is meant to contain. */
    expected_share: 0.8
    /** Lower end of the number inside that chance explains (95 %) if the range is right. */
    expected_low: number
    /** Upper end of the number inside that chance explains (95 %) if the range is right. */
    expected_high: number
    /** `too_few`: fewer than 20 sales. `too_narrow`: fewer sales inside than chance explains. */
    verdict: 'too_few' | 'as_forecast' | 'too_narrow' | 'too_wide'
  }
  /** How often money was lost, against the forecast probability. */
  losses: {
    /** Sales whose appraisal forecast costs and a profit. */
    sales: number
    /** Sales below the price paid plus the forecast costs. */
    lost: number
    /** Sum of the probabilities of a loss at the prices that were paid. */
    expected: number
    /** Lower end of the number of losses that chance explains (95 %). */
    expected_low: number
    /** Upper end. */
    expected_high: number
    /** Sales below the price paid, without any costs. */
    below_cost: number
    /** `too_few`: fewer than 20 sales. */
    verdict: 'too_few' | 'as_forecast' | 'more_losses' | 'fewer_losses'
  }
  /** Deals that are not compared. */
  excluded: {
    /** Deals whose appraisal used simulated data. */
    sample: number
    /** Sales whose appraisal forecast no sale price. */
    no_forecast: number
  }
  /** The newest 500 compared sales, newest first. */
  points: {
    /** The appraisal. */
    appraisal_id: string
    /** Device, if identified. */
    device_id: string | null
    /** Day of the sale. */
    date: string
    /** Forecast sale price. */
    forecast: number
    /** Lower end of the 80 % range; null without a range. */
    low: number | null
    /** Upper end. */
    high: number | null
    /** Price received. */
    sold: number
    /** Price paid. */
    bought: number
  }[]
}

/** A watch on an identifier or on the price of a variant. */
export type Watch = {
  /** Watch id. */
  id: string
  /** What is watched. */
  kind: 'identifier' | 'variant'
  /** The identifier as sent. */
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

/** Cursor pagination of the response. */
export type CursorMeta = {
  /** Maximum number of records per response. */
  limit: number
  /** Whether more records exist. */
  has_next: boolean
  /** Value of `after` for the next request: the last id of this response, or the sent value if the response is empty. */
  next_after: string | null
  /** Ignored parameters that look like misspelled names, such as `serach`. Absent if there are none. */
  ignored_parameters?: string[]
}

/** An event, as listed and as sent to webhooks. */
export type ServiceEvent =
  | IdentifierStatusChangedEvent
  | PriceChangedEvent
  | ImportFinishedEvent
  | KeyExpiringEvent
  | AppraisalCreatedEvent
  | AppraisalBoughtEvent
  | AppraisalDeclinedEvent
  | AppraisalSoldEvent
  | AppraisalReopenedEvent
  | WebhookDisabledEvent
  | WebhookTestEvent
  | UsageThresholdReachedEvent

/** Requests of the organization's API keys. */
export type Usage = {
  /** First day. */
  from: string
  /** Last day. */
  to: string
  /** Requests that count against a quota: all but those rejected with 401, 429 or 5xx. */
  total_requests: number
  /** Monthly quota; null if there is none. */
  quota: UsageQuota | null
  /** Requests by day, endpoint and status. */
  rows: {
    /** Day (UTC). */
    day: string
    /** Path of the endpoint. */
    endpoint: string
    /** HTTP status. */
    status: number
    /** Number of requests. */
    requests: number
  }[]
  /** Requests by API key; null unless `include=keys`. */
  by_key: UsageByKey | null
}

/** Monthly quota of the organization. */
export type UsageQuota = {
  /** Requests per calendar month (UTC). */
  monthly_requests: number
  /** Whether requests beyond the quota are rejected with 429. */
  is_hard: boolean
  /** Requests of the current month. */
  used: number
  /** Requests left in the current month. */
  remaining: number
  /** Start of the next month. */
  resets_at: string
}

/** Requests by API key, including those of the dashboard. */
export type UsageByKey = {
  /** First day in the rows; later than asked for if there are too many rows. The CSV file has all. */
  from: string
  /** Requests by day, key, endpoint and status. */
  rows: {
    /** Day (UTC). */
    day: string
    /** Key id; `dashboard` for requests of people, which count against no quota. */
    key_id: string
    /** Path of the endpoint. */
    route: string
    /** HTTP status. */
    status: number
    /** Number of requests. */
    count: number
  }[]
  /** Busiest minute by day and key. */
  peaks: {
    /** Day (UTC). */
    day: string
    /** Key id. */
    key_id: string
    /** Most requests in one minute of the day. */
    peak_per_minute: number
  }[]
  /** All keys of the organization. */
  keys: {
    /** Key id. */
    id: string
    /** Name. */
    name: string
    /** Tier. */
    tier: 'public' | 'paid' | 'enterprise'
    /** Requests per minute that it may send. */
    limit_per_minute: number
  }[]
  /** Lookups by day and risk level. */
  lookups: {
    /** Day (UTC). */
    day: string
    /** Risk level. */
    risk_level: 'low' | 'medium' | 'high' | 'critical'
    /** Number of lookups. */
    count: number
  }[]
}

/** Requests of the last two weeks by the hour. */
export type UsageHours = {
  /** First hour: hours since 1970, UTC. */
  from: number
  /** Last hour. */
  to: number
  /** Upper ends of the latency classes in milliseconds; the last class has none. */
  latency_classes: number[]
  /** Requests by hour, key, endpoint, status and latency class. */
  rows: {
    /** Hours since 1970, UTC. */
    hour: number
    /** Key id; `dashboard` for requests of people. */
    key_id: string
    /** Path of the endpoint. */
    route: string
    /** HTTP status. */
    status: number
    /** Index of the latency class. */
    latency: number
    /** Number of requests. */
    count: number
  }[]
}

/** A request, without parameters and body. */
export type LoggedRequest = {
  /** Entry id. */
  id: string
  /** Time of the request. */
  at: string
  /** Key id; `dashboard` for requests of people. */
  key_id: string
  /** HTTP method. */
  method: string
  /** Path of the endpoint. */
  route: string
  /** HTTP status. */
  status: number
  /** Duration in milliseconds. */
  ms: number
  /** Value of `X-Request-Id`. */
  request_id: string
}

/** An API key. The key itself is shown once, when it is created. */
export type ApiKey = {
  /** Key id. */
  id: string
  /** Organization of the key. */
  organization_id: string
  /** Name. */
  name: string
  /** Tier. */
  tier: 'public' | 'paid' | 'enterprise'
  /** `contribute`: may send price observations; `manage`: may manage its own organization, as an owner does; `operate`: may manage every organization and the data they share */
  rights: ('contribute' | 'manage' | 'operate')[]
  /** First characters of the key. */
  prefix: string
  /** Last characters of the key. */
  last_four: string
  /** `ending`: expires within two weeks; `blocked`: above the tier of its organization. */
  state: 'active' | 'ending' | 'expired' | 'revoked' | 'blocked'
  /** Time of creation. */
  created_at: string
  /** Who created it; null if unknown. */
  created_by: string | null
  /** Time at which it stops working; null without end. */
  expires_at: string | null
  /** Time of the last request; up to a minute old. */
  last_used_at: string | null
  /** Time at which it was revoked. */
  revoked_at: string | null
  /** Id of the key that it replaces. */
  rotated_from: string | null
  /** Rate limit of its own; null for that of its tier or organization. */
  limit_per_minute: number | null
  /** Networks it may be used from, in CIDR form; all if empty. */
  allowed_addresses: string[]
}

/** Buying policy of an organization, field by field. */
export type OwnPolicy = {
  /** Buying policy of an organization. Amounts are minor units of `currency`. */
  policy: {
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
    /** Minimum `market_confidence` of the price; below it the decision is `inspect`, to be priced by hand. */
    min_confidence: number
    /** Offers are rounded down to a multiple of this. */
    offer_rounding: number
    /** Highest offer a clerk may save; a manager must approve more. Without a value there is no limit. */
    clerk_offer_limit: number | null
    /** Whether clerks see resale plans, costs, margins and expected profit. */
    clerks_see_margins: boolean
  }
  /** Fields that the organization set; the others have the default. */
  own: (
    | 'currency'
    | 'target_margin_percent'
    | 'min_profit'
    | 'selling_fee_percent'
    | 'labour_per_hour'
    | 'holding_cost_per_day'
    | 'max_loss_probability'
    | 'action_at_low_risk'
    | 'action_at_medium_risk'
    | 'action_at_high_risk'
    | 'action_at_critical_risk'
    | 'action_without_identifier'
    | 'max_unverified_risk_points'
    | 'min_confidence'
    | 'offer_rounding'
    | 'clerk_offer_limit'
    | 'clerks_see_margins'
  )[]
  /** The policy without settings of its own, in the same currency. */
  defaults: {
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
    /** Minimum `market_confidence` of the price; below it the decision is `inspect`, to be priced by hand. */
    min_confidence: number
    /** Offers are rounded down to a multiple of this. */
    offer_rounding: number
    /** Highest offer a clerk may save; a manager must approve more. Without a value there is no limit. */
    clerk_offer_limit: number | null
    /** Whether clerks see resale plans, costs, margins and expected profit. */
    clerks_see_margins: boolean
  }
  /** Currencies that the policy can have. */
  currencies: string[]
  /** Whether the prices of the organization's own deals count in its prices. */
  uses_deals: boolean
  /** Prices of the organization's own deals. */
  deals: {
    /** Prices that count, or would count. */
    prices: number
    /** Deals whose prices never count, such as those of devices with defects. */
    excluded: number
    /** Day of the newest deal; null without deals. */
    newest_on: string | null
  }
}

/** A webhook endpoint. */
export type Webhook = {
  /** Webhook id. */
  id: string
  /** Organization whose events it gets. */
  organization_id: string
  /** Address that events are sent to. */
  url: string
  /** Event types that are sent; all if empty. */
  types: string[]
  /** Time of creation. */
  created_at: string
  /** Time at which it was disabled; null while it is enabled. */
  disabled_at: string | null
  /** Why it was disabled. */
  disabled_reason: string | null
  /** Until then deliveries are also signed with the previous secret. */
  overlap_until: string | null
}

/** Delivery of one event to one webhook endpoint. */
export type WebhookDelivery = {
  /** Event id. */
  event_id: string
  /** The event. */
  payload: ServiceEvent
  /** State of the delivery. */
  state: 'pending' | 'delivered' | 'failed'
  /** Attempts so far. */
  attempts: number
  /** HTTP status of the last response; null without one. */
  status: number | null
  /** Start of the last response, or why there was none. */
  response: string
  /** Time of the next attempt; null if none follows. */
  next_at: string | null
  /** Time at which it was delivered or given up. */
  settled_at: string | null
}

/** An organization. */
export type Organization = {
  /** Organization id. */
  id: string
  /** Name. */
  name: string
  /** Highest tier of its keys and its dashboard. */
  tier: 'public' | 'paid' | 'enterprise'
  /** Requests per minute that all its keys share; null: each key has the limit of its tier. */
  limit_per_minute: number | null
  /** Monthly quota; null if there is none. */
  quota: UsageQuota | null
  /** Country whose prices it gets; null for the market of the service. */
  market: string | null
  /** Whether its own prices also count in the common market. */
  common_source: boolean
  /** Whether it runs the service: its owners may change what all organizations share. */
  runs_service: boolean
  /** Time of creation. */
  created_at: string
}

/** An entry of the audit trail. */
export type AuditEntry = {
  /** Entry id. */
  id: string
  /** Time of the change. */
  at: string
  /** E-mail address of the person, name and id of the API key, or the program that made the change. */
  who: string
  /** Name of the person; null if not a current member. */
  who_name: string | null
  /** What was done, such as `key.created`. */
  action: string
  /** What was changed: an id or an e-mail address. */
  subject: string
  /** Name of what was changed: the device of an appraisal or the name of a member; null if unknown. */
  subject_name: string | null
  /** Further facts by name. */
  detail: Record<string, string>
}

/** Something that an owner should look at. */
export type AttentionItem = {
  /** What is wrong. */
  kind: 'clock_jumped' | 'source_down' | 'list_stale' | 'feed_failing' | 'import_failed' | 'key_expiring'
  /** Name of the source, key, feed or list, or the format of the import. */
  subject: string
  /** When it expires, failed or was last renewed, or since when it does not respond; null if unknown. */
  at: string | null
}

/** Models that were learned for type allocation codes. */
export type ConfirmedTacs = {
  /** Confirmations of the organization. */
  own: ConfirmedTac[]
  /** Confirmations of all organizations together; null unless the caller operates the service. */
  all: TacAgreement[] | null
}

/** A model that the organization confirmed for a TAC. */
export type ConfirmedTac = {
  /** Type allocation code: the first 8 digits of an IMEI. */
  tac: string
  /** Confirmed device. */
  device_id: string
  /** Its name; null if the device is no longer in the registry. */
  device_name: string | null
  /** Devices for which it was confirmed. */
  units: number
  /** Time of the last confirmation. */
  confirmed_at: string
}

/** A confirmed model of a TAC over all organizations. */
export type TacAgreement = {
  /** Type allocation code: the first 8 digits of an IMEI. */
  tac: string
  /** Confirmed device. */
  device_id: string
  /** Its name; null if the device is no longer in the registry. */
  device_name: string | null
  /** Devices for which organizations confirmed it; 0 if only the operator did. */
  units: number
  /** Organizations that confirmed it. */
  organizations: number
  /** Whether the operator confirmed it. */
  confirmed_for_all: boolean
  /** Time of the last confirmation. */
  confirmed_at: string
}

/** The exchange rate of a currency that the service uses. */
export type CurrencyRate = {
  /** ISO 4217 code. */
  currency: string
  /** Units of the currency for one US dollar. */
  rate: number
  /** Day of the rate. */
  date: string
  /** Whether the rate is more than 45 days old. */
  stale: boolean
  /** Where the rate comes from, as in `exchange_rate`. */
  source: 'imported' | 'ecb' | 'federal_reserve' | 'peg'
}

/** How a phone opens the dashboard. */
export type PhoneAccess = {
  /** Addresses that work outside this machine; empty if there is none. */
  urls: string[]
  /** Whether the service listens on this machine only. */
  is_loopback_only: boolean
  /** Whether browsers give the page the camera, passkeys and installation. */
  is_secure: boolean
  /** Whether `BASE_URL` is set. */
  has_base_url: boolean
  /** Port of the service. */
  port: number
}

/** The current upload and what uploads can use. */
export type Uploads = {
  /** Largest file; 0 if uploads are switched off. */
  max_bytes: number
  /** Largest part of a file. */
  part_bytes: number
  /** The unfinished or last upload of the caller; null if there is none. */
  current: Upload | null
  /** Saved options of price lists. */
  profiles: {
    /** Name. */
    name: string
    /** Options. */
    options: Record<string, string>
  }[]
  /** Currencies with an exchange rate. */
  currencies: string[]
  /** Market of prices that name no country. */
  default_market: string
  /** Markets that prices can belong to. */
  markets: {
    /** Code. */
    code: string
    /** Name. */
    name: string
  }[]
}

/** A file that is being imported. */
export type Upload = {
  /** Upload id. */
  id: string
  /** Format of the file. */
  format: 'observations' | 'lists' | 'rates' | 'catalogue' | 'tac' | 'repairs' | 'open-repair'
  /** Name of the file. */
  file: string
  /** Size of the file. */
  bytes: number
  /** Bytes received. */
  received: number
  /** State; after `checked`, `failure` says why it cannot be imported, if it cannot. */
  state: 'receiving' | 'checking' | 'checked' | 'running' | 'ended'
  /** Who started it. */
  by: string
  /** Time of its start. */
  created_at: string
  /** Options of the import. */
  options: Record<string, string>
  /** Result of the check; null before it. */
  preview: UploadPreview | null
  /** Progress of the check or the import. */
  progress: {
    /** Rows read. */
    rows: number
    /** Share of the file; null if unknown. */
    percent: number | null
    /** Remark. */
    note: string | null
  }
  /** Why the check or the import failed. */
  failure: string | null
  /** The import of this upload; null before it started. */
  run: Import | null
}

/** Effect of importing the file. */
export type UploadPreview = {
  /** Counts by name: `rows` read, `rejected`, and further ones by format. */
  counts: Record<string, number>
  /** Rejected rows by reason. */
  rejected_by: Record<string, number>
  /** Warnings by text, with the number of rows. */
  remarks: Record<string, number>
  /** Models that the registry does not know, most frequent first. */
  unknown_models: {
    /** Name. */
    name: string
    /** Rows. */
    count: number
  }[]
  /** Variants that would be added. */
  added: {
    /** Variant. */
    variant_id: string
    /** Rows. */
    rows: number
  }[]
  /** Remarks on the whole file. */
  notes: string[]
  /** Details of a price list; null for other formats. */
  prices: PricePreview | null
}

/** Effect of importing a price list. */
export type PricePreview = {
  /** Columns and their fields. */
  columns: {
    /** Name in the file. */
    name: string
    /** Field it is imported as; null if it is ignored. */
    field: string | null
    /** First values. */
    examples: string[]
  }[]
  /** Values implied by the names of the columns. */
  implied: {
    /** Currency. */
    currency?: string
    /** Whether purchases or sales. */
    side?: string
  }
  /** The first rows. */
  rows: UploadPreviewRow[]
  /** Rejected rows by reason. */
  rejected: {
    /** Reason. */
    reason: string
    /** The first of these rows. */
    rows: UploadPreviewRow[]
  }[]
  /** Condition words that are not recognised. */
  unknown_conditions: {
    /** Word. */
    word: string
    /** Rows with it. */
    rows: number
  }[]
  /** Questions about the whole file; nothing is imported until they are answered. */
  questions: {
    /** What the file does not say; also the option that answers it. */
    name: 'side' | 'currency' | 'condition'
    /** Likely answer. */
    guess: string | null
  }[]
  /** What holds for rows that do not state it; null if the columns are not recognised. */
  assumed: {
    /** Country of prices that name none. */
    market: string
    /** Currency of prices that name none. */
    currency: string | null
    /** Whether prices contain VAT. */
    vat: 'included' | 'excluded'
  } | null
  /** Effect of the list on prices; null if its columns are not recognised. */
  effect: {
    /** One sentence. */
    text: string
    /** Average change of prices. */
    average_percent: number
    /** Largest changes. */
    largest: {
      /** Device. */
      device_id: string
      /** Name. */
      name: string
      /** Change. */
      percent: number
    }[]
    /** Whether prices change so much that a person should confirm it. */
    is_large: boolean
  } | null
}

/** A row of the file and its result. */
export type UploadPreviewRow = {
  /** Line of the file. */
  line: number
  /** The row as it is in the file. */
  raw: string
  /** The price it contains; null if the row is rejected. */
  parsed: ParsedPrice | null
  /** Why it is rejected. */
  problem: string | null
}

/** A price as the importer understood it. */
export type ParsedPrice = {
  /** Device. */
  device_id: string
  /** Variant; null if the row does not identify one. */
  variant_id: string | null
  /** Configuration as text. */
  configuration: string
  /** Condition grade. */
  grade: string
  /** Whether a purchase or a sale. */
  side: string
  /** Price in US cents. */
  cents: number
  /** Day of the price. */
  day: string
}

/** One import. */
export type Import = {
  /** Import id. */
  id: string
  /** Format of the file. */
  format: string
  /** Time of the start. */
  started_at: string
  /** Time of the end; null before it. */
  finished_at: string | null
  /** `unfinished`: running, or interrupted. */
  state: 'done' | 'failed' | 'unfinished'
  /** Counts by name: `rows` read, `rejected`, and further ones by format. */
  counts: Record<string, number>
  /** Name of the file. This and the fields below: for the operator only. */
  file?: string
  /** Why it failed. */
  failure?: string | null
  /** Rejected rows by reason. */
  rejected_by?: Record<string, number>
  /** Whether the rejected rows can be downloaded. */
  has_report?: boolean
  /** Whether its prices can be removed. */
  can_undo?: boolean
  /** Time at which its prices were removed. */
  undone_at?: string | null
}

/** A file that the service fetches and imports by schedule. */
export type Feed = {
  /** Name. */
  name: string
  /** Format of the file. */
  format: string
  /** Cron expression; null for a feed without a schedule. */
  schedule: string | null
  /** Time zone of the schedule. */
  time_zone: string | null
  /** Time of the last run; null if it never ran. */
  last_run_at: string | null
  /** Result of the last run; `unfinished`: running, or interrupted. */
  outcome: 'imported' | 'unchanged' | 'failed' | 'stopped' | 'unfinished' | null
  /** Time of the last success. */
  last_success_at: string | null
  /** Time of the last failure. */
  last_failure_at: string | null
  /** Time of the next run. */
  next_run_at: string | null
  /** Address without secrets. This and the fields below: for the operator only. */
  url?: string
  /** End of the last run; null while it runs. */
  finished_at?: string | null
  /** Why the last failed run failed. */
  failure?: string | null
  /** Failed runs since the last success. */
  failures?: number
}

/** Settings of the whole service. */
export type ServiceSettings = {
  /** Settings that can be changed. */
  settings: ServiceSetting[]
  /** Settings of the environment. */
  environment: {
    /** Variable. */
    name: string
    /** Value; secrets are masked. */
    value: string
    /** Meaning. */
    description: string
  }[]
  /** Identifier sources. */
  sources: IdentifierSource[]
  /** Feeds. */
  feeds: ServiceFeed[]
  /** Formats of feeds. */
  feed_formats: {
    /** Format. */
    name: string
    /** Its options. */
    options: string[]
    /** Its options without a value. */
    flags: string[]
  }[]
  /** Backups. */
  backup: Backups
  /** Mail server of `SMTP_URL`; null if it is not set. */
  mail: {
    /** Mail server. */
    server: string
    /** Sender. */
    from: string
  } | null
  /** Public address of the service. */
  base_url: {
    /** Address. */
    url: string
    /** Whether `BASE_URL` is set. */
    is_set: boolean
    /** Whether it is HTTPS. */
    is_secure: boolean
    /** Whether it works on this machine only. */
    is_loopback: boolean
  }
  /** Values of `MARKET`. */
  markets: {
    /** Code. */
    code: string
    /** Name. */
    name: string
  }[]
}

/** A setting of the service. */
export type ServiceSetting = {
  /** Name. */
  name: 'MARKET' | 'SAMPLE_DATA' | 'LOOKUP_RETENTION_DAYS'
  /** Value in effect. */
  value: string
  /** Default. */
  default_value: string
  /** Where the value comes from. One of the environment cannot be changed here. */
  source: 'environment' | 'page' | 'default'
}

/** A source that lookups query. */
export type IdentifierSource = {
  /** Name. */
  name: string
  /** Definition without headers and client secret. */
  definition: Record<string, unknown>
  /** Host of its address. */
  host: string
  /** Types of identifiers it is queried about. */
  identifiers: string[]
  /** Lists it speaks for. */
  speaks_for: string[]
  /** Names of its secret headers. */
  header_names: string[]
  /** Whether a client secret is stored. */
  has_client_secret: boolean
  /** Why it does not respond; null if it does or was not queried yet. */
  outage: string | null
}

/** A feed with its settings. */
export type ServiceFeed = {
  /** Name. */
  name: string
  /** Format of the file. */
  format: string
  /** Cron expression; null for a feed without a schedule. */
  schedule: string | null
  /** Time zone of the schedule. */
  time_zone: string | null
  /** Time of the last run; null if it never ran. */
  last_run_at: string | null
  /** Result of the last run; `unfinished`: running, or interrupted. */
  outcome: 'imported' | 'unchanged' | 'failed' | 'stopped' | 'unfinished' | null
  /** Time of the last success. */
  last_success_at: string | null
  /** Time of the last failure. */
  last_failure_at: string | null
  /** Time of the next run. */
  next_run_at: string | null
  /** Address without secrets. This and the fields below: for the operator only. */
  url?: string
  /** End of the last run; null while it runs. */
  finished_at?: string | null
  /** Why the last failed run failed. */
  failure: string | null
  /** Failed runs since the last success. */
  failures?: number
  /** Address. */
  address: string
  /** Options of the import by name; `true` for one without a value, such as `clears`. */
  options: Record<string, string | true>
  /** Whether its schedule is paused. */
  is_paused: boolean
  /** Names of its secret headers. */
  header_names: string[]
}

/** Backups of the embedded database. */
export type Backups = {
  /** False with PostgreSQL, which is backed up with its own tools. */
  is_supported: boolean
  /** Whether a backup is running. */
  is_running: boolean
  /** Time of the last backup. */
  last_at: string | null
  /** Folder of the files. */
  folder: string
  /** Files, newest first. */
  files: {
    /** Name. */
    name: string
    /** Size. */
    bytes: number
    /** Time of its end. */
    created_at: string
  }[]
  /** Why the last backup failed. */
  failure: string | null
}

/** Result of one query of a source. */
export type SourceTest = {
  /** Result. */
  outcome: 'answered' | 'failed' | 'not_asked'
  /** Why there is no result. */
  reason: string | null
  /** Duration. */
  duration_ms: number
  /** Facts by name. */
  facts: Record<string, string>
  /** Codes of findings. */
  findings: string[]
}

/** Changes of a list, by the names of its entries. */
export type EntryChanges = {
  /** New entries. */
  added: string[]
  /** Changed entries. */
  changed: string[]
  /** Removed entries. */
  removed: string[]
  /** Entries that stayed as they were. */
  unchanged: string[]
}

/** Result of a test message. */
export type MailTest = {
  /** Result. */
  outcome: 'sent' | 'failed'
  /** Error with the response of the mail server; null if it took the message. */
  reason: string | null
}

/** A member of an organization. */
export type Member = {
  /** Account id. */
  id: string
  /** E-mail address. */
  email: string
  /** Name. */
  name: string
  /** Role in the organization. */
  role: 'owner' | 'manager' | 'clerk'
  /** Time of joining. */
  joined_at: string
  /** Last use of a session; null if there is none. */
  seen_at: string | null
  /** Whether the person has a second factor. */
  second_factor: boolean
  /** Whether password, second factor and address can be reset: not those of the caller. */
  may_reset: boolean
  /** Whether this is the person who sent the request; false for API keys. */
  you: boolean
}

/** An open invitation. */
export type Invitation = {
  /** Invitation id. */
  id: string
  /** E-mail address. */
  email: string
  /** Role after joining. */
  role: 'owner' | 'manager' | 'clerk'
  /** Who invited them. */
  invited_by: string
  /** Time of the invitation. */
  created_at: string
  /** Time at which its link stops working. */
  expires_at: string
}

/** One observed price. */
export type ObservationRow = {
  /** Your id of the deal. A row with the same id replaces the earlier one. */
  listing_id: string
  /** The variant, if known; takes precedence over the fields below. */
  variant_id?: string
  /** Instead of `variant_id`: SKU in the registry. */
  sku?: string
  /** Instead of `variant_id`: manufacturer part number. */
  part_number?: string
  /** Instead of `variant_id`: listing title or model name, matched like `GET /api/match`. */
  title?: string
  /** With `title`: the make. */
  make?: string
  /** With `title`: the storage, such as `128GB`. */
  storage?: string
  /** With `title`: the memory. */
  ram?: string
  /** With `title`: the color. */
  color?: string
  /** `Excellent`, `Good`, `Fair`, `Poor`, or another grade word known to the import; `damaged`, `broken` or `no power` for a defective device. */
  condition: string
  /** Amount paid, asked or offered, in minor units of `currency`. */
  amount: number
  /** True if the amount is right although it is far from what launch price and existing prices allow. The row is stored, and counts for prices once two other prices agree with it. */
  confirm_amount?: boolean
  /** ISO 4217 code. */
  currency?: string
  /** Date or time of the deal. */
  observed_at: string
  /** `sold` (default): a completed deal. `ask`: an asking price. `quote`: an offer made to a seller. */
  side?: 'sold' | 'ask' | 'quote'
  /** Country of the deal, such as `hr`. Absent: the currency's, or your organization's market. */
  country?: string
  /** Carrier or lock, such as `unlocked`. */
  lock?: string
}

/** Outcome of one appraised device. */
export type OutcomeRow = {
  /** The appraisal. */
  appraisal_id: string
  /** `bought`: you bought the device. `declined`: there was no deal. `sold`: you sold the device you bought. */
  status: 'bought' | 'declined' | 'sold'
  /** Price paid (`bought`) or received (`sold`), in minor units of `currency`. Required for both. */
  price?: number
  /** True if the price is right although it is far from what launch price and existing prices allow. The deal is stored, and counts for prices once two others agree with it. */
  confirm_amount?: boolean
  /** ISO 4217 code of `price`. Default: the currency of the appraisal. */
  currency?: string
  /** With `declined`: who declined, you or the customer. */
  declined_by?: 'shop' | 'customer'
  /** Day of the deal. Default: the day recorded earlier for this status, otherwise today in `time_zone`. */
  date?: string
  /** Time zone of the day, such as `Europe/Vilnius`. Default: UTC. */
  time_zone?: string
  /** Your note. Absent: the earlier note is kept; an empty text removes it. */
  note?: string
}

/** Error code, for programs. */
export type ErrorCode = ErrorObject['code']

/** Query parameters of `listDevices`. */
export type ListDevicesQuery = {
  /** Page number. Invalid values count as 1. */
  page?: number
  /** Records per page, at most 100. Larger values count as 100, invalid values as 20. */
  limit?: number
  /** Search words for name, make, category and slug: prefix match, case and accents ignored; every word must match. If nothing matches, one typo per word of five or more letters is tolerated. Also finds an exact model number, model identifier, part number or SKU. Best match first. Truncated to 100 characters. */
  search?: string
  /** Exact category name, case-insensitive. */
  category?: string
  /** Exact manufacturer name, case-insensitive. */
  make?: string
  /** Only devices with this status. Other values match nothing. */
  status?: 'active' | 'discontinued'
  /** Another order. Prices are the lowest list prices. `frequent`: devices that your organization appraised and checked most come first; of the lookups, the newest 500 count. */
  sort?: 'name' | 'price_low' | 'price_high' | 'frequent'
}

/** Query parameters of `listVariants`. */
export type ListVariantsQuery = {
  /** Page number. Invalid values count as 1. */
  page?: number
  /** Records per page, at most 100. Larger values count as 100, invalid values as 20. */
  limit?: number
  /** Only variants of this device. An unknown id gives an empty list. */
  device_id?: string
  /** Search words for name, make, category and slug: prefix match, case and accents ignored; every word must match. If nothing matches, one typo per word of five or more letters is tolerated. Also finds an exact model number, model identifier, part number or SKU. Best match first. Truncated to 100 characters. */
  search?: string
  /** Exact manufacturer name, case-insensitive. */
  make?: string
  /** Exact category name, case-insensitive. */
  category?: string
  /** Only the variant with this SKU. */
  sku?: string
  /** Only disabled (`true`) or only enabled (`false`) variants. */
  disabled?: 'true' | 'false'
  /** Attribute value, ignoring case and spaces, for example `256GB`. */
  storage?: string
  /** Attribute value, ignoring case and spaces, for example `Midnight`. */
  color?: string
  /** Attribute value, ignoring case and spaces, for example `8GB`. */
  ram?: string
  /** Attribute value, ignoring case and spaces, for example `Unlocked`. */
  carrier?: string
  /** Any other attribute by its name (for example `size=45mm` or `connectivity=wifi`), ignoring case and spaces. Parameters that are not attribute names are ignored. */
  attributes?: Record<string, string>
}

/** Query parameters of `matchText`. */
export type MatchTextQuery = {
  /** Listing title, model name, model number, model identifier or part number; at most 300 characters. */
  text: string
  /** Manufacturer, if known. Only its devices can match. */
  make?: string
  /** Maximum number of candidates, at most 20. Larger values count as 20, invalid values as 5. */
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
  /** Price blocks to return. */
  pricing_type?: 'buyback' | 'resale' | 'both'
  /** Accepted without effect: the response has all four grades. */
  condition?: string
  /** Accepted without effect. */
  days?: number
  /** Length of `historical` in days, rounded to whole weeks. */
  history_days?: number
  /** Market whose prices to return: a country code such as `us`, `gb` or `hr`, or `eu`. Absent: the market of your organization, then that of the service. An unknown code is rejected with 400; the message suggests similar codes. */
  market?: string
  /** Carrier lock of the device to price. A carrier-locked device sells for less. */
  lock?: 'unlocked' | 'locked'
  /** ISO 4217 code. Amounts are returned in minor units of this currency, converted by the newest exchange rate (see `exchange_rate`). Default: US cents. A currency without a rate is rejected with 400. */
  currency?: string
}

/** Query parameters of `listLowestPrices`. */
export type ListLowestPricesQuery = {
  /** 1 to 50 ids of devices, separated by commas */
  device_ids: string
}

/** Query parameters of `removeObservations`. */
export type RemoveObservationsQuery = {
  /** Name of the source. */
  source: string
}

/** Query parameters of `getRepairs`. */
export type GetRepairsQuery = {
  /** The device. Required unless `variant_id` is given. */
  device_id?: string
  /** The variant. Required unless `device_id` is given. */
  variant_id?: string
  /** ISO 4217 code. Amounts are returned in minor units of this currency, converted by the newest exchange rate (see `exchange_rate`). Default: US cents. A currency without a rate is rejected with 400. */
  currency?: string
}

/** Query parameters of `listLookups`. */
export type ListLookupsQuery = {
  /** Page number. Invalid values count as 1. */
  page?: number
  /** Records per page, at most 100. Larger values count as 100, invalid values as 50. */
  limit?: number
  /** Only records older than this one: the `meta.next_after` of the previous page. Replaces `page`, which reaches the newest 10,000 records. */
  after?: string
  /** Only lookups of this identifier, in any notation. */
  identifier?: string
  /** `csv` returns all matching records as a file, without pages. */
  format?: 'json' | 'csv'
  /** Language of the column titles and words of the CSV file, and of its separators. */
  language?: 'en' | 'de' | 'es' | 'fr' | 'pt' | 'pl' | 'lt' | 'vi' | 'ko'
}

/** Query parameters of `listAppraisals`. */
export type ListAppraisalsQuery = {
  /** Page number. Invalid values count as 1. */
  page?: number
  /** Records per page, at most 100. Larger values count as 100, invalid values as 50. */
  limit?: number
  /** Only records older than this one: the `meta.next_after` of the previous page. Replaces `page`, which reaches the newest 10,000 records. */
  after?: string
  /** Only appraisals with this reference. */
  reference?: string
  /** Only appraisals with this decision. */
  decision?: 'buy' | 'buy_and_repair' | 'inspect' | 'reject' | 'identify'
  /** Only appraisals with this outcome; `open`: without one. */
  outcome?: 'open' | 'bought' | 'declined' | 'sold'
  /** Only appraisals of this device. */
  device_id?: string
  /** Only appraisals of this day, in `time_zone`. */
  day?: string
  /** Time zone of `day`, such as `Europe/Vilnius`. Default: UTC. */
  time_zone?: string
  /** `csv` returns all matching records as a file, without pages. */
  format?: 'json' | 'csv'
  /** Language of the column titles and words of the CSV file, and of its separators. */
  language?: 'en' | 'de' | 'es' | 'fr' | 'pt' | 'pl' | 'lt' | 'vi' | 'ko'
}

/** Query parameters of `getDealReport`. */
export type GetDealReportQuery = {
  /** First day. Default: the first day of the month eleven months before `to`. */
  from?: string
  /** Last day. Default: today in `time_zone`. */
  to?: string
  /** Time zone of the default of `to`, such as `Europe/Vilnius`. Default: UTC. Deals have a day but no time. */
  time_zone?: string
  /** Currency of the report. Default: the currency of your organization's policy. */
  currency?: string
  /** `csv` returns all matching records as a file, without pages. */
  format?: 'json' | 'csv'
  /** Language of the column titles and words of the CSV file, and of its separators. */
  language?: 'en' | 'de' | 'es' | 'fr' | 'pt' | 'pl' | 'lt' | 'vi' | 'ko'
}

/** Query parameters of `listWatches`. */
export type ListWatchesQuery = {
  /** Only watches after this one. */
  after?: string
  /** Only watches with this reference. */
  reference?: string
  /** Watches per response; default 50. */
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
    | 'appraisal.bought'
    | 'appraisal.declined'
    | 'appraisal.sold'
    | 'appraisal.reopened'
    | 'webhook.disabled'
    | 'webhook.test'
    | 'usage.threshold_reached'
  /** Events per response; default 50. */
  limit?: number
}

/** Query parameters of `getUsage`. */
export type GetUsageQuery = {
  /** Organization to read; default: your own. Another one needs the right to `operate`. */
  organization_id?: string
  /** First day (UTC); default: the first of the current month. */
  from?: string
  /** Last day (UTC); default: today. */
  to?: string
  /** `keys` adds the requests by API key. */
  include?: 'keys'
  /** `csv` returns all matching records as a file, without pages. */
  format?: 'json' | 'csv'
  /** Language of the column titles and words of the CSV file, and of its separators. */
  language?: 'en' | 'de' | 'es' | 'fr' | 'pt' | 'pl' | 'lt' | 'vi' | 'ko'
}

/** Query parameters of `getUsageByHour`. */
export type GetUsageByHourQuery = {
  /** Organization to read; default: your own. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `listRequests`. */
export type ListRequestsQuery = {
  /** Organization to read; default: your own. Another one needs the right to `operate`. */
  organization_id?: string
  /** Only requests of this key; `dashboard` for those of people. */
  key?: string
  /** Only requests of this endpoint, such as `/api/pricing`. */
  route?: string
  /** Only responses of this class: 4 for 400 to 499. */
  status?: '1' | '2' | '3' | '4' | '5'
  /** Only requests before this one. */
  before?: string
}

/** Query parameters of `listKeys`. */
export type ListKeysQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `createKey`. */
export type CreateKeyQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `changeKey`. */
export type ChangeKeyQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `revokeKey`. */
export type RevokeKeyQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `rotateKey`. */
export type RotateKeyQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `getPolicy`. */
export type GetPolicyQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `changePolicy`. */
export type ChangePolicyQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `getReceiptDetails`. */
export type GetReceiptDetailsQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `replaceReceiptDetails`. */
export type ReplaceReceiptDetailsQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `listWebhooks`. */
export type ListWebhooksQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `createWebhook`. */
export type CreateWebhookQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `changeWebhook`. */
export type ChangeWebhookQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `removeWebhook`. */
export type RemoveWebhookQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `rotateWebhookSecret`. */
export type RotateWebhookSecretQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `testWebhook`. */
export type TestWebhookQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `listWebhookDeliveries`. */
export type ListWebhookDeliveriesQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
  /** Only deliveries in this state. */
  state?: 'pending' | 'delivered' | 'failed'
  /** Only deliveries of this event type. */
  type?:
    | 'identifier.status_changed'
    | 'price.changed'
    | 'import.finished'
    | 'key.expiring'
    | 'appraisal.created'
    | 'appraisal.bought'
    | 'appraisal.declined'
    | 'appraisal.sold'
    | 'appraisal.reopened'
    | 'webhook.disabled'
    | 'webhook.test'
    | 'usage.threshold_reached'
}

/** Query parameters of `replayWebhookDeliveries`. */
export type ReplayWebhookDeliveriesQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `listOrganizations`. */
export type ListOrganizationsQuery = {
  /** Id of the last organization of the previous response. */
  after?: string
  /** Organizations per response; default 50. */
  limit?: number
}

/** Query parameters of `removeOrganization`. */
export type RemoveOrganizationQuery = {
  /** Exact name of the organization. */
  confirm: string
}

/** Query parameters of `listAuditEntries`. */
export type ListAuditEntriesQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
  /** Id of the last entry of the previous response. */
  after?: string
  /** Only changes by this person (e-mail address), by `command line`, by `API key` or by `feed`; the start of `who` is enough. */
  who?: string
  /** Only actions of this area, such as `key` for `key.created`. */
  kind?:
    | 'appraisal'
    | 'backup'
    | 'feed'
    | 'import'
    | 'invitation'
    | 'key'
    | 'list'
    | 'mail'
    | 'member'
    | 'observations'
    | 'organization'
    | 'person'
    | 'setting'
    | 'source'
    | 'tac'
    | 'watch'
    | 'webhook'
  /** First day, in `time_zone`. */
  from?: string
  /** Last day, in `time_zone`. */
  to?: string
  /** Time zone of `from` and `to`, such as `Europe/Vilnius`. Default: UTC. */
  time_zone?: string
  /** Entries per response; default 50. */
  limit?: number
}

/** Query parameters of `listAttention`. */
export type ListAttentionQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `listTacs`. */
export type ListTacsQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `forgetTac`. */
export type ForgetTacQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
  /** The confirmed device. */
  device_id: string
  /** `own`: the organization's confirmations. `all`: the confirmation of the operator, who alone may remove it. */
  scope?: 'own' | 'all'
}

/** Query parameters of `getPhoneAccess`. */
export type GetPhoneAccessQuery = {
  /** Origin of the page: only the browser knows the address that a proxy serves. */
  origin?: string
}

/** Query parameters of `getUploads`. */
export type GetUploadsQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `createUpload`. */
export type CreateUploadQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `sendUploadPart`. */
export type SendUploadPartQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `getUpload`. */
export type GetUploadQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `discardUpload`. */
export type DiscardUploadQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `checkUpload`. */
export type CheckUploadQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `runUpload`. */
export type RunUploadQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `stopUpload`. */
export type StopUploadQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `listImports`. */
export type ListImportsQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `getRejectedRows`. */
export type GetRejectedRowsQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `undoImport`. */
export type UndoImportQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `retryImport`. */
export type RetryImportQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `listFeeds`. */
export type ListFeedsQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `listMembers`. */
export type ListMembersQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `inviteMember`. */
export type InviteMemberQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `withdrawInvitation`. */
export type WithdrawInvitationQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `changeMemberRole`. */
export type ChangeMemberRoleQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `removeMember`. */
export type RemoveMemberQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `resetMemberPassword`. */
export type ResetMemberPasswordQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `changeMemberEmail`. */
export type ChangeMemberEmailQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `resetMemberSecondFactor`. */
export type ResetMemberSecondFactorQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `getSettings`. */
export type GetSettingsQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** Query parameters of `changeSettings`. */
export type ChangeSettingsQuery = {
  /** Organization to act for; default: that of the key. Another one needs the right to `operate`. */
  organization_id?: string
}

/** An endpoint. */
export type Operation = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
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
  listLowestPrices: { method: 'GET', path: '/api/pricing/lowest', takesIdempotencyKey: false, isIdempotent: true },
  contributeObservations: { method: 'POST', path: '/api/observations', takesIdempotencyKey: false, isIdempotent: true },
  removeObservations: {
    method: 'DELETE',
    path: '/api/manage/observations',
    takesIdempotencyKey: false,
    isIdempotent: true,
  },
  getRepairs: { method: 'GET', path: '/api/repairs', takesIdempotencyKey: false, isIdempotent: true },
  assessIdentifier: { method: 'POST', path: '/api/imei', takesIdempotencyKey: true, isIdempotent: false },
  listLookups: { method: 'GET', path: '/api/imei', takesIdempotencyKey: false, isIdempotent: true },
  assessIdentifiers: { method: 'POST', path: '/api/imei/batch', takesIdempotencyKey: true, isIdempotent: false },
  getLookup: { method: 'GET', path: '/api/imei/{id}', takesIdempotencyKey: false, isIdempotent: true },
  listSandbox: { method: 'GET', path: '/api/meta/sandbox', takesIdempotencyKey: false, isIdempotent: true },
  appraiseDevice: { method: 'POST', path: '/api/appraisals', takesIdempotencyKey: true, isIdempotent: false },
  listAppraisals: { method: 'GET', path: '/api/appraisals', takesIdempotencyKey: false, isIdempotent: true },
  appraiseDevices: { method: 'POST', path: '/api/appraisals/batch', takesIdempotencyKey: true, isIdempotent: false },
  previewAppraisal: { method: 'POST', path: '/api/appraisals/preview', takesIdempotencyKey: false, isIdempotent: true },
  listAppraisedDevices: {
    method: 'GET',
    path: '/api/appraisals/devices',
    takesIdempotencyKey: false,
    isIdempotent: true,
  },
  getAppraisal: { method: 'GET', path: '/api/appraisals/{id}', takesIdempotencyKey: false, isIdempotent: true },
  recordOutcome: {
    method: 'POST',
    path: '/api/appraisals/{id}/outcome',
    takesIdempotencyKey: true,
    isIdempotent: true,
  },
  removeOutcome: {
    method: 'DELETE',
    path: '/api/appraisals/{id}/outcome',
    takesIdempotencyKey: false,
    isIdempotent: true,
  },
  recordOutcomes: { method: 'POST', path: '/api/appraisals/outcomes', takesIdempotencyKey: true, isIdempotent: true },
  listShares: { method: 'GET', path: '/api/appraisals/{id}/shares', takesIdempotencyKey: false, isIdempotent: true },
  createShare: { method: 'POST', path: '/api/appraisals/{id}/shares', takesIdempotencyKey: true, isIdempotent: false },
  revokeShare: {
    method: 'DELETE',
    path: '/api/appraisals/{id}/shares/{share_id}',
    takesIdempotencyKey: false,
    isIdempotent: true,
  },
  getDealReport: { method: 'GET', path: '/api/reports/deals', takesIdempotencyKey: false, isIdempotent: true },
  createWatch: { method: 'POST', path: '/api/watches', takesIdempotencyKey: false, isIdempotent: true },
  listWatches: { method: 'GET', path: '/api/watches', takesIdempotencyKey: false, isIdempotent: true },
  deleteWatch: { method: 'DELETE', path: '/api/watches/{id}', takesIdempotencyKey: false, isIdempotent: true },
  listEvents: { method: 'GET', path: '/api/events', takesIdempotencyKey: false, isIdempotent: true },
  getUsage: { method: 'GET', path: '/api/usage', takesIdempotencyKey: false, isIdempotent: true },
  getUsageByHour: { method: 'GET', path: '/api/usage/hours', takesIdempotencyKey: false, isIdempotent: true },
  listRequests: { method: 'GET', path: '/api/usage/requests', takesIdempotencyKey: false, isIdempotent: true },
  listKeys: { method: 'GET', path: '/api/manage/keys', takesIdempotencyKey: false, isIdempotent: true },
  createKey: { method: 'POST', path: '/api/manage/keys', takesIdempotencyKey: true, isIdempotent: false },
  changeKey: { method: 'PATCH', path: '/api/manage/keys/{id}', takesIdempotencyKey: false, isIdempotent: true },
  revokeKey: { method: 'DELETE', path: '/api/manage/keys/{id}', takesIdempotencyKey: false, isIdempotent: true },
  rotateKey: { method: 'POST', path: '/api/manage/keys/{id}/rotate', takesIdempotencyKey: true, isIdempotent: false },
  getPolicy: { method: 'GET', path: '/api/manage/policy', takesIdempotencyKey: false, isIdempotent: true },
  changePolicy: { method: 'PATCH', path: '/api/manage/policy', takesIdempotencyKey: false, isIdempotent: true },
  getReceiptDetails: { method: 'GET', path: '/api/manage/receipt', takesIdempotencyKey: false, isIdempotent: true },
  replaceReceiptDetails: { method: 'PUT', path: '/api/manage/receipt', takesIdempotencyKey: false, isIdempotent: true },
  listWebhooks: { method: 'GET', path: '/api/manage/webhooks', takesIdempotencyKey: false, isIdempotent: true },
  createWebhook: { method: 'POST', path: '/api/manage/webhooks', takesIdempotencyKey: true, isIdempotent: false },
  changeWebhook: { method: 'PATCH', path: '/api/manage/webhooks/{id}', takesIdempotencyKey: false, isIdempotent: true },
  removeWebhook: {
    method: 'DELETE',
    path: '/api/manage/webhooks/{id}',
    takesIdempotencyKey: false,
    isIdempotent: true,
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/api/manage/webhooks/{id}/rotate',
    takesIdempotencyKey: true,
    isIdempotent: false,
  },
  testWebhook: {
    method: 'POST',
    path: '/api/manage/webhooks/{id}/test',
    takesIdempotencyKey: true,
    isIdempotent: false,
  },
  listWebhookDeliveries: {
    method: 'GET',
    path: '/api/manage/webhooks/{id}/deliveries',
    takesIdempotencyKey: false,
    isIdempotent: true,
  },
  replayWebhookDeliveries: {
    method: 'POST',
    path: '/api/manage/webhooks/{id}/replay',
    takesIdempotencyKey: false,
    isIdempotent: true,
  },
  listOrganizations: {
    method: 'GET',
    path: '/api/manage/organizations',
    takesIdempotencyKey: false,
    isIdempotent: true,
  },
  createOrganization: {
    method: 'POST',
    path: '/api/manage/organizations',
    takesIdempotencyKey: true,
    isIdempotent: false,
  },
  getOrganization: {
    method: 'GET',
    path: '/api/manage/organizations/{id}',
    takesIdempotencyKey: false,
    isIdempotent: true,
  },
  changeOrganization: {
    method: 'PATCH',
    path: '/api/manage/organizations/{id}',
    takesIdempotencyKey: false,
    isIdempotent: true,
  },
  removeOrganization: {
    method: 'DELETE',
    path: '/api/manage/organizations/{id}',
    takesIdempotencyKey: false,
    isIdempotent: true,
  },
  listAuditEntries: { method: 'GET', path: '/api/manage/audit', takesIdempotencyKey: false, isIdempotent: true },
  listAttention: { method: 'GET', path: '/api/manage/attention', takesIdempotencyKey: false, isIdempotent: true },
  listTacs: { method: 'GET', path: '/api/manage/tacs', takesIdempotencyKey: false, isIdempotent: true },
  confirmTac: { method: 'PUT', path: '/api/manage/tacs/{tac}', takesIdempotencyKey: false, isIdempotent: true },
  forgetTac: { method: 'DELETE', path: '/api/manage/tacs/{tac}', takesIdempotencyKey: false, isIdempotent: true },
  listRates: { method: 'GET', path: '/api/manage/rates', takesIdempotencyKey: false, isIdempotent: true },
  updateRates: { method: 'POST', path: '/api/manage/rates/update', takesIdempotencyKey: false, isIdempotent: true },
  getPhoneAccess: { method: 'GET', path: '/api/manage/phone', takesIdempotencyKey: false, isIdempotent: true },
  getUploads: { method: 'GET', path: '/api/manage/uploads', takesIdempotencyKey: false, isIdempotent: true },
  createUpload: { method: 'POST', path: '/api/manage/uploads', takesIdempotencyKey: true, isIdempotent: false },
  sendUploadPart: {
    method: 'POST',
    path: '/api/manage/uploads/{id}/parts',
    takesIdempotencyKey: false,
    isIdempotent: true,
  },
  getUpload: { method: 'GET', path: '/api/manage/uploads/{id}', takesIdempotencyKey: false, isIdempotent: true },
  discardUpload: { method: 'DELETE', path: '/api/manage/uploads/{id}', takesIdempotencyKey: false, isIdempotent: true },
  checkUpload: {
    method: 'POST',
    path: '/api/manage/uploads/{id}/check',
    takesIdempotencyKey: true,
    isIdempotent: false,
  },
  runUpload: { method: 'POST', path: '/api/manage/uploads/{id}/run', takesIdempotencyKey: true, isIdempotent: false },
  stopUpload: { method: 'POST', path: '/api/manage/uploads/{id}/stop', takesIdempotencyKey: false, isIdempotent: true },
  listImports: { method: 'GET', path: '/api/manage/imports', takesIdempotencyKey: false, isIdempotent: true },
  getRejectedRows: {
    method: 'GET',
    path: '/api/manage/imports/{id}/rejected',
    takesIdempotencyKey: false,
    isIdempotent: true,
  },
  undoImport: { method: 'POST', path: '/api/manage/imports/{id}/undo', takesIdempotencyKey: true, isIdempotent: false },
  retryImport: {
    method: 'POST',
    path: '/api/manage/imports/{id}/retry',
    takesIdempotencyKey: true,
    isIdempotent: false,
  },
  listFeeds: { method: 'GET', path: '/api/manage/feeds', takesIdempotencyKey: false, isIdempotent: true },
  getServiceSettings: { method: 'GET', path: '/api/manage/service', takesIdempotencyKey: false, isIdempotent: true },
  changeServiceSettings: {
    method: 'PATCH',
    path: '/api/manage/service',
    takesIdempotencyKey: false,
    isIdempotent: true,
  },
  putSource: {
    method: 'PUT',
    path: '/api/manage/service/sources/{name}',
    takesIdempotencyKey: false,
    isIdempotent: true,
  },
  removeSource: {
    method: 'DELETE',
    path: '/api/manage/service/sources/{name}',
    takesIdempotencyKey: false,
    isIdempotent: true,
  },
  testSource: {
    method: 'POST',
    path: '/api/manage/service/sources/test',
    takesIdempotencyKey: false,
    isIdempotent: true,
  },
  replaceSources: {
    method: 'PUT',
    path: '/api/manage/service/sources',
    takesIdempotencyKey: false,
    isIdempotent: true,
  },
  putFeed: { method: 'PUT', path: '/api/manage/service/feeds/{name}', takesIdempotencyKey: false, isIdempotent: true },
  removeFeed: {
    method: 'DELETE',
    path: '/api/manage/service/feeds/{name}',
    takesIdempotencyKey: false,
    isIdempotent: true,
  },
  runFeed: {
    method: 'POST',
    path: '/api/manage/service/feeds/{name}/run',
    takesIdempotencyKey: false,
    isIdempotent: true,
  },
  replaceFeeds: { method: 'PUT', path: '/api/manage/service/feeds', takesIdempotencyKey: false, isIdempotent: true },
  startBackup: { method: 'POST', path: '/api/manage/service/backup', takesIdempotencyKey: true, isIdempotent: false },
  sendTestMail: {
    method: 'POST',
    path: '/api/manage/service/mail/test',
    takesIdempotencyKey: false,
    isIdempotent: true,
  },
  listMembers: { method: 'GET', path: '/api/manage/members', takesIdempotencyKey: false, isIdempotent: true },
  inviteMember: { method: 'POST', path: '/api/manage/invitations', takesIdempotencyKey: true, isIdempotent: false },
  withdrawInvitation: {
    method: 'DELETE',
    path: '/api/manage/invitations/{id}',
    takesIdempotencyKey: false,
    isIdempotent: true,
  },
  changeMemberRole: {
    method: 'PATCH',
    path: '/api/manage/members/{id}',
    takesIdempotencyKey: false,
    isIdempotent: true,
  },
  removeMember: { method: 'DELETE', path: '/api/manage/members/{id}', takesIdempotencyKey: false, isIdempotent: true },
  resetMemberPassword: {
    method: 'POST',
    path: '/api/manage/members/{id}/reset-password',
    takesIdempotencyKey: true,
    isIdempotent: false,
  },
  changeMemberEmail: {
    method: 'POST',
    path: '/api/manage/members/{id}/email',
    takesIdempotencyKey: false,
    isIdempotent: true,
  },
  resetMemberSecondFactor: {
    method: 'POST',
    path: '/api/manage/members/{id}/reset-second-factor',
    takesIdempotencyKey: false,
    isIdempotent: true,
  },
  getSettings: { method: 'GET', path: '/api/manage/settings', takesIdempotencyKey: false, isIdempotent: true },
  changeSettings: { method: 'PATCH', path: '/api/manage/settings', takesIdempotencyKey: false, isIdempotent: true },
} satisfies Record<string, Operation>

/** One method per endpoint. */
export abstract class Endpoints {
  protected abstract readText(operation: Operation, parts: RequestParts, options?: CallOptions): ApiRequest<string>
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

  /** Get one device. A device with all its variants. An unknown id is 404; `error.nearest_ids` lists similar ids. Tier: **Public**. */
  getDevice(id: string, options?: CallOptions): ApiRequest<Device> {
    return this.read(OPERATIONS.getDevice, { params: { id } }, options)
  }

  /** List variants with their device. Variants sorted by device, then in catalogue order. Disabled variants are included and marked. Every attribute can be used as a filter by its name. Tier: **Public**. */
  listVariants(query: ListVariantsQuery = {}, options?: CallOptions): PagedRequest<VariantWithDevice> {
    return this.list(OPERATIONS.listVariants, { query }, options)
  }

  /** Get one variant. A variant with the device it belongs to. An unknown id is 404; `error.nearest_ids` lists similar ids. Tier: **Public**. */
  getVariant(id: string, options?: CallOptions): ApiRequest<VariantWithDevice> {
    return this.read(OPERATIONS.getVariant, { params: { id } }, options)
  }

  /** Find the device named by a text. Matches a listing title, model name or model number to a device and, if possible, a variant. Doubtful matches are rejected with a reason: every model word must be matched, and the make must agree. Accessories, parts, boxes and lots are recognised. Tier: **Public**. */
  matchText(query: MatchTextQuery, options?: CallOptions): ApiRequest<Match> {
    return this.read(OPERATIONS.matchText, { query }, options)
  }

  /** List the categories. All categories by name, with counts. Use `name` as a filter for devices and variants. Tier: **Public**. */
  listCategories(options?: CallOptions): ListRequest<CategoryCount> {
    return this.readList(OPERATIONS.listCategories, {}, options)
  }

  /** List the makes. All manufacturers by name, with counts. Use `name` as a filter for devices and variants. Tier: **Public**. */
  listMakes(options?: CallOptions): ListRequest<MakeCount> {
    return this.readList(OPERATIONS.listMakes, {}, options)
  }

  /** List the condition grades. The four grades used for prices, best first, with their definitions. With `category` or `device_id` the definitions fit that kind of device. Tier: **Public**. */
  listConditions(query: ListConditionsQuery = {}, options?: CallOptions): ListRequest<ConditionGrade> {
    return this.readList(OPERATIONS.listConditions, { query }, options)
  }

  /** List the defects. Defects beside normal wear: the codes of `defects[]` in an appraisal, the repairs that fix them, and whether a device with the defect still has a grade. With `category` or `device_id` only those that such a device can have, in words that fit it; an appraisal rejects all others. Tier: **Public**. */
  listDefects(query: ListDefectsQuery = {}, options?: CallOptions): ListRequest<Defect> {
    return this.readList(OPERATIONS.listDefects, { query }, options)
  }

  /** Price one variant. Buyback and resale prices per condition grade with an 80 % range, history and confidence. `source` says whether the numbers come from observed prices (`market`), are derived (`estimate`) or simulated (`sample`). Tier: **Paid**. */
  getPricing(query: GetPricingQuery, options?: CallOptions): ApiRequest<VariantPricing> {
    return this.read(OPERATIONS.getPricing, { query }, options)
  }

  /** Price up to 200 variants. One result or error per variant, in the order of the request; each result equals that of `GET /api/pricing`. Each id counts as one request against the rate limit. If fewer requests are left than there are ids, the whole batch is rejected with 429. Tier: **Paid**. */
  priceVariants(body: PricingBatchRequest, options?: CallOptions): ListRequest<PricingBatchItem> {
    return this.readList(OPERATIONS.priceVariants, { body }, options)
  }

  /** List the lowest resale prices of devices. For lists of devices: the resale price of the cheapest variant of each device, in the order of the ids. Tier: **Paid**. */
  listLowestPrices(query: ListLowestPricesQuery, options?: CallOptions): ListRequest<LowestPrice> {
    return this.readList(OPERATIONS.listLowestPrices, { query }, options)
  }

  /** Contribute prices. Up to 1,000 prices observed by your organization, preferably its own deals. They are processed like an imported price list: same matching, same checks, same reject reasons, and listed among the imports with your organization as the source. A repeated `listing_id` counts once, so a request can be retried. Prices are updated within seconds. Needs a key with the right to contribute; each started 100 rows count as one request against the rate limit. Tier: **Public**, with the right to **contribute**. */
  contributeObservations(body: ObservationsRequest, options?: CallOptions): ApiRequest<ObservationImportResult> {
    return this.read(OPERATIONS.contributeObservations, { body }, options)
  }

  /** Remove the prices of a source. Deletes all price observations of a source, such as a contributor, and recalculates prices without them. To remove one import of it, undo that import. Tier: **Public**, with the right to **operate**. */
  removeObservations(
    query: RemoveObservationsQuery,
    options?: CallOptions,
  ): ApiRequest<{
    /** Prices removed. */
    observations: number
    /** Prices that were restored. */
    restored: number
    /** Devices whose prices are recalculated. */
    devices: number
  }> {
    return this.read(OPERATIONS.removeObservations, { query }, options)
  }

  /** Repair intelligence for a device or variant. Common repairs with difficulty, time and parts, common failures, repair costs, and whether a repair pays at current prices. Give `device_id`, `variant_id` or both; the variant must belong to the device. A device without repair data returns nulls, empty lists and `data_completeness` 0. Tier: **Paid**. */
  getRepairs(query: GetRepairsQuery = {}, options?: CallOptions): ApiRequest<DeviceRepairIntelligence> {
    return this.read(OPERATIONS.getRepairs, { query }, options)
  }

  /** Assess the risk of one identifier. Decodes the identifier, finds the device, queries all sources and scores their findings, with a reason for every point. The response is sent after its record is durable. A wrong check digit is a finding, not an error. Unknown is never clean: `clean` requires a response from a source that covers the list, named in `cleared_by`. A probable typing error gives `recheck_identifier` with `suggested_identifiers`. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Enterprise**. */
  assessIdentifier(body: IMEILookupRequest, options?: CallOptions): ApiRequest<IMEILookupResult> {
    return this.read(OPERATIONS.assessIdentifier, { body }, options)
  }

  /** List your organization's lookups. Complete lookup records of the caller's organization, newest first, as they were returned at the time. Continue with `after` = `meta.next_after`; numbered pages end at 10,000 records. Tier: **Enterprise**. */
  listLookups(query: ListLookupsQuery = {}, options?: CallOptions): PagedRequest<IMEILookupResult, HistoryMeta> {
    return this.list(OPERATIONS.listLookups, { query }, options)
  }

  /** Assess up to 1,000 identifiers. One result or error per item, in the order of the request. All records of a batch become durable together, or none does. Repeated identifiers are assessed once. Each item counts as one request against the limit. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Enterprise**. */
  assessIdentifiers(body: IMEIBatchRequest, options?: CallOptions): ListRequest<IMEIBatchItem> {
    return this.readList(OPERATIONS.assessIdentifiers, { body }, options)
  }

  /** Get one lookup. A lookup record of the caller's organization, as it was returned at the time. Tier: **Enterprise**. */
  getLookup(id: string, options?: CallOptions): ApiRequest<IMEILookupResult> {
    return this.read(OPERATIONS.getLookup, { params: { id } }, options)
  }

  /** List the sandbox identifiers. Identifiers with fixed results, for tests of an integration. No source is queried for them. Tier: **Public**. */
  listSandbox(options?: CallOptions): ListRequest<SandboxIdentifier> {
    return this.readList(OPERATIONS.listSandbox, {}, options)
  }

  /** Appraise one device. Identifies the device, checks its risk, estimates prices and repair costs, and calculates the highest offer at which the best plan earns your policy's margin within the allowed probability of a loss. `offer.reasons[]` is the calculation line by line. Conflicting input is a finding, not an error; if the device cannot be identified, the decision is `identify` with candidates. Blacklisted devices never get an offer. The response is sent after its record and that of the lookup are durable. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Paid**; **Enterprise** when an `identifier` is given. */
  appraiseDevice(body: AppraisalRequest, options?: CallOptions): ApiRequest<Appraisal> {
    return this.read(OPERATIONS.appraiseDevice, { body }, options)
  }

  /** List your organization's appraisals. Complete appraisal records of the caller's organization with their outcomes, newest first. Continue with `after` = `meta.next_after`; numbered pages end at 10,000 records. Tier: **Paid**. */
  listAppraisals(query: ListAppraisalsQuery = {}, options?: CallOptions): PagedRequest<Appraisal, HistoryMeta> {
    return this.list(OPERATIONS.listAppraisals, { query }, options)
  }

  /** Appraise up to 500 devices. One appraisal or error per item, in the order of the request. All records of a batch become durable together, or none does. Each item counts as one request against the limit. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Paid**; **Enterprise** when an item has an `identifier`. */
  appraiseDevices(body: AppraisalBatchRequest, options?: CallOptions): ListRequest<AppraisalBatchItem> {
    return this.readList(OPERATIONS.appraiseDevices, { body }, options)
  }

  /** Preview an appraisal. Calculates an appraisal without recording it, with the offers for all four grades. An identifier is not looked up again: `lookup_id` names a lookup of your organization. Tier: **Paid**; **Enterprise** when a `lookup_id` is given. */
  previewAppraisal(body: AppraisalPreviewRequest, options?: CallOptions): ApiRequest<AppraisalPreview> {
    return this.read(OPERATIONS.previewAppraisal, { body }, options)
  }

  /** List the devices that you appraised. The devices that your organization appraised most, at most 200, most often first. Tier: **Paid**. */
  listAppraisedDevices(options?: CallOptions): ListRequest<AppraisedDevice> {
    return this.readList(OPERATIONS.listAppraisedDevices, {}, options)
  }

  /** Get one appraisal. An appraisal of the caller's organization, as it was returned, with its current outcome. Another organization's appraisal is not found. Tier: **Paid**. */
  getAppraisal(id: string, options?: CallOptions): ApiRequest<Appraisal> {
    return this.read(OPERATIONS.getAppraisal, { params: { id } }, options)
  }

  /** Record the outcome of an appraisal. Records that you bought the device, that there was no deal, or that you sold the device. A device must be bought before it is sold. A later request corrects an earlier one; `sold` keeps the price and the day of the purchase. Prices of devices without defects become price observations of your organization and change its prices within seconds. The response is sent after the outcome is durable. Each change is in the audit trail and creates an event. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Paid**. */
  recordOutcome(id: string, body: OutcomeRequest, options?: CallOptions): ApiRequest<RecordedOutcome> {
    return this.read(OPERATIONS.recordOutcome, { params: { id }, body }, options)
  }

  /** Remove the outcome of an appraisal. Undoes a mistake: the appraisal is open again, and the prices of the deal no longer count. The audit trail keeps the removed outcome. An appraisal without an outcome stays as it is. Tier: **Paid**. */
  removeOutcome(id: string, options?: CallOptions): ApiRequest<RecordedOutcome> {
    return this.read(OPERATIONS.removeOutcome, { params: { id } }, options)
  }

  /** Record up to 500 outcomes. One result or error per item, in the order of the request; the same appraisal may be bought and later sold in one request. All applied outcomes become durable together, or none does. Each item counts as one request against the limit. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Paid**. */
  recordOutcomes(body: OutcomeBatchRequest, options?: CallOptions): ListRequest<OutcomeBatchItem> {
    return this.readList(OPERATIONS.recordOutcomes, { body }, options)
  }

  /** List the share codes of an appraisal. The codes on receipts of one appraisal, newest first, without their addresses. Tier: **Paid**. */
  listShares(id: string, options?: CallOptions): ListRequest<AppraisalShare> {
    return this.readList(OPERATIONS.listShares, { params: { id } }, options)
  }

  /** Create a share code of an appraisal. Creates a code that proves a receipt genuine: anyone with its address sees the shared facts until the code is revoked. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. A repeated response is without the secret. Tier: **Paid**. */
  createShare(
    id: string,
    body: {
      /** Facts to show. */
      facts: ('device' | 'identifier' | 'grade' | 'check' | 'offer' | 'reference')[]
      /** Time zone of the shop, such as `Europe/Vilnius`. Default: UTC. */
      time_zone?: string
    },
    options?: CallOptions,
  ): ApiRequest<NewAppraisalShare> {
    return this.read(OPERATIONS.createShare, { params: { id }, body }, options)
  }

  /** Revoke a share code. From now on its address shows the same page as one that never existed. Tier: **Paid**. */
  revokeShare(id: string, share_id: string, options?: CallOptions): ApiRequest<Done> {
    return this.read(OPERATIONS.revokeShare, { params: { id, share_id } }, options)
  }

  /** Report on your deals. Deals by month, money in and out, margin and days held, from the outcomes of your organization's appraisals, and forecast against outcome: recommended offer and price paid, forecast and actual sale price, how many sales were inside the 80 % range, and how often money was lost. Amounts are in one currency; deals in other currencies are converted by the exchange rate of their day, the newest on or before it. With `format=csv` the deals of the period, one per line. Clerks need an organization that shows them margins. Tier: **Paid**. */
  getDealReport(query: GetDealReportQuery = {}, options?: CallOptions): ApiRequest<DealReport> {
    return this.read(OPERATIONS.getDealReport, { query }, options)
  }

  /** Watch an identifier or a price. Creates an event whenever an imported list, a feed or an outside source changes the status of the identifier (`identifier.status_changed`), or the resale price of the variant changes by the threshold (`price.changed`). Only later changes are reported; use a lookup for the current status. Watching the same subject again with the same reference updates the existing watch. Tier: **Enterprise**. */
  createWatch(body: WatchRequest, options?: CallOptions): ApiRequest<Watch> {
    return this.read(OPERATIONS.createWatch, { body }, options)
  }

  /** List your organization's watches. Oldest first, without ended watches. Continue with `after` = `meta.next_after`. Tier: **Enterprise**. */
  listWatches(query: ListWatchesQuery = {}, options?: CallOptions): PagedRequest<Watch, CursorMeta> {
    return this.list(OPERATIONS.listWatches, { query }, options)
  }

  /** End a watch. Ends the watch immediately. Its events remain available. Tier: **Enterprise**. */
  deleteWatch(id: string, options?: CallOptions): ApiRequest<Watch> {
    return this.read(OPERATIONS.deleteWatch, { params: { id } }, options)
  }

  /** List events. Events of your organization and its watches of the last 30 days, oldest first. Continue with `after` = `meta.next_after` of the last response: every event is returned exactly once. After an id that is no longer stored the list starts with the oldest event. Webhook endpoints receive the same events with the same ids. Tier: **Enterprise**. */
  listEvents(query: ListEventsQuery = {}, options?: CallOptions): PagedRequest<ServiceEvent, CursorMeta> {
    return this.list(OPERATIONS.listEvents, { query }, options)
  }

  /** Get your organization's usage. Requests of all API keys of the caller's organization by day, endpoint and status, and its monthly quota. Counts are up to a minute old and kept for 90 days. Available after a hard quota is used up. `include=keys` and `format=csv` need the right to manage; the file has one row per day, key, endpoint and status. Tier: **Public**. */
  getUsage(query: GetUsageQuery = {}, options?: CallOptions): ApiRequest<Usage> {
    return this.read(OPERATIONS.getUsage, { query }, options)
  }

  /** Get your organization's usage by the hour. Requests and their latency in the last two weeks, by hour, key, endpoint and status. Tier: **Public**, with the right to **manage**. */
  getUsageByHour(query: GetUsageByHourQuery = {}, options?: CallOptions): ApiRequest<UsageHours> {
    return this.read(OPERATIONS.getUsageByHour, { query }, options)
  }

  /** List your organization's requests. The newest 100 requests of the last three days that match, newest first. Tier: **Public**, with the right to **manage**. */
  listRequests(query: ListRequestsQuery = {}, options?: CallOptions): ListRequest<LoggedRequest> {
    return this.readList(OPERATIONS.listRequests, { query }, options)
  }

  /** List API keys. All keys of the organization, newest first, including revoked and expired ones. Tier: **Public**, with the right to **manage**. */
  listKeys(query: ListKeysQuery = {}, options?: CallOptions): ListRequest<ApiKey> {
    return this.readList(OPERATIONS.listKeys, { query }, options)
  }

  /** Create an API key. Only this response contains the key itself. A key cannot create one with a higher tier or more rights than its own. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. A repeated response is without the secret. Tier: **Public**, with the right to **manage**. */
  createKey(
    query: CreateKeyQuery = {},
    body: {
      /** Name. */
      name: string
      /** Tier; at most that of the organization and of the key that creates it. */
      tier: 'public' | 'paid' | 'enterprise'
      /** Last day (UTC) on which it works; no expiry if absent. */
      expires_on?: string | null
      /** Rights; none if absent. */
      rights?: ('contribute' | 'manage' | 'operate')[]
      /** Requests per minute; null for the limit of its tier. */
      limit_per_minute?: number | null
      /** Addresses and networks it may be used from; all if absent. */
      allowed_addresses?: string[]
    },
    options?: CallOptions,
  ): ApiRequest<{
    /** The API key. It is shown once: absent in a repeated response. */
    secret?: string
    key: ApiKey
  }> {
    return this.read(OPERATIONS.createKey, { query, body }, options)
  }

  /** Change an API key. Changes the given fields. Takes effect everywhere within a second. Tier: **Public**, with the right to **manage**. */
  changeKey(
    id: string,
    query: ChangeKeyQuery = {},
    body: {
      /** New name. */
      name?: string
      /** Requests per minute; null for the limit of its tier. */
      limit_per_minute?: number | null
      /** Addresses and networks it may be used from; empty for all. */
      allowed_addresses?: string[]
    },
    options?: CallOptions,
  ): ApiRequest<ApiKey> {
    return this.read(OPERATIONS.changeKey, { params: { id }, query, body }, options)
  }

  /** Revoke an API key. Cannot be undone. Takes effect everywhere within a second. Revoking a revoked key changes nothing. Tier: **Public**, with the right to **manage**. */
  revokeKey(id: string, query: RevokeKeyQuery = {}, options?: CallOptions): ApiRequest<Done> {
    return this.read(OPERATIONS.revokeKey, { params: { id }, query }, options)
  }

  /** Replace an API key. Creates a key with the same tier, rights and limits. The old key works until the overlap ends. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. A repeated response is without the secret. Tier: **Public**, with the right to **manage**. */
  rotateKey(
    id: string,
    query: RotateKeyQuery = {},
    body: {
      /** Days for which the old key keeps working. */
      overlap_days: number
    },
    options?: CallOptions,
  ): ApiRequest<{
    /** The API key. It is shown once: absent in a repeated response. */
    secret?: string
    key: ApiKey
  }> {
    return this.read(OPERATIONS.rotateKey, { params: { id }, query, body }, options)
  }

  /** Get the buying policy. The policy that appraisals of the organization use, and whether the prices of its own deals count in its prices. Tier: **Public**, with the right to **manage**. */
  getPolicy(query: GetPolicyQuery = {}, options?: CallOptions): ApiRequest<OwnPolicy> {
    return this.read(OPERATIONS.getPolicy, { query }, options)
  }

  /** Change the buying policy. Changes the given fields; null goes back to the default. Amounts are converted if the currency changes. Tier: **Public**, with the right to **manage**. */
  changePolicy(
    query: ChangePolicyQuery = {},
    body: {
      /** Currency of the amounts, and of offers unless the request names another. */
      currency?: string | null
      /** Required profit, in percent of the sale price. */
      target_margin_percent?: number | null
      /** Minimum profit per device. */
      min_profit?: number | null
      /** Selling fee in percent of the sale price: marketplace, payment, shipping. */
      selling_fee_percent?: number | null
      /** Labour cost per hour. */
      labour_per_hour?: number | null
      /** Cost per day until the sale: space, capital, insurance. */
      holding_cost_per_day?: number | null
      /** Maximum probability that a deal loses money. */
      max_loss_probability?: number | null
      /** Action at risk level `low`. */
      action_at_low_risk?: 'offer' | 'inspect' | 'reject' | null
      /** Action at risk level `medium`. */
      action_at_medium_risk?: 'offer' | 'inspect' | 'reject' | null
      /** Action at risk level `high`. */
      action_at_high_risk?: 'offer' | 'inspect' | 'reject' | null
      /** Action at risk level `critical`. Blacklisted devices are always rejected. */
      action_at_critical_risk?: 'offer' | 'inspect' | 'reject' | null
      /** Action if no identifier was given. */
      action_without_identifier?: 'offer' | 'inspect' | 'reject' | null
      /** Maximum risk points from checks that could not be made; above it the decision is `inspect`. */
      max_unverified_risk_points?: number | null
      /** Minimum `market_confidence` of the price; below it the decision is `inspect`, to be priced by hand. */
      min_confidence?: number | null
      /** Offers are rounded down to a multiple of this. */
      offer_rounding?: number | null
      clerk_offer_limit?: number | null | null
      /** Whether clerks see resale plans, costs, margins and expected profit. */
      clerks_see_margins?: boolean | null
      /** Whether the prices of the organization's own deals count in its prices. */
      uses_deals?: boolean
    },
    options?: CallOptions,
  ): ApiRequest<OwnPolicy> {
    return this.read(OPERATIONS.changePolicy, { query, body }, options)
  }

  /** Get the details of receipts. What the organization prints on its receipts. Tier: **Public**, with the right to **manage**. */
  getReceiptDetails(
    query: GetReceiptDetailsQuery = {},
    options?: CallOptions,
  ): ApiRequest<{
    /** Name of the shop; empty for the name of the organization. */
    shop_name: string
    /** Postal address, one line each. */
    address: string
    /** Phone, email or web address. */
    contact: string
    /** VAT or tax number. */
    vat_id: string
    /** Days an offer is valid; 0 for none printed. */
    valid_days: number
    /** What the seller confirms with the signature. */
    terms: string
    /** Logo as a data URL; empty for none. */
    logo: string
    /** Language of receipts and of the verification page; empty for that of the person who prints. */
    language: '' | 'en' | 'de' | 'es' | 'fr' | 'pt' | 'pl' | 'lt' | 'vi' | 'ko'
    /** Whether the shop's copy has blank lines for the seller's name and ID document. */
    seller_lines: boolean
  }> {
    return this.read(OPERATIONS.getReceiptDetails, { query }, options)
  }

  /** Replace the details of receipts. Replaces what the organization prints on its receipts. Tier: **Public**, with the right to **manage**. */
  replaceReceiptDetails(
    query: ReplaceReceiptDetailsQuery = {},
    body: {
      /** Name of the shop; empty for the name of the organization. */
      shop_name: string
      /** Postal address, one line each. */
      address: string
      /** Phone, email or web address. */
      contact: string
      /** VAT or tax number. */
      vat_id: string
      /** Days an offer is valid; 0 for none printed. */
      valid_days: number
      /** What the seller confirms with the signature. */
      terms: string
      /** Logo as a data URL; empty for none. */
      logo: string
      /** Language of receipts and of the verification page; empty for that of the person who prints. */
      language?: '' | 'en' | 'de' | 'es' | 'fr' | 'pt' | 'pl' | 'lt' | 'vi' | 'ko'
      /** Whether the shop's copy has blank lines for the seller's name and ID document. */
      seller_lines?: boolean
    },
    options?: CallOptions,
  ): ApiRequest<{
    /** Name of the shop; empty for the name of the organization. */
    shop_name: string
    /** Postal address, one line each. */
    address: string
    /** Phone, email or web address. */
    contact: string
    /** VAT or tax number. */
    vat_id: string
    /** Days an offer is valid; 0 for none printed. */
    valid_days: number
    /** What the seller confirms with the signature. */
    terms: string
    /** Logo as a data URL; empty for none. */
    logo: string
    /** Language of receipts and of the verification page; empty for that of the person who prints. */
    language: '' | 'en' | 'de' | 'es' | 'fr' | 'pt' | 'pl' | 'lt' | 'vi' | 'ko'
    /** Whether the shop's copy has blank lines for the seller's name and ID document. */
    seller_lines: boolean
  }> {
    return this.read(OPERATIONS.replaceReceiptDetails, { query, body }, options)
  }

  /** List webhook endpoints. All webhook endpoints of the organization. Tier: **Public**, with the right to **manage**. */
  listWebhooks(query: ListWebhooksQuery = {}, options?: CallOptions): ListRequest<Webhook> {
    return this.readList(OPERATIONS.listWebhooks, { query }, options)
  }

  /** Create a webhook endpoint. It receives events from now on. Only this response contains the signing secret. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. A repeated response is without the secret. Tier: **Public**, with the right to **manage**. */
  createWebhook(
    query: CreateWebhookQuery = {},
    body: {
      /** Address that events are sent to: https, on the internet. */
      url: string
      /** Event types to send; all if absent or empty. */
      types?: (
        | 'identifier.status_changed'
        | 'price.changed'
        | 'import.finished'
        | 'key.expiring'
        | 'appraisal.created'
        | 'appraisal.bought'
        | 'appraisal.declined'
        | 'appraisal.sold'
        | 'appraisal.reopened'
        | 'webhook.disabled'
        | 'webhook.test'
        | 'usage.threshold_reached'
      )[]
    },
    options?: CallOptions,
  ): ApiRequest<{
    /** Signing secret. It is shown once: absent in a repeated response. */
    secret?: string
    webhook: Webhook
  }> {
    return this.read(OPERATIONS.createWebhook, { query, body }, options)
  }

  /** Enable a disabled webhook endpoint. Pending deliveries are sent at once. Tier: **Public**, with the right to **manage**. */
  changeWebhook(
    id: string,
    query: ChangeWebhookQuery = {},
    body: {
      /** Whether events are sent to it. */
      enabled: true
    },
    options?: CallOptions,
  ): ApiRequest<Webhook> {
    return this.read(OPERATIONS.changeWebhook, { params: { id }, query, body }, options)
  }

  /** Remove a webhook endpoint. Also deletes its deliveries. Tier: **Public**, with the right to **manage**. */
  removeWebhook(id: string, query: RemoveWebhookQuery = {}, options?: CallOptions): ApiRequest<Done> {
    return this.read(OPERATIONS.removeWebhook, { params: { id }, query }, options)
  }

  /** Replace the secret of a webhook endpoint. Deliveries carry signatures of both secrets until the overlap ends. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. A repeated response is without the secret. Tier: **Public**, with the right to **manage**. */
  rotateWebhookSecret(
    id: string,
    query: RotateWebhookSecretQuery = {},
    body: {
      /** Hours for which deliveries are also signed with the old secret. */
      overlap_hours: number
    },
    options?: CallOptions,
  ): ApiRequest<{
    /** Signing secret. It is shown once: absent in a repeated response. */
    secret?: string
  }> {
    return this.read(OPERATIONS.rotateWebhookSecret, { params: { id }, query, body }, options)
  }

  /** Send a test event. Sends an event of type `webhook.test` to the endpoint. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **manage**. */
  testWebhook(
    id: string,
    query: TestWebhookQuery = {},
    options?: CallOptions,
  ): ApiRequest<{
    /** Id of the test event. */
    event_id: string
  }> {
    return this.read(OPERATIONS.testWebhook, { params: { id }, query }, options)
  }

  /** List deliveries of a webhook endpoint. The last 100 deliveries that match, newest first. Tier: **Public**, with the right to **manage**. */
  listWebhookDeliveries(
    id: string,
    query: ListWebhookDeliveriesQuery = {},
    options?: CallOptions,
  ): ListRequest<WebhookDelivery> {
    return this.readList(OPERATIONS.listWebhookDeliveries, { params: { id }, query }, options)
  }

  /** Send events again. One event, or those of a time range, with the same event ids as before. Tier: **Public**, with the right to **manage**. */
  replayWebhookDeliveries(
    id: string,
    query: ReplayWebhookDeliveriesQuery = {},
    body: {
      /** The event to send again. Give this or `from` and `to`. */
      event_id?: string
      /** Time of the first event. */
      from?: string
      /** End of the range, exclusive. */
      to?: string
      /** Whether to send only events of the range whose delivery failed. */
      only_failed?: boolean
    },
    options?: CallOptions,
  ): ApiRequest<{
    /** Number of events. */
    replayed: number
  }> {
    return this.read(OPERATIONS.replayWebhookDeliveries, { params: { id }, query, body }, options)
  }

  /** List organizations. All organizations of the service, oldest first. Tier: **Public**, with the right to **operate**. */
  listOrganizations(query: ListOrganizationsQuery = {}, options?: CallOptions): PagedRequest<Organization, CursorMeta> {
    return this.list(OPERATIONS.listOrganizations, { query }, options)
  }

  /** Create an organization. Absent fields get the defaults of the service; the currency is that of the market. Invite its first owner with `inviteMember`. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **operate**. */
  createOrganization(
    body: {
      /** Name. */
      name: string
      /** Highest tier of its keys and its dashboard. */
      tier?: 'public' | 'paid' | 'enterprise'
      /** Requests per minute that all its keys share; null: each key has the limit of its tier. */
      limit_per_minute?: number | null
      /** Monthly quota; null for none. */
      quota?: {
        /** Requests per calendar month (UTC). */
        monthly_requests: number
        /** Whether requests beyond it are rejected with 429. */
        is_hard?: boolean
      } | null
      /** Country whose prices it gets, such as `de`; null for that of the service. */
      market?: string | null
      /** Whether its own prices also count in the common market. */
      common_source?: boolean
      /** Makes it the organization that runs the service, instead of the one that does now. */
      runs_service?: true
    },
    options?: CallOptions,
  ): ApiRequest<Organization> {
    return this.read(OPERATIONS.createOrganization, { body }, options)
  }

  /** Get one organization. Tier, limits, quota and market of an organization. Tier: **Public**, with the right to **operate**. */
  getOrganization(id: string, options?: CallOptions): ApiRequest<Organization> {
    return this.read(OPERATIONS.getOrganization, { params: { id } }, options)
  }

  /** Change an organization. Changes the given fields. Keys, watches and webhook events above a lower tier pause until it is raised again. Tier: **Public**, with the right to **operate**. */
  changeOrganization(
    id: string,
    body: {
      /** Name. */
      name?: string
      /** Highest tier of its keys and its dashboard. */
      tier?: 'public' | 'paid' | 'enterprise'
      /** Requests per minute that all its keys share; null: each key has the limit of its tier. */
      limit_per_minute?: number | null
      /** Monthly quota; null for none. */
      quota?: {
        /** Requests per calendar month (UTC). */
        monthly_requests: number
        /** Whether requests beyond it are rejected with 429. */
        is_hard?: boolean
      } | null
      /** Country whose prices it gets, such as `de`; null for that of the service. */
      market?: string | null
      /** Whether its own prices also count in the common market. */
      common_source?: boolean
      /** Makes it the organization that runs the service, instead of the one that does now. */
      runs_service?: true
    },
    options?: CallOptions,
  ): ApiRequest<Organization> {
    return this.read(OPERATIONS.changeOrganization, { params: { id }, body }, options)
  }

  /** Remove an organization. Ends all access at once, then deletes everything stored of the organization within minutes; until then it is still listed. Cannot be undone. The organization that runs the service cannot be removed. Tier: **Public**, with the right to **operate**. */
  removeOrganization(id: string, query: RemoveOrganizationQuery, options?: CallOptions): ApiRequest<Done> {
    return this.read(OPERATIONS.removeOrganization, { params: { id }, query }, options)
  }

  /** List the audit trail. Changes of the organization and changes that concern all organizations, newest first. Tier: **Public**, with the right to **manage**. */
  listAuditEntries(query: ListAuditEntriesQuery = {}, options?: CallOptions): PagedRequest<AuditEntry, CursorMeta> {
    return this.list(OPERATIONS.listAuditEntries, { query }, options)
  }

  /** List problems that need attention. Worst first: keys that expire soon and, for owners, stale lists, sources that do not respond, and failed imports and feeds. Tier: **Public**, with the right to **manage**. */
  listAttention(query: ListAttentionQuery = {}, options?: CallOptions): ListRequest<AttentionItem> {
    return this.readList(OPERATIONS.listAttention, { query }, options)
  }

  /** List learned TACs. Models that the organization confirmed for type allocation codes by its appraisals, lookups and imports. A model that two independent organizations or the operator confirmed applies to all. Tier: **Public**, with the right to **manage**. */
  listTacs(query: ListTacsQuery = {}, options?: CallOptions): ApiRequest<ConfirmedTacs> {
    return this.read(OPERATIONS.listTacs, { query }, options)
  }

  /** Confirm the model of a TAC for all organizations. Lookups of all organizations use the confirmed model. Tier: **Public**, with the right to **operate**. */
  confirmTac(
    tac: string,
    body: {
      /** The confirmed device. */
      device_id: string
    },
    options?: CallOptions,
  ): ApiRequest<Done> {
    return this.read(OPERATIONS.confirmTac, { params: { tac }, body }, options)
  }

  /** Remove the confirmed model of a TAC. Lookups no longer use the model unless others confirmed it. Tier: **Public**, with the right to **manage**. */
  forgetTac(tac: string, query: ForgetTacQuery, options?: CallOptions): ApiRequest<Done> {
    return this.read(OPERATIONS.forgetTac, { params: { tac }, query }, options)
  }

  /** List exchange rates. The newest exchange rate of every currency. All organizations share them. Tier: **Public**, with the right to **manage**. */
  listRates(options?: CallOptions): ListRequest<CurrencyRate> {
    return this.readList(OPERATIONS.listRates, {}, options)
  }

  /** Update the exchange rates. Imports the newest reference rates of the European Central Bank and returns the rates in use. Tier: **Public**, with the right to **operate**. */
  updateRates(options?: CallOptions): ListRequest<CurrencyRate> {
    return this.readList(OPERATIONS.updateRates, {}, options)
  }

  /** Get the addresses of the dashboard for a phone. How a phone on the same network opens the dashboard, and what prevents it. Tier: **Public**, with the right to **manage**. */
  getPhoneAccess(query: GetPhoneAccessQuery = {}, options?: CallOptions): ApiRequest<PhoneAccess> {
    return this.read(OPERATIONS.getPhoneAccess, { query }, options)
  }

  /** Get the current upload and the limits of uploads. The unfinished or last upload of the caller, the size of parts, and the values that options can have. For the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**. */
  getUploads(query: GetUploadsQuery = {}, options?: CallOptions): ApiRequest<Uploads> {
    return this.read(OPERATIONS.getUploads, { query }, options)
  }

  /** Begin an upload. An import in four steps: begin the upload, send the file in parts, check it, run it. A new upload replaces the unfinished one of the same caller. For the organization that runs the service, and for keys with the right to `operate`. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **operate**. */
  createUpload(
    query: CreateUploadQuery = {},
    body: {
      /** Format of the file. */
      format: 'observations' | 'lists' | 'rates' | 'catalogue' | 'tac' | 'repairs' | 'open-repair'
      /** Name of the file. */
      file: string
      /** Size of the file. */
      bytes: number
    },
    options?: CallOptions,
  ): ApiRequest<Upload> {
    return this.read(OPERATIONS.createUpload, { query, body }, options)
  }

  /** Send a part of the file. At most 700,000 bytes per part, in order. Sending the same part again is safe. Tier: **Public**, with the right to **operate**. */
  sendUploadPart(
    id: string,
    query: SendUploadPartQuery = {},
    body: {
      /** Offset of the part in the file. */
      at: number
      /** Bytes of the part in base64. */
      content: string
    },
    options?: CallOptions,
  ): ApiRequest<{
    /** Bytes received so far. */
    received: number
  }> {
    return this.read(OPERATIONS.sendUploadPart, { params: { id }, query, body }, options)
  }

  /** Get an upload. State, progress, preview after the check, and the import. Tier: **Public**, with the right to **operate**. */
  getUpload(id: string, query: GetUploadQuery = {}, options?: CallOptions): ApiRequest<Upload> {
    return this.read(OPERATIONS.getUpload, { params: { id }, query }, options)
  }

  /** Discard an upload. Deletes the file. Stop it first while it is being read. Tier: **Public**, with the right to **operate**. */
  discardUpload(id: string, query: DiscardUploadQuery = {}, options?: CallOptions): ApiRequest<Done> {
    return this.read(OPERATIONS.discardUpload, { params: { id }, query }, options)
  }

  /** Check an upload. Reads the whole file without writing anything. Poll `getUpload` until `state` is `checked`; `preview` then says what an import would do, and `failure` why it cannot be imported. Options are those of the `import` command. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **operate**. */
  checkUpload(
    id: string,
    query: CheckUploadQuery = {},
    body: {
      /** Options of the import by name. */
      options: Record<string, string>
    },
    options?: CallOptions,
  ): ApiRequest<Upload> {
    return this.read(OPERATIONS.checkUpload, { params: { id }, query, body }, options)
  }

  /** Import a checked upload. Poll `getUpload` until `state` is `ended`; `run` is the import. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **operate**. */
  runUpload(id: string, query: RunUploadQuery = {}, options?: CallOptions): ApiRequest<Upload> {
    return this.read(OPERATIONS.runUpload, { params: { id }, query }, options)
  }

  /** Stop a check or an import. Rows imported until then are kept. Tier: **Public**, with the right to **operate**. */
  stopUpload(id: string, query: StopUploadQuery = {}, options?: CallOptions): ApiRequest<Done> {
    return this.read(OPERATIONS.stopUpload, { params: { id }, query }, options)
  }

  /** List imports. The newest imports of the service. File names and failures are shown to its operator only. Tier: **Public**, with the right to **manage**. */
  listImports(query: ListImportsQuery = {}, options?: CallOptions): ListRequest<Import> {
    return this.readList(OPERATIONS.listImports, { query }, options)
  }

  /** Download the rejected rows of an import. The rejected rows as CSV: line, reason, detail and the original columns. For the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**. */
  getRejectedRows(id: string, query: GetRejectedRowsQuery = {}, options?: CallOptions): ApiRequest<string> {
    return this.readText(OPERATIONS.getRejectedRows, { params: { id }, query }, options)
  }

  /** Undo an import of prices. Removes the prices of the import and brings back those that it replaced. For the organization that runs the service, and for keys with the right to `operate`. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **operate**. */
  undoImport(
    id: string,
    query: UndoImportQuery = {},
    options?: CallOptions,
  ): ApiRequest<{
    /** Prices removed. */
    observations: number
    /** Prices that were restored. */
    restored: number
    /** Devices whose prices are recalculated. */
    devices: number
  }> {
    return this.read(OPERATIONS.undoImport, { params: { id }, query }, options)
  }

  /** Upload the rejected rows of an import again. Makes an upload of the rejected rows and checks it with the options of the import. For the organization that runs the service, and for keys with the right to `operate`. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **operate**. */
  retryImport(id: string, query: RetryImportQuery = {}, options?: CallOptions): ApiRequest<Upload> {
    return this.read(OPERATIONS.retryImport, { params: { id }, query }, options)
  }

  /** List feeds. Files that the service fetches and imports by schedule. Tier: **Public**, with the right to **manage**. */
  listFeeds(query: ListFeedsQuery = {}, options?: CallOptions): ListRequest<Feed> {
    return this.readList(OPERATIONS.listFeeds, { query }, options)
  }

  /** Get the settings of the service. Settings, identifier sources, feeds, backups and mail of the whole service. Secrets are never returned. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**. */
  getServiceSettings(options?: CallOptions): ApiRequest<ServiceSettings> {
    return this.read(OPERATIONS.getServiceSettings, {}, options)
  }

  /** Change settings of the service. Null goes back to the default. A setting of the environment cannot be changed here. All settings are changed, or none. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**. */
  changeServiceSettings(
    body: {
      /** Market of organizations without their own. */
      MARKET?: string | null
      /** `on` or `off`. */
      SAMPLE_DATA?: string | null
      /** Days after which lookups are deleted; 0: never. */
      LOOKUP_RETENTION_DAYS?: string | null
    },
    options?: CallOptions,
  ): ApiRequest<ServiceSettings> {
    return this.read(OPERATIONS.changeServiceSettings, { body }, options)
  }

  /** Add or change an identifier source. Secrets that are not sent stay as they are stored, unless the host changes. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**. */
  putSource(
    name: string,
    body: {
      /** Definition of a source, as docs/risk.md describes it. */
      definition: Record<string, unknown>
      /** Secret headers of the request. Written only: responses name them. */
      headers?: Record<string, string>
      /** Secret of `request.oauth`. Written only. */
      client_secret?: string
    },
    options?: CallOptions,
  ): ApiRequest<ServiceSettings> {
    return this.read(OPERATIONS.putSource, { params: { name }, body }, options)
  }

  /** Remove an identifier source. Lookups no longer query it. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**. */
  removeSource(name: string, options?: CallOptions): ApiRequest<ServiceSettings> {
    return this.read(OPERATIONS.removeSource, { params: { name } }, options)
  }

  /** Query an identifier source once. Queries a stored source, or a definition before it is stored, about one identifier. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**. */
  testSource(
    body: {
      /** A stored source; without `definition` only. */
      name?: string
      /** Definition of a source, as docs/risk.md describes it. */
      definition?: Record<string, unknown>
      /** Secret headers of the request. Written only: responses name them. */
      headers?: Record<string, string>
      /** Secret of `request.oauth`. Written only. */
      client_secret?: string
      /** Identifier to query. */
      identifier: string
    },
    options?: CallOptions,
  ): ApiRequest<SourceTest> {
    return this.read(OPERATIONS.testSource, { body }, options)
  }

  /** Replace all identifier sources. Makes the document the whole list: sources that are not in it are removed. Secrets that it leaves out stay as they are stored. All sources are replaced, or none. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**. */
  replaceSources(
    body: {
      /** Definitions of the sources. */
      sources: Record<string, unknown>[]
    },
    options?: CallOptions,
  ): ApiRequest<EntryChanges> {
    return this.read(OPERATIONS.replaceSources, { body }, options)
  }

  /** Add or change a feed. Headers that are not sent stay as they are stored, unless the host changes. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**. */
  putFeed(
    name: string,
    body: {
      /** Format of the file. */
      format: string
      /** Address of the file. */
      url: string
      /** Cron expression; null: run by hand. */
      schedule?: string | null
      /** Time zone of the schedule. */
      time_zone?: string
      /** Options of the import by name; `true` for one without a value, such as `clears`. */
      options?: Record<string, string | true>
      /** Secret headers of the request. Written only: responses name them. */
      headers?: Record<string, string>
      /** Whether its schedule is paused; absent: as before. */
      is_paused?: boolean
    },
    options?: CallOptions,
  ): ApiRequest<ServiceSettings> {
    return this.read(OPERATIONS.putFeed, { params: { name }, body }, options)
  }

  /** Remove a feed. Its imports stay. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**. */
  removeFeed(name: string, options?: CallOptions): ApiRequest<ServiceSettings> {
    return this.read(OPERATIONS.removeFeed, { params: { name } }, options)
  }

  /** Run a feed now. Starts fetching and importing a feed; `listFeeds` shows the result. Has no effect on a feed that is already running. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**. */
  runFeed(name: string, options?: CallOptions): ApiRequest<Done> {
    return this.read(OPERATIONS.runFeed, { params: { name } }, options)
  }

  /** Replace all feeds. Makes the document the whole list: feeds that are not in it are removed. Headers that it leaves out stay as they are stored. All feeds are replaced, or none. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**. */
  replaceFeeds(
    body: {
      /** Feeds with their `name`, as in `putFeed`. */
      feeds: Record<string, unknown>[]
    },
    options?: CallOptions,
  ): ApiRequest<EntryChanges> {
    return this.read(OPERATIONS.replaceFeeds, { body }, options)
  }

  /** Start a backup. Copies the embedded database to the folder of backups; `backup` of the settings shows when it is complete. For owners of the organization that runs the service, and for keys with the right to `operate`. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **operate**. */
  startBackup(options?: CallOptions): ApiRequest<ServiceSettings> {
    return this.read(OPERATIONS.startBackup, {}, options)
  }

  /** Send a test message. Sends a message by the mail server of `SMTP_URL` and returns its error, if there is one. For owners of the organization that runs the service, and for keys with the right to `operate`. Tier: **Public**, with the right to **operate**. */
  sendTestMail(
    body: {
      /** Recipient. */
      to: string
    },
    options?: CallOptions,
  ): ApiRequest<MailTest> {
    return this.read(OPERATIONS.sendTestMail, { body }, options)
  }

  /** List members and invitations. Members of the organization and open invitations. Tier: **Public**, with the right to **manage**. */
  listMembers(
    query: ListMembersQuery = {},
    options?: CallOptions,
  ): ApiRequest<{
    /** Members. */
    members: Member[]
    /** Open invitations. */
    invitations: Invitation[]
  }> {
    return this.read(OPERATIONS.listMembers, { query }, options)
  }

  /** Invite a person. The link lets the person choose a password and join the organization. It works once. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **manage**. */
  inviteMember(
    query: InviteMemberQuery = {},
    body: {
      /** E-mail address. */
      email: string
      /** Role after joining. */
      role: 'owner' | 'manager' | 'clerk'
    },
    options?: CallOptions,
  ): ApiRequest<{
    /** Link for the person; shown once. */
    link: string
    /** Time at which the link stops working. */
    expires_at: string
    /** Whether it was sent to the person by e-mail. */
    mailed: boolean
  }> {
    return this.read(OPERATIONS.inviteMember, { query, body }, options)
  }

  /** Withdraw an invitation. The link of the invitation stops working. Tier: **Public**, with the right to **manage**. */
  withdrawInvitation(id: string, query: WithdrawInvitationQuery = {}, options?: CallOptions): ApiRequest<Done> {
    return this.read(OPERATIONS.withdrawInvitation, { params: { id }, query }, options)
  }

  /** Change a member's role. An organization keeps at least one owner. Tier: **Public**, with the right to **manage**. */
  changeMemberRole(
    id: string,
    query: ChangeMemberRoleQuery = {},
    body: {
      /** New role. */
      role: 'owner' | 'manager' | 'clerk'
    },
    options?: CallOptions,
  ): ApiRequest<Done> {
    return this.read(OPERATIONS.changeMemberRole, { params: { id }, query, body }, options)
  }

  /** Remove a member. The account is deleted and its sessions end at once. An organization keeps at least one owner. Tier: **Public**, with the right to **manage**. */
  removeMember(id: string, query: RemoveMemberQuery = {}, options?: CallOptions): ApiRequest<Done> {
    return this.read(OPERATIONS.removeMember, { params: { id }, query }, options)
  }

  /** Reset a member's password. The link lets the person choose a new password. It works once. Using it ends all sessions and issuer identities of the account. Repeating the request with the same `Idempotency-Key` and body returns the first response for 24 hours. Tier: **Public**, with the right to **manage**. */
  resetMemberPassword(
    id: string,
    query: ResetMemberPasswordQuery = {},
    options?: CallOptions,
  ): ApiRequest<{
    /** Link for the person; shown once. */
    link: string
    /** Time at which the link stops working. */
    expires_at: string
    /** Whether it was sent to the person by e-mail. */
    mailed: boolean
  }> {
    return this.read(OPERATIONS.resetMemberPassword, { params: { id }, query }, options)
  }

  /** Change a member's e-mail address. Ends the issuer identities, open links and sessions of the account. A mail to the old address reports the change. Tier: **Public**, with the right to **manage**. */
  changeMemberEmail(
    id: string,
    query: ChangeMemberEmailQuery = {},
    body: {
      /** New e-mail address. */
      email: string
    },
    options?: CallOptions,
  ): ApiRequest<Done> {
    return this.read(OPERATIONS.changeMemberEmail, { params: { id }, query, body }, options)
  }

  /** Remove a member's second factor. Removes authenticator app, passkeys, recovery codes and issuer identities and ends all sessions of the account. Tier: **Public**, with the right to **manage**. */
  resetMemberSecondFactor(
    id: string,
    query: ResetMemberSecondFactorQuery = {},
    options?: CallOptions,
  ): ApiRequest<Done> {
    return this.read(OPERATIONS.resetMemberSecondFactor, { params: { id }, query }, options)
  }

  /** Get name, market and currency. Settings of the organization. Tier: **Public**, with the right to **manage**. */
  getSettings(
    query: GetSettingsQuery = {},
    options?: CallOptions,
  ): ApiRequest<{
    /** Name of the organization. */
    name: string
    /** Country whose prices it gets; null for the market of the service. */
    market: string | null
    /** Currency of its policy and its dashboard. */
    currency: string
    /** Market of the service. */
    service_market: string
  }> {
    return this.read(OPERATIONS.getSettings, { query }, options)
  }

  /** Change name, market or currency. Changes the given fields. A new market also sets its currency, unless `currency` is given. Tier: **Public**, with the right to **manage**. */
  changeSettings(
    query: ChangeSettingsQuery = {},
    body: {
      /** Name of the organization. */
      name?: string
      /** Country whose prices it gets, such as `de`; null for the market of the service. */
      market?: string | null
      /** Currency of its policy and of its dashboard. */
      currency?: string
    },
    options?: CallOptions,
  ): ApiRequest<{
    /** Name of the organization. */
    name: string
    /** Country whose prices it gets; null for the market of the service. */
    market: string | null
    /** Currency of its policy and its dashboard. */
    currency: string
    /** Market of the service. */
    service_market: string
  }> {
    return this.read(OPERATIONS.changeSettings, { query, body }, options)
  }
}
