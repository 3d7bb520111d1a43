import { type CsvStyle, formatCsvLine } from '../lib/csv-writer.ts'
import { isLookupCount } from './lookup-levels.ts'
import type { UsageStore } from './usage-store.ts'

export type Period = { readonly from?: string | undefined; readonly to?: string | undefined }

const COLUMNS = ['day', 'key_id', 'endpoint', 'status', 'requests'] as const

/** Requests by day, key, endpoint and status as lines of a CSV file; without a period, all days that are kept. */
export async function* usageCsv(
  usage: Pick<UsageStore, 'days'>,
  organizationId: string,
  { from, to }: Period,
  now: number,
  titleOf: (column: (typeof COLUMNS)[number]) => string = (column) => column,
  style?: CsvStyle,
): AsyncGenerator<string> {
  yield formatCsvLine(COLUMNS.map(titleOf), style)
  for await (const rows of usage.days(organizationId, from, to, now)) {
    const lines = rows
      .filter(({ route }) => !isLookupCount(route))
      .map(({ day, key_id, route, status, count }) => formatCsvLine([day, key_id, route, status, Number(count)], style))
    if (lines.length > 0) yield lines.join('')
  }
}
