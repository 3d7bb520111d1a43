import { useTranslation } from 'react-i18next'
import type { ApiUsageWire, UsageByKeyWire } from '../../../src/contract/usage.ts'
import { addDays, dayOf } from '../../../src/lib/time.ts'
import { formatCount, formatDay, formatPercent, formatPercentTenths } from '../../format.ts'
import { currentLanguage } from '../../i18n.ts'
import { useOperation } from '../../queries.ts'
import { useFilters } from '../../search-params.ts'
import { TierBadge } from '../../ui/badge.tsx'
import { DayBars } from '../../ui/charts/lazy-charts.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { DownloadButton } from '../../ui/download-button.tsx'
import { FilterSelect } from '../../ui/field.tsx'
import { Card, Fact, PageHeader } from '../../ui/page.tsx'
import { EmptyState, QueryView } from '../../ui/states.tsx'
import { HourlyUsageCards } from './hourly-usage-cards.tsx'
import { RequestLogCard } from './request-log-card.tsx'
import { StorageCard } from './storage-card.tsx'
import { daysUpTo, groupSeries, isApiKeyRow } from './usage-series.ts'

const SPANS = ['7', '30', '90'] as const
const GROUPS = ['endpoint', 'key_id', 'status'] as const
type Group = (typeof GROUPS)[number]
const CALLERS = ['keys', 'dashboard', 'all'] as const
const countsFor = (of: (typeof CALLERS)[number]) => (row: { key_id: string }) =>
  of === 'all' || isApiKeyRow(row) === (of === 'keys')

type Row = UsageByKeyWire['rows'][number]

const sumOf = (rows: readonly { readonly requests: number }[]) => rows.reduce((sum, row) => sum + row.requests, 0)
const lookupsIn = (rows: UsageByKeyWire['lookups']) => rows.reduce((sum, { count }) => sum + count, 0)

/** Days that usage is kept for. */
const KEPT_DAYS = 90

/** All usage that is kept, by key. */
const useUsageByKey = () =>
  useOperation('GET /api/usage', { query: { from: addDays(dayOf(Date.now()), 1 - KEPT_DAYS), include: 'keys' } })

export function UsagePage() {
  const { t } = useTranslation('usage')
  const result = useUsageByKey()
  const [query] = useFilters()
  const span = SPANS.find((option) => option === query.get('days')) ?? '30'
  const group = GROUPS.find((option) => option === query.get('by')) ?? 'endpoint'
  const of = CALLERS.find((option) => option === query.get('of')) ?? 'keys'
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')}>
        <FilterSelect
          label={t('caller.label')}
          value={of}
          options={CALLERS.map((option) => [option, t(`caller.${option}`)] as const)}
          param="of"
        />
        <DownloadButton route="GET /api/usage" request={{ query: { format: 'csv', language: currentLanguage() } }}>
          {t('download')}
        </DownloadButton>
        <FilterSelect
          label={t('period.label')}
          value={span}
          options={SPANS.map((option) => [option, t('period.days', { count: Number(option) })] as const)}
          param="days"
        />
      </PageHeader>
      <QueryView query={result} skeletonLines={8}>
        {(usage) => (
          <>
            {usage.quota ? <QuotaCard quota={usage.quota} /> : null}
            <StorageCard storage={usage.storage} />
            {usage.by_key && usage.by_key.from > usage.from ? (
              <p className="muted">{t('cut', { day: formatDay(usage.by_key.from) })}</p>
            ) : null}
            {usage.by_key ? (
              <UsageView
                usage={usage.by_key}
                lastDay={usage.to}
                span={Number(span)}
                group={group}
                counts={countsFor(of)}
              />
            ) : null}
          </>
        )}
      </QueryView>
    </>
  )
}

function QuotaCard({ quota }: { quota: NonNullable<ApiUsageWire['quota']> }) {
  const { t } = useTranslation('usage')
  const { used, monthly_requests: limit, is_hard: isHard, resets_at: resetsAt } = quota
  return (
    <Card title={t('quota.title')}>
      <p>
        <progress value={Math.min(used, limit)} max={limit} aria-label={t('quota.share')} />{' '}
        {t('quota.used', { used, count: limit, day: formatDay(resetsAt) })} {t(isHard ? 'quota.hard' : 'quota.soft')}
      </p>
    </Card>
  )
}

function UsageView({
  usage,
  lastDay,
  span,
  group,
  counts,
}: {
  usage: UsageByKeyWire
  lastDay: string
  span: number
  group: Group
  counts: (row: { key_id: string }) => boolean
}) {
  const { t } = useTranslation('usage')
  const days = daysUpTo(lastDay, span)
  const within = new Set(days)
  const rows = usage.rows.filter((row) => within.has(row.day) && counts(row))
  const total = sumOf(rows)
  const failed = sumOf(rows.filter((row) => row.status >= 400))
  const limited = sumOf(rows.filter((row) => row.status === 429))
  const lookups = usage.lookups.filter((lookup) => within.has(lookup.day))
  const keyName = (id: string) =>
    id === 'dashboard' ? t('dashboard') : (usage.keys.find((key) => key.id === id)?.name ?? id)
  const nameOf = (row: Row) =>
    group === 'key_id' ? keyName(row.key_id) : group === 'status' ? String(row.status) : row.endpoint
  if (total === 0) {
    return (
      <Card>
        <EmptyState title={t('none')} hint={t('noneHint')} />
      </Card>
    )
  }
  const levels = ['low', 'medium', 'high', 'critical'] as const
  const lookupSeries = levels.map((level) => ({
    name: t(`risk.${level}`),
    values: days.map((date) =>
      lookupsIn(lookups.filter(({ day, risk_level }) => day === date && risk_level === level)),
    ),
  }))
  return (
    <>
      <dl className="figures">
        <Fact name={t('requests')}>{formatCount(total)}</Fact>
        <Fact name={t('errors')}>
          {formatCount(failed)} <span className="muted">{formatPercentTenths(failed / total)}</span>
        </Fact>
        <Fact name={t('rateLimited')}>{formatCount(limited)}</Fact>
        <Fact name={t('lookups')}>{formatCount(lookupsIn(lookups))}</Fact>
      </dl>
      <Card
        title={t('perDay')}
        action={
          <FilterSelect
            label={t('group.label')}
            value={group}
            options={GROUPS.map((option) => [option, t(`group.${option}`)] as const)}
            param="by"
          />
        }
      >
        <DayBars label={t('perDay')} days={days} series={groupSeries(rows, days, nameOf)} />
      </Card>
      <HourlyUsageCards counts={counts} />
      <LimitCard usage={usage} days={within} rows={rows} />
      {lookups.length > 0 ? (
        <Card title={t('lookupsByRisk')}>
          <DayBars label={t('lookupsPerDay')} days={days} series={lookupSeries} />
        </Card>
      ) : null}
      <RequestLogCard keys={usage.keys} endpoints={[...new Set(usage.rows.map((row) => row.endpoint))].sort()} />
    </>
  )
}

function LimitCard({ usage, days, rows }: { usage: UsageByKeyWire; days: ReadonlySet<string>; rows: readonly Row[] }) {
  const { t } = useTranslation('usage')
  const used = usage.keys
    .map((key) => ({
      ...key,
      total: sumOf(rows.filter((row) => row.key_id === key.id)),
      peak: Math.max(
        0,
        ...usage.peaks
          .filter((peak) => peak.key_id === key.id && days.has(peak.day))
          .map((peak) => peak.peak_per_minute),
      ),
    }))
    .filter((key) => key.total > 0)
    .sort((a, b) => b.peak / b.limit_per_minute - a.peak / a.limit_per_minute)
  if (used.length === 0) return null
  return (
    <Card title={t('limit.title')} note={t('limit.note')}>
      <DataTable
        label={t('limit.title')}
        rows={used}
        rowKey={(key) => key.id}
        columns={[
          {
            title: t('group.key_id'),
            cell: ({ name, tier }) => (
              <div>
                {name} <TierBadge tier={tier} />
              </div>
            ),
          },
          { title: t('requests'), cell: (key) => formatCount(key.total) },
          {
            title: t('limit.peak'),
            cell: ({ peak, limit_per_minute: limit }) => t('limit.peakOf', { peak, count: limit }),
          },
          {
            title: t('limit.share'),
            cell: ({ peak, limit_per_minute: limit }) => (
              <div>
                <meter min={0} max={limit} high={limit * 0.8} value={peak}>
                  {formatPercent(peak / limit)}
                </meter>{' '}
                {formatPercent(peak / limit)}
              </div>
            ),
          },
        ]}
      />
    </Card>
  )
}
