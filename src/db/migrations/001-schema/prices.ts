import type { DialectTypes } from './dialect-types.ts'

/** Observed prices, exchange rates and the fitted market. */
export const priceTables = ({ serial, byteOrderedText }: DialectTypes): string[] => [
  `create table observation_source (
    id ${serial} primary key,
    name text not null,
    organization_id text not null default '',
    unique (name, organization_id)
  )`,
  `create table observation_subject (
    id ${serial} primary key,
    device_id text not null,
    configuration text not null,
    variant_id text not null,
    organization_id text not null default '',
    unique (organization_id, device_id, configuration, variant_id)
  )`,
  `create table observation_terms (
    id ${serial} primary key,
    side text not null,
    grade text not null,
    label text not null,
    lock text not null,
    paid_in text not null,
    state text not null,
    market text not null default '',
    unique (side, grade, label, lock, paid_in, state, market)
  )`,
  `create table observation_import (
    id ${serial} primary key,
    run_id text not null unique,
    is_local integer not null default 0
  )`,
  `create table observation (
    source_id integer not null,
    listing_id ${byteOrderedText} not null,
    subject_id integer not null,
    terms_id integer not null,
    cents integer not null,
    observed_at bigint not null,
    listed_at bigint,
    import_id integer,
    primary key (source_id, listing_id)
  )`,
  'create index observation_newest on observation (subject_id, source_id, terms_id, observed_at)',
  `create table replaced_observation (
    replaced_by integer not null,
    source_id integer not null,
    listing_id ${byteOrderedText} not null,
    subject_id integer not null,
    terms_id integer not null,
    cents integer not null,
    observed_at bigint not null,
    listed_at bigint,
    import_id integer,
    primary key (replaced_by, source_id, listing_id)
  )`,
  'create index replaced_observation_import on replaced_observation (import_id, source_id, listing_id)',
  `create table observed_device (
    device_id text primary key,
    revision bigint not null
  )`,
  'create index observed_device_by_revision on observed_device (revision)',
  `create table organization_observed_device (
    organization_id text not null,
    device_id text not null,
    revision bigint not null,
    primary key (organization_id, device_id)
  )`,
  'create index organization_observed_device_revision on organization_observed_device (revision)',
  `create table exchange_rate (
    currency text not null,
    day text not null,
    usd double precision not null,
    primary key (currency, day)
  )`,
  `create table market_fit (
    trade text primary key,
    method text not null,
    fitted_at bigint not null,
    observations bigint not null,
    document text not null,
    revision bigint not null
  )`,
]
