import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { figureTable } from '../../src/text/text-table.ts'

/** A table that a subject shows; with `bars` its page draws that column, which holds numbers, as bars too. */
export type Table = {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly bars?: string
}

/** One promise with what was measured for it. */
export type Target = {
  readonly what: string
  readonly measured: string
  readonly target: string
  readonly met: boolean
}

/** What a subject found, when, and on what: enough to write its part of the page without measuring again. */
export type Found = {
  readonly subject: string
  readonly day: string
  readonly machine: string
  readonly tables: readonly Table[]
  readonly targets: readonly Target[]
}

const shown: Table[] = []

export function show(table: Table): void {
  console.log(`\n${table.title}\n${figureTable(table.head, table.rows)}\n`)
  shown.push(table)
}

/** Keeps everything shown for the page, where `npm run bench` asks for it. */
export function keepFound(targets: readonly Target[]): void {
  const { BENCH_SUBJECT: subject, BENCH_RECORD: file } = process.env
  if (!subject || !file) return
  const [core] = cpus()
  const machine = `${cpus().length} cores${core?.model && core.model !== 'unknown' ? ` (${core.model})` : ` (${process.arch})`}, Bun ${Bun.version}, ${process.platform}`
  const day = new Date().toISOString().slice(0, 10)
  const found: Found = { subject, day, machine, tables: shown, targets }
  writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`)
}
