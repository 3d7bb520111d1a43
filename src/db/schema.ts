/** Table types. Times are epoch milliseconds, flags 0 or 1, documents JSON text. */

import type { Generated } from 'kysely'

export type SqlBoolean = 0 | 1

export interface OrganizationTable {
  id: string
  name: string
  /** Rate limit of the organization; null for the tier's. */
  limit_per_minute: number | null
  created_at: number
  /** Whether members need a second factor. */
  second_factor_required: Generated<SqlBoolean>
  /** Code of its country's market; null: the service's. */
  market: string | null
  /** Whether its own prices also count in the common market, which the operator decides. */
  is_common_source: Generated<SqlBoolean>
  /** Requests per calendar month (UTC); null: no quota. */
  monthly_quota: Generated<number | null>
  is_quota_hard: Generated<SqlBoolean>
  /** Whether the prices of its own deals count in its prices. */
  uses_deals: Generated<SqlBoolean>
  /** What is recorded about sellers: `off`, `name` or `full`. */
  seller_record: Generated<string>
  /** Days after which records of sellers are deleted; null: never. */
  seller_retention_days: Generated<number | null>
  /** Whether the menu has the developer pages: since the first key, or as an owner chose. */
  shows_developer_pages: Generated<SqlBoolean>
  /** Minutes without use after which a shop device asks who is there; null: never. */
  till_idle_minutes: number | null
  /** When sessions end: unused, at the latest, and unused on a shop device; null: the default. */
  session_idle_days: number | null
  session_days: number | null
  shop_device_hours: number | null
  /** JSON: what the owner changed of the trade-in page; null: nothing. */
  trade_in: Generated<string | null>
  /** The page is at `/sell/` and this. */
  trade_in_slug: Generated<string | null>
}

export interface ApiKeyTable {
  id: string
  organization_id: string
  tier: string
  /** Extra rights, separated by spaces. */
  rights: string
  name: string
  hash: string
  last_four: string
  created_at: number
  expires_at: number | null
  last_used_at: number | null
  revoked_at: number | null
  /** The key that this one replaces. */
  rotated_from: string | null
  /** The value of the `access` counter at the last change, for incremental reloads. */
  revision: number
  /** Rate limit of this key, below the organization's; null for none. */
  limit_per_minute: number | null
  /** JSON list of CIDR ranges that may use the key; null for all. */
  allowed_networks: string | null
  /** As the audit trail names the actor; null if its entry is missing. */
  created_by: string | null
}

export interface DeviceTable {
  id: string
  make: string
  category: string
  name: string
  released_on: string | null
  release_precision: string | null
  status: string
  document: string
  source: string
  provenance: string
  /** The value of the `catalogue` counter at the last write. */
  revision: number
}

export interface VariantTable {
  id: string
  device_id: string
  position: number
  sku: string
  name: string
  list_cents: number
  disabled: SqlBoolean
  document: string
  source: string
  provenance: string
}

export interface TacTable {
  tac: string
  device_id: string | null
  make: string
  model: string
  source: string
  confidence: number
}

export type ListKind = 'stolen' | 'barred' | 'barred_tac' | 'registration'

/** An imported identifier list. Its existence means that its kind is covered. */
export interface IdentifierListTable {
  name: string
  kind: ListKind
  /** Number of listed identifiers without cleared ones. */
  entries: number
  imported_at: number
  /** The area in which an unlisted identifier counts as clean; null if it never does. */
  area: string | null
  /** Days after the import during which an unlisted identifier counts as clean; null if it never does. */
  max_age_days: number | null
}

export interface ListedIdentifierTable {
  list: string
  kind: ListKind
  /** First 14 characters of the identifier, upper case; the 8-digit TAC on a `barred_tac` list. */
  key14: string
  /** `blacklist` or `pending` on a stolen list, `barred` on barred lists, the registrar's status on a registration list. */
  status: string
  /** Date of the report; null if the list does not have it. */
  reported_on: string | null
  listed_at: number
  /** When it was removed from the list. The row remains as history. */
  cleared_at: number | null
  /** The last import that contained it. */
  run_id: string
}

/** State of a scheduled feed. Its definition is in the operator's feed file. */
export interface FeedTable {
  name: string
  /** When a process first saw it in the file. */
  added_at: number
  /** When the last scheduled run was queued. */
  scheduled_at: number
  started_at: number | null
  /** Null while it runs, and after an interrupted run. */
  finished_at: number | null
  outcome: 'imported' | 'unchanged' | 'failed' | 'stopped' | null
  succeeded_at: number | null
  failed_at: number | null
  failure: string | null
  /** Total number of failures. */
  failures: number
  /** Hash of the settings that `etag` and `last_modified` belong to; changed settings require a new download. */
  settings_hash: string | null
  etag: string | null
  last_modified: string | null
  /** Day of `requests`, in the time zone of the budget. */
  requests_on: string | null
  /** Requests sent to a price service on that day. */
  requests: number
  /** A price service asked to send nothing before. */
  waits_until: number | null
}

/** A device that a price service was asked about. */
export interface FeedQueryTable {
  feed: string
  /** Empty if the service is asked for everything at once. */
  device_id: string
  fetched_at: number
  listings: number
}

/** A person's account. It belongs to one organization; the same address in another organization is another account. */
export interface AccountTable {
  id: string
  organization_id: string
  /** Lower case. */
  email: string
  name: string
  role: string
  /** Null for an account that signs in with an issuer only. */
  password_hash: string | null
  /** Language of the dashboard; null: that of the browser. */
  language: string | null
  created_at: number
}

export interface OneTimeLinkTable {
  id: string
  token_hash: string
  purpose: 'invitation' | 'password_reset' | 'email_change'
  organization_id: string
  /** The account that it changes; null for an invitation, which creates one. */
  account_id: string | null
  /** Address of the invited or of the account; for an e-mail change the new address. */
  email: string
  /** Role of an invited account; null otherwise. */
  role: string | null
  created_by: string
  created_at: number
  expires_at: number
  used_at: number | null
}

/** Audit trail of an organization. Append-only. */
export interface AuditEntryTable {
  id: string
  organization_id: string
  /** The account of the person; null if a key, a command or the program acted. */
  account_id: string | null
  who: string
  action: string
  subject: string
  detail: string
  created_at: number
}

export interface UsageCountTable {
  organization_id: string
  day: string
  key_id: string
  route: string
  status: number
  count: number
}

/** Imported repair facts of a variant, device, line or category, as a JSON list. */
export interface RepairFactTable {
  level: string
  subject: string
  source: string
  document: string
  updated_at: number
  run_id: string
}

/** A recorded lookup. Its id sorts by time. */
export interface LookupTable {
  organization_id: string
  id: string
  /** Normalized identifier. */
  identifier_key: string
  /** The other IMEI of a device with two SIM cards; null otherwise. */
  second_identifier_key: string | null
  created_at: number
  /** The JSON of `data` in the response. */
  response: string
}

/** An offer to a customer at home. */
export interface QuoteTable {
  organization_id: string
  /** The number that the customer shows. */
  id: string
  /** Counts up with each change. */
  revision: number
  created_at: number
  /** Whether the customer kept the price; others are only counted, and deleted after two days. */
  is_kept: SqlBoolean
  channel: string
  state: string
  device_id: string
  /** JSON: answers and offer. */
  document: string
  /** Encrypted JSON. */
  contact: string | null
  /** Keyed hash, to limit the open quotes of one contact. */
  contact_hash: string | null
  /** Keyed hash of the address that asked for the price, which changes daily. */
  address_hash: string | null
  /** SHA-256 of the code in the address of the customer's page. */
  token_hash: string | null
  valid_until: number
  arrived_at: number | null
  /** JSON of the author. */
  arrived_by: string | null
  ended_at: number | null
  note: string | null
  appraisal_id: string | null
  /** JSON: what became of it at the counter. */
  settlement: string | null
}

/** A share code on a printed receipt: its holder sees selected parts of the appraisal. */
export interface AppraisalShareTable {
  token_hash: string
  id: string
  organization_id: string
  appraisal_id: string
  /** JSON list of the visible parts. */
  shared_facts: string
  created_at: number
  created_by: string
  revoked_at: number | null
  /** Of the shop; null: UTC. */
  time_zone: string | null
}

/** A recorded appraisal. Its id sorts by time. */
export interface AppraisalTable {
  organization_id: string
  id: string
  /** The caller's reference; empty if none. */
  reference: string
  /** `list` while it is a row of a device list that has no outcome, whatever its decision: no offer of the day. */
  decision: string
  /** Empty if unknown. */
  device_id: string
  created_at: number
  /** The JSON of `data` in the response, without the outcome. */
  response: string
  /** Status of the outcome; empty while it is open. */
  outcome: Generated<string>
  /** Counts the changes of the outcome; negative is rejected, which a change of an outcome that is out of date uses. */
  outcome_revision: Generated<number>
}

/** An identifier of an appraised device; one row for each IMEI. */
export interface AppraisalIdentifierTable {
  organization_id: string
  /** Normalized identifier. */
  identifier_key: string
  appraisal_id: string
  /** The agreed offer, else the recommended one; null without an offer. */
  offer: number | null
  currency: string
  /** Whether the appraisal was saved as not bought. */
  is_declined: SqlBoolean
  /** JSON of the author. */
  created_by: string
  created_at: number
}

/** A bought device. Prices and days of its purchase and sale are those of the outcome. */
export interface StockItemTable {
  organization_id: string
  appraisal_id: string
  /** Counted up per organization; it stays with the device when an outcome is removed and recorded again. */
  number: number
  /** `removed`: its purchase was withdrawn. */
  status: 'in_stock' | 'sold' | 'removed'
  device_name: string
  grade: string | null
  /** JSON list of codes. */
  defects: string
  /** As sent; null if it was not checked. */
  identifier: string | null
  second_identifier: string | null
  /** When the purchase was recorded. */
  bought_at: number
  /** JSON of the author. */
  bought_by: string
  sold_at: number | null
  sold_by: string | null
  /** In minor units of the currency of the purchase, as the costs. */
  asking_price: number | null
  location: string | null
  /** For whom it is kept; null if for nobody. */
  reserved_for: string | null
  /** JSON list. */
  costs: string
  updated_at: number
}

/** Devices bought of one seller at once. Its lines are the outcomes that name it. */
export interface PurchaseTable {
  organization_id: string
  /** Sorts by time, such as `P-260302-7K3MXQ`. */
  id: string
  /** Day. */
  bought_on: string
  currency: string
  /** The device list whose rows were bought; null without one. */
  list_id: string | null
  /** JSON of the author. */
  created_by: string
  created_at: number
}

/** The person who sold a bought device. Rows are versions: a correction adds one, and no row is overwritten. */
export interface SellerRecordTable {
  organization_id: string
  /** In the order in which they were recorded. */
  id: string
  appraisal_id: string
  /** The purchase that the device belonged to. */
  purchase_id: string | null
  /** `person` or `company`. */
  kind: string
  /** Counts up per appraisal. */
  version: number
  /** `current`, `replaced` by a later version, or `withdrawn` with its purchase. */
  status: string
  /** Keyed hash of the document number, else of name and date of birth. */
  person_key: string
  /** JSON, encrypted. */
  document: string
  /** Keyed hash of all that was sent, by which a repeated request changes nothing. */
  digest: string
  /** The images of this record; devices of one purchase have them in common. */
  photos_id: string | null
  /** Day and price of the purchase; those of the current version follow its corrections. */
  bought_on: string
  bought_price: number
  bought_currency: string
  /** JSON of the author. */
  created_by: string
  created_at: number
  ended_at: number | null
}

/** Outcome of an appraised device. Days are YYYY-MM-DD, prices minor units of the currency in the next column. */
export interface AppraisalOutcomeTable {
  organization_id: string
  appraisal_id: string
  status: string
  bought_price: number | null
  bought_currency: string | null
  bought_on: string | null
  sold_price: number | null
  sold_currency: string | null
  sold_on: string | null
  sold_channel: string | null
  declined_by: string | null
  declined_on: string | null
  note: string | null
  /** JSON of the author who recorded it first. */
  created_by: string
  updated_at: number
  /** The purchase it belongs to; null unless bought. */
  purchase_id: string | null
  /** Empty if unknown. */
  device_id: string
  /** Configuration that the prices are observations of; null if they are none, such as for a device with defects. */
  configuration: string | null
  variant_id: string | null
  grade: string | null
  market: string | null
  /** The prices in US cents. */
  bought_cents: number | null
  sold_cents: number | null
  /** A person said that the prices are right although they are far from what is known. */
  price_released: SqlBoolean
  /** Currency of the forecast, which is that of the appraisal. */
  currency: string
  /** Whether the forecast is based on simulated data. */
  is_sample: SqlBoolean
  forecast_offer: number | null
  forecast_sale: number | null
  /** 80 % interval of the sale price. */
  forecast_sale_low: number | null
  forecast_sale_high: number | null
  /** Costs between purchase and sale. */
  forecast_costs: number | null
  /** How far the profit may fall below its median, by the 80 % interval. */
  forecast_downside: number | null
}

/** An observed price: the newest of each listing. Repeated values are normalized into the tables below. */
export interface ObservationTable {
  source_id: number
  /** The source's id, or a hash of the row. */
  listing_id: string
  subject_id: number
  terms_id: number
  cents: number
  observed_at: number
  listed_at: number | null
  /** The import it belongs to; null for prices from the API. */
  import_id: number | null
}

/** A price that an import replaced by a newer one of the same listing; undoing that import brings it back. */
export interface ReplacedObservationTable extends ObservationTable {
  replaced_by: number
}

export interface ObservationSourceTable {
  id: Generated<number>
  name: string
  /** The organization whose own prices these are; empty for the common market. */
  organization_id: string
}

/** The device configuration of an observation. */
export interface ObservationSubjectTable {
  id: Generated<number>
  device_id: string
  /** The attributes that determine the price, such as storage. */
  configuration: string
  /** Empty if the row fits several variants that differ only in colour. */
  variant_id: string
  /** The organization whose own prices these are; empty for the common market. */
  organization_id: string
}

/** The kind of price of an observation. */
export interface ObservationTermsTable {
  id: Generated<number>
  side: string
  /**
   * `New`, one of the four grades or `Ungraded`; `damaged`, `broken` or `dead` for defective devices, whose prices never
   * enter those of working grades.
   */
  grade: string
  label: string
  lock: string
  /** Original currency. */
  paid_in: string
  state: string
  /** Code of the country's market. */
  market: string
}

/** A subscription of an organization to changes of an identifier or a price. */
export interface WatchTable {
  id: string
  organization_id: string
  kind: 'identifier' | 'variant'
  /** Normalized identifier, or variant id. */
  subject: string
  /** Type allocation code of an IMEI, because lists can bar a whole code; empty otherwise. */
  tac: string
  /** As sent by the caller; empty for a variant. */
  identifier: string
  identifier_type: string
  /** The organization's reference; empty if none. */
  reference: string
  threshold_percent: number | null
  /** The price that changes are measured against. */
  last_cents: number | null
  /** Null for no end. */
  until: number | null
  created_at: number
}

/** A webhook endpoint of an organization. */
export interface WebhookEndpointTable {
  id: string
  organization_id: string
  url: string
  /** Event types, separated by spaces; empty for all. */
  types: string
  /** Encrypted. */
  secret: string
  /** Encrypted; deliveries are signed with it too until `previous_until`. */
  previous_secret: string | null
  previous_until: number | null
  /** Cursor: the last event that was queued for this endpoint. */
  cursor_revision: number
  cursor_ordinal: number
  created_at: number
  disabled_at: number | null
  disabled_reason: string | null
}

/** One event for one endpoint. */
export interface WebhookDeliveryTable {
  endpoint_id: string
  revision: number
  ordinal: number
  subject: string
  /** `waiting`: behind a pending delivery of the same subject. */
  state: 'pending' | 'waiting' | 'delivered' | 'failed'
  attempts: number
  next_at: number
  /** HTTP status of the last response; null if there was none. */
  status: number | null
  response: string
  created_at: number
  settled_at: number | null
}

/** A file that was uploaded. Its state follows from its job. */
export interface UploadTable {
  id: string
  organization_id: string
  /** Id of the account or the API key that sent it. */
  owner_id: string
  created_by: string
  format: string
  file: string
  bytes: number
  options: string
  preview: string | null
  /** The newest job of this upload: its check or its import. */
  job_id: string | null
  /** Discarded, replaced or expired: 1 if it is never imported. */
  is_discarded: SqlBoolean
  discard_reason: string | null
  created_at: number
}

/** Work that one process does in the background, and the record of it; imports only at present. */
export interface JobTable {
  id: string
  kind: 'command' | 'contribution' | 'upload-check' | 'upload' | 'feed'
  /** Upload id, feed name or lane of a command; empty for contributions. */
  subject: string
  format: string
  file: string
  /** Organization that alone may see it, beside the operator; null for jobs of the service. */
  organization_id: string | null
  state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
  /** How often a process started it. */
  attempts: number
  is_cancel_requested: SqlBoolean
  rows_read: number
  percent: number | null
  note: string | null
  /** JSON: counts and files of the import, or why it failed. */
  result: string
  created_at: number
  /** When its import began; null before, and for jobs that import nothing. */
  started_at: number | null
  finished_at: number | null
}

/** A list of devices that a supplier offers. */
type DeviceListTable = {
  organization_id: string
  id: string
  name: string
  supplier: string
  state: string
  /** SHA-256 of the file; empty if unknown. */
  file_hash: string
  /** Titles and fields of the columns as JSON. */
  layout: string
  created_by: string
  created_at: number
  updated_at: number
  /** Of the documents of its rows. */
  bytes: number
}

type DeviceListRowTable = {
  organization_id: string
  list_id: string
  line: number
  /** Empty if the row was not appraised. */
  appraisal_id: string
  /** Cells, corrections and questions as JSON. */
  document: string
}

/** A table whose rows are used elsewhere by name has a type of its own. */
export interface Schema {
  change: { topic: string; counter: number }
  /** Internal state, such as the loaded catalogue version. */
  setting: { name: string; value: string }
  /** Hash of a set-up code for the first owner; all are deleted once one is used. */
  setup_code: { hash: string; created_at: number }
  /** Requests per hour (since 1970) and latency bucket; see `src/usage/latency-buckets.ts`. */
  usage_hour: {
    organization_id: string
    hour: number
    key_id: string
    route: string
    status: number
    latency: number
    count: number
  }
  /** Recent requests, without parameters and bodies. */
  request_log: {
    id: string
    organization_id: string
    at: number
    key_id: string
    method: string
    route: string
    status: number
    duration_us: number
    request_id: string
  }
  /** The authenticator app of an account. */
  totp: {
    account_id: string
    /** See `src/lib/encryption.ts`. */
    encrypted_secret: string
    /** Null until the first correct code. */
    confirmed_at: number | null
    /** Time step of the last used code, against replays. */
    last_step: number | null
  }
  passkey: {
    /** Credential id. */
    id: string
    account_id: string
    name: string
    public_key: string
    counter: number
    transports: string
    created_at: number
    last_used_at: number | null
  }
  recovery_code: { hash: string; account_id: string }
  /** A pending challenge of a sign-in or a passkey registration. */
  challenge: {
    token_hash: string
    purpose: string
    account_id: string | null
    challenge: string
    expires_at: number
  }
  organization: OrganizationTable
  organization_sign_on: { organization_id: string; break_glass_account_id: string }
  /** A subject of an OpenID Connect issuer and the account of the organization that it signs in to. */
  oidc_identity: { organization_id: string; issuer: string; subject: string; account_id: string; created_at: number }
  api_key: ApiKeyTable
  device: DeviceTable
  variant: VariantTable
  observation: ObservationTable
  observation_source: ObservationSourceTable
  /** `is_local`: its prices say nothing about devices that are not in it. */
  observation_import: { id: Generated<number>; run_id: string; is_local: Generated<SqlBoolean> }
  replaced_observation: ReplacedObservationTable
  /** A title that a person assigned to a model; later imports of the organization use it. */
  title_alias: {
    /** Empty for the common market. */
    organization_id: string
    /** In lower case, without accents. */
    title: string
    /** A title or model name that the matcher recognises. */
    model: string
    created_at: number
  }
  observation_subject: ObservationSubjectTable
  observation_terms: ObservationTermsTable
  observed_device: {
    device_id: string
    /** The value of the `market` counter at the last change of its observations. */
    revision: number
  }
  /** Devices that an organization has prices of its own for. */
  organization_observed_device: {
    organization_id: string
    device_id: string
    /** The value of the market's change counter when its own prices last changed. */
    revision: number
  }
  /** US dollars per unit of a currency on a day. */
  exchange_rate: { currency: string; day: string; usd: number }
  market_fit: {
    trade: string
    method: string
    fitted_at: number
    observations: number
    document: string
    revision: number
  }
  tac: TacTable
  identifier_list: IdentifierListTable
  listed_identifier: ListedIdentifierTable
  job: JobTable
  /** CSV file with the rejected rows of an import that the leader ran, in pieces that follow their byte offset. */
  job_report: { job_id: string; at: number; content: string }
  feed: FeedTable
  feed_query: FeedQueryTable
  upload: UploadTable
  /** The bytes of an upload, in base64, until it is imported. */
  upload_part: { upload_id: string; at: number; bytes: number; content: string }
  lookup: LookupTable
  /** Row counts, because counting a million lookups is too slow for a page of fifty. */
  lookup_total: { organization_id: string; total: number }
  appraisal: AppraisalTable
  /** Number of appraisals per decision. */
  appraisal_total: { organization_id: string; decision: string; total: number }
  /** Number of appraisals per device. */
  appraised_device: { organization_id: string; device_id: string; total: number }
  /** An organization's buying policy where it differs from the default. */
  appraisal_policy: { organization_id: string; document: string; updated_at: number }
  purchase: PurchaseTable
  seller_record: SellerRecordTable
  /** Identifiers of devices in stock: of two purchases of one device at the same instant, only one gets the row. */
  stock_identity: { organization_id: string; identifier_key: string; appraisal_id: string }
  /** Photos of devices in stock as data URLs. */
  stock_photo: { organization_id: string; appraisal_id: string; id: string; bytes: number; image: string }
  /** Signature or photo of a seller as JSON, encrypted; apart, because lists do not read them. */
  seller_photo: { organization_id: string; photos_id: string; position: number; bytes: number; document: string }
  device_list: DeviceListTable
  device_list_row: DeviceListRowTable
  /** What words of device lists mean to an organization, as a JSON list. */
  device_list_words: { organization_id: string; document: string; words: number; updated_at: number }
  /** Price rules of an organization, as a JSON list with its currency. */
  price_rules: { organization_id: string; document: string; updated_at: number }
  appraisal_share: AppraisalShareTable
  appraisal_identifier: AppraisalIdentifierTable
  /** Words by which a search finds an appraisal and its stock item; some are stored backwards. */
  appraisal_word: { organization_id: string; word: string; appraisal_id: string }
  /** Keyed hashes of the words of a seller's name, by which a search finds the purchase. */
  seller_name: { organization_id: string; name_hash: string; appraisal_id: string }
  stock_item: StockItemTable
  quote: QuoteTable
  /** Number of recorded purchases. Its row is locked while a stock number is given out. */
  stock_total: { organization_id: string; total: number }
  appraisal_outcome: AppraisalOutcomeTable
  /** Texts that an organization prints on its receipts. */
  receipt_details: { organization_id: string; document: string; updated_at: number }
  /** The stored response to an `Idempotency-Key`. */
  idempotency: { organization_id: string; key: string; body_hash: string; created_at: number; response: string }
  /** Cached responses of identifier sources, shared by all organizations; never stores who asked. */
  source_cache: { source: string; key: string; facts: string; fetched_at: number }
  /** When an unknown type allocation code was first looked up. */
  tac_sighting: { tac: string; first_seen_at: number }
  /** A model that an organization confirmed for the TAC of one unit; an empty organization is the operator. */
  tac_confirmation: {
    tac: string
    organization_id: string
    device_id: string
    /** Hash of the identifier, so that a unit counts once. */
    unit: string
    confirmed_at: number
    /** The import run whose row paired identifier and model; null for devices in hand. */
    import_id: string | null
  }
  account: AccountTable
  /** Failed sign-ins per email address since the last success, also for unknown addresses. */
  sign_in_attempt: { address_hash: string; failures: number; blocked_until: number | null; attempted_at: number }
  /** The highest tier of an organization; without a row, the highest of all. */
  organization_tier: { organization_id: string; tier: string }
  session: {
    id: string
    token_hash: string
    account_id: string
    address: string
    agent: string
    created_at: number
    seen_at: number
    /** ID token of the issuer, encrypted; null if the session began with a password or passkey. */
    id_token: string | null
    /** Name of the shop device that it is on; null on a person's own. */
    shop_device: string | null
  }
  one_time_link: OneTimeLinkTable
  audit_entry: AuditEntryTable
  usage_count: UsageCountTable
  usage_peak: { organization_id: string; day: string; key_id: string; peak_per_minute: number }
  usage_writer: { id: string; batch: number; written_at: number }
  watch: WatchTable
  /** An event. Numbered in commit order, so that cursors skip nothing. */
  event: {
    id: string
    /** The value of the `events` counter when it was written. */
    revision: number
    /** Position within the same transaction. */
    ordinal: number
    /** Empty for all organizations. */
    organization_id: string
    type: string
    /** Events with the same subject are delivered in order. */
    subject: string
    data: string
    created_at: number
    /** Unique key of events that are written only once; null otherwise. */
    dedupe_key: string | null
  }
  webhook_endpoint: WebhookEndpointTable
  webhook_delivery: WebhookDeliveryTable
  repair_fact: RepairFactTable
  /** Fault counts from repair records; make and device id are empty if the records do not have them. */
  fault_count: { source: string; category: string; make: string; device_id: string; fault: string; seen: number }
}
