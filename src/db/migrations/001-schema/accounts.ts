/** Accounts, how they sign in and their sessions. Everything that belongs to an account is deleted with it. */
export const accountTables: readonly string[] = [
  `create table account (
    id text primary key,
    organization_id text not null references organization(id),
    email text not null,
    name text not null,
    role text not null,
    password_hash text,
    language text,
    created_at bigint not null,
    unique (organization_id, email)
  )`,
  'create index account_by_email on account (email)',
  `create table session (
    id text primary key,
    token_hash text not null unique,
    account_id text not null references account(id) on delete cascade,
    address text not null,
    agent text not null,
    created_at bigint not null,
    seen_at bigint not null,
    id_token text,
    shop_device text
  )`,
  'create index session_by_account on session (account_id)',
  `create table one_time_link (
    id text primary key,
    token_hash text not null unique,
    purpose text not null,
    organization_id text not null references organization(id),
    account_id text references account(id) on delete cascade,
    email text not null,
    role text,
    created_by text not null,
    created_at bigint not null,
    expires_at bigint not null,
    used_at bigint
  )`,
  'create index one_time_link_by_organization on one_time_link (organization_id)',
  'create index one_time_link_by_account on one_time_link (account_id)',
  `create table oidc_identity (
    organization_id text not null references organization(id),
    issuer text not null,
    subject text not null,
    account_id text not null references account(id) on delete cascade,
    created_at bigint not null,
    primary key (organization_id, issuer, subject)
  )`,
  'create index oidc_identity_by_account on oidc_identity (account_id)',
  `create table totp (
    account_id text primary key references account(id) on delete cascade,
    encrypted_secret text not null,
    confirmed_at bigint,
    last_step bigint
  )`,
  `create table passkey (
    id text primary key,
    account_id text not null references account(id) on delete cascade,
    name text not null,
    public_key text not null,
    counter bigint not null,
    transports text not null,
    created_at bigint not null,
    last_used_at bigint
  )`,
  'create index passkey_by_account on passkey (account_id)',
  `create table recovery_code (
    hash text primary key,
    account_id text not null references account(id) on delete cascade
  )`,
  'create index recovery_code_by_account on recovery_code (account_id)',
  `create table challenge (
    token_hash text primary key,
    purpose text not null,
    account_id text,
    challenge text not null,
    expires_at bigint not null
  )`,
  'create index challenge_by_age on challenge (expires_at)',
  `create table sign_in_attempt (
    address_hash text primary key,
    failures integer not null,
    blocked_until bigint,
    attempted_at bigint not null
  )`,
  'create index sign_in_attempt_by_age on sign_in_attempt (attempted_at)',
]
