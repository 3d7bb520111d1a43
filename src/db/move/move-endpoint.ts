export type MoveValue = string | number | null
/** The values of a row in the order of its table's columns. */
export type MoveRow = readonly MoveValue[]
/** How far a table was read, in the order its database reads it in. */
export type ReadPosition = readonly MoveValue[]

export type MovedTable = {
  readonly name: string
  /** By name, so that both databases list them alike. */
  readonly columns: readonly string[]
  /** The columns that make a row the same row. */
  readonly key: readonly string[]
}

/** One of the two stores of a move. Nothing but this knows which database it is. */
export type MoveEndpoint = {
  /** Those that others refer to come first. */
  tables(): Promise<readonly MovedTable[]>
  read(
    table: MovedTable,
    after: ReadPosition | null,
    most: number,
  ): Promise<{ rows: MoveRow[]; last: ReadPosition | null }>
  /** The rows that have the same keys as these. */
  findByKeys(table: MovedTable, like: readonly MoveRow[]): Promise<MoveRow[]>
  transaction<T>(work: () => Promise<T>): Promise<T>
  /** Adds rows, or overwrites those of the same key. */
  upsert(table: MovedTable, rows: readonly MoveRow[]): Promise<void>
  deleteRows(table: MovedTable, like: readonly MoveRow[]): Promise<void>
  /** A small fact about the move; null forgets it. */
  setProgress(name: string, value: string | null): Promise<void>
  getProgress(name: string): Promise<string | undefined>
  /** After it nobody else writes here until `sealAndRelease` or `close`; reads go on. */
  lockWrites(): Promise<void>
  /** From now on every write is refused with this sentence. */
  closeForWrites(sentence: string): Promise<void>
  /** Ends a move that filled this store: it is a store like any other now. */
  finishCopy(tables: readonly MovedTable[]): Promise<void>
  reopenForWrites(): Promise<void>
  close(): Promise<void>
}

/** Where a store that is being filled keeps how far that is; it is there only as long. */
export const PROGRESS_TABLE = 'store_filling'
/** What a store that was moved away says; it is there only as long as the store is sealed. */
export const MOVED_TABLE = 'store_moved'

export const isInternalTable = (table: string) =>
  table === PROGRESS_TABLE || table === MOVED_TABLE || table === 'migration'

export function moveRowKey(table: MovedTable, row: MoveRow): MoveValue[] {
  return table.key.map((name) => row[table.columns.indexOf(name)] ?? null)
}

/** Those that others refer to first, otherwise as they are. */
export function sortParentsFirst(
  tables: readonly MovedTable[],
  references: readonly { readonly from: string; readonly to: string }[],
): MovedTable[] {
  const ordered: MovedTable[] = []
  const take = (table: MovedTable, path: readonly string[]): void => {
    if (ordered.includes(table) || path.includes(table.name)) return
    for (const { from, to } of references) {
      const parent = from === table.name ? tables.find(({ name }) => name === to) : undefined
      if (parent) take(parent, [...path, table.name])
    }
    ordered.push(table)
  }
  for (const table of tables) take(table, [])
  return ordered
}
