/** People, how they sign in and their sessions. */
export const accountTables: readonly string[] = [
  `create table person (
    id text primary key,
    email text not null unique,
    name text not null,
    password_hash text,
    created_at bigint not null,
    email_proven_at bigint,
    language text
  )`,
  `create table membership (
    organization_id text not null references organization(id),
    person_id text not null references person(id),
    role text not null,
    created_at bigint not null,
    primary key (organization_id, person_id)
  )`,
  'create index membership_by_person on membership (person_id)',
  `create table session (
    id text primary key,
    token_hash text not null unique,
    person_id text not null references person(id),
    organization_id text,
    address text not null,
    agent text not null,
    created_at bigint not null,
    seen_at bigint not null,
    id_token text
  )`,
  'create index session_by_person on session (person_id)',
  `create table one_time_link (
    id text primary key,
    token_hash text not null unique,
    purpose text not null,
    email text not null,
    organization_id text,
    role text,
    created_by text not null,
    created_at bigint not null,
    expires_at bigint not null,
    used_at bigint
  )`,
  'create index one_time_link_by_organization on one_time_link (organization_id)',
  `create table oidc_identity (
    issuer text not null,
    subject text not null,
    person_id text not null,
    created_at bigint not null,
    primary key (issuer, subject)
  )`,
  'create index oidc_identity_by_person on oidc_identity (person_id)',
  `create table totp (
    person_id text primary key references person(id),
    encrypted_secret text not null,
    confirmed_at bigint,
    last_step bigint
  )`,
  `create table passkey (
    id text primary key,
    person_id text not null references person(id),
    name text not null,
    public_key text not null,
    counter bigint not null,
    transports text not null,
    created_at bigint not null,
    last_used_at bigint
  )`,
  'create index passkey_by_person on passkey (person_id)',
  `create table recovery_code (
    hash text primary key,
    person_id text not null references person(id)
  )`,
  'create index recovery_code_by_person on recovery_code (person_id)',
  `create table challenge (
    token_hash text primary key,
    purpose text not null,
    person_id text,
    organization_id text,
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
