import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { UsageHoursWire } from '../../../src/contract/usage.ts'
import { HOUR_MS } from '../../../src/lib/time.ts'
import { formatCount, formatHour } from '../../format.ts'
import { useOperation } from '../../queries.ts'
import { DayBars } from '../../ui/charts/lazy-charts.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Card } from '../../ui/page.tsx'
import { QueryView } from '../../ui/states.tsx'
import { groupSeries } from './usage-series.ts'

const HOURS_SHOWN = 48

type Row = UsageHoursWire['rows'][number]

const hourName = (hour: string) => formatHour(Number(hour) * HOUR_MS)

/** Requests per hour of the last two days and latencies of the last two weeks. */
export function HourlyUsageCards({ counts }: { counts: (row: { key_id: string }) => boolean }) {
  const { t } = useTranslation('usage')
  const query = useOperation('GET /api/usage', { query: { include: 'hours' } })
  return (
    <QueryView query={query} skeletonLines={6}>
      {({ hours: usage }) => {
        if (!usage) return null
        const rows = usage.rows.filter(counts)
        const hours = Array.from({ length: HOURS_SHOWN }, (_, at) => String(usage.to - HOURS_SHOWN + 1 + at))
        const byHour = rows.map((row) => ({ ...row, day: String(row.hour) }))
        return (
          <>
            <Card title={t('perHour')} note={t('perHourNote')}>
              <DayBars
                label={t('perHour')}
                days={hours}
                series={groupSeries(byHour, hours, (row) => row.endpoint)}
                nameOf={hourName}
              />
            </Card>
            <LatencyCard rows={rows} classes={usage.latency_classes} />
          </>
        )
      }}
    </QueryView>
  )
}

function LatencyCard({ rows, classes }: { rows: readonly Row[]; classes: readonly number[] }) {
  const { t } = useTranslation('usage')
  const byEndpoint = new Map<string, number[]>()
  for (const { endpoint, latency, requests: times } of rows) {
    const sums = byEndpoint.get(endpoint) ?? [...classes, 0].map(() => 0)
    sums[latency] = (sums[latency] ?? 0) + times
    byEndpoint.set(endpoint, sums)
  }
  if (byEndpoint.size === 0) return null
  return (
    <Card title={t('latency.title')} note={t('latency.note')}>
      <DataTable
        label={t('latency.title')}
        rows={[...byEndpoint].sort()}
        rowKey={([endpoint]) => endpoint}
        columns={[
          { title: t('group.endpoint'), cell: ([endpoint]) => <code>{endpoint}</code> },
          { title: t('requests'), cell: ([, sums]) => formatCount(total(sums)) },
          ...[0.5, 0.95, 0.99].map((share) => ({
            title: `p${share * 100}`,
            cell: ([, sums]: [string, number[]]) => latencyPercentile(sums, classes, share, t),
          })),
        ]}
      />
    </Card>
  )
}

const total = (sums: readonly number[]) => sums.reduce((a, b) => a + b, 0)

/** Upper bound of the latency class that contains the percentile. */
function latencyPercentile(
  sums: readonly number[],
  classes: readonly number[],
  share: number,
  t: TFunction<'usage'>,
): string {
  const needed = total(sums) * share
  let seen = 0
  for (const [at, sum] of sums.entries()) {
    seen += sum
    if (seen >= needed)
      return classes[at] === undefined ? t('latency.over', { ms: classes.at(-1) }) : `${classes[at]} ms`
  }
  return ''
}
