import { isForeignKeyViolation, isUniqueViolation } from '../database-errors.ts'
import { type MovedTable, type MoveEndpoint, type MoveRow, moveRowKey, type ReadPosition } from './move-endpoint.ts'

const BATCH_ROWS = 2_000
const SOURCE_KEY = 'from'

/** Row count and order-independent checksum of a table. */
export type TableChecksum = { readonly table: string; readonly rows: number; readonly checksum: string }

export type MoveOptions = {
  /** Name of the source; an interrupted move continues only with the same one. */
  readonly sourceName: string
  /** Error message of every later write to the source. */
  readonly movedMessage: string
  readonly onProgress: (phase: 'copy' | 'writers wait' | 'verify', table: string, rows: number) => void
}

/** Another database is already being moved to the target. */
export class OtherMoveInProgress extends Error {}

/**
 * Copies every row and compares both databases while the service continues to read and write. Then it locks out writers, copies
 * the rows that were added meanwhile, reads the source once more and corrects what changed. Only when both are equal is the
 * source closed for writes. Safe to interrupt at any time: the next run continues after the last copied row.
 */
export async function moveDatabase(
  source: MoveEndpoint,
  target: MoveEndpoint,
  options: MoveOptions,
): Promise<TableChecksum[]> {
  const { sourceName, movedMessage, onProgress } = options
  const tables = await source.tables()
  assertSameTables(tables, await target.tables())
  const recordedSource = await target.getProgress(SOURCE_KEY)
  if (recordedSource !== undefined && recordedSource !== sourceName) throw new OtherMoveInProgress(recordedSource)
  await target.setProgress(SOURCE_KEY, sourceName)

  for (const table of tables) await ignoreConflicts(copyRemainingRows(source, target, table, onProgress))
  const targetSums = new Map<string, RowSum>()
  for (const table of tables) {
    const [sourceSum, targetSum] = await sumBoth(source, target, table, onProgress)
    if (!isEqual(sourceSum, targetSum)) {
      await ignoreConflicts(deleteMissingRows(source, target, table))
      await ignoreConflicts(copyChangedRows(source, target, table))
    }
    targetSums.set(table.name, isEqual(sourceSum, targetSum) ? targetSum : await sumRows(target, table))
  }

  onProgress('writers wait', '', 0)
  await source.lockWrites()
  const differing: MovedTable[] = []
  const sums: TableChecksum[] = []
  for (const table of tables) {
    // Only this move writes to the target, so only the rows added now are read again.
    let targetSum = targetSums.get(table.name) ?? NO_ROWS
    const onCopied = async (rows: readonly MoveRow[]) => {
      targetSum = addRows(targetSum, await target.findByKeys(table, rows))
    }
    await ignoreConflicts(copyRemainingRows(source, target, table, onProgress, onCopied))
    const sourceSum = await sumRows(source, table)
    onProgress('verify', table.name, sourceSum.rows)
    sums.push(toChecksum(table, sourceSum))
    if (!isEqual(sourceSum, targetSum)) differing.push(table)
  }
  for (const table of differing.toReversed()) await deleteMissingRows(source, target, table)
  for (const table of differing) await copyChangedRows(source, target, table)
  for (const table of differing) {
    const [sourceSum, targetSum] = await sumBoth(source, target, table, onProgress)
    if (!isEqual(sourceSum, targetSum))
      throw new Error(
        `The table ${table.name} is not the same on both sides: ${sourceSum.rows} rows here, ${targetSum.rows} there.`,
      )
  }
  await source.closeForWrites(movedMessage)
  await target.finishCopy(tables)
  return sums
}

function assertSameTables(sourceTables: readonly MovedTable[], targetTables: readonly MovedTable[]): void {
  const toShapes = (tables: readonly MovedTable[]) =>
    tables.map(({ name, columns, key }) => `${name} (${columns.join(', ')}; ${key.join(', ')})`).sort()
  const [sourceShapes, targetShapes] = [toShapes(sourceTables), toShapes(targetTables)]
  const difference =
    sourceShapes.find((shape) => !targetShapes.includes(shape)) ??
    targetShapes.find((shape) => !sourceShapes.includes(shape))
  if (difference) throw new Error(`The two stores differ in their tables: ${difference}`)
}

async function copyRemainingRows(
  source: MoveEndpoint,
  target: MoveEndpoint,
  table: MovedTable,
  onProgress: MoveOptions['onProgress'],
  onCopied: (rows: readonly MoveRow[]) => Promise<void> = async () => {},
): Promise<void> {
  const recordedPosition = await target.getProgress(`place ${table.name}`)
  let position = recordedPosition === undefined ? null : (JSON.parse(recordedPosition) as ReadPosition)
  for (;;) {
    const { rows, last } = await source.read(table, position, BATCH_ROWS)
    if (last === null) return
    await target.transaction(async () => {
      await target.upsert(table, rows)
      // In the same transaction, so that an interrupted move continues exactly after the last copied row.
      await target.setProgress(`place ${table.name}`, JSON.stringify(last))
    })
    await onCopied(rows)
    position = last
    onProgress('copy', table.name, rows.length)
  }
}

async function* readBatches(endpoint: MoveEndpoint, table: MovedTable): AsyncGenerator<MoveRow[]> {
  for (let position: ReadPosition | null = null; ; ) {
    const { rows, last } = await endpoint.read(table, position, BATCH_ROWS)
    if (last === null) return
    yield rows
    position = last
  }
}

/** Order-independent sum over rows. */
type RowSum = { readonly rows: number; readonly sum: bigint }

const NO_ROWS: RowSum = { rows: 0, sum: 0n }
const isEqual = (a: RowSum, b: RowSum) => a.rows === b.rows && a.sum === b.sum

function addRows({ rows, sum }: RowSum, addedRows: readonly MoveRow[]): RowSum {
  let newSum = sum
  for (const row of addedRows) newSum += hashRow(row)
  return { rows: rows + addedRows.length, sum: BigInt.asUintN(64, newSum) }
}

const toChecksum = ({ name }: MovedTable, { rows, sum }: RowSum): TableChecksum => ({
  table: name,
  rows,
  checksum: sum.toString(16).padStart(16, '0'),
})

async function sumBoth(
  source: MoveEndpoint,
  target: MoveEndpoint,
  table: MovedTable,
  onProgress: MoveOptions['onProgress'],
): Promise<[RowSum, RowSum]> {
  const sums = await Promise.all([sumRows(source, table), sumRows(target, table)])
  onProgress('verify', table.name, sums[0].rows)
  return sums
}

async function sumRows(endpoint: MoveEndpoint, table: MovedTable): Promise<RowSum> {
  let sum = NO_ROWS
  for await (const rows of readBatches(endpoint, table)) sum = addRows(sum, rows)
  return sum
}

/** Conflicts with rows that changed meanwhile are resolved later, while writes are locked. */
async function ignoreConflicts(work: Promise<void>): Promise<void> {
  await work.catch((error) => {
    if (!isForeignKeyViolation(error) && !isUniqueViolation(error)) throw error
  })
}

const hashRow = (row: MoveRow): bigint => Bun.hash(JSON.stringify(row)) as bigint

async function deleteMissingRows(source: MoveEndpoint, target: MoveEndpoint, table: MovedTable): Promise<void> {
  for await (const batch of readBatches(target, table)) {
    const sourceKeys = new Set(
      (await source.findByKeys(table, batch)).map((row) => JSON.stringify(moveRowKey(table, row))),
    )
    const missingRows = batch.filter((row) => !sourceKeys.has(JSON.stringify(moveRowKey(table, row))))
    if (missingRows.length > 0) await target.transaction(() => target.deleteRows(table, missingRows))
  }
}

async function copyChangedRows(source: MoveEndpoint, target: MoveEndpoint, table: MovedTable): Promise<void> {
  for await (const batch of readBatches(source, table)) {
    const targetRows = new Set((await target.findByKeys(table, batch)).map((row) => JSON.stringify(row)))
    const changedRows = batch.filter((row) => !targetRows.has(JSON.stringify(row)))
    if (changedRows.length > 0) await target.transaction(() => target.upsert(table, changedRows))
  }
}
