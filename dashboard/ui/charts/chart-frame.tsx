import { type ReactElement, type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../data-table.tsx'
import { Swatch } from '../swatch.tsx'

export const CHART_HEIGHT = 240
export const CHART_MARGIN = { top: 8, right: 12, bottom: 0, left: 0 } as const
export const AXIS = { tick: { fill: 'var(--soft)', fontSize: 11 }, tickLine: false, axisLine: false } as const

/** Chart with an accessible caption and its data as a table, unless the page has that table anyway. */
export function ChartFrame({
  label,
  legend,
  table,
  children,
}: {
  label: string
  legend: ReactNode
  table?: { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
  children: ReactElement
}) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <figure className="chart" aria-labelledby={id}>
      <figcaption id={id} className="visually-hidden">
        {t('chart.keys', { label })}
      </figcaption>
      {children}
      {legend}
      {table ? (
        <details className="numbers">
          <summary>{t('chart.showData')}</summary>
          <DataTable
            label={t('chart.data')}
            className="scroll-short"
            rows={table.rows}
            rowKey={([name = '']) => name}
            columns={table.head.map((title, at) => ({ title, cell: (row: readonly string[]) => row[at] }))}
          />
        </details>
      ) : null}
    </figure>
  )
}

export function ChartLegend({
  names,
  hues,
  chosen,
  choose,
}: {
  names: readonly string[]
  /** Colour numbers. */
  hues: readonly number[]
  chosen: number
  choose: (at: number) => void
}) {
  return (
    <ul className="legend">
      {names.map((name, i) => (
        <li key={name}>
          <button type="button" aria-pressed={chosen === i} onClick={() => choose(chosen === i ? -1 : i)}>
            <Swatch series={hues[i] ?? i} />
            {name}
          </button>
        </li>
      ))}
    </ul>
  )
}

export function ChartTooltip({ title, lines }: { title: string; lines: readonly { text: string; series: number }[] }) {
  return (
    <div className="chart-tip">
      <strong>{title}</strong>
      <ul>
        {lines.map(({ text, series }) => (
          <li key={text}>
            <Swatch series={series} />
            {text}
          </li>
        ))}
      </ul>
    </div>
  )
}
