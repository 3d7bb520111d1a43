import { isForeignKeyViolation, isUniqueViolation } from '../database-errors.ts'
import { type MovedTable, type MoveEndpoint, type MoveRow, moveRowKey, type ReadPosition } from './move-endpoint.ts'

const BATCH_ROWS = 2_000
/** Progress value with the name of the source. */
export const SOURCE_KEY = 'from'

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
 * Copies every row while the service continues to read and write, then makes the target equal to a snapshot of the source. Then
 * it locks out writers and copies what changed since the snapshot. Only when both are equal is the source closed for writes. Safe
 * to interrupt at any time: the next run continues after the last copied row.
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

  for (const table of tables) await copyRemainingRows(source, target, table, onProgress)
  await source.trackChanges()
  const sums = await source.snapshot(async () => {
    for (const table of tables)
      if (!(await copyRemainingRows(source, target, table, onProgress))) await skipRemainingRows(source, target, table)
    return makeEqual(source, target, tables, onProgress)
  })
  await target.analyze(tables)

  onProgress('writers wait', '', 0)
  await source.lockWrites()
  const changedTables = await source.changedTables()
  const differing: MovedTable[] = []
  for (const table of tables) {
    let isEqualSoFar = changedTables !== null && !changedTables.has(table.name)
    const onCopied = async (rows: readonly MoveRow[]) => {
      const before = sums.get(table.name) ?? NO_ROWS
      const targetSum = addRows(before, await target.findByKeys(table, rows))
      sums.set(table.name, targetSum)
      isEqualSoFar &&= isEqual(addRows(before, rows), targetSum)
    }
    const isCopied = await copyRemainingRows(source, target, table, onProgress, onCopied)
    if (!isCopied || !isEqualSoFar) differing.push(table)
  }
  const corrected = await makeEqual(source, target, differing, onProgress, sums)
  await source.closeForWrites(movedMessage)
  await target.finishCopy()
  return tables.map((table) => toChecksum(table, corrected.get(table.name) ?? sums.get(table.name) ?? NO_ROWS))
}

/**
 * Reads tables on both sides and corrects the target where they differ. The source must not change meanwhile. `targetSums`
 * saves reading the target, to which only this move writes.
 */
async function makeEqual(
  source: MoveEndpoint,
  target: MoveEndpoint,
  tables: readonly MovedTable[],
  onProgress: MoveOptions['onProgress'],
  targetSums: ReadonlyMap<string, RowSum> = new Map(),
): Promise<Map<string, RowSum>> {
  const sums = new Map<string, RowSum>()
  const differing: MovedTable[] = []
  for (const table of tables) {
    const [sourceSum, targetSum] = await sumBoth(source, target, table, onProgress, targetSums.get(table.name))
    sums.set(table.name, sourceSum)
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

/** Returns false if a row conflicts with rows that changed meanwhile. `makeEqual` copies the rest of its table then. */
async function copyRemainingRows(
  source: MoveEndpoint,
  target: MoveEndpoint,
  table: MovedTable,
  onProgress: MoveOptions['onProgress'],
  onCopied: (rows: readonly MoveRow[]) => Promise<void> = async () => {},
): Promise<boolean> {
  const recordedPosition = await target.getProgress(`place ${table.name}`)
  const position = recordedPosition === undefined ? null : (JSON.parse(recordedPosition) as ReadPosition)
  for await (const { rows, last } of readBatches(source, table, position)) {
    const copyBatch = async () => {
      await target.upsert(table, rows)
      // In the same transaction, so that an interrupted move continues exactly after the last copied row.
      await target.setProgress(`place ${table.name}`, JSON.stringify(last))
    }
    try {
      await target.transaction(copyBatch)
    } catch (error) {
      if (isForeignKeyViolation(error) || isUniqueViolation(error)) return false
      throw error
    }
    await onCopied(rows)
    onProgress('copy', table.name, rows.length)
  }
  return true
}

/** After this the next copy begins with rows that are added later. */
async function skipRemainingRows(source: MoveEndpoint, target: MoveEndpoint, table: MovedTable): Promise<void> {
  for await (const { last } of readBatches(source, table))
    await target.setProgress(`place ${table.name}`, JSON.stringify(last))
}

/** The rows after a position, with the position of the last row of each batch. */
async function* readBatches(
  endpoint: MoveEndpoint,
  table: MovedTable,
  after: ReadPosition | null = null,
): AsyncGenerator<{ rows: MoveRow[]; last: ReadPosition }> {
  for (let position = after; ; ) {
    const { rows, last } = await endpoint.read(table, position, BATCH_ROWS)
    if (last === null) return
    yield { rows, last }
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
  knownTargetSum?: RowSum,
): Promise<[RowSum, RowSum]> {
  const sums = await Promise.all([sumRows(source, table), knownTargetSum ?? sumRows(target, table)])
  onProgress('verify', table.name, sums[0].rows)
  return sums
}

async function sumRows(endpoint: MoveEndpoint, table: MovedTable): Promise<RowSum> {
  let sum = NO_ROWS
  for await (const { rows } of readBatches(endpoint, table)) sum = addRows(sum, rows)
  return sum
}

const hashRow = (row: MoveRow): bigint => Bun.hash(JSON.stringify(row)) as bigint

async function deleteMissingRows(source: MoveEndpoint, target: MoveEndpoint, table: MovedTable): Promise<void> {
  const keyOf = (row: MoveRow) => JSON.stringify(moveRowKey(table, row))
  for await (const { rows } of readBatches(target, table)) {
    const sourceKeys = new Set((await source.findByKeys(table, rows)).map(keyOf))
    const missingRows = rows.filter((row) => !sourceKeys.has(keyOf(row)))
    if (missingRows.length > 0) await target.transaction(() => target.deleteRows(table, missingRows))
  }
}

async function copyChangedRows(source: MoveEndpoint, target: MoveEndpoint, table: MovedTable): Promise<void> {
  for await (const { rows } of readBatches(source, table)) {
    const targetRows = new Set((await target.findByKeys(table, rows)).map((row) => JSON.stringify(row)))
    const changedRows = rows.filter((row) => !targetRows.has(JSON.stringify(row)))
    if (changedRows.length > 0) await target.transaction(() => target.upsert(table, changedRows))
  }
}
