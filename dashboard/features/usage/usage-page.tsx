import type { UsageWire } from '../../../src/contract/dashboard.ts'
import { formatCount, formatDay, pluralize } from '../../format.ts'
import { useApiQuery } from '../../queries.ts'
import { useFilters } from '../../search-params.ts'
import { TierBadge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { DayBars } from '../../ui/charts/lazy-charts.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { HourlyUsageCards } from './hourly-usage-cards.tsx'
import { RequestLogCard } from './request-log-card.tsx'
import { daysUpTo, groupSeries, isApiKeyRow } from './usage-series.ts'

const SPANS = ['7', '30', '90'] as const
const GROUPS = { route: 'Endpoint', key_id: 'Key', status: 'Status' } as const
type Group = keyof typeof GROUPS
const CALLERS = { keys: 'Keys', dashboard: 'Dashboard', all: 'Both' } as const
const countsFor = (of: keyof typeof CALLERS) => (row: { key_id: string }) =>
  of === 'all' || isApiKeyRow(row) === (of === 'keys')

type Row = UsageWire['rows'][number]

function keyName(usage: UsageWire, id: string): string {
  return id === 'dashboard' ? 'Dashboard' : (usage.keys.find((key) => key.id === id)?.name ?? id)
}

export function UsagePage() {
  const result = useApiQuery<UsageWire>('/account/usage')
  const [query] = useFilters()
  const span = SPANS.find((one) => one === query.get('days')) ?? '30'
  const group: Group = (Object.keys(GROUPS) as Group[]).find((one) => one === query.get('by')) ?? 'route'
  const of = (Object.keys(CALLERS) as (keyof typeof CALLERS)[]).find((one) => one === query.get('of')) ?? 'keys'
  return (
    <>
      <PageHeader
        title="Usage"
        lead="Requests of your organization. Days are in UTC; figures are updated every minute."
      >
        <Choice label="Caller" value={of} options={Object.entries(CALLERS)} name="of" />
        <a className="button button-plain" href="/account/usage.csv" download>
          Download CSV
        </a>
        <Choice label="Days" value={span} options={SPANS.map((one) => [one, `${one} days`])} name="days" />
      </PageHeader>
      <QueryView query={result} skeletonLines={8}>
        {(usage) => (
          <>
            {usage.quota ? <QuotaCard quota={usage.quota} /> : null}
            <UsageView usage={usage} span={Number(span)} group={group} counts={countsFor(of)} />
          </>
        )}
      </QueryView>
    </>
  )
}

function QuotaCard({ quota }: { quota: NonNullable<UsageWire['quota']> }) {
  const { used, monthly_requests: limit, is_hard: isHard, resets_at: resetsAt } = quota
  return (
    <Card title="Monthly quota">
      <p>
        <progress value={Math.min(used, limit)} max={limit} aria-label="Share of the monthly quota used" />{' '}
        {formatCount(used)} of {pluralize(limit, 'request')} used. Resets on {formatDay(resetsAt)}.{' '}
        {isHard ? 'Further requests are rejected.' : 'Requests beyond it are still served.'}
      </p>
    </Card>
  )
}

function Choice({
  label,
  value,
  options,
  name,
}: {
  label: string
  value: string
  options: readonly (readonly [string, string])[]
  name: string
}) {
  const [, change] = useFilters()
  return (
    <label className="inline">
      <span className="visually-hidden">{label}</span>
      <select value={value} onChange={(event) => change({ [name]: event.target.value }, { replace: true })}>
        {options.map(([word, text]) => (
          <option key={word} value={word}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

function UsageView({
  usage,
  span,
  group,
  counts,
}: {
  usage: UsageWire
  span: number
  group: Group
  counts: (row: { key_id: string }) => boolean
}) {
  const days = daysUpTo(usage.to, span)
  const within = new Set(days)
  const rows = usage.rows.filter((row) => within.has(row.day) && counts(row))
  const total = rows.reduce((sum, row) => sum + row.count, 0)
  const refused = rows.filter((row) => row.status >= 400).reduce((sum, row) => sum + row.count, 0)
  const limited = rows.filter((row) => row.status === 429).reduce((sum, row) => sum + row.count, 0)
  const lookups = usage.lookups.filter((one) => within.has(one.day))
  const nameOf = (row: Row) =>
    group === 'key_id' ? keyName(usage, row.key_id) : group === 'status' ? String(row.status) : row.route
  if (total === 0) {
    return (
      <Card>
        <EmptyState title="No requests in this period">
          <p>Requests appear here once a key is used.</p>
        </EmptyState>
      </Card>
    )
  }
  const levels = ['low', 'medium', 'high', 'critical'] as const
  const lookupSeries = levels.map((level) => ({
    name: level,
    values: days.map((date) =>
      lookups.filter((one) => one.day === date && one.risk_level === level).reduce((sum, one) => sum + one.count, 0),
    ),
  }))
  return (
    <>
      <dl className="figures">
        <div>
          <dt>Requests</dt>
          <dd>{formatCount(total)}</dd>
        </div>
        <div>
          <dt>Errors</dt>
          <dd>
            {formatCount(refused)} <span className="muted">{((100 * refused) / total).toFixed(1)} %</span>
          </dd>
        </div>
        <div>
          <dt>Rate limited</dt>
          <dd>{formatCount(limited)}</dd>
        </div>
        <div>
          <dt>Lookups</dt>
          <dd>{formatCount(lookups.reduce((sum, one) => sum + one.count, 0))}</dd>
        </div>
      </dl>
      <Card
        title="Requests per day"
        action={<Choice label="Group by" value={group} options={Object.entries(GROUPS)} name="by" />}
      >
        <DayBars label="Requests per day" days={days} series={groupSeries(rows, days, nameOf)} />
      </Card>
      <HourlyUsageCards counts={counts} />
      <LimitCard usage={usage} days={within} rows={rows} />
      {lookups.length > 0 ? (
        <Card title="Lookups by risk level">
          <DayBars label="Lookups per day" days={days} series={lookupSeries} />
        </Card>
      ) : null}
      <RequestLogCard keys={usage.keys} routes={[...new Set(usage.rows.map((row) => row.route))].sort()} />
    </>
  )
}

function LimitCard({ usage, days, rows }: { usage: UsageWire; days: ReadonlySet<string>; rows: readonly Row[] }) {
  const used = usage.keys
    .map((key) => ({
      ...key,
      total: rows.filter((row) => row.key_id === key.id).reduce((sum, row) => sum + row.count, 0),
      peak: Math.max(
        0,
        ...usage.peaks.filter((one) => one.key_id === key.id && days.has(one.day)).map((one) => one.peak_per_minute),
      ),
    }))
    .filter((key) => key.total > 0)
    .sort((a, b) => b.peak / b.limit_per_minute - a.peak / a.limit_per_minute)
  if (used.length === 0) return null
  return (
    <Card title="Rate limit usage" note="Busiest minute of each key compared with its limit.">
      <DataTable label="Rate limit usage" head={['Key', 'Requests', 'Busiest minute', 'Share']}>
        {used.map((key) => (
          <tr key={key.id}>
            <td data-label="Key">
              <div>
                {key.name} <TierBadge tier={key.tier} />
              </div>
            </td>
            <td data-label="Requests">{formatCount(key.total)}</td>
            <td data-label="Busiest minute">
              {formatCount(key.peak)} of {pluralize(key.limit_per_minute, 'request')}
            </td>
            <td data-label="Share">
              <div>
                <meter min={0} max={key.limit_per_minute} high={key.limit_per_minute * 0.8} value={key.peak}>
                  {Math.round((100 * key.peak) / key.limit_per_minute)} %
                </meter>{' '}
                {Math.round((100 * key.peak) / key.limit_per_minute)} %
              </div>
            </td>
          </tr>
        ))}
      </DataTable>
    </Card>
  )
}
