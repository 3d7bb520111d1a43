import { conflict } from '../../lib/errors.ts'

export type MoveValue = string | number | null
/** The values of a row in the order of its table's columns. */
export type MoveRow = readonly MoveValue[]
/** Position of the last row read, in the read order of the database. */
export type ReadPosition = readonly MoveValue[]

export type MovedTable = {
  readonly name: string
  /** Sorted by name, so that both databases list them in the same order. */
  readonly columns: readonly string[]
  /** Primary key columns. */
  readonly key: readonly string[]
}

/** Source or target of a move; hides which database it is. */
export type MoveEndpoint = {
  /** Referenced tables come first. */
  tables(): Promise<readonly MovedTable[]>
  read(
    table: MovedTable,
    after: ReadPosition | null,
    limit: number,
  ): Promise<{ rows: MoveRow[]; last: ReadPosition | null }>
  /** Rows with the same keys as the given rows. */
  findByKeys(table: MovedTable, rowsWithKeys: readonly MoveRow[]): Promise<MoveRow[]>
  transaction<T>(work: () => Promise<T>): Promise<T>
  /** Inserts rows or overwrites those with the same key. */
  upsert(table: MovedTable, rows: readonly MoveRow[]): Promise<void>
  deleteRows(table: MovedTable, rowsWithKeys: readonly MoveRow[]): Promise<void>
  /** Stores a value about the progress of the move; null deletes it. */
  setProgress(name: string, value: string | null): Promise<void>
  getProgress(name: string): Promise<string | undefined>
  /** Runs `work` with reads of one state of the database, while others write. */
  snapshot<T>(work: () => Promise<T>): Promise<T>
  /** Starts recording for `changedTables`. */
  trackChanges(): Promise<void>
  /**
   * Tables in which a row was changed or deleted, or inserted elsewhere than at the end of the read order, since `trackChanges`.
   * Null if that is unknown.
   */
  changedTables(): Promise<ReadonlySet<string> | null>
  /** Blocks all other writers until `closeForWrites` or `close`; reads continue. */
  lockWrites(): Promise<void>
  /** Rejects every further write with this message. */
  closeForWrites(message: string): Promise<void>
  /** Ends the move on the target, which becomes a normal database. */
  finishCopy(): Promise<void>
  /** Updates planner statistics. */
  analyze(tables: readonly MovedTable[]): Promise<void>
  reopenForWrites(): Promise<void>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Progress of a move; exists in the target only during the move. */
export const PROGRESS_TABLE = 'store_filling'
/** Message of a source that was moved away; exists only while it is closed for writes. */
export const MOVED_TABLE = 'store_moved'

/** Names of tables that changed during a move; exists in the source only during the move. */
export const CHANGED_TABLE = 'store_changed'

/** Throws for a target that is not completely copied and for a source that was moved away. */
export function assertNotMoving(state: { readonly isFilling: boolean; readonly moved: string | undefined }): void {
  if (state.isFilling) throw conflict('half store', 'The store is being filled by a move that has not ended.')
  if (state.moved !== undefined) throw conflict('moved store', state.moved)
}

export const isInternalTable = (table: string) =>
  [PROGRESS_TABLE, MOVED_TABLE, CHANGED_TABLE, 'migration'].includes(table)

export function moveRowKey(table: MovedTable, row: MoveRow): MoveValue[] {
  return table.key.map((name) => row[table.columns.indexOf(name)] ?? null)
}

/** Referenced tables first, otherwise in the given order. */
export function sortParentsFirst(
  tables: readonly MovedTable[],
  references: readonly { readonly from: string; readonly to: string }[],
): MovedTable[] {
  const ordered: MovedTable[] = []
  const addWithParents = (table: MovedTable, path: readonly string[]): void => {
    if (ordered.includes(table) || path.includes(table.name)) return
    for (const { from, to } of references) {
      const parent = from === table.name ? tables.find(({ name }) => name === to) : undefined
      if (parent) addWithParents(parent, [...path, table.name])
    }
    ordered.push(table)
  }
  for (const table of tables) addWithParents(table, [])
  return ordered
}
