/** State of the service itself. */
export const serviceTables: readonly string[] = [
  `create table change (
    topic text primary key,
    counter bigint not null
  )`,
  `create table setting (
    name text primary key,
    value text not null
  )`,
  `create table setup_code (
    hash text primary key,
    created_at bigint not null
  )`,
]
