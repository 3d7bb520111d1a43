import { isForeignKeyViolation, isUniqueViolation } from '../database-errors.ts'
import { type MovedTable, type MoveEndpoint, type MoveRow, moveRowKey, type ReadPosition } from './move-endpoint.ts'

const BATCH_ROWS = 2_000
const SOURCE_KEY = 'from'

/** What a table is on both sides: a sum over its rows that does not depend on their order. */
export type TableChecksum = { readonly table: string; readonly rows: number; readonly checksum: string }

export type MoveOptions = {
  /** Which store this is, so that a move that was cut off goes on with the same one. */
  readonly sourceName: string
  /** What the store that was moved away answers to every write from then on. */
  readonly movedMessage: string
  readonly onProgress: (what: 'copy' | 'writers wait' | 'verify', table: string, rows: number) => void
}

/** Another store is being moved there already. */
export class OtherMoveInProgress extends Error {}

/**
 * Copies every row while the service goes on reading and writing; then keeps writers out, copies what came meanwhile, and
 * compares both sides row by row. Only when they are equal is the old store sealed, so that nothing is written where nobody
 * reads any more. It may be cut off at any time: the next run goes on after the last row that arrived.
 */
export async function moveDatabase(
  source: MoveEndpoint,
  target: MoveEndpoint,
  options: MoveOptions,
): Promise<TableChecksum[]> {
  const { sourceName: from, movedMessage: sentence, onProgress: step } = options
  const tables = await source.tables()
  assertSameTables(tables, await target.tables())
  const noted = await target.getProgress(SOURCE_KEY)
  if (noted !== undefined && noted !== from) throw new OtherMoveInProgress(noted)
  await target.setProgress(SOURCE_KEY, from)

  for (const table of tables) {
    try {
      await copyRemainingRows(source, target, table, step)
    } catch (error) {
      // It refers to, or stands in the place of, a row that changed since: that is settled when nobody writes.
      if (!isForeignKeyViolation(error) && !isUniqueViolation(error)) throw error
    }
  }

  step('writers wait', '', 0)
  await source.lockWrites()
  const differing: MovedTable[] = []
  const sums: TableChecksum[] = []
  for (const table of tables) {
    await copyRemainingRows(source, target, table, step).catch((error) => {
      if (!isForeignKeyViolation(error) && !isUniqueViolation(error)) throw error
    })
    const [here, there] = await checksumBoth(source, target, table, step)
    sums.push(here)
    if (here.checksum !== there.checksum || here.rows !== there.rows) differing.push(table)
  }
  for (const table of differing.toReversed()) await deleteMissingRows(source, target, table)
  for (const table of differing) await copyChangedRows(source, target, table)
  for (const table of differing) {
    const [here, there] = await checksumBoth(source, target, table, step)
    if (here.checksum !== there.checksum || here.rows !== there.rows)
      throw new Error(
        `The table ${table.name} is not the same on both sides: ${here.rows} rows here, ${there.rows} there.`,
      )
  }
  await source.closeForWrites(sentence)
  await target.finishCopy(tables)
  return sums
}

function assertSameTables(here: readonly MovedTable[], there: readonly MovedTable[]): void {
  const shapeOf = (tables: readonly MovedTable[]) =>
    tables.map(({ name, columns, key }) => `${name} (${columns.join(', ')}; ${key.join(', ')})`).sort()
  const [ours, theirs] = [shapeOf(here), shapeOf(there)]
  const other = ours.find((shape) => !theirs.includes(shape)) ?? theirs.find((shape) => !ours.includes(shape))
  if (other) throw new Error(`The two stores differ in their tables: ${other}`)
}

async function copyRemainingRows(
  source: MoveEndpoint,
  target: MoveEndpoint,
  table: MovedTable,
  step: MoveOptions['onProgress'],
): Promise<void> {
  const noted = await target.getProgress(`place ${table.name}`)
  let place = noted === undefined ? null : (JSON.parse(noted) as ReadPosition)
  for (;;) {
    const { rows, last } = await source.read(table, place, BATCH_ROWS)
    if (last === null) return
    await target.transaction(async () => {
      await target.upsert(table, rows)
      // In the same transaction: a move that is cut off knows exactly what arrived.
      await target.setProgress(`place ${table.name}`, JSON.stringify(last))
    })
    place = last
    step('copy', table.name, rows.length)
  }
}

async function* readBatches(side: MoveEndpoint, table: MovedTable): AsyncGenerator<MoveRow[]> {
  for (let place: ReadPosition | null = null; ; ) {
    const { rows, last } = await side.read(table, place, BATCH_ROWS)
    if (last === null) return
    yield rows
    place = last
  }
}

async function checksumBoth(
  source: MoveEndpoint,
  target: MoveEndpoint,
  table: MovedTable,
  step: MoveOptions['onProgress'],
): Promise<[TableChecksum, TableChecksum]> {
  const [here, there] = [await checksumTable(source, table), await checksumTable(target, table)]
  step('verify', table.name, here.rows)
  return [here, there]
}

async function checksumTable(side: MoveEndpoint, table: MovedTable): Promise<TableChecksum> {
  let sum = 0n
  let rows = 0
  for await (const step of readBatches(side, table)) {
    rows += step.length
    for (const row of step) sum += hashRow(row)
  }
  return { table: table.name, rows, checksum: BigInt.asUintN(64, sum).toString(16).padStart(16, '0') }
}

const hashRow = (row: MoveRow): bigint => Bun.hash(JSON.stringify(row)) as bigint

async function deleteMissingRows(source: MoveEndpoint, target: MoveEndpoint, table: MovedTable): Promise<void> {
  for await (const step of readBatches(target, table)) {
    const there = new Set((await source.findByKeys(table, step)).map((row) => JSON.stringify(moveRowKey(table, row))))
    const gone = step.filter((row) => !there.has(JSON.stringify(moveRowKey(table, row))))
    if (gone.length > 0) await target.transaction(() => target.deleteRows(table, gone))
  }
}

async function copyChangedRows(source: MoveEndpoint, target: MoveEndpoint, table: MovedTable): Promise<void> {
  for await (const step of readBatches(source, table)) {
    const there = new Set((await target.findByKeys(table, step)).map((row) => JSON.stringify(row)))
    const changed = step.filter((row) => !there.has(JSON.stringify(row)))
    if (changed.length > 0) await target.transaction(() => target.upsert(table, changed))
  }
}
