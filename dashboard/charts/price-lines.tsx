import { useState } from 'react'
import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { day, money, roundMoney } from '../words.ts'
import { CHART_HEIGHT, ChartFrame, colour, Legend, MARGIN, TICK, Tip } from './frame.tsx'

export type Dated = { readonly date: string; readonly value: number; readonly series: number }
export type PriceLinesProps = {
  readonly label: string
  readonly names: readonly string[]
  readonly points: readonly Dated[]
}

type Week = { readonly at: number; readonly date: string; readonly values: ReadonlyMap<number, number> }

function weeksOf(points: readonly Dated[]): Week[] {
  const weeks = new Map<string, Map<number, number>>()
  for (const { date, series, value } of points) {
    const values = weeks.get(date) ?? new Map<number, number>()
    weeks.set(date, values.set(series, value))
  }
  return [...weeks].map(([date, values]) => ({ at: Date.parse(date), date, values })).sort((a, b) => a.at - b.at)
}

/** Prices over time, a line per grade. A week that nobody observed has no dot; the line across it guides the eye. */
export function PriceLines({ label, names, points }: PriceLinesProps) {
  const [only, setOnly] = useState(-1)
  const weeks = weeksOf(points)
  const shown = names.map((name, series) => ({ name, series })).filter(({ series }) => only < 0 || only === series)
  const tipOf = (week: Week) => (
    <Tip
      title={`Week of ${day(week.date)}`}
      lines={shown
        .filter(({ series }) => week.values.has(series))
        .map(({ name, series }) => ({ text: `${name} ${money(week.values.get(series) ?? null)}`, series }))}
    />
  )
  return (
    <ChartFrame
      label={label}
      legend={<Legend names={names} chosen={only} choose={setOnly} />}
      head={['Week', ...names]}
      rows={weeks
        .map((week) => [day(week.date), ...names.map((_, series) => money(week.values.get(series) ?? null))])
        .reverse()}
    >
      <ResponsiveContainer width="100%" height={CHART_HEIGHT}>
        <LineChart data={weeks} margin={MARGIN} title={label}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="at"
            type="number"
            scale="time"
            domain={['dataMin', 'dataMax']}
            tickFormatter={(at: number) => day(new Date(at).toISOString()).replace(/ \d{4}$/, '')}
            tick={TICK}
            tickLine={false}
            axisLine={false}
            minTickGap={32}
            padding={{ left: 8, right: 8 }}
          />
          <YAxis tickFormatter={roundMoney} tick={TICK} tickLine={false} axisLine={false} width={52} />
          <Tooltip
            cursor={{ stroke: 'var(--soft)', strokeDasharray: '3 3' }}
            isAnimationActive={false}
            content={({ active, payload }) => {
              const week: Week | undefined = payload?.[0]?.payload
              return active && week ? tipOf(week) : null
            }}
          />
          {shown.map(({ name, series }) => (
            <Line
              key={name}
              name={name}
              dataKey={(week: Week) => week.values.get(series) ?? null}
              stroke={colour(series)}
              strokeWidth={2}
              dot={{ r: 2.5, fill: colour(series), strokeWidth: 0 }}
              activeDot={{ r: 4.5 }}
              connectNulls
              isAnimationActive={false}
            />
          ))}
        </LineChart>
      </ResponsiveContainer>
    </ChartFrame>
  )
}
