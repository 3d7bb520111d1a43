import { Bar, BarChart, CartesianGrid, ReferenceLine, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { Swatch, seriesColour } from '../swatch.tsx'
import { AXIS, CHART_HEIGHT, CHART_MARGIN, ChartFrame, ChartTooltip } from './chart-frame.tsx'

export type MonthBarsProps = {
  readonly label: string
  /** Such as "Mar 2026". */
  readonly months: readonly string[]
  readonly series: readonly { readonly name: string; readonly values: readonly number[]; readonly colour: number }[]
  readonly format: (value: number) => string
  /** For the axis, where space is short. */
  readonly formatShort: (value: number) => string
}

const TICK_CHAR_WIDTH = 7

/** Bars side by side, one group per month. The page has their table. */
export function MonthBarsChart({ label, months, series, format, formatShort }: MonthBarsProps) {
  const widest = Math.max(
    ...series.flatMap(({ values }) => values.map((value) => formatShort(Math.round(value)).length)),
    3,
  )
  const hasLoss = series.some(({ values }) => values.some((value) => value < 0))
  return (
    <ChartFrame
      label={label}
      legend={
        <ul className="legend">
          {series.map(({ name, colour }) => (
            <li key={name}>
              <Swatch series={colour} />
              {name}
            </li>
          ))}
        </ul>
      }
    >
      <ResponsiveContainer width="100%" height={CHART_HEIGHT}>
        <BarChart data={months.map((_, at) => at)} margin={CHART_MARGIN} title={label} barGap={2}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey={(at: number) => at}
            tickFormatter={(at: number) => months[at] ?? ''}
            {...AXIS}
            minTickGap={16}
          />
          <YAxis tickFormatter={formatShort} {...AXIS} width={TICK_CHAR_WIDTH * widest + 12} />
          {hasLoss ? <ReferenceLine y={0} stroke="var(--soft)" /> : null}
          <Tooltip
            cursor={{ fill: 'var(--ink)', fillOpacity: 0.07 }}
            isAnimationActive={false}
            content={({ active, label: at }) =>
              active ? (
                <ChartTooltip
                  title={months[Number(at)] ?? ''}
                  lines={series.map(({ name, values, colour }) => ({
                    text: `${name} ${format(values[Number(at)] ?? 0)}`,
                    series: colour,
                  }))}
                />
              ) : null
            }
          />
          {series.map(({ name, values, colour }) => (
            <Bar
              key={name}
              name={name}
              dataKey={(at: number) => values[at] ?? 0}
              fill={seriesColour(colour)}
              maxBarSize={28}
              isAnimationActive={false}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </ChartFrame>
  )
}
