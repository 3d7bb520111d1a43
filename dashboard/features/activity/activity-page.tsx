import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { type ActivityWire, AUDIT_AREAS } from '../../../src/contract/audit.ts'
import type { CursorMeta } from '../../../src/contract/paging.ts'
import { addDays } from '../../../src/lib/time.ts'
import { formatClock, formatDayHeading, formatTime } from '../../format.ts'
import { browserTimeZone, localDay } from '../../local-day.ts'
import { useOperation } from '../../queries.ts'
import { pickParams, useFilters } from '../../search-params.ts'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { FilterSelect } from '../../ui/field.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { CursorPagination } from '../../ui/pagination.tsx'
import { EmptyState, QueryView } from '../../ui/states.tsx'
import { actorDetail, actorName, describeActivity, foldRepeats, withoutBeginnings } from './describe-activity.ts'

/** In days. */
const PERIODS = ['1', '7', '30', '365'] as const

export function ActivityPage() {
  const { t } = useTranslation('activity')
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <div className="filters">
        <PersonFilter />
        <KindAndPeriodFilters />
      </div>
      <ActivityDays names={['who', 'kind', 'after']} />
    </>
  )
}

/** For the operator: the activity of every organization, or of one that is chosen. */
export function AllActivityPage() {
  const { t } = useTranslation('activity')
  const [query] = useFilters()
  return (
    <>
      <PageHeader title={t('allTitle')} lead={t('allLead')} />
      <div className="filters">
        <OrganizationFilter />
        <KindAndPeriodFilters />
      </div>
      <ActivityDays
        names={['organization_id', 'kind', 'after']}
        fixed={query.get('organization_id') ? {} : { scope: 'all' }}
        hasOrganizations
      />
    </>
  )
}

/** One card per day with the entries that the filters of the page let through. */
function ActivityDays({
  names,
  fixed = {},
  hasOrganizations = false,
}: {
  /** Parameters of the page that the request has too. */
  names: readonly string[]
  fixed?: Readonly<Record<string, string>>
  hasOrganizations?: boolean
}) {
  const { t } = useTranslation('activity')
  const [query, change] = useFilters()
  const parameters = pickParams(query, names)
  const period = PERIODS.find((days) => days === query.get('days'))
  if (period) {
    parameters.set('from', addDays(localDay(), 1 - Number(period)))
    parameters.set('time_zone', browserTimeZone())
  }
  const result = useOperation('GET /api/manage/audit', { query: { ...Object.fromEntries(parameters), ...fixed } })
  return (
    <QueryView query={result} skeletonLines={8}>
      {(entries, { meta }) => (
        <>
          {entries.length === 0 ? (
            <Card>
              <EmptyState title={t(parameters.size > 0 ? 'noMatch' : 'none')} />
            </Card>
          ) : (
            byDay(withoutBeginnings(entries)).map(([day, entriesOfDay]) => (
              <Card key={day} title={formatDayHeading(day, localDay())}>
                <ol className="activity">
                  {foldRepeats(entriesOfDay).map((entries) => (
                    <ActivityGroup key={entries[0]?.id} entries={entries} hasOrganization={hasOrganizations} />
                  ))}
                </ol>
              </Card>
            ))
          )}
          {meta ? (
            <CursorPagination
              meta={meta as unknown as CursorMeta}
              isFirst={!query.get('after')}
              onChange={(after) => change({ after })}
            />
          ) : null}
        </>
      )}
    </QueryView>
  )
}

/** Entries by day in the time zone of the browser, in the same order. */
function byDay(entries: readonly ActivityWire[]): [string, ActivityWire[]][] {
  return [...Map.groupBy(entries, (entry) => localDay(new Date(entry.at)))]
}

/** Of many lines of a program the newest, and the others on demand. */
function ActivityGroup({ entries, hasOrganization }: { entries: readonly ActivityWire[]; hasOrganization: boolean }) {
  const { t } = useTranslation('activity')
  const [isOpen, setOpen] = useState(false)
  const [newest, ...others] = entries
  if (!newest) return null
  return (
    <>
      <ActivityItem entry={newest} hasOrganization={hasOrganization} />
      {isOpen ? (
        others.map((entry) => <ActivityItem key={entry.id} entry={entry} hasOrganization={hasOrganization} />)
      ) : others.length > 0 ? (
        <li className="activity-more">
          <Button variant="link" onClick={() => setOpen(true)}>
            {t('alike', { count: others.length })}
          </Button>
        </li>
      ) : null}
    </>
  )
}

function ActivityItem({ entry, hasOrganization }: { entry: ActivityWire; hasOrganization: boolean }) {
  const { t } = useTranslation('activity')
  const { organization } = useSession()
  const name = actorName(entry)
  return (
    <li>
      <time dateTime={entry.at} title={formatTime(entry.at)}>
        {formatClock(entry.at)}
      </time>
      <span className="avatar" aria-hidden="true">
        {name.charAt(0).toUpperCase()}
      </span>
      <p>
        <strong>{name}</strong> {describeActivity(entry)}{' '}
        {entry.action.startsWith('appraisal.') && entry.subject_name && entry.organization_id === organization.id ? (
          <Link to={`/dashboard/appraisals/${entry.subject}`}>{t('view')}</Link>
        ) : null}
      </p>
      <span className="muted breakable">
        {hasOrganization ? (entry.organization_name ?? entry.organization_id ?? t('allOrganizations')) : null}
        {hasOrganization && actorDetail(entry) ? ' · ' : null}
        {actorDetail(entry)}
      </span>
    </li>
  )
}

function PersonFilter() {
  const { t } = useTranslation('activity')
  const members = useOperation('GET /api/manage/members', {}).data?.data ?? []
  return (
    <FilterSelect
      param="who"
      label={t('user')}
      all={t('filter.everyone')}
      options={[
        ...members.map(({ name, email }) => [email, name || email] as const),
        ['command line', t('who.commandLine')],
        ['API key', t('who.keys')],
        ['feed', t('who.feeds')],
      ]}
    />
  )
}

function OrganizationFilter() {
  const { t } = useTranslation('activity')
  const organizations = useOperation('GET /api/manage/organizations', { query: { limit: 100 } }).data?.data ?? []
  return (
    <FilterSelect
      param="organization_id"
      label={t('filter.organization')}
      all={t('allOrganizations')}
      options={organizations.map(({ id, name }) => [id, name] as const)}
    />
  )
}

function KindAndPeriodFilters() {
  const { t } = useTranslation('activity')
  return (
    <>
      <FilterSelect
        param="kind"
        label={t('filter.kind')}
        all={t('filter.allKinds')}
        options={AUDIT_AREAS.map((area) => [area, t(`area.${area}`)] as const)}
      />
      <FilterSelect
        param="days"
        label={t('filter.period')}
        all={t('filter.allTime')}
        options={PERIODS.map((days) => [days, t(`period.${days}`)] as const)}
      />
    </>
  )
}
