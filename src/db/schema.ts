/** The rows as they are stored. Instants are epoch milliseconds, flags 0 or 1, documents JSON text. */

import type { Generated } from 'kysely'

export type SqlBoolean = 0 | 1

export interface ChangeTable {
  topic: string
  counter: number
}

/** Small facts the program keeps about itself, such as which catalogue it loaded. */
export interface SettingTable {
  name: string
  value: string
}

export interface OrganizationTable {
  id: string
  name: string
  /** Requests per minute of each of its keys, where they differ from the tier's. */
  limit_per_minute: number | null
  created_at: number
  /** Whether its people need a second factor. */
  second_factor_required: Generated<SqlBoolean>
  /** Code of its country's market; null: the service's. */
  market: string | null
  /** Whether its own prices also count in the common market, which the operator decides. */
  is_common_source: Generated<SqlBoolean>
}

export interface ApiKeyTable {
  id: string
  organization_id: string
  tier: string
  /** What the operator gave it beside its tier, separated by blanks. */
  rights: string
  name: string
  hash: string
  last_four: string
  created_at: number
  expires_at: number | null
  last_used_at: number | null
  revoked_at: number | null
  /** The key this one was made to succeed. */
  rotated_from: string | null
  /** The value of the access counter when the row last changed; every process reads on from the one it knows. */
  revision: number
  /** Requests per minute of this key, where its owner allows it fewer than there could be. */
  limit_per_minute: number | null
  /** The networks it may be used from, as a JSON list of CIDR texts; null for all. */
  allowed_networks: string | null
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
  /** The value of the catalogue's change counter when the row was written. */
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

/** A list that was imported; that it is there means its kind is covered. */
export interface IdentifierListTable {
  name: string
  kind: ListKind
  /** Identifiers on it now, cleared ones not counted. */
  entries: number
  imported_at: number
  /** Where its silence means something, as its operator said; null when it may only accuse. */
  area: string | null
  /** How many days after its import its silence still means something; null when it may only accuse. */
  max_age_days: number | null
}

export interface ListedIdentifierTable {
  list: string
  kind: ListKind
  /** First 14 characters of the identifier, upper case; the 8-digit TAC on a `barred_tac` list. */
  key14: string
  /** `blacklist` or `pending` on a stolen list, `barred` on barred lists, the registrar's own word on a registration list. */
  status: string
  /** Day of the report, where the list says it. */
  reported_on: string | null
  listed_at: number
  /** Taken off the list then. The row stays as history and counts for nothing else. */
  cleared_at: number | null
  /** The import that saw it last. */
  run_id: string
}

/** One run of an importer, so that an operator can see what was loaded when. */
export interface ImportRunTable {
  id: string
  format: string
  file: string
  started_at: number
  finished_at: number | null
  result: string
}

/** A list that is fetched by itself, and what came of it. What it is and when it is due stands in the operator's file. */
export interface FeedTable {
  name: string
  /** When a process first saw it in the file. */
  added_at: number
  /** When a process last took its turn, so that no other does; runs by hand do not count. */
  taken_at: number
  /** How often the turn was begun: again after a run that was cut off. */
  attempts: number
  started_at: number | null
  /** Null while it runs, and after a run that was cut off. */
  finished_at: number | null
  outcome: 'imported' | 'unchanged' | 'failed' | 'stopped' | null
  succeeded_at: number | null
  failed_at: number | null
  failure: string | null
  /** All that ever were. */
  failures: number
  /** Of the settings that `etag` and `last_modified` were gained with: with others the same list means something else. */
  settings_hash: string | null
  etag: string | null
  last_modified: string | null
}

export interface PersonTable {
  id: string
  /** Lower case. */
  email: string
  name: string
  /** Null until the person chose a password with a one-time link. */
  password_hash: string | null
  created_at: number
  /** When the address was last proven by a one-time link from the operator; null if never, or changed since. */
  email_proven_at: number | null
}

/** Passwords that were tried for an email address since the last right one, known address or not. */
export interface SignInAttemptTable {
  address_hash: string
  failures: number
  blocked_until: number | null
  attempted_at: number
}

export interface MembershipTable {
  organization_id: string
  person_id: string
  role: string
  created_at: number
}

/** The highest tier an organization's people may use; without a row it is the highest there is. */
export interface OrganizationTierTable {
  organization_id: string
  tier: string
}

export interface SessionTable {
  id: string
  token_hash: string
  person_id: string
  /** The organization the person is working in; decides what every request of the session sees. */
  organization_id: string | null
  address: string
  agent: string
  created_at: number
  seen_at: number
}

export interface OneTimeLinkTable {
  id: string
  token_hash: string
  purpose: 'sign_in' | 'invitation'
  email: string
  organization_id: string | null
  role: string | null
  created_by: string
  created_at: number
  expires_at: number
  used_at: number | null
}

/** A code for the first owner; only its hash, and only until one of them is used. */
export interface SetupCodeTable {
  hash: string
  created_at: number
}

/** The authenticator app of a person. */
export interface TotpTable {
  person_id: string
  /** See `src/lib/encryption.ts`. */
  sealed_secret: string
  /** Null until its first code was right. */
  confirmed_at: number | null
  /** The step of time whose code was used last; no step counts twice. */
  last_step: number | null
}

export interface PasskeyTable {
  /** The authenticator's own id of it. */
  id: string
  person_id: string
  name: string
  public_key: string
  counter: number
  transports: string
  created_at: number
  last_used_at: number | null
}

export interface RecoveryCodeTable {
  hash: string
  person_id: string
}

/** What somebody was asked a moment ago while signing in or adding a passkey. */
export interface ChallengeTable {
  token_hash: string
  purpose: string
  person_id: string | null
  organization_id: string | null
  challenge: string
  expires_at: number
}

/** Who did what in an organization. Rows are only ever added. */
export interface ActivityTable {
  id: string
  organization_id: string
  person_id: string | null
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

export interface UsagePeakTable {
  organization_id: string
  day: string
  key_id: string
  peak_per_minute: number
}

/** Requests of one hour, counted from 1970, by class of time; see `src/usage/latency-buckets.ts`. */
export interface UsageHourTable {
  organization_id: string
  hour: number
  key_id: string
  route: string
  status: number
  latency: number
  count: number
}

/** The requests of the last days one by one, without what was asked. */
export interface RequestLogTable {
  id: string
  organization_id: string
  at: number
  key_id: string
  method: string
  route: string
  status: number
  us: number
  request_id: string
}

export interface UsageWriterTable {
  id: string
  batch: number
  written_at: number
}

/** What an import said about a variant, a device, a line or a category: facts as a JSON list. */
export interface RepairFactTable {
  level: string
  subject: string
  source: string
  document: string
  updated_at: number
  run_id: string
}

/** Faults counted in records of repairs; an empty make or device id where the records did not say. */
export interface FaultCountTable {
  source: string
  category: string
  make: string
  device_id: string
  fault: string
  seen: number
}

/** One lookup as it was answered. Its id sorts by time. */
export interface LookupTable {
  organization_id: string
  id: string
  /** What all spellings of the identifier share. */
  identifier_key: string
  created_at: number
  /** The very JSON the caller got as `data`. */
  answer: string
}

/** Kept beside the lookups, because counting a million of them takes too long for a page of fifty. */
export interface LookupTotalTable {
  organization_id: string
  total: number
}

/** A code on a printed sheet that shows parts of an appraisal to whoever holds it. */
export interface AppraisalShareTable {
  token_hash: string
  id: string
  organization_id: string
  appraisal_id: string
  /** The facts that are shown, as a JSON list. */
  shown: string
  created_at: number
  created_by: string
  withdrawn_at: number | null
}

/** One appraisal as it was answered. Its id sorts by time. */
export interface AppraisalTable {
  organization_id: string
  id: string
  /** The caller's own number for the device; empty where there is none. */
  reference: string
  decision: string
  /** Empty while it is not known. */
  device_id: string
  created_at: number
  /** The very JSON the caller got as `data`. */
  answer: string
}

/** Appraisals by what was decided, kept beside them. */
export interface AppraisalTotalTable {
  organization_id: string
  decision: string
  total: number
}

/** Appraisals by the device, kept beside them. */
export interface AppraisedDeviceTable {
  organization_id: string
  device_id: string
  total: number
}

/** What an organization wants of a deal, where it differs from what holds for all. */
export interface AppraisalPolicyTable {
  organization_id: string
  document: string
  updated_at: number
}

/** The first answer to an `Idempotency-Key`. */
export interface IdempotencyTable {
  organization_id: string
  key: string
  body_hash: string
  created_at: number
  answer: string
}

/** What a provider said, for all organizations: facts about a device, never who asked. */
export interface SourceCacheTable {
  source: string
  key: string
  facts: string
  fetched_at: number
}

/** When a type allocation code that no list knows was first asked about. */
export interface TacSightingTable {
  tac: string
  first_seen_at: number
}

/** One price that was really named; the newest of each listing. What many of them share is named by number. */
export interface ObservationTable {
  source_id: number
  /** The source's own id, or one made of the row where it has none. */
  listing_id: string
  subject_id: number
  terms_id: number
  cents: number
  observed_at: number
  listed_at: number | null
  /** The import it came with; null for observations from before imports were recorded. */
  import_id: number | null
}

export interface ObservationImportTable {
  id: Generated<number>
  run_id: string
}

export interface ObservationSourceTable {
  id: Generated<number>
  name: string
  /** The organization whose own prices these are; empty for the common market. */
  organization_id: string
}

/** What was priced. */
export interface ObservationSubjectTable {
  id: Generated<number>
  device_id: string
  /** What of the variant moves the price; see `pricing/market/configuration.ts`. */
  configuration: string
  /** Empty where the row fits several variants that differ in colour alone. */
  variant_id: string
}

/** What kind of price it was. */
export interface ObservationTermsTable {
  id: Generated<number>
  side: string
  /** `New`, one of the four grades or `Ungraded`; `damaged`, `broken` or `dead` for defective devices, whose prices never enter those of working grades. */
  rung: string
  label: string
  lock: string
  /** The currency the amount came in. */
  paid_in: string
  state: string
  /** Code of the country's market; empty for prices from before markets. */
  market: string
}

export interface ObservedDeviceTable {
  device_id: string
  /** The value of the market's change counter when its observations last changed. */
  revision: number
}

/** Devices that an organization has prices of its own for. */
export interface OrganizationObservedDeviceTable {
  organization_id: string
  device_id: string
  /** The value of the market's change counter when its own prices last changed. */
  revision: number
}

/** What one unit of a currency was worth in US dollars on a day. */
export interface ExchangeRateTable {
  currency: string
  day: string
  usd: number
}

export interface MarketFitTable {
  trade: string
  method: string
  fitted_at: number
  observations: number
  document: string
  revision: number
}

/** Something an organization wants to be told of. */
export interface WatchTable {
  id: string
  organization_id: string
  kind: 'identifier' | 'variant'
  /** What all spellings of an identifier share, or the id of a variant. */
  subject: string
  /** The type allocation code of an IMEI, because lists can bar it as a whole; empty for all else. */
  tac: string
  /** As it was sent; empty for a variant. */
  identifier: string
  identifier_type: string
  /** The organization's own number; empty where there is none. */
  reference: string
  threshold_percent: number | null
  /** The price that a move is measured from. */
  last_cents: number | null
  /** Null without end. */
  until: number | null
  created_at: number
}

/** Something that happened. Its place is given in the order of the commits, so that who reads on misses nothing. */
export interface EventTable {
  /** The value of the counter of events when it was written. */
  revision: number
  /** Its number among those that were written with it. */
  ordinal: number
  /** Empty where it is for every organization. */
  organization_id: string
  type: string
  /** What it is about. Events about the same are delivered one after the other. */
  subject: string
  data: string
  created_at: number
  /** Of events that are written only once, what they are; null for all others. */
  once: string | null
}

/** Where events of an organization are sent. */
export interface WebhookEndpointTable {
  id: string
  organization_id: string
  url: string
  /** Types of events, separated by blanks; all of them when empty. */
  types: string
  /** Encrypted. */
  secret: string
  /** Encrypted; deliveries are signed with it too until `previous_until`. */
  previous_secret: string | null
  previous_until: number | null
  /** The place of the last event that deliveries were made of. */
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
  /** Of the last answer; null where there was none. */
  status: number | null
  answer: string
  created_at: number
  settled_at: number | null
}

export interface UploadTable {
  id: string
  organization_id: string
  person_id: string
  who: string
  format: string
  file: string
  bytes: number
  state: string
  /** 1 while it is being read, and null otherwise: unique, so that one is read at a time. */
  turn: number | null
  taken_at: number | null
  stop_asked: number
  options: string
  preview: string | null
  failure: string | null
  rows_read: number
  percent: number | null
  note: string | null
  run_id: string | null
  created_at: number
}

export interface Schema {
  change: ChangeTable
  setting: SettingTable
  setup_code: SetupCodeTable
  usage_hour: UsageHourTable
  request_log: RequestLogTable
  totp: TotpTable
  passkey: PasskeyTable
  recovery_code: RecoveryCodeTable
  challenge: ChallengeTable
  organization: OrganizationTable
  api_key: ApiKeyTable
  device: DeviceTable
  variant: VariantTable
  observation: ObservationTable
  observation_source: ObservationSourceTable
  observation_import: ObservationImportTable
  observation_subject: ObservationSubjectTable
  observation_terms: ObservationTermsTable
  observed_device: ObservedDeviceTable
  organization_observed_device: OrganizationObservedDeviceTable
  exchange_rate: ExchangeRateTable
  market_fit: MarketFitTable
  tac: TacTable
  identifier_list: IdentifierListTable
  listed_identifier: ListedIdentifierTable
  import_run: ImportRunTable
  feed: FeedTable
  upload: UploadTable
  lookup: LookupTable
  lookup_total: LookupTotalTable
  appraisal: AppraisalTable
  appraisal_total: AppraisalTotalTable
  appraised_device: AppraisedDeviceTable
  appraisal_policy: AppraisalPolicyTable
  appraisal_share: AppraisalShareTable
  idempotency: IdempotencyTable
  source_cache: SourceCacheTable
  tac_sighting: TacSightingTable
  person: PersonTable
  sign_in_attempt: SignInAttemptTable
  membership: MembershipTable
  organization_tier: OrganizationTierTable
  session: SessionTable
  one_time_link: OneTimeLinkTable
  activity: ActivityTable
  usage_count: UsageCountTable
  usage_peak: UsagePeakTable
  usage_writer: UsageWriterTable
  watch: WatchTable
  event: EventTable
  webhook_endpoint: WebhookEndpointTable
  webhook_delivery: WebhookDeliveryTable
  repair_fact: RepairFactTable
  fault_count: FaultCountTable
}
