export type Value = string | number | null
/** The values of a row in the order of its table's columns. */
export type Row = readonly Value[]
/** How far a table was read, in the order its database reads it in. */
export type Place = readonly Value[]

export type MovedTable = {
  readonly name: string
  /** By name, so that both databases list them alike. */
  readonly columns: readonly string[]
  /** The columns that make a row the same row. */
  readonly key: readonly string[]
}

/** One of the two stores of a move. Nothing but this knows which database it is. */
export type Side = {
  /** Those that others refer to come first. */
  tables(): Promise<readonly MovedTable[]>
  read(table: MovedTable, after: Place | null, most: number): Promise<{ rows: Row[]; last: Place | null }>
  /** The rows that have the same keys as these. */
  find(table: MovedTable, like: readonly Row[]): Promise<Row[]>
  transaction<T>(work: () => Promise<T>): Promise<T>
  /** Adds rows, or overwrites those of the same key. */
  put(table: MovedTable, rows: readonly Row[]): Promise<void>
  remove(table: MovedTable, like: readonly Row[]): Promise<void>
  /** A small fact about the move; null forgets it. */
  note(name: string, value: string | null): Promise<void>
  noted(name: string): Promise<string | undefined>
  /** After it nobody else writes here until `sealAndRelease` or `close`; reads go on. */
  keepWritersOut(): Promise<void>
  /** From now on every write is refused with this sentence. */
  sealAndRelease(sentence: string): Promise<void>
  /** Ends a move that filled this store: it is a store like any other now. */
  finishFilling(tables: readonly MovedTable[]): Promise<void>
  unseal(): Promise<void>
  close(): Promise<void>
}

/** Where a store that is being filled keeps how far that is; it is there only as long. */
export const NOTES = 'store_filling'
/** What a store that was moved away says; it is there only as long as the store is sealed. */
export const SEAL = 'store_moved'

export const isOfTheMove = (table: string) => table === NOTES || table === SEAL || table === 'migration'

export function keyOf(table: MovedTable, row: Row): Value[] {
  return table.key.map((name) => row[table.columns.indexOf(name)] ?? null)
}

/** Those that others refer to first, otherwise as they are. */
export function parentsFirst(
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
