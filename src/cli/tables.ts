import type { FeedWire, ImportRunWire } from '../contract/imports.ts'
import { formatItemTable } from '../lib/text-table.ts'
import { formatMinute } from '../lib/time.ts'

export function feedTable(feeds: readonly FeedWire[]): string {
  const formatTime = (at: string | null) => (at === null ? '-' : `${minuteOf(at)} UTC`)
  return formatItemTable(feeds, {
    FEED: ({ name }) => name,
    FORMAT: ({ format }) => format,
    SCHEDULE: ({ schedule }) => schedule ?? '-',
    'LAST RUN': (feed) => formatTime(feed.last_run_at),
    OUTCOME: ({ outcome }) => outcome ?? '-',
    'NEXT RUN': (feed) => formatTime(feed.next_run_at),
    'LAST FAILURE': (feed) =>
      feed.last_failure_at === null ? '-' : `${formatTime(feed.last_failure_at)}: ${feed.failure ?? ''}`,
  })
}

export function importTable(runs: readonly ImportRunWire[]): string {
  return formatItemTable(runs, {
    ID: ({ id }) => id,
    IMPORT: ({ format }) => format,
    STARTED: (run) => `${minuteOf(run.started_at)} UTC`,
    TOOK: ({ started_at: start, finished_at: end }) =>
      end === null ? '-' : `${((Date.parse(end) - Date.parse(start)) / 1000).toFixed(1)} s`,
    STATE: ({ state }) => state,
    FILE: ({ file }) => file ?? '',
    RESULT({ state, failure, counts: { rows = 0, rejected = 0 } }) {
      const counts = `${rows.toLocaleString('en')} rows, ${rejected.toLocaleString('en')} rejected`
      return state === 'done' ? counts : (failure ?? '-')
    },
  })
}

const minuteOf = (instant: string) => formatMinute(Date.parse(instant))
