import { RISK_LEVELS, type RiskLevel } from '../contract/lookups.ts'
import type { Database } from '../db/database.ts'
import type { MetricRegistry } from '../http/metric-registry.ts'
import type { DurableResponses } from '../records/durable-response-service.ts'
import type { RecordStore } from '../records/record-store.ts'

const GROUP_BOUNDS = [1, 2, 4, 8, 16, 32, 64, 128, 256]
const COMMIT_BOUNDS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1]

/** Metrics beyond requests: results of lookups, failures of sources, age of the data. */
export function businessMetrics(registry: MetricRegistry, db: Pick<Database, 'query'>, now: () => number) {
  const lookupCounter = registry.counter('lookups_total', 'Identifier lookups, by risk level.')
  const counterByLevel = new Map(RISK_LEVELS.map((level) => [level, lookupCounter({ level })]))
  const failureCounter = registry.counter('source_failures_total', 'Requests to outside sources that failed.')
  const groupSizes = registry.histogram(
    'commit_answers',
    'Responses whose records were written in one commit.',
    GROUP_BOUNDS,
  )()
  const commitSeconds = registry.histogram(
    'commit_duration_seconds',
    'Time to write a group of records.',
    COMMIT_BOUNDS_SECONDS,
  )()
  let inProgress = 0
  registry.gauge(
    'durable_answers_in_progress',
    'Responses being computed or waiting for their commit.',
    () => inProgress,
  )
  const refresh = reportAges(registry, db, now)

  return {
    countLookups(levels: readonly RiskLevel[]): void {
      for (const level of levels) counterByLevel.get(level)?.add()
    },
    countSourceFailure: (source: string) => failureCounter({ source }).add(),
    withCommitMetrics: <Store extends Pick<RecordStore, 'save'>>(store: Store): Store => ({
      ...store,
      async save(units) {
        const startedAt = performance.now()
        const results = await store.save(units)
        groupSizes.observe(units.length)
        commitSeconds.observe((performance.now() - startedAt) / 1000)
        return results
      },
    }),
    withProgressMetric: (responses: DurableResponses): DurableResponses => ({
      ...responses,
      async respond(path, body, caller, createResponse) {
        inProgress++
        try {
          return await responses.respond(path, body, caller, createResponse)
        } finally {
          inProgress--
        }
      },
    }),
    refresh,
  }
}

/** Read from two small tables in the background: a scrape never waits for the database. */
function reportAges(
  registry: MetricRegistry,
  { query }: Pick<Database, 'query'>,
  now: () => number,
): () => Promise<void> {
  let lists: readonly { name: string; imported_at: number }[] = []
  let imports: readonly { format: string; finished_at: number | null }[] = []
  const toAgeSeconds = (instant: number) => (now() - instant) / 1000
  registry.gauges('list_age_seconds', 'Time since a list of identifiers was imported.', () =>
    lists.map(({ name, imported_at }) => [{ list: name }, toAgeSeconds(imported_at)]),
  )
  registry.gauges('import_age_seconds', 'Time since the newest import of a format ended well.', () =>
    imports.flatMap(({ format, finished_at }) =>
      finished_at === null ? [] : [[{ format }, toAgeSeconds(finished_at)]],
    ),
  )
  return async () => {
    lists = await query.selectFrom('identifier_list').select(['name', 'imported_at']).execute()
    imports = await query
      .selectFrom('job')
      .select(['format', ({ fn }) => fn.max('finished_at').as('finished_at')])
      .where('state', '=', 'done')
      .where('started_at', 'is not', null)
      .groupBy('format')
      .execute()
  }
}
