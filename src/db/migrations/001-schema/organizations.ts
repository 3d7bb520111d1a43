/** Organizations, their keys and audit trail. */
export const organizationTables: readonly string[] = [
  `create table organization (
    id text primary key,
    name text not null,
    limit_per_minute integer,
    created_at bigint not null,
    second_factor_required integer not null default 0,
    market text,
    is_common_source integer not null default 0,
    monthly_quota bigint,
    is_quota_hard integer not null default 0,
    uses_deals integer not null default 1,
    seller_record text not null default 'off',
    seller_retention_days integer,
    shows_developer_pages integer not null default 0,
    till_idle_minutes integer,
    session_idle_days integer,
    session_days integer,
    shop_device_hours integer,
    trade_in text,
    trade_in_slug text
  )`,
  'create unique index organization_by_trade_in_slug on organization (trade_in_slug)',
  `create table organization_tier (
    organization_id text primary key references organization(id),
    tier text not null
  )`,
  `create table organization_sign_on (
    organization_id text primary key,
    break_glass_account_id text not null
  )`,
  `create table api_key (
    id text primary key,
    organization_id text not null references organization(id),
    tier text not null,
    name text not null,
    hash text not null unique,
    last_four text not null,
    created_at bigint not null,
    expires_at bigint,
    last_used_at bigint,
    revoked_at bigint,
    rotated_from text,
    revision bigint not null,
    rights text not null default '',
    limit_per_minute integer,
    allowed_networks text,
    created_by text
  )`,
  'create index api_key_by_organization on api_key (organization_id)',
  'create index api_key_by_revision on api_key (revision)',
  `create table audit_entry (
    id text primary key,
    organization_id text not null,
    account_id text,
    who text not null,
    action text not null,
    subject text not null,
    detail text not null,
    created_at bigint not null
  )`,
  'create index audit_entry_by_organization on audit_entry (organization_id, id)',
  `create table idempotency (
    organization_id text not null,
    key text not null,
    body_hash text not null,
    created_at bigint not null,
    response text not null,
    primary key (organization_id, key)
  )`,
  'create index idempotency_by_age on idempotency (created_at)',
]
