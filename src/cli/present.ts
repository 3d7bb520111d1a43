/**
 * JSON of the command line, in the style of the API: snake_case names and ISO times. Tables are formatted from it, so that
 * commands print the same of the database and of a running service.
 */
import type * as wire from '../../client/src/index.ts'
import type { ApiKey, Organization } from '../auth/auth-store.ts'
import type { FeedOverview } from '../import/feeds/feed-schedule.ts'
import type { ImportRun } from '../import/import-run-store.ts'
import { formatItemTable } from '../lib/text-table.ts'
import { formatMinute, isoInstant, isoInstantOrNull } from '../lib/time.ts'
import type { PersonOverview } from '../people/person-store.ts'

export function presentOrganization(organization: Organization) {
  const { id, name, tier, limitPerMinute, market, isCommonSource, createdAt } = organization
  return {
    id,
    name,
    tier,
    limit_per_minute: limitPerMinute,
    market,
    common_source: isCommonSource,
    created_at: isoInstant(createdAt),
  }
}

export type OrganizationJson = ReturnType<typeof presentOrganization>

export const organizationFromApi = ({ quota: _, ...organization }: wire.Organization): OrganizationJson => organization

export function presentPerson(person: PersonOverview) {
  return {
    id: person.id,
    email: person.email,
    name: person.name,
    organizations: person.memberships.map(({ organizationId, role }) => ({ id: organizationId, role })),
    created_at: isoInstant(person.createdAt),
    last_seen_at: isoInstantOrNull(person.seenAt),
  }
}

export type PersonJson = ReturnType<typeof presentPerson>

export function memberFromApi(member: wire.Member, organizationId: string): PersonJson {
  return {
    id: member.id,
    email: member.email,
    name: member.name,
    organizations: [{ id: organizationId, role: member.role }],
    created_at: member.joined_at,
    last_seen_at: member.seen_at,
  }
}

export function presentKey(key: ApiKey) {
  return {
    id: key.id,
    organization_id: key.organizationId,
    tier: key.tier,
    may: key.rights,
    name: key.name,
    last_four: key.lastFour,
    created_at: isoInstant(key.createdAt),
    expires_at: isoInstantOrNull(key.expiresAt),
    last_used_at: isoInstantOrNull(key.lastUsedAt),
    revoked_at: isoInstantOrNull(key.revokedAt),
    rotated_from: key.rotatedFrom,
    limit_per_minute: key.limitPerMinute,
    allowed_addresses: key.allowedNetworks ?? [],
  }
}

export type KeyJson = ReturnType<typeof presentKey>

export const keyFromApi = ({ rights, prefix: _, state: __, created_by: ___, ...key }: wire.ApiKey): KeyJson => ({
  ...key,
  may: rights,
})

export function presentFeed(feed: FeedOverview) {
  return {
    name: feed.name,
    format: feed.format,
    url: feed.address,
    schedule: feed.cron,
    time_zone: feed.timeZone,
    started_at: isoInstantOrNull(feed.startedAt),
    finished_at: isoInstantOrNull(feed.finishedAt),
    outcome: feed.outcome,
    succeeded_at: isoInstantOrNull(feed.succeededAt),
    failed_at: isoInstantOrNull(feed.failedAt),
    failure: feed.failure,
    failures: feed.failures,
    next_run_at: isoInstantOrNull(feed.nextAt),
  }
}

export type FeedJson = ReturnType<typeof presentFeed>

/** Address and failure are shown to the operator only. */
export const feedFromApi = (feed: wire.Feed): FeedJson => ({
  name: feed.name,
  format: feed.format,
  url: feed.url ?? '',
  schedule: feed.schedule,
  time_zone: feed.time_zone,
  started_at: feed.last_run_at,
  finished_at: feed.finished_at ?? null,
  outcome: feed.outcome,
  succeeded_at: feed.last_success_at,
  failed_at: feed.last_failure_at,
  failure: feed.failure ?? null,
  failures: feed.failures ?? 0,
  next_run_at: feed.next_run_at,
})

export function feedTable(feeds: readonly FeedJson[]): string {
  const formatTime = (at: string | null) => (at === null ? '-' : `${minuteOf(at)} UTC`)
  return formatItemTable(feeds, {
    FEED: ({ name }) => name,
    FORMAT: ({ format }) => format,
    SCHEDULE: ({ schedule }) => schedule ?? '-',
    'LAST RUN': (feed) => formatTime(feed.started_at),
    OUTCOME: ({ outcome }) => outcome ?? '-',
    'NEXT RUN': (feed) => formatTime(feed.next_run_at),
    'LAST FAILURE': (feed) => (feed.failed_at === null ? '-' : `${formatTime(feed.failed_at)}: ${feed.failure ?? ''}`),
  })
}

export function presentRun(run: ImportRun) {
  return {
    id: run.id,
    format: run.format,
    file: run.file,
    started_at: isoInstant(run.startedAt),
    finished_at: isoInstantOrNull(run.finishedAt),
    state: run.state,
    counts: run.counts,
    failure: run.failure,
  }
}

export type ImportRunJson = ReturnType<typeof presentRun>

export function importTable(runs: readonly ImportRunJson[]): string {
  return formatItemTable(runs, {
    ID: ({ id }) => id,
    IMPORT: ({ format }) => format,
    STARTED: (run) => `${minuteOf(run.started_at)} UTC`,
    TOOK: ({ started_at: start, finished_at: end }) =>
      end === null ? '-' : `${((Date.parse(end) - Date.parse(start)) / 1000).toFixed(1)} s`,
    STATE: ({ state }) => state,
    FILE: ({ file }) => file,
    RESULT({ state, failure, counts: { rows = 0, rejected = 0 } }) {
      const counts = `${rows.toLocaleString('en')} rows, ${rejected.toLocaleString('en')} rejected`
      return state === 'done' ? counts : (failure ?? '-')
    },
  })
}

export const minuteOf = (instant: string) => formatMinute(Date.parse(instant))
