/** Devices, variants, type allocation codes and repair facts. */
export const catalogueTables: readonly string[] = [
  `create table device (
    id text primary key,
    make text not null,
    category text not null,
    name text not null,
    released_on text,
    release_precision text,
    status text not null,
    document text not null,
    source text not null,
    provenance text not null,
    revision bigint not null
  )`,
  'create index device_by_change on device (revision, id)',
  `create table variant (
    id text primary key,
    device_id text not null references device(id),
    position integer not null,
    sku text not null,
    name text not null,
    list_cents integer not null,
    disabled integer not null,
    document text not null,
    source text not null,
    provenance text not null
  )`,
  'create index variant_by_device on variant (device_id)',
  `create table tac (
    tac text not null,
    device_id text,
    make text not null,
    model text not null,
    source text not null,
    confidence integer not null,
    primary key (tac, source, make, model)
  )`,
  'create index tac_by_source on tac (source)',
  `create table tac_sighting (
    tac text primary key,
    first_seen_at bigint not null
  )`,
  `create table tac_confirmation (
    tac text not null,
    organization_id text not null,
    device_id text not null,
    unit text not null,
    confirmed_at bigint not null,
    import_id text,
    primary key (tac, organization_id, device_id, unit)
  )`,
  'create index tac_confirmation_import on tac_confirmation (import_id)',
  'create index tac_confirmation_organization on tac_confirmation (organization_id)',
  `create table title_alias (
    organization_id text not null,
    title text not null,
    model text not null,
    created_at bigint not null,
    primary key (organization_id, title)
  )`,
  `create table repair_fact (
    level text not null,
    subject text not null,
    source text not null,
    document text not null,
    updated_at bigint not null,
    run_id text not null,
    primary key (level, subject, source)
  )`,
  `create table fault_count (
    source text not null,
    category text not null,
    make text not null,
    device_id text not null,
    fault text not null,
    seen integer not null,
    primary key (source, category, make, device_id, fault)
  )`,
]
