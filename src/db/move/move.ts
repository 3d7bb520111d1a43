import { isForeignKeyViolation, isUniqueViolation } from '../failures.ts'
import { keyOf, type MovedTable, type Place, type Row, type Side } from './side.ts'

const STEP_ROWS = 2_000
const FROM = 'from'

/** What a table is on both sides: a sum over its rows that does not depend on their order. */
export type TableSum = { readonly table: string; readonly rows: number; readonly checksum: string }

export type MoveOptions = {
  /** Which store this is, so that a move that was cut off goes on with the same one. */
  readonly from: string
  /** What the store that was moved away answers to every write from then on. */
  readonly sentence: string
  readonly step: (what: 'copy' | 'writers wait' | 'verify', table: string, rows: number) => void
}

/** Another store is being moved there already. */
export class OtherMove extends Error {}

/**
 * Copies every row while the service goes on reading and writing; then keeps writers out, copies what came meanwhile, and
 * compares both sides row by row. Only when they are equal is the old store sealed, so that nothing is written where nobody
 * reads any more. It may be cut off at any time: the next run goes on after the last row that arrived.
 */
export async function moveStore(source: Side, target: Side, options: MoveOptions): Promise<TableSum[]> {
  const { from, sentence, step } = options
  const tables = await source.tables()
  sameShape(tables, await target.tables())
  const noted = await target.noted(FROM)
  if (noted !== undefined && noted !== from) throw new OtherMove(noted)
  await target.note(FROM, from)

  for (const table of tables) {
    try {
      await copyOnwards(source, target, table, step)
    } catch (error) {
      // It refers to, or stands in the place of, a row that changed since: that is settled when nobody writes.
      if (!isForeignKeyViolation(error) && !isUniqueViolation(error)) throw error
    }
  }

  step('writers wait', '', 0)
  await source.keepWritersOut()
  const differing: MovedTable[] = []
  const sums: TableSum[] = []
  for (const table of tables) {
    await copyOnwards(source, target, table, step).catch((error) => {
      if (!isForeignKeyViolation(error) && !isUniqueViolation(error)) throw error
    })
    const [here, there] = await sumsOf(source, target, table, step)
    sums.push(here)
    if (here.checksum !== there.checksum || here.rows !== there.rows) differing.push(table)
  }
  for (const table of differing.toReversed()) await removeWhatIsGone(source, target, table)
  for (const table of differing) await putWhatDiffers(source, target, table)
  for (const table of differing) {
    const [here, there] = await sumsOf(source, target, table, step)
    if (here.checksum !== there.checksum || here.rows !== there.rows)
      throw new Error(
        `The table ${table.name} is not the same on both sides: ${here.rows} rows here, ${there.rows} there.`,
      )
  }
  await source.sealAndRelease(sentence)
  await target.finishFilling(tables)
  return sums
}

function sameShape(here: readonly MovedTable[], there: readonly MovedTable[]): void {
  const shapeOf = (tables: readonly MovedTable[]) =>
    tables.map(({ name, columns, key }) => `${name} (${columns.join(', ')}; ${key.join(', ')})`).sort()
  const [ours, theirs] = [shapeOf(here), shapeOf(there)]
  const other = ours.find((shape) => !theirs.includes(shape)) ?? theirs.find((shape) => !ours.includes(shape))
  if (other) throw new Error(`The two stores differ in their tables: ${other}`)
}

async function copyOnwards(source: Side, target: Side, table: MovedTable, step: MoveOptions['step']): Promise<void> {
  const noted = await target.noted(`place ${table.name}`)
  let place = noted === undefined ? null : (JSON.parse(noted) as Place)
  for (;;) {
    const { rows, last } = await source.read(table, place, STEP_ROWS)
    if (last === null) return
    await target.transaction(async () => {
      await target.put(table, rows)
      // In the same transaction: a move that is cut off knows exactly what arrived.
      await target.note(`place ${table.name}`, JSON.stringify(last))
    })
    place = last
    step('copy', table.name, rows.length)
  }
}

async function* stepsOf(side: Side, table: MovedTable): AsyncGenerator<Row[]> {
  for (let place: Place | null = null; ; ) {
    const { rows, last } = await side.read(table, place, STEP_ROWS)
    if (last === null) return
    yield rows
    place = last
  }
}

async function sumsOf(
  source: Side,
  target: Side,
  table: MovedTable,
  step: MoveOptions['step'],
): Promise<[TableSum, TableSum]> {
  const [here, there] = [await sumOf(source, table), await sumOf(target, table)]
  step('verify', table.name, here.rows)
  return [here, there]
}

async function sumOf(side: Side, table: MovedTable): Promise<TableSum> {
  let sum = 0n
  let rows = 0
  for await (const step of stepsOf(side, table)) {
    rows += step.length
    for (const row of step) sum += digestOf(row)
  }
  return { table: table.name, rows, checksum: BigInt.asUintN(64, sum).toString(16).padStart(16, '0') }
}

const digestOf = (row: Row): bigint => Bun.hash(JSON.stringify(row)) as bigint

async function removeWhatIsGone(source: Side, target: Side, table: MovedTable): Promise<void> {
  for await (const step of stepsOf(target, table)) {
    const there = new Set((await source.find(table, step)).map((row) => JSON.stringify(keyOf(table, row))))
    const gone = step.filter((row) => !there.has(JSON.stringify(keyOf(table, row))))
    if (gone.length > 0) await target.transaction(() => target.remove(table, gone))
  }
}

async function putWhatDiffers(source: Side, target: Side, table: MovedTable): Promise<void> {
  for await (const step of stepsOf(source, table)) {
    const there = new Set((await target.find(table, step)).map((row) => JSON.stringify(row)))
    const changed = step.filter((row) => !there.has(JSON.stringify(row)))
    if (changed.length > 0) await target.transaction(() => target.put(table, changed))
  }
}
