import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { formatNumberTable } from '../../src/lib/text-table.ts'

/** A table of results; with `bars` the page also draws that numeric column as bars. */
export type ResultTable = {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly bars?: string
}

/** One target with its measured value. */
export type BenchTarget = {
  readonly what: string
  readonly measured: string
  readonly target: string
  readonly met: boolean
}

/** Results of a benchmark with time and machine: enough to write its part of the page without measuring again. */
export type SubjectResult = {
  readonly subject: string
  readonly day: string
  readonly machine: string
  readonly tables: readonly ResultTable[]
  readonly targets: readonly BenchTarget[]
}

const shownTables: ResultTable[] = []

export function showTable(table: ResultTable): void {
  console.log(`\n${table.title}\n${formatNumberTable(table.head, table.rows)}\n`)
  shownTables.push(table)
}

/** Stores all results for the page if `npm run bench` asks for it. */
export function saveResult(targets: readonly BenchTarget[]): void {
  const { BENCH_SUBJECT: subject, BENCH_RECORD: file } = process.env
  if (!subject || !file) return
  const [core] = cpus()
  const machine = `${cpus().length} cores${core?.model && core.model !== 'unknown' ? ` (${core.model})` : ` (${process.arch})`}, Bun ${Bun.version}, ${process.platform}`
  const day = new Date().toISOString().slice(0, 10)
  const result: SubjectResult = { subject, day, machine, tables: shownTables, targets }
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`)
}
