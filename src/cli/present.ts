/** JSON of the command line, in the style of the API: snake_case names and ISO times. */
import type { ApiKey, Organization } from '../auth/auth-store.ts'
import type { FeedOverview } from '../import/feeds/feed-schedule.ts'
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

export function feedTable(feeds: readonly FeedOverview[]): string {
  const formatTime = (at: number | null) => (at === null ? '-' : `${formatMinute(at)} UTC`)
  return formatItemTable(feeds, {
    FEED: ({ name }) => name,
    FORMAT: ({ format }) => format,
    SCHEDULE: ({ cron }) => cron ?? '-',
    'LAST RUN': ({ startedAt }) => formatTime(startedAt),
    OUTCOME: ({ outcome }) => outcome ?? '-',
    'NEXT RUN': ({ nextAt }) => formatTime(nextAt),
    'LAST FAILURE': ({ failedAt, failure }) => (failedAt === null ? '-' : `${formatTime(failedAt)}: ${failure ?? ''}`),
  })
}
