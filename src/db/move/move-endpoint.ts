import { conflict } from '../../lib/errors.ts'
import { reason } from '../../lib/reasons.ts'

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
  countRows(table: MovedTable): Promise<number>
  read(
    table: MovedTable,
    after: ReadPosition | null,
    limit: number,
  ): Promise<{ rows: MoveRow[]; last: ReadPosition | null }>
  /** Reads show one state of the database until `close`, while others write. */
  holdSnapshot(): Promise<void>
  /** Blocks all other writers until `closeForWrites` or `close`. */
  lockWrites(): Promise<void>
  /** Rejects every further write with this message. */
  closeForWrites(message: string): Promise<void>
  reopenForWrites(): Promise<void>
  /** Whether a move to this database has not ended. No service opens it then. */
  isFilling(): Promise<boolean>
  startFilling(): Promise<void>
  /** Deletes all rows, those of an interrupted move included, and the indexes that `finishFilling` creates. */
  clear(tables: readonly MovedTable[]): Promise<void>
  /** Inserts rows in one transaction. */
  insert(table: MovedTable, rows: readonly MoveRow[]): Promise<void>
  /** Makes the target a normal database, with its indexes, sequences and planner statistics. */
  finishFilling(tables: readonly MovedTable[]): Promise<void>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Exists in the target only during the move; holds the statements that create its indexes. */
export const FILLING_TABLE = 'store_filling'
/** Message of a source that was moved away; exists only while it is closed for writes. */
export const MOVED_TABLE = 'store_moved'

/** Throws for a target that is not completely copied and for a source that was moved away. */
export function assertNotMoving(state: { readonly isFilling: boolean; readonly moved: string | undefined }): void {
  if (state.isFilling)
    throw conflict(
      'half store',
      'The database is being filled by a move or restore that has not ended. Run it again.',
      reason('technical'),
    )
  if (state.moved !== undefined) throw conflict('moved store', state.moved, reason('technical'))
}

export const isInternalTable = (table: string) => [FILLING_TABLE, MOVED_TABLE, 'migration'].includes(table)

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
