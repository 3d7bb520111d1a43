/** Jobs, uploads and feeds. */
export const importTables: readonly string[] = [
  `create table job (
    id text primary key,
    kind text not null,
    subject text not null,
    format text not null,
    file text not null,
    organization_id text,
    state text not null,
    attempts integer not null,
    is_cancel_requested integer not null,
    rows_read bigint not null,
    percent integer,
    note text,
    result text not null,
    created_at bigint not null,
    started_at bigint,
    finished_at bigint
  )`,
  `create table job_report (
    job_id text not null references job (id) on delete cascade,
    at bigint not null,
    content text not null,
    primary key (job_id, at)
  )`,
  'create index job_of_organization on job (organization_id, id)',
  'create index job_by_state on job (state, kind, id)',
  `create table upload (
    id text primary key,
    organization_id text not null,
    owner_id text not null,
    created_by text not null,
    format text not null,
    file text not null,
    bytes bigint not null,
    options text not null,
    preview text,
    job_id text,
    is_discarded integer not null,
    discard_reason text,
    created_at bigint not null
  )`,
  'create index upload_by_owner on upload (organization_id, owner_id, id)',
  'create index upload_by_job on upload (job_id)',
  `create table upload_part (
    upload_id text not null references upload (id) on delete cascade,
    at bigint not null,
    bytes integer not null,
    content text not null,
    primary key (upload_id, at)
  )`,
  `create table feed (
    name text primary key,
    added_at bigint not null,
    scheduled_at bigint not null,
    started_at bigint,
    finished_at bigint,
    outcome text,
    succeeded_at bigint,
    failed_at bigint,
    failure text,
    failures integer not null,
    settings_hash text,
    etag text,
    last_modified text,
    requests_on text,
    requests integer not null default 0,
    waits_until bigint
  )`,
  `create table feed_query (
    feed text not null,
    device_id text not null,
    fetched_at bigint not null,
    listings integer not null,
    primary key (feed, device_id)
  )`,
]
