import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { formatNumberTable } from '../../src/lib/text-table.ts'

/** A table that a subject shows; with `bars` its page draws that column, which holds numbers, as bars too. */
export type ResultTable = {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly bars?: string
}

/** One promise with what was measured for it. */
export type BenchTarget = {
  readonly what: string
  readonly measured: string
  readonly target: string
  readonly met: boolean
}

/** What a subject found, when, and on what: enough to write its part of the page without measuring again. */
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

/** Keeps everything shown for the page, where `npm run bench` asks for it. */
export function saveResult(targets: readonly BenchTarget[]): void {
  const { BENCH_SUBJECT: subject, BENCH_RECORD: file } = process.env
  if (!subject || !file) return
  const [core] = cpus()
  const machine = `${cpus().length} cores${core?.model && core.model !== 'unknown' ? ` (${core.model})` : ` (${process.arch})`}, Bun ${Bun.version}, ${process.platform}`
  const day = new Date().toISOString().slice(0, 10)
  const found: SubjectResult = { subject, day, machine, tables: shownTables, targets }
  writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`)
}
