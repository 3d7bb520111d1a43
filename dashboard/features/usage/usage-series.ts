import { addDays } from '../../../src/lib/time.ts'
import type { ChartSeries } from '../../ui/charts/lazy-charts.tsx'

/** An endpoint keeps its colour in every chart; other series use the colours in order. */
const COLOURS: readonly string[] = ['devices', 'variants', 'pricing', 'repairs', 'imei', 'appraisals']
const OTHERS = 5

function colourOf(name: string): number | undefined {
  const at = COLOURS.indexOf(/^\/api\/([a-z]+)/.exec(name)?.[1] ?? '')
  return at < 0 ? undefined : at
}

export function daysUpTo(to: string, span: number): string[] {
  return Array.from({ length: span }, (_, i) => addDays(to, i + 1 - span))
}

/** Excludes requests from the dashboard. */
export const isApiKeyRow = (row: { readonly key_id: string }) => row.key_id !== 'dashboard'

type DayCount = { readonly day: string; readonly count: number }

export function groupSeries<Row extends DayCount>(
  rows: readonly Row[],
  days: readonly string[],
  nameOf: (row: Row) => string,
): ChartSeries[] {
  const place = new Map(days.map((date, i) => [date, i]))
  const sums = new Map<string, number[]>()
  for (const row of rows) {
    const at = place.get(row.day)
    if (at === undefined) continue
    const name = nameOf(row)
    const values = sums.get(name) ?? days.map(() => 0)
    values[at] = (values[at] ?? 0) + row.count
    sums.set(name, values)
  }
  const total = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)
  const sorted = [...sums]
    .map(([name, values]) => ({ name, values, colour: colourOf(name) }))
    .sort((a, b) => total(b.values) - total(a.values))
  if (sorted.length <= 6) return sorted
  const rest = sorted.slice(5)
  const others = days.map((_, d) => rest.reduce((sum, one) => sum + (one.values[d] ?? 0), 0))
  return [...sorted.slice(0, 5), { name: 'others', values: others, colour: OTHERS }]
}
