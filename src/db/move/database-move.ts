import { yieldToEventLoop } from '../../lib/event-loop.ts'
import type { MovedTable, MoveEndpoint, MoveRow, ReadPosition } from './move-endpoint.ts'

const BATCH_ROWS = 2_000

/** Row count and order-independent checksum of a table. */
export type TableChecksum = { readonly table: string; readonly rows: number; readonly checksum: string }

export type MoveOptions = {
  /** Error message of every later write to the source. */
  readonly movedMessage: string
  /** Called after every batch with the rows copied and verified so far and those of the whole move. */
  readonly onProgress: (done: number, total: number) => void
}

/**
 * Copies every row, reads the target again and compares count and checksum of each table. Writers of the source are locked out
 * all the time. Only when both are equal is the source closed for writes. Safe to interrupt at any time: the source is then
 * unchanged, and the next run starts from the beginning.
 */
export async function moveDatabase(
  source: MoveEndpoint,
  target: MoveEndpoint,
  { movedMessage, onProgress }: MoveOptions,
): Promise<TableChecksum[]> {
  await source.lockWrites()
  const checksums = await copyAndVerify(source, target, onProgress)
  await source.closeForWrites(movedMessage)
  await target.finishFilling(await target.tables())
  return checksums
}

/** Copies one state of the source, which stays as it is while others write to it, and compares both. */
export async function copyDatabase(
  source: MoveEndpoint,
  target: MoveEndpoint,
  onProgress: MoveOptions['onProgress'],
): Promise<void> {
  await source.holdSnapshot()
  await copyAndVerify(source, target, onProgress)
  await target.finishFilling(await target.tables())
}

async function copyAndVerify(
  source: MoveEndpoint,
  target: MoveEndpoint,
  onProgress: MoveOptions['onProgress'],
): Promise<TableChecksum[]> {
  const tables = await source.tables()
  assertSameTables(tables, await target.tables())
  await target.clear(tables)
  let done = 0
  let total = 0
  // Every row is read twice: once to copy it, once to verify the copy.
  for (const table of tables) total += 2 * (await source.countRows(table))
  const sumBatches = async (endpoint: MoveEndpoint, table: MovedTable, use?: (rows: MoveRow[]) => Promise<void>) => {
    let sum = NO_ROWS
    for await (const rows of readBatches(endpoint, table)) {
      await use?.(rows)
      sum = addRows(sum, rows)
      done += rows.length
      onProgress(done, total)
      // The event loop handles signals in between.
      await yieldToEventLoop()
    }
    return sum
  }
  const sourceSums = new Map<string, RowSum>()
  for (const table of tables)
    sourceSums.set(table.name, await sumBatches(source, table, (rows) => target.insert(table, rows)))
  const checksums: TableChecksum[] = []
  for (const table of tables) {
    const copied = await sumBatches(target, table)
    const original = sourceSums.get(table.name) ?? NO_ROWS
    if (copied.rows !== original.rows || copied.sum !== original.sum)
      throw new Error(
        `The table ${table.name} is not the same on both sides: ${original.rows} rows here, ${copied.rows} there. Run it again.`,
      )
    checksums.push({ table: table.name, rows: copied.rows, checksum: copied.sum.toString(16).padStart(16, '0') })
  }
  return checksums
}

function assertSameTables(sourceTables: readonly MovedTable[], targetTables: readonly MovedTable[]): void {
  const toShapes = (tables: readonly MovedTable[]) =>
    tables.map(({ name, columns, key }) => `${name} (${columns.join(', ')}; ${key.join(', ')})`).sort()
  const [sourceShapes, targetShapes] = [toShapes(sourceTables), toShapes(targetTables)]
  const difference =
    sourceShapes.find((shape) => !targetShapes.includes(shape)) ??
    targetShapes.find((shape) => !sourceShapes.includes(shape))
  if (difference) throw new Error(`The two databases differ in their tables: ${difference}`)
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

function addRows({ rows, sum }: RowSum, addedRows: readonly MoveRow[]): RowSum {
  let newSum = sum
  for (const row of addedRows) newSum += Bun.hash(JSON.stringify(row)) as bigint
  return { rows: rows + addedRows.length, sum: BigInt.asUintN(64, newSum) }
}
