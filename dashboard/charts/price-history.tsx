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
import { isoInstant, YEAR_MS } from '../../src/time.ts'
import { dayTicks, type HistoryLine, moneyTicks } from '../price/history-lines.ts'
import { day, roundMoney } from '../words.ts'
import { ChartFrame, colour, MARGIN, TICK, Tip } from './frame.tsx'

export type PriceHistoryProps = {
  readonly label: string
  readonly lines: readonly HistoryLine[]
  /** First and last day shown. */
  readonly days: readonly [number, number]
  /** Where eight of ten deals are today. */
  readonly today: { readonly low: number; readonly high: number } | null
  readonly listCents: number | null
  readonly launchedAt: number | null
  /** Said in the drawing itself, where nobody can overlook it. */
  readonly isSimulated: boolean
  /** A drawing beside other things: no legend, no table, fewer ticks. */
  readonly isSmall?: boolean
}

type Moment = { readonly at: number; readonly cents: readonly (number | null)[] }

function momentsOf(lines: readonly HistoryLine[], [from]: readonly [number, number]): Moment[] {
  const times = [...new Set(lines.flatMap(({ points }) => points.map(({ at }) => at)))].sort((a, b) => a - b)
  return times
    .filter((at) => at >= from)
    .map((at) => ({ at, cents: lines.map(({ points }) => points.find((point) => point.at === at)?.cents ?? null) }))
}

const HEIGHT = 300
const SMALL_HEIGHT = 150
const shortDay = (at: number) => day(isoInstant(at)).replace(/ \d{4}$/, '')
const monthAndYear = (at: number) => day(isoInstant(at)).replace(/^\d+ /, '')

/** What a device sold for and what a trade-in paid, week by week up to today. Weeks that nobody observed have no dot. */
export function PriceHistory({ isSmall = false, ...props }: PriceHistoryProps) {
  const moments = momentsOf(props.lines, props.days)
  const drawing = <Drawing {...props} isSmall={isSmall} moments={moments} />
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
      legend={<Names {...props} />}
      head={['Week of', ...props.lines.map(({ name }) => name)]}
      rows={moments
        .map(({ at, cents }) => [day(isoInstant(at)), ...cents.map((one) => (one === null ? '–' : roundMoney(one)))])
        .reverse()}
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
  listCents,
  launchedAt,
  isSimulated,
  isSmall,
  moments,
}: PriceHistoryProps & { isSmall: boolean; moments: Moment[] }) {
  const isLong = days[1] - days[0] > 1.1 * YEAR_MS
  const most = Math.max(today?.high ?? 0, ...moments.flatMap(({ cents }) => cents.map((one) => one ?? 0)))
  // A list price far above everything would press the lines to the floor: then it stands in words alone.
  const drawnList = listCents !== null && listCents > 0 && listCents <= 1.6 * most ? listCents : null
  const ticks = moneyTicks(Math.max(most, drawnList ?? 0))
  return (
    <div className={isSimulated ? 'history history-simulated' : 'history'}>
      {isSimulated ? <p className="history-stamp">simulated history</p> : null}
      <ResponsiveContainer width="100%" height={isSmall ? SMALL_HEIGHT : HEIGHT}>
        <LineChart data={moments} margin={MARGIN} title={label}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="at"
            type="number"
            scale="time"
            domain={[...days]}
            tickFormatter={isLong ? monthAndYear : shortDay}
            tick={TICK}
            tickLine={false}
            axisLine={false}
            ticks={dayTicks(days, isSmall ? 3 : 6)}
            minTickGap={24}
          />
          <YAxis
            domain={[0, ticks.at(-1) ?? 'auto']}
            ticks={ticks}
            tickFormatter={roundMoney}
            tick={TICK}
            tickLine={false}
            axisLine={false}
            width={56}
          />
          {today ? (
            <ReferenceArea y1={today.low} y2={today.high} fill={colour(0)} fillOpacity={0.1} stroke="none" />
          ) : null}
          {drawnList ? (
            <ReferenceLine
              y={drawnList}
              stroke="var(--soft)"
              strokeDasharray="6 4"
              {...(isSmall
                ? {}
                : { label: { value: 'list price', position: 'insideTopLeft', fill: 'var(--soft)', fontSize: 11 } })}
            />
          ) : null}
          {launchedAt !== null && launchedAt >= days[0] ? (
            <ReferenceLine
              x={launchedAt}
              stroke="var(--soft)"
              strokeDasharray="2 3"
              label={{ value: 'launch', position: 'insideTopRight', fill: 'var(--soft)', fontSize: 11 }}
            />
          ) : null}
          <Tooltip
            cursor={{ stroke: 'var(--soft)', strokeDasharray: '3 3' }}
            isAnimationActive={false}
            content={({ active, payload }) => {
              const moment: Moment | undefined = payload?.[0]?.payload
              return active && moment ? <MomentTip moment={moment} lines={lines} last={days[1]} /> : null
            }}
          />
          {lines.map((line, i) => (
            <Line
              key={line.name}
              name={line.name}
              dataKey={(moment: Moment) => moment.cents[i] ?? null}
              stroke={colour(line.colour)}
              strokeWidth={2}
              {...(line.dashed ? { strokeDasharray: '5 4' } : {})}
              dot={isSmall ? false : { r: 2.5, fill: colour(line.colour), strokeWidth: 0 }}
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

function MomentTip({ moment, lines, last }: { moment: Moment; lines: readonly HistoryLine[]; last: number }) {
  return (
    <Tip
      title={moment.at === last ? 'Today' : `Week of ${day(isoInstant(moment.at))}`}
      lines={lines.flatMap(({ name, colour: series }, i) => {
        const cents = moment.cents[i]
        return typeof cents === 'number' ? [{ text: `${name} ${roundMoney(cents)}`, series }] : []
      })}
    />
  )
}

function Names({ lines, today, listCents }: PriceHistoryProps) {
  return (
    <ul className="legend">
      {lines.map(({ name, colour: series }) => (
        <li key={name}>
          <span className={`swatch fill-${series}`} aria-hidden="true" />
          {name}
        </li>
      ))}
      {today ? (
        <li className="soft">
          <span className="swatch fill-0 swatch-faint" aria-hidden="true" />8 of 10 deals today: {roundMoney(today.low)}{' '}
          – {roundMoney(today.high)}
        </li>
      ) : null}
      {listCents ? <li className="soft">List price {roundMoney(listCents)}</li> : null}
    </ul>
  )
}
