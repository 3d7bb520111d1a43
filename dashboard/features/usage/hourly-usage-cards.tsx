import type { UsageHoursWire } from '../../../src/contract/dashboard.ts'
import { HOUR_MS } from '../../../src/lib/time.ts'
import { formatCount } from '../../format.ts'
import { useApiQuery } from '../../queries.ts'
import { Card } from '../../ui/card.tsx'
import { DayBars } from '../../ui/charts/lazy-charts.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { groupSeries } from './usage-series.ts'

const HOURS_SHOWN = 48

type Row = UsageHoursWire['rows'][number]

const hourFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})
const hourName = (hour: string) => hourFormat.format(Number(hour) * HOUR_MS)

/** Requests per hour of the last two days and latencies of the last two weeks. */
export function HourlyUsageCards({ counts }: { counts: (row: { key_id: string }) => boolean }) {
  const query = useApiQuery<UsageHoursWire>('/account/usage/hours')
  return (
    <QueryView query={query} skeletonLines={6}>
      {(usage) => {
        const rows = usage.rows.filter(counts)
        const hours = Array.from({ length: HOURS_SHOWN }, (_, at) => String(usage.to - HOURS_SHOWN + 1 + at))
        const byHour = rows.map((row) => ({ ...row, day: String(row.hour) }))
        return (
          <>
            <Card title="Requests per hour" note="Last 48 hours (UTC).">
              <DayBars
                label="Requests per hour"
                days={hours}
                series={groupSeries(byHour, hours, (row) => row.route)}
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
  const byRoute = new Map<string, number[]>()
  for (const { route, latency, count: times } of rows) {
    const sums = byRoute.get(route) ?? [...classes, 0].map(() => 0)
    sums[latency] = (sums[latency] ?? 0) + times
    byRoute.set(route, sums)
  }
  if (byRoute.size === 0) return null
  return (
    <Card title="Response times" note="Measured in the service, last two weeks.">
      <DataTable label="Response times" head={['Endpoint', 'Requests', 'p50', 'p95', 'p99']}>
        {[...byRoute].sort().map(([route, sums]) => (
          <tr key={route}>
            <td data-label="Endpoint">
              <code>{route}</code>
            </td>
            <td data-label="Requests">{formatCount(sums.reduce((a, b) => a + b, 0))}</td>
            {[0.5, 0.95, 0.99].map((share) => (
              <td key={share} data-label={`p${share * 100}`}>
                {latencyPercentile(sums, classes, share)}
              </td>
            ))}
          </tr>
        ))}
      </DataTable>
    </Card>
  )
}

/** Upper bound of the latency class that contains the percentile. */
function latencyPercentile(sums: readonly number[], classes: readonly number[], share: number): string {
  const needed = sums.reduce((a, b) => a + b, 0) * share
  let seen = 0
  for (const [at, sum] of sums.entries()) {
    seen += sum
    if (seen >= needed) return classes[at] === undefined ? `over ${classes.at(-1)} ms` : `${classes[at]} ms`
  }
  return ''
}
