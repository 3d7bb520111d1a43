export type CheckedTable = {
  readonly name: string
  /** Number of readable rows. */
  readonly rows: number
  /** False if a damaged page stopped the count. */
  readonly isComplete: boolean
}

/** Problems of a database in words; all lists but `tables` are empty for a healthy one. */
export type DatabaseCheck = {
  readonly tables: readonly CheckedTable[]
  readonly problems: readonly string[]
  /** Made before version 0.1.0: no version reads its data. */
  readonly isDraft: boolean
  /** Migrations of a newer program. */
  readonly unknownMigrations: readonly string[]
  readonly brokenReferences: readonly string[]
  readonly wrongTotals: readonly string[]
}

export const EMPTY_CHECK: DatabaseCheck = {
  tables: [],
  problems: [],
  isDraft: false,
  unknownMigrations: [],
  brokenReferences: [],
  wrongTotals: [],
}

export function isHealthy({
  problems,
  isDraft,
  unknownMigrations,
  brokenReferences,
  wrongTotals,
}: DatabaseCheck): boolean {
  return !isDraft && [problems, unknownMigrations, brokenReferences, wrongTotals].every((list) => list.length === 0)
}

export type TotalMismatch = { readonly group: string; readonly total: number; readonly counted: number }

const mismatchQuery = (totals: string, rows: string, key: string, where = '') =>
  `select coalesce(t.key, c.key) as "group", coalesce(t.total, 0) as total, coalesce(c.counted, 0) as counted
   from (select ${key} as key, total from ${totals}) t
   full join (select ${key} as key, count(*) as counted from ${rows} ${where} group by ${key}) c on t.key = c.key
   where coalesce(t.total, 0) <> coalesce(c.counted, 0)`

export const describeMismatch = (table: string, { group, total, counted }: TotalMismatch) =>
  `${table} of ${group} says ${total}, there are ${counted}`

/** Compares the tables of totals with the rows they count; the queries work on both databases. */
export const TOTAL_CHECKS: readonly { readonly table: string; readonly sql: string }[] = [
  { table: 'lookup_total', sql: mismatchQuery('lookup_total', 'lookup', 'organization_id') },
  {
    table: 'appraisal_total',
    sql: mismatchQuery('appraisal_total', 'appraisal', `organization_id || ' ' || decision`),
  },
  {
    table: 'appraised_device',
    sql: mismatchQuery('appraised_device', 'appraisal', `organization_id || ' ' || device_id`, `where device_id <> ''`),
  },
]
