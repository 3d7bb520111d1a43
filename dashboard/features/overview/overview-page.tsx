import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { formatCount, formatRelativeTime } from '../../format.ts'
import { useOperation } from '../../queries.ts'
import { useHasRole, useSession } from '../../session.tsx'
import { TierBadge } from '../../ui/badge.tsx'
import { DayBars } from '../../ui/charts/lazy-charts.tsx'
import { Card } from '../../ui/page.tsx'
import { EmptyState, QueryView } from '../../ui/states.tsx'
import { actorName, describeActivity, withoutBeginnings } from '../activity/describe-activity.ts'
import { useUsageByKey } from '../usage/usage-by-key.ts'
import { daysUpTo, groupSeries, isApiKeyRow } from '../usage/usage-series.ts'
import { AttentionCard } from './attention-card.tsx'
import { CounterHome } from './counter-home.tsx'
import { QuickStart } from './quick-start.tsx'
import { RecentWork } from './recent-work.tsx'
import { TodayFigures } from './today-figures.tsx'

export function OverviewPage() {
  const isManager = useHasRole('manager')
  return (
    <>
      <CounterHome />
      <TodayFigures />
      {isManager ? <AttentionCard /> : null}
      <RecentWork />
      {isManager ? <ApiOverview /> : null}
    </>
  )
}

/** Usage, keys and activity, for managers. */
function ApiOverview() {
  const { t } = useTranslation('overview')
  const session = useSession()
  const usage = useUsageByKey()
  const keys = useOperation('GET /api/manage/keys', {})
  const activity = useOperation('GET /api/manage/audit', {})
  const { organization } = session
  if (!organization) return null
  return (
    <>
      <div className="section-head">
        <h2>{organization.name}</h2>
        <p className="muted">
          <Trans
            t={t}
            i18nKey="api.tier"
            count={organization.limits[organization.tier]}
            components={{ tier: <TierBadge tier={organization.tier} /> }}
          />
        </p>
      </div>
      <Card title={t('api.requests')} action={<Link to="/dashboard/usage">{t('api.allUsage')}</Link>}>
        <QueryView query={usage} skeletonLines={6}>
          {(data) => {
            const days = daysUpTo(data.to, 30)
            const byKeys = groupSeries((data.by_key?.rows ?? []).filter(isApiKeyRow), days, (row) => row.route)
            return byKeys.length === 0 ? (
              <>
                <p className="muted">{t('api.none')}</p>
                <QuickStart />
              </>
            ) : (
              <DayBars label={t('api.perDay')} days={days} series={byKeys} />
            )
          }}
        </QueryView>
      </Card>
      <div className="columns">
        <Card title={t('api.keys')} action={<Link to="/dashboard/keys">{t('api.allKeys')}</Link>}>
          <QueryView query={keys}>
            {(all) => {
              const live = all.filter((key) => key.state === 'active' || key.state === 'ending')
              return live.length === 0 ? (
                <EmptyState title={t('api.noKeys')} />
              ) : (
                <ul className="plain-list">
                  {live.slice(0, 6).map((key) => (
                    <li key={key.id}>
                      <span>
                        <strong>{key.name}</strong>{' '}
                        <code>
                          {key.prefix}…{key.last_four}
                        </code>
                      </span>
                      <span className="muted">
                        {key.last_used_at === null
                          ? t('api.unused')
                          : t('api.used', { when: formatRelativeTime(key.last_used_at) })}
                      </span>
                    </li>
                  ))}
                  {live.length > 6 ? (
                    <li className="muted">{t('api.more', { number: formatCount(live.length - 6) })}</li>
                  ) : null}
                </ul>
              )
            }}
          </QueryView>
        </Card>
        <Card title={t('api.activity')} action={<Link to="/dashboard/activity">{t('api.allActivity')}</Link>}>
          <QueryView query={activity}>
            {(entries) => (
              <ul className="plain-list">
                {withoutBeginnings(entries)
                  .slice(0, 6)
                  .map((entry) => (
                    <li key={entry.id}>
                      <span>
                        <strong>{actorName(entry)}</strong> {describeActivity(entry)}
                      </span>
                      <span className="muted">{formatRelativeTime(entry.at)}</span>
                    </li>
                  ))}
                {entries.length === 0 ? <li className="muted">{t('api.noActivity')}</li> : null}
              </ul>
            )}
          </QueryView>
        </Card>
      </div>
    </>
  )
}
