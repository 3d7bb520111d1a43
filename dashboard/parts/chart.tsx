import { type ReactNode, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import { WEEK_MS } from '../../src/time.ts'
import { count, day, money, shortCount } from '../words.ts'

/** Six colours that stay apart in light and dark and for people who see few of them; defined in the style sheet. */
const COLOURS = 6

export type Series = { readonly name: string; readonly values: readonly number[] }

const HEIGHT = 220
const WIDEST = 1_100
const LEFT = 44
const RIGHT = 16
const BOTTOM = 24
const TOP = 10

/** Round numbers that cover the largest value in at most four steps. */
function ticks(largest: number): number[] {
  if (largest <= 0) return [0, 1]
  const rough = largest / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough
  const whole = Math.max(step, largest < 4 ? 1 : 0)
  return Array.from({ length: Math.ceil(largest / whole) + 1 }, (_, i) => i * whole)
}

/** Drawn as wide as there is room, so that the words in the drawing keep their size from phone to wide screen. */
function useWidth(): [RefObject<HTMLElement | null>, number] {
  const ref = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(760)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => setWidth(Math.max(240, Math.min(WIDEST, Math.round(element.clientWidth))))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width]
}

function Legend({
  names,
  chosen,
  choose,
}: {
  names: readonly string[]
  chosen: number
  choose?: (at: number) => void
}) {
  return (
    <ul className="legend">
      {names.map((name, i) => (
        <li key={name}>
          {choose ? (
            <button type="button" aria-pressed={chosen === i} onClick={() => choose(chosen === i ? -1 : i)}>
              <span className={`swatch fill-${i % COLOURS}`} aria-hidden="true" />
              {name}
            </button>
          ) : (
            <span>
              <span className={`swatch fill-${i % COLOURS}`} aria-hidden="true" />
              {name}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

/** The numbers behind a drawing, for those who cannot or would rather not read the drawing. */
function Numbers({ head, rows }: { head: readonly string[]; rows: readonly (readonly string[])[] }) {
  return (
    <details className="numbers">
      <summary>Show the numbers</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="scroll scroll-short cards" tabIndex={0} aria-label="The numbers of the chart">
        <table>
          <thead>
            <tr>
              {head.map((cell) => (
                <th key={cell} scope="col">
                  {cell}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row[0]}>
                {row.map((cell, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name
                  <td key={i} data-label={head[i]}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}

/** Counts per day, one bar a day, the series stacked. Pointing at a bar tells its numbers. */
export function DayBars({
  label,
  days,
  series,
}: {
  label: string
  days: readonly string[]
  series: readonly Series[]
}) {
  const [only, setOnly] = useState(-1)
  const [ref, width] = useWidth()
  const [pointed, setPointed] = useState<number | null>(null)
  const shown = series.map((one, i) => ({ ...one, at: i })).filter((_, i) => only < 0 || only === i)
  const totals = days.map((_, d) => shown.reduce((sum, one) => sum + (one.values[d] ?? 0), 0))
  const marks = ticks(Math.max(0, ...totals))
  const top = marks.at(-1) ?? 1
  const step = (width - LEFT - RIGHT) / days.length
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top)
  const every = Math.max(1, Math.ceil((days.length * 62) / (width - LEFT)))
  const at = pointed ?? days.length - 1
  return (
    <figure className="chart" ref={ref}>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={`${label}: ${count(totals.reduce((a, b) => a + b, 0))} in ${days.length} days`}
        onPointerLeave={() => setPointed(null)}
      >
        {marks.map((mark) => (
          <g key={mark}>
            <line className="grid" x1={LEFT} x2={width} y1={y(mark)} y2={y(mark)} />
            <text className="tick" x={LEFT - 6} y={y(mark) + 4} textAnchor="end">
              {shortCount(mark)}
            </text>
          </g>
        ))}
        {days.map((date, d) => {
          let base = 0
          const x = LEFT + d * step
          return (
            <g key={date}>
              {shown.map((one) => {
                const value = one.values[d] ?? 0
                const from = base
                base += value
                if (value === 0) return null
                return (
                  <rect
                    key={one.name}
                    className={`fill-${one.at % COLOURS}`}
                    x={x + step * 0.14}
                    width={Math.max(1, step * 0.72)}
                    y={y(base)}
                    height={Math.max(1, y(from) - y(base))}
                  />
                )
              })}
              <rect
                className={pointed === d ? 'pointed' : 'unpointed'}
                x={x}
                width={step}
                y={TOP}
                height={HEIGHT - TOP - BOTTOM}
                onPointerEnter={() => setPointed(d)}
              />
              {(days.length - 1 - d) % every === 0 ? (
                <text className="tick" x={x + step / 2} y={HEIGHT - 6} textAnchor="middle">
                  {date.slice(5).replace('-', '/')}
                </text>
              ) : null}
            </g>
          )
        })}
      </svg>
      <figcaption>
        <Legend names={series.map((one) => one.name)} chosen={only} choose={setOnly} />
        <p className="pointed-text">
          <strong>{day(days[at] ?? null)}</strong> {count(totals[at] ?? 0)} in all
          {shown
            .filter((one) => (one.values[at] ?? 0) > 0)
            .map((one) => ` · ${one.name} ${count(one.values[at] ?? 0)}`)}
        </p>
      </figcaption>
      <Numbers
        head={['Day', ...series.map((one) => one.name)]}
        rows={days.map((date, d) => [date, ...series.map((one) => count(one.values[d] ?? 0))]).reverse()}
      />
    </figure>
  )
}

export type Dated = { readonly date: string; readonly value: number; readonly series: number }

/** Prices over time, a line per grade. Only weeks that have a value have a point. */
export function PriceLines({
  label,
  names,
  points,
}: {
  label: string
  names: readonly string[]
  points: readonly Dated[]
}) {
  const [only, setOnly] = useState(-1)
  const [ref, width] = useWidth()
  const dates = [...new Set(points.map((point) => point.date))].sort()
  const first = Date.parse(dates[0] ?? '')
  const last = Date.parse(dates.at(-1) ?? '')
  const marks = ticks(Math.max(0, ...points.map((point) => point.value / 100)))
  const top = (marks.at(-1) ?? 1) * 100
  const span = Math.max(1, last - first)
  const x = (date: string) => LEFT + 10 + ((width - LEFT - RIGHT - 20) * (Date.parse(date) - first)) / span
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top)
  const every = Math.max(1, Math.ceil((dates.length * 62) / (width - LEFT)))
  return (
    <figure className="chart" ref={ref}>
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={label}>
        {marks.map((mark) => (
          <g key={mark}>
            <line className="grid" x1={LEFT} x2={width} y1={y(mark * 100)} y2={y(mark * 100)} />
            <text className="tick" x={LEFT - 6} y={y(mark * 100) + 4} textAnchor="end">
              ${shortCount(mark)}
            </text>
          </g>
        ))}
        {dates.map((date, d) =>
          (dates.length - 1 - d) % every === 0 ? (
            <text key={date} className="tick" x={x(date)} y={HEIGHT - 6} textAnchor="middle">
              {date.slice(5).replace('-', '/')}
            </text>
          ) : null,
        )}
        {names.map((name, s) => {
          if (only >= 0 && only !== s) return null
          const mine = points.filter((point) => point.series === s)
          return (
            <g key={name}>
              {mine.slice(1).map((point, i) => {
                const from = mine[i]
                if (!from) return null
                // Across weeks without observations the line is only a guide for the eye.
                const isGap = Date.parse(point.date) - Date.parse(from.date) > WEEK_MS
                return (
                  <line
                    key={point.date}
                    className={`line line-${s % COLOURS}${isGap ? ' line-gap' : ''}`}
                    x1={x(from.date)}
                    y1={y(from.value)}
                    x2={x(point.date)}
                    y2={y(point.value)}
                  />
                )
              })}
              {mine.map((point) => (
                <circle key={point.date} className={`fill-${s % COLOURS}`} cx={x(point.date)} cy={y(point.value)} r={3}>
                  <title>{`${name}, ${day(point.date)}: ${money(point.value)}`}</title>
                </circle>
              ))}
            </g>
          )
        })}
      </svg>
      <figcaption>
        <Legend names={names} chosen={only} choose={setOnly} />
      </figcaption>
      <Numbers
        head={['Week', ...names]}
        rows={dates
          .map((date) => [
            date,
            ...names.map((_, s) => {
              const found = points.find((point) => point.date === date && point.series === s)
              return found ? money(found.value) : '–'
            }),
          ])
          .reverse()}
      />
    </figure>
  )
}

/** A value on a scale, with the range it may lie in. */
export function RangeBar({
  value,
  low,
  high,
  most,
  tone,
}: {
  value: number
  low: number
  high: number
  most: number
  tone: number
}) {
  const share = (amount: number) => (100 * amount) / Math.max(1, most)
  return (
    <svg className="range" viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true">
      <rect className="range-track" x="0" y="5" width="100" height="4" rx="2" />
      <rect
        className={`range-band fill-${tone}`}
        x={share(low)}
        y="3"
        width={share(high) - share(low)}
        height="8"
        rx="1"
      />
      <rect className={`fill-${tone}`} x={Math.max(0, share(value) - 0.4)} y="0" width="0.8" height="14" />
    </svg>
  )
}

/** A number from 0 to 100 as part of a ring. */
export function Ring({ value, tone, children }: { value: number; tone: string; children: ReactNode }) {
  const id = useId()
  const around = 2 * Math.PI * 52
  return (
    <div className="ring">
      <svg viewBox="0 0 120 120" aria-hidden="true" id={id}>
        <circle className="ring-track" cx="60" cy="60" r="52" />
        <circle
          className={`ring-value ring-${tone}`}
          cx="60"
          cy="60"
          r="52"
          strokeDasharray={`${(around * value) / 100} ${around}`}
          transform="rotate(-90 60 60)"
        />
      </svg>
      <div className="ring-text">{children}</div>
    </div>
  )
}
