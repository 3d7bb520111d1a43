import type { DialectTypes } from './dialect-types.ts'

/** Appraisals, their outcomes and share codes. */
export const appraisalTables = ({ byteOrderedText }: DialectTypes): readonly string[] => [
  `create table appraisal (
    organization_id text not null,
    id text not null,
    reference text not null,
    decision text not null,
    device_id text not null,
    created_at bigint not null,
    response text not null,
    outcome text not null default '',
    outcome_revision bigint not null default 0 check (outcome_revision >= 0),
    primary key (organization_id, id)
  )`,
  'create index appraisal_by_decision on appraisal (organization_id, decision, id)',
  'create index appraisal_by_device_id on appraisal (organization_id, device_id, id)',
  'create index appraisal_by_outcome on appraisal (organization_id, outcome, id)',
  'create index appraisal_by_reference on appraisal (organization_id, reference, id)',
  `create table appraisal_identifier (
    organization_id text not null,
    identifier_key text not null,
    appraisal_id text not null,
    offer bigint,
    currency text not null,
    is_declined integer not null,
    created_by text not null,
    created_at bigint not null,
    primary key (organization_id, identifier_key, appraisal_id)
  )`,
  'create index appraisal_identifier_by_age on appraisal_identifier (appraisal_id)',
  `create table appraisal_word (
    organization_id text not null,
    word ${byteOrderedText} not null,
    appraisal_id text not null,
    primary key (organization_id, word, appraisal_id)
  )`,
  'create index appraisal_word_by_age on appraisal_word (appraisal_id, organization_id, word)',
  `create table appraisal_total (
    organization_id text not null,
    decision text not null,
    total bigint not null,
    primary key (organization_id, decision)
  )`,
  `create table appraised_device (
    organization_id text not null,
    device_id text not null,
    total bigint not null,
    primary key (organization_id, device_id)
  )`,
  'create index appraised_device_by_total on appraised_device (organization_id, total desc, device_id)',
  `create table appraisal_outcome (
    organization_id text not null,
    appraisal_id text not null,
    status text not null,
    bought_price bigint,
    bought_currency text,
    bought_on text,
    sold_price bigint,
    sold_currency text,
    sold_on text,
    sold_channel text,
    declined_by text,
    declined_on text,
    note text,
    created_by text not null,
    updated_at bigint not null,
    device_id text not null,
    configuration text,
    variant_id text,
    grade text,
    market text,
    bought_cents bigint,
    sold_cents bigint,
    currency text not null,
    is_sample integer not null,
    forecast_offer bigint,
    forecast_sale bigint,
    forecast_sale_low bigint,
    forecast_sale_high bigint,
    forecast_costs bigint,
    forecast_downside bigint,
    primary key (organization_id, appraisal_id)
  )`,
  'create index appraisal_outcome_by_age on appraisal_outcome (appraisal_id)',
  'create index appraisal_outcome_by_bought_on on appraisal_outcome (organization_id, bought_on, appraisal_id)',
  'create index appraisal_outcome_by_declined_on on appraisal_outcome (organization_id, declined_on, appraisal_id)',
  'create index appraisal_outcome_by_device_id on appraisal_outcome (organization_id, device_id, appraisal_id)',
  'create index appraisal_outcome_by_sold_on on appraisal_outcome (organization_id, sold_on, appraisal_id)',
  'create index appraisal_outcome_by_status on appraisal_outcome (organization_id, status, appraisal_id)',
  `create table appraisal_share (
    token_hash text primary key,
    id text not null unique,
    organization_id text not null,
    appraisal_id text not null,
    shared_facts text not null,
    created_at bigint not null,
    created_by text not null,
    revoked_at bigint,
    time_zone text
  )`,
  'create index appraisal_share_by_age on appraisal_share (appraisal_id)',
  'create index appraisal_share_by_appraisal on appraisal_share (organization_id, appraisal_id, id)',
  `create table stock_item (
    organization_id text not null,
    appraisal_id text not null,
    number bigint not null,
    status text not null,
    device_name text not null,
    grade text,
    defects text not null,
    identifier text,
    second_identifier text,
    bought_at bigint not null,
    bought_by text not null,
    sold_at bigint,
    sold_by text,
    asking_price bigint,
    location text,
    costs text not null,
    updated_at bigint not null,
    primary key (organization_id, appraisal_id)
  )`,
  'create unique index stock_item_by_number on stock_item (organization_id, number)',
  'create index stock_item_by_status on stock_item (organization_id, status, number)',
  'create index stock_item_by_age on stock_item (appraisal_id)',
  `create table stock_identity (
    organization_id text not null,
    identifier_key text not null,
    appraisal_id text not null,
    primary key (organization_id, identifier_key)
  )`,
  'create index stock_identity_by_age on stock_identity (appraisal_id)',
  `create table stock_photo (
    organization_id text not null,
    appraisal_id text not null,
    id text not null,
    bytes bigint not null,
    image text not null,
    primary key (organization_id, appraisal_id, id)
  )`,
  'create index stock_photo_by_age on stock_photo (appraisal_id)',
  'create index stock_photo_sizes on stock_photo (organization_id, bytes)',
  `create table stock_total (
    organization_id text primary key,
    total bigint not null
  )`,
  `create table seller_record (
    organization_id text not null,
    appraisal_id text not null,
    person_key text not null,
    document text not null,
    photo_bytes bigint not null,
    created_by text not null,
    created_at bigint not null,
    primary key (organization_id, appraisal_id)
  )`,
  'create index seller_record_by_person on seller_record (organization_id, person_key)',
  'create index seller_record_by_created_at on seller_record (organization_id, created_at)',
  'create index seller_record_by_age on seller_record (appraisal_id)',
  'create index seller_record_sizes on seller_record (organization_id, photo_bytes)',
  `create table seller_name (
    organization_id text not null,
    name_hash text not null,
    appraisal_id text not null,
    primary key (organization_id, name_hash, appraisal_id)
  )`,
  'create index seller_name_by_age on seller_name (appraisal_id)',
  `create table seller_photos (
    organization_id text not null,
    appraisal_id text not null,
    document text not null,
    primary key (organization_id, appraisal_id)
  )`,
  'create index seller_photos_by_age on seller_photos (appraisal_id)',
  `create table appraisal_policy (
    organization_id text primary key,
    document text not null,
    updated_at bigint not null
  )`,
  `create table device_list (
    organization_id text not null,
    id text not null,
    name text not null,
    supplier text not null,
    state text not null,
    file_hash text not null,
    layout text not null,
    created_by text not null,
    created_at bigint not null,
    updated_at bigint not null,
    primary key (organization_id, id)
  )`,
  'create index device_list_by_file on device_list (organization_id, file_hash, id)',
  'create index device_list_by_age on device_list (id)',
  `create table device_list_row (
    organization_id text not null,
    list_id text not null,
    line bigint not null,
    appraisal_id text not null,
    document text not null,
    primary key (organization_id, list_id, line)
  )`,
  'create index device_list_row_by_appraisal on device_list_row (organization_id, appraisal_id)',
  'create index device_list_row_by_age on device_list_row (list_id)',
  `create table device_list_words (
    organization_id text primary key,
    document text not null,
    updated_at bigint not null
  )`,
  `create table price_rules (
    organization_id text primary key,
    document text not null,
    updated_at bigint not null
  )`,
  `create table receipt_details (
    organization_id text primary key,
    document text not null,
    updated_at bigint not null
  )`,
]
