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
 * Copies every row and compares both databases while the service continues to read and write. Then it locks out writers, copies
 * the rows that were added meanwhile, reads the source once more and corrects what changed. Only when both are equal is the
 * source closed for writes. Safe to interrupt at any time: the next run continues after the last copied row.
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

  for (const table of tables) await ignoreConflicts(copyRemainingRows(source, target, table, step))
  const targetSums = new Map<string, RowSum>()
  for (const table of tables) {
    const [here, there] = await sumBoth(source, target, table, step)
    if (!isEqual(here, there)) {
      await ignoreConflicts(deleteMissingRows(source, target, table))
      await ignoreConflicts(copyChangedRows(source, target, table))
    }
    targetSums.set(table.name, isEqual(here, there) ? there : await sumRows(target, table))
  }

  step('writers wait', '', 0)
  await source.lockWrites()
  const differing: MovedTable[] = []
  const sums: TableChecksum[] = []
  for (const table of tables) {
    // Nothing but this move writes to the target, so of it only the rows added now are read again.
    let there = targetSums.get(table.name) ?? NO_ROWS
    const onCopied = async (rows: readonly MoveRow[]) => {
      there = addRows(there, await target.findByKeys(table, rows))
    }
    await ignoreConflicts(copyRemainingRows(source, target, table, step, onCopied))
    const here = await sumRows(source, table)
    step('verify', table.name, here.rows)
    sums.push(toChecksum(table, here))
    if (!isEqual(here, there)) differing.push(table)
  }
  for (const table of differing.toReversed()) await deleteMissingRows(source, target, table)
  for (const table of differing) await copyChangedRows(source, target, table)
  for (const table of differing) {
    const [here, there] = await sumBoth(source, target, table, step)
    if (!isEqual(here, there))
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
  onCopied: (rows: readonly MoveRow[]) => Promise<void> = async () => {},
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
    await onCopied(rows)
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

/** A sum over rows that does not depend on their order. */
type RowSum = { readonly rows: number; readonly sum: bigint }

const NO_ROWS: RowSum = { rows: 0, sum: 0n }
const isEqual = (a: RowSum, b: RowSum) => a.rows === b.rows && a.sum === b.sum

function addRows({ rows, sum }: RowSum, added: readonly MoveRow[]): RowSum {
  let next = sum
  for (const row of added) next += hashRow(row)
  return { rows: rows + added.length, sum: BigInt.asUintN(64, next) }
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
  step: MoveOptions['onProgress'],
): Promise<[RowSum, RowSum]> {
  const sums = await Promise.all([sumRows(source, table), sumRows(target, table)])
  step('verify', table.name, sums[0].rows)
  return sums
}

async function sumRows(side: MoveEndpoint, table: MovedTable): Promise<RowSum> {
  let sum = NO_ROWS
  for await (const rows of readBatches(side, table)) sum = addRows(sum, rows)
  return sum
}

/** A row that refers to, or takes the place of, one that changed meanwhile is settled while nobody writes. */
async function ignoreConflicts(work: Promise<void>): Promise<void> {
  await work.catch((error) => {
    if (!isForeignKeyViolation(error) && !isUniqueViolation(error)) throw error
  })
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
