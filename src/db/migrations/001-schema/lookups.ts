/** Identifier lists, lookups and cached responses of sources. */
export const lookupTables: readonly string[] = [
  `create table identifier_list (
    name text primary key,
    kind text not null,
    entries integer not null,
    imported_at bigint not null,
    area text,
    max_age_days integer
  )`,
  `create table listed_identifier (
    list text not null,
    kind text not null,
    key14 text not null,
    status text not null,
    reported_on text,
    listed_at bigint not null,
    cleared_at bigint,
    run_id text not null,
    primary key (list, key14)
  )`,
  'create index listed_identifier_by_key on listed_identifier (key14)',
  `create table lookup (
    organization_id text not null,
    id text not null,
    identifier_key text not null,
    second_identifier_key text,
    created_at bigint not null,
    response text not null,
    primary key (organization_id, id)
  )`,
  'create index lookup_by_identifier on lookup (organization_id, identifier_key, id)',
  `create index lookup_by_second_identifier on lookup (organization_id, second_identifier_key, id)
    where second_identifier_key is not null`,
  `create table lookup_total (
    organization_id text primary key,
    total bigint not null
  )`,
  `create table source_cache (
    source text not null,
    key text not null,
    facts text not null,
    fetched_at bigint not null,
    primary key (source, key)
  )`,
  'create index source_cache_by_age on source_cache (fetched_at)',
]
