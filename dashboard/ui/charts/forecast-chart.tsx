import {
  CartesianGrid,
  ErrorBar,
  ReferenceLine,
  ResponsiveContainer,
  Scatter,
  ScatterChart,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import { Swatch, seriesColour } from '../swatch.tsx'
import { AXIS, CHART_MARGIN, ChartFrame, ChartTooltip } from './chart-frame.tsx'

export type ForecastPoint = {
  readonly key: string
  readonly name: string
  readonly forecast: number
  readonly low: number | null
  readonly high: number | null
  readonly sold: number
}

export type ForecastChartProps = {
  readonly label: string
  readonly points: readonly ForecastPoint[]
  readonly format: (amount: number) => string
  readonly formatShort: (amount: number) => string
  readonly texts: {
    readonly inside: string
    readonly outside: string
    readonly hint: string
    readonly device: string
    readonly forecast: string
    readonly range: string
    readonly sold: string
  }
}

const HEIGHT = 320
const INSIDE = 0
const OUTSIDE = 2
const TICK_CHAR_WIDTH = 7

const isInside = ({ low, high, sold }: ForecastPoint) => low === null || high === null || (sold >= low && sold <= high)

/** Round values that span all amounts, so that both axes are the same and the line is the diagonal. */
function commonTicks(amounts: readonly number[]): number[] {
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)]
  const rough = Math.max(1, (most - least) / 4)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  const first = Math.max(0, Math.floor(least / step) * step)
  const count = Math.max(1, Math.ceil((most - first) / step))
  return Array.from({ length: count + 1 }, (_, at) => first + at * step)
}

/** Forecast across, sale price up: a point on the line sold for exactly the forecast. */
export function ForecastChart({ label, points, format, formatShort, texts }: ForecastChartProps) {
  const ticks = commonTicks(
    points.flatMap(({ forecast, low, high, sold }) => [forecast, sold, low ?? sold, high ?? sold]),
  )
  const domain: [number, number] = [ticks[0] ?? 0, ticks.at(-1) ?? 1]
  const series = [
    { name: texts.inside, colour: INSIDE, points: points.filter(isInside) },
    { name: texts.outside, colour: OUTSIDE, points: points.filter((point) => !isInside(point)) },
  ]
  const axis = { ...AXIS, type: 'number' as const, domain, ticks, tickFormatter: formatShort }
  return (
    <ChartFrame
      label={label}
      legend={
        <ul className="legend">
          {series.map(({ name, colour, points: some }) => (
            <li key={name}>
              <Swatch series={colour} />
              {name}: {some.length}
            </li>
          ))}
          <li className="muted">{texts.hint}</li>
        </ul>
      }
      table={{
        head: [texts.device, texts.forecast, texts.range, texts.sold],
        rows: points.map(({ name, forecast, low, high, sold }) => [
          name,
          format(forecast),
          low === null || high === null ? '–' : `${format(low)} – ${format(high)}`,
          format(sold),
        ]),
      }}
    >
      <ResponsiveContainer width="100%" height={HEIGHT}>
        <ScatterChart margin={CHART_MARGIN} title={label}>
          <CartesianGrid stroke="var(--line)" />
          <XAxis
            {...axis}
            dataKey="forecast"
            name={texts.forecast}
            minTickGap={24}
            height={44}
            label={{ value: texts.forecast, position: 'insideBottom', fill: 'var(--soft)', fontSize: 12 }}
          />
          <YAxis
            {...axis}
            dataKey="sold"
            name={texts.sold}
            width={TICK_CHAR_WIDTH * formatShort(domain[1]).length + 12}
          />
          <ReferenceLine
            segment={[
              { x: domain[0], y: domain[0] },
              { x: domain[1], y: domain[1] },
            ]}
            stroke="var(--soft)"
            strokeDasharray="6 4"
          />
          <Tooltip
            cursor={{ stroke: 'var(--soft)', strokeDasharray: '3 3' }}
            isAnimationActive={false}
            content={({ active, payload }) => {
              const point: ForecastPoint | undefined = payload?.[0]?.payload
              if (!active || !point) return null
              const range =
                point.low !== null && point.high !== null ? `${format(point.low)} – ${format(point.high)}` : null
              return (
                <ChartTooltip
                  title={point.name}
                  lines={[
                    { text: `${texts.forecast} ${format(point.forecast)}`, series: 0 },
                    ...(range ? [{ text: `${texts.range} ${range}`, series: 0 }] : []),
                    { text: `${texts.sold} ${format(point.sold)}`, series: isInside(point) ? INSIDE : OUTSIDE },
                  ]}
                />
              )
            }}
          />
          {series.map(({ name, colour, points: some }) => (
            <Scatter
              key={name}
              name={name}
              data={some.map((point) => ({
                ...point,
                spread:
                  point.low === null || point.high === null
                    ? [0, 0]
                    : [point.forecast - point.low, point.high - point.forecast],
              }))}
              fill={seriesColour(colour)}
              isAnimationActive={false}
            >
              <ErrorBar
                dataKey="spread"
                direction="x"
                width={4}
                stroke={seriesColour(colour)}
                strokeOpacity={0.5}
                isAnimationActive={false}
              />
            </Scatter>
          ))}
        </ScatterChart>
      </ResponsiveContainer>
    </ChartFrame>
  )
}
