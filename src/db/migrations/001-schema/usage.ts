/** Requests by organization, key and route. */
export const usageTables: readonly string[] = [
  `create table usage_count (
    organization_id text not null,
    day text not null,
    key_id text not null,
    route text not null,
    status integer not null,
    count bigint not null,
    primary key (organization_id, day, key_id, route, status)
  )`,
  'create index usage_count_by_day on usage_count (day)',
  `create table usage_hour (
    organization_id text not null,
    hour bigint not null,
    key_id text not null,
    route text not null,
    status integer not null,
    latency integer not null,
    count bigint not null,
    primary key (organization_id, hour, key_id, route, status, latency)
  )`,
  'create index usage_hour_by_hour on usage_hour (hour)',
  `create table usage_peak (
    organization_id text not null,
    day text not null,
    key_id text not null,
    peak_per_minute integer not null,
    primary key (organization_id, day, key_id)
  )`,
  'create index usage_peak_by_day on usage_peak (day)',
  `create table usage_writer (
    id text primary key,
    batch bigint not null,
    written_at bigint not null
  )`,
  `create table request_log (
    id text primary key,
    organization_id text not null,
    at bigint not null,
    key_id text not null,
    method text not null,
    route text not null,
    status integer not null,
    duration_us integer not null,
    request_id text not null
  )`,
  'create index request_log_by_organization on request_log (organization_id, id)',
]
