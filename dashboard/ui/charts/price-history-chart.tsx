import { useTranslation } from 'react-i18next'
import {
  CartesianGrid,
  Line,
  LineChart,
  ReferenceArea,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import { isoInstant, YEAR_MS } from '../../../src/lib/time.ts'
import { dayTicks, type HistoryLine, moneyTicks } from '../../features/devices/price-history-lines.ts'
import { formatDay, formatShortDay, formatShortMonth } from '../../format.ts'
import { type Money, useMoney } from '../../money.ts'
import { Swatch, seriesColour } from '../swatch.tsx'
import { AXIS, CHART_MARGIN, ChartFrame, ChartTooltip } from './chart-frame.tsx'

export type PriceHistoryProps = {
  readonly label: string
  readonly lines: readonly HistoryLine[]
  /** First and last day shown. */
  readonly days: readonly [number, number]
  /** 80 % range of today's price. */
  readonly today: { readonly low: number; readonly high: number } | null
  readonly listPrice: number | null
  readonly launchedAt: number | null
  /** Labelled in the chart itself. */
  readonly isSimulated: boolean
  /** Without legend and table, with fewer ticks. */
  readonly isSmall?: boolean
}

type ChartPoint = { readonly at: number; readonly amounts: readonly (number | null)[] }

function toChartPoints(lines: readonly HistoryLine[], [from]: readonly [number, number]): ChartPoint[] {
  const times = [...new Set(lines.flatMap(({ points }) => points.map(({ at }) => at)))].sort((a, b) => a - b)
  return times
    .filter((at) => at >= from)
    .map((at) => ({ at, amounts: lines.map(({ points }) => points.find((point) => point.at === at)?.amount ?? null) }))
}

const HEIGHT = 300
const TICK_CHAR_WIDTH = 8
const SMALL_HEIGHT = 150
const shortDay = (at: number) => formatShortDay(isoInstant(at))
const monthAndYear = (at: number) => formatShortMonth(isoInstant(at))

/** Weekly resale and trade-in prices up to today. Weeks without observations have no dot. */
export function PriceHistoryChart({ isSmall = false, ...props }: PriceHistoryProps) {
  const { t } = useTranslation()
  const money = useMoney()
  const moments = toChartPoints(props.lines, props.days)
  const drawing = <Drawing {...props} money={money} isSmall={isSmall} moments={moments} />
  if (isSmall) {
    return (
      <figure className="chart" aria-label={props.label}>
        {drawing}
      </figure>
    )
  }
  return (
    <ChartFrame
      label={props.label}
      legend={<PriceLegend {...props} money={money} />}
      table={{
        head: [t('chart.week'), ...props.lines.map(({ name }) => name)],
        rows: moments
          .map(({ at, amounts }) => [formatDay(isoInstant(at)), ...amounts.map(money.formatWhole)])
          .reverse(),
      }}
    >
      {drawing}
    </ChartFrame>
  )
}

function Drawing({
  label,
  lines,
  days,
  today,
  listPrice,
  launchedAt,
  isSimulated,
  isSmall,
  moments,
  money,
}: PriceHistoryProps & { isSmall: boolean; moments: ChartPoint[]; money: Money }) {
  const { t } = useTranslation()
  const isLong = days[1] - days[0] > 1.1 * YEAR_MS
  const max = Math.max(today?.high ?? 0, ...moments.flatMap(({ amounts }) => amounts.map((amount) => amount ?? 0)))
  // A list price far above the lines would flatten them: then it is only in the legend.
  const drawnList = listPrice !== null && listPrice > 0 && listPrice <= 1.6 * max ? listPrice : null
  const ticks = moneyTicks(Math.max(max, drawnList ?? 0))
  return (
    <div className={isSimulated ? 'history history-simulated' : 'history'}>
      {isSimulated ? <p className="history-stamp">{t('chart.simulated')}</p> : null}
      <ResponsiveContainer width="100%" height={isSmall ? SMALL_HEIGHT : HEIGHT}>
        <LineChart data={moments} margin={CHART_MARGIN} title={label}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="at"
            type="number"
            scale="time"
            domain={[...days]}
            tickFormatter={isLong ? monthAndYear : shortDay}
            {...AXIS}
            ticks={dayTicks(days, isSmall ? 3 : 6)}
            minTickGap={24}
          />
          <YAxis
            domain={[0, ticks.at(-1) ?? 'auto']}
            ticks={ticks}
            tickFormatter={money.formatWhole}
            {...AXIS}
            width={TICK_CHAR_WIDTH * Math.max(...ticks.map((tick) => money.formatWhole(tick).length)) + 8}
          />
          {today ? (
            <ReferenceArea y1={today.low} y2={today.high} fill={seriesColour(0)} fillOpacity={0.1} stroke="none" />
          ) : null}
          {drawnList ? (
            <ReferenceLine
              y={drawnList}
              stroke="var(--soft)"
              strokeDasharray="6 4"
              {...(isSmall
                ? {}
                : {
                    label: {
                      value: t('chart.listPrice'),
                      position: 'insideTopLeft',
                      fill: 'var(--soft)',
                      fontSize: 11,
                    },
                  })}
            />
          ) : null}
          {launchedAt !== null && launchedAt >= days[0] ? (
            <ReferenceLine
              x={launchedAt}
              stroke="var(--soft)"
              strokeDasharray="2 3"
              label={{ value: t('chart.launch'), position: 'insideTopRight', fill: 'var(--soft)', fontSize: 11 }}
            />
          ) : null}
          <Tooltip
            cursor={{ stroke: 'var(--soft)', strokeDasharray: '3 3' }}
            isAnimationActive={false}
            content={({ active, payload }) => {
              const moment: ChartPoint | undefined = payload?.[0]?.payload
              return active && moment ? (
                <PointTooltip moment={moment} lines={lines} last={days[1]} money={money} />
              ) : null
            }}
          />
          {lines.map((line, i) => (
            <Line
              key={line.name}
              name={line.name}
              dataKey={(moment: ChartPoint) => moment.amounts[i] ?? null}
              stroke={seriesColour(line.colour)}
              strokeWidth={2}
              {...(line.dashed ? { strokeDasharray: '5 4' } : {})}
              dot={isSmall ? false : { r: 2.5, fill: seriesColour(line.colour), strokeWidth: 0 }}
              activeDot={{ r: 4.5 }}
              connectNulls
              isAnimationActive={false}
            />
          ))}
        </LineChart>
      </ResponsiveContainer>
    </div>
  )
}

function PointTooltip({
  moment,
  lines,
  last,
  money,
}: {
  moment: ChartPoint
  lines: readonly HistoryLine[]
  last: number
  money: Money
}) {
  const { t } = useTranslation()
  return (
    <ChartTooltip
      title={moment.at === last ? t('chart.today') : t('chart.weekOf', { day: formatDay(isoInstant(moment.at)) })}
      lines={lines.flatMap(({ name, colour: series }, i) => {
        const amount = moment.amounts[i]
        return typeof amount === 'number' ? [{ text: `${name} ${money.formatWhole(amount)}`, series }] : []
      })}
    />
  )
}

function PriceLegend({ lines, today, listPrice, money }: PriceHistoryProps & { money: Money }) {
  const { t } = useTranslation()
  return (
    <ul className="legend">
      {lines.map(({ name, colour: series }) => (
        <li key={name}>
          <Swatch series={series} />
          {name}
        </li>
      ))}
      {today ? (
        <li className="muted">
          <Swatch series={0} isFaint />
          {t('chart.todayRange', { low: money.formatWhole(today.low), high: money.formatWhole(today.high) })}
        </li>
      ) : null}
      {listPrice ? <li className="muted">{t('chart.listPriceOf', { price: money.formatWhole(listPrice) })}</li> : null}
    </ul>
  )
}
