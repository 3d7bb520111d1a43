import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { type ActivityWire, AUDIT_AREAS } from '../../../src/contract/audit.ts'
import type { CursorMeta } from '../../../src/contract/paging.ts'
import { addDays } from '../../../src/lib/time.ts'
import { formatTime } from '../../format.ts'
import { browserTimeZone, localDay } from '../../local-day.ts'
import { useApiQuery } from '../../queries.ts'
import { useFilters } from '../../search-params.ts'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { CursorPagination } from '../../ui/pagination.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Select } from '../../ui/select.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { actorName, describeActivity, withoutBeginnings } from './describe-activity.ts'

/** In days. */
const PERIODS = ['1', '7', '30', '365'] as const

export function ActivityPage() {
  const { t } = useTranslation('activity')
  const [query, change] = useFilters()
  const parameters = new URLSearchParams()
  for (const name of ['who', 'kind', 'after']) {
    const value = query.get(name)
    if (value) parameters.set(name, value)
  }
  const period = PERIODS.find((days) => days === query.get('days'))
  if (period) {
    parameters.set('from', addDays(localDay(), 1 - Number(period)))
    parameters.set('time_zone', browserTimeZone())
  }
  const result = useApiQuery(`/account/activity?${parameters}`)
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <Filters />
      <Card>
        <QueryView query={result} skeletonLines={8}>
          {(entries, { meta }) => (
            <>
              {entries.length === 0 ? (
                <EmptyState title={t(parameters.size > 0 ? 'noMatch' : 'none')} />
              ) : (
                <DataTable label={t('title')} head={[t('time'), t('user'), t('action')]}>
                  {withoutBeginnings(entries).map((entry) => (
                    <ActivityRow key={entry.id} entry={entry} />
                  ))}
                </DataTable>
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
      </Card>
    </>
  )
}

function ActivityRow({ entry }: { entry: ActivityWire }) {
  const { t } = useTranslation('activity')
  const name = actorName(entry)
  return (
    <tr>
      <td data-label={t('time')} className="nowrap">
        {formatTime(entry.at)}
      </td>
      <td data-label={t('user')}>
        <span>
          {name}
          {name === entry.who ? null : <span className="muted block">{entry.who}</span>}
        </span>
      </td>
      <td data-label={t('action')}>
        <span>
          {describeActivity(entry)}{' '}
          {entry.action.startsWith('appraisal.') && entry.subject_name ? (
            <Link to={`/dashboard/appraisals/${entry.subject}`}>{t('view')}</Link>
          ) : null}
        </span>
      </td>
    </tr>
  )
}

function Filters() {
  const { t } = useTranslation('activity')
  const [query, change] = useFilters()
  const members = useApiQuery('/account/members').data?.data.members ?? []
  const choose = (name: string, value: string) => change({ [name]: value, after: '' }, { replace: true })
  return (
    <div className="filters">
      <Select
        aria-label={t('user')}
        value={query.get('who') ?? ''}
        options={[
          ['', t('filter.everyone')],
          ...members.map(({ name, email }) => [email, name || email] as const),
          ['command line', t('who.commandLine')],
          ['API key', t('who.keys')],
          ['feed', t('who.feeds')],
        ]}
        onValueChange={(value) => choose('who', value)}
      />
      <Select
        aria-label={t('filter.kind')}
        value={query.get('kind') ?? ''}
        options={[['', t('filter.allKinds')], ...AUDIT_AREAS.map((area) => [area, t(`area.${area}`)] as const)]}
        onValueChange={(value) => choose('kind', value)}
      />
      <Select
        aria-label={t('filter.period')}
        value={query.get('days') ?? ''}
        options={[['', t('filter.allTime')], ...PERIODS.map((days) => [days, t(`period.${days}`)] as const)]}
        onValueChange={(value) => choose('days', value)}
      />
    </div>
  )
}
