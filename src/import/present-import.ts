import type { FeedWire, ImportRunWire } from '../contract/imports.ts'
import { presentFailure } from '../lib/failure.ts'
import { isoInstant, isoInstantOrNull } from '../lib/time.ts'
import type { FeedOverview } from './feeds/feed-schedule.ts'
import type { ImportRun } from './import-run-store.ts'
import type { PriceTerm } from './prices/price-terms.ts'

/** Address and failures are shown to the operator only. */
export const presentFeed = (feed: FeedOverview, isOperator: boolean): FeedWire => ({
  name: feed.name,
  format: feed.format,
  schedule: feed.cron,
  time_zone: feed.timeZone,
  last_run_at: isoInstantOrNull(feed.startedAt),
  outcome: feed.outcome,
  last_success_at: isoInstantOrNull(feed.succeededAt),
  last_failure_at: isoInstantOrNull(feed.failedAt),
  next_run_at: isoInstantOrNull(feed.nextAt),
  prices: feed.prices && {
    requests_today: feed.prices.requestsToday,
    requests_per_day: feed.prices.requestsPerDay,
    devices: feed.prices.devices,
    fresh_devices: feed.prices.freshDevices,
    listings: feed.prices.listings,
    waits_until: isoInstantOrNull(feed.prices.waitsUntil),
  },
  ...(isOperator
    ? {
        url: feed.address,
        finished_at: isoInstantOrNull(feed.finishedAt),
        ...presentFailure(feed.failure),
        failures: feed.failures,
      }
    : {}),
})

export const canUndo = ({ format, counts, undoneAt }: ImportRun) =>
  format === 'observations' && undoneAt === null && (counts.written ?? 0) > 0

const presentSummary = ({ columns, terms, remarks }: NonNullable<ImportRun['summary']>) => ({
  columns: columns.map(({ name, field }) => ({ name, field })),
  terms: terms.map(presentTerm),
  remarks: { ...remarks },
})

export const presentTerm = ({ fact, value, by, overrules }: PriceTerm) => ({
  fact,
  value,
  by,
  overrules: [...overrules],
})

export function presentImportRun(run: ImportRun, isOperator: boolean): ImportRunWire {
  return {
    id: run.id,
    format: run.format,
    started_at: isoInstant(run.startedAt),
    finished_at: isoInstantOrNull(run.finishedAt),
    state: run.state,
    counts: { ...run.counts },
    ...(isOperator
      ? {
          file: run.file,
          ...presentFailure(run.failure),
          rejected_by: { ...run.rejectedBy },
          ...(run.summary && { summary: presentSummary(run.summary) }),
          has_report: run.report !== null,
          can_undo: canUndo(run),
          undone_at: run.undoneAt,
        }
      : {}),
  }
}
