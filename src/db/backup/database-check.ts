export type CheckedTable = {
  readonly name: string
  /** Those that can be read. */
  readonly rows: number
  /** False where a damaged page ended the reading. */
  readonly isComplete: boolean
}

/** What is wrong with a store, each in words; nothing when all but the tables is empty. */
export type DatabaseCheck = {
  readonly tables: readonly CheckedTable[]
  readonly problems: readonly string[]
  /** Migrations of a newer program. */
  readonly unknownMigrations: readonly string[]
  readonly brokenReferences: readonly string[]
  readonly wrongTotals: readonly string[]
}

export function isHealthy({ problems, unknownMigrations, brokenReferences, wrongTotals }: DatabaseCheck): boolean {
  return [problems, unknownMigrations, brokenReferences, wrongTotals].every((found) => found.length === 0)
}

const mismatchQuery = (kept: string, counted: string, key: string, where = '') =>
  `select coalesce(k.whose, c.whose) as whose, coalesce(k.kept, 0) as kept, coalesce(c.counted, 0) as counted
   from (select ${key} as whose, total as kept from ${kept}) k
   full join (select ${key} as whose, count(*) as counted from ${counted} ${where} group by ${key}) c on k.whose = c.whose
   where coalesce(k.kept, 0) <> coalesce(c.counted, 0)`

/** Totals that are kept beside the rows they count; both databases understand the queries. */
export const TOTAL_CHECKS: readonly { readonly kept: string; readonly sql: string }[] = [
  { kept: 'lookup_total', sql: mismatchQuery('lookup_total', 'lookup', 'organization_id') },
  {
    kept: 'appraisal_total',
    sql: mismatchQuery('appraisal_total', 'appraisal', `organization_id || ' ' || decision`),
  },
  {
    kept: 'appraised_device',
    sql: mismatchQuery('appraised_device', 'appraisal', `organization_id || ' ' || device_id`, `where device_id <> ''`),
  },
]
