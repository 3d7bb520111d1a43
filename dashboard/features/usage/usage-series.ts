import i18next from 'i18next'
import { addDays } from '../../../src/lib/time.ts'
import type { ChartSeries } from '../../ui/charts/lazy-charts.tsx'

/** Colours of endpoints, the same in every chart as far as possible. */
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

type DayCount = { readonly day: string; readonly requests: number }

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
    values[at] = (values[at] ?? 0) + row.requests
    sums.set(name, values)
  }
  const total = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)
  const sorted = [...sums].map(([name, values]) => ({ name, values })).sort((a, b) => total(b.values) - total(a.values))
  if (sorted.length <= COLOURS.length) return withDistinctColours(sorted, COLOURS.length)
  const rest = sorted.slice(OTHERS)
  const others = days.map((_, d) => rest.reduce((sum, entry) => sum + (entry.values[d] ?? 0), 0))
  return [
    ...withDistinctColours(sorted.slice(0, OTHERS), OTHERS),
    { name: i18next.t('usage:others'), values: others, colour: OTHERS },
  ]
}

/** The colour of the endpoint where it is free, else one that no other series of the chart has. */
function withDistinctColours(series: readonly Omit<ChartSeries, 'colour'>[], colours: number): ChartSeries[] {
  const own = new Map<number, string>()
  for (const { name } of series) {
    const colour = colourOf(name)
    if (colour !== undefined && colour < colours && !own.has(colour)) own.set(colour, name)
  }
  const free = Array.from({ length: colours }, (_, colour) => colour).filter((colour) => !own.has(colour))
  const ownColours = new Map([...own].map(([colour, name]) => [name, colour]))
  return series.map((entry) => ({ ...entry, colour: ownColours.get(entry.name) ?? free.shift() }))
}
