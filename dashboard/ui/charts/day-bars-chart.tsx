import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { formatCount, formatDay, formatShortCount, formatShortDay } from '../../format.ts'
import { seriesColour } from '../swatch.tsx'
import { AXIS, CHART_HEIGHT, CHART_MARGIN, ChartFrame, ChartLegend, ChartTooltip } from './chart-frame.tsx'

export type ChartSeries = {
  readonly name: string
  readonly values: readonly number[]
  /** Colour number; the index of the series by default. */
  readonly colour?: number | undefined
}
export type DayBarsProps = {
  readonly label: string
  readonly days: readonly string[]
  readonly series: readonly ChartSeries[]
  /** Label of a bucket, if the buckets are not days. */
  readonly nameOf?: (day: string) => string
}

/** Stacked bars, one per day. */
export function DayBarsChart({ label, days, series, nameOf }: DayBarsProps) {
  const { t } = useTranslation()
  const spoken = (date: string | undefined) => (nameOf ? nameOf(date ?? '') : formatDay(date ?? null))
  const hueOf = (at: number) => series[at]?.colour ?? at
  const [only, setOnly] = useState(-1)
  const places = days.map((_, d) => d)
  const shown = series.map((entry, at) => ({ ...entry, at })).filter(({ at }) => only < 0 || only === at)
  const totals = days.map((_, d) => shown.reduce((sum, entry) => sum + (entry.values[d] ?? 0), 0))
  const tipAt = (d: number) => (
    <ChartTooltip
      title={`${spoken(days[d])}: ${formatCount(totals[d] ?? 0)}`}
      lines={shown
        .filter((entry) => (entry.values[d] ?? 0) > 0)
        .map((entry) => ({ text: `${entry.name} ${formatCount(entry.values[d] ?? 0)}`, series: hueOf(entry.at) }))}
    />
  )
  return (
    <ChartFrame
      label={t(nameOf ? 'chart.inHours' : 'chart.inDays', {
        label,
        total: totals.reduce((a, b) => a + b, 0),
        count: days.length,
      })}
      legend={
        <ChartLegend
          names={series.map((entry) => entry.name)}
          hues={series.map((_, at) => hueOf(at))}
          chosen={only}
          choose={setOnly}
        />
      }
      table={{
        head: [t(nameOf ? 'chart.hour' : 'chart.day'), ...series.map((entry) => entry.name)],
        rows: days
          .map((date, d) => [spoken(date), ...series.map((entry) => formatCount(entry.values[d] ?? 0))])
          .reverse(),
      }}
    >
      <ResponsiveContainer width="100%" height={CHART_HEIGHT}>
        <BarChart data={places} margin={CHART_MARGIN} title={label}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey={(d: number) => d}
            tickFormatter={(d: number) => (nameOf ? spoken(days[d]) : formatShortDay(days[d] ?? null))}
            {...AXIS}
            minTickGap={24}
          />
          <YAxis tickFormatter={formatShortCount} {...AXIS} allowDecimals={false} width={44} />
          <Tooltip
            cursor={{ fill: 'var(--ink)', fillOpacity: 0.07 }}
            isAnimationActive={false}
            content={({ active, label: at }) => (active ? tipAt(Number(at)) : null)}
          />
          {shown.map((entry) => (
            <Bar
              key={entry.name}
              name={entry.name}
              dataKey={(d: number) => entry.values[d] ?? 0}
              stackId="day"
              fill={seriesColour(hueOf(entry.at))}
              isAnimationActive={false}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </ChartFrame>
  )
}
