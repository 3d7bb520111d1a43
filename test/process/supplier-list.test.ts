import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AppraisalWire } from '../../src/contract/appraisal.ts'
import type { DeviceListWithRowsWire } from '../../src/contract/device-lists.ts'
import { readTableFile } from '../../src/import/read/table-file.ts'
import type { RowQuestion } from '../../src/lists/device-list-row.ts'
import { detectListLayout } from '../../src/lists/list-columns.ts'
import { createLineReader } from '../../src/lists/read-device-list.ts'
import { filledDataDir, type RunningProgram, runProgram, shownKeys, startProgram } from '../support/program.ts'
import { isInCatalogue, SUPPLIER_ROWS, supplierCsv, supplierXlsx } from '../support/supplier-sheet.ts'

const BATCH_SIZE = 500

type RowResult = {
  readonly line: number
  readonly questions: readonly RowQuestion[]
  /** Null if the row was not appraised. */
  readonly appraisal: AppraisalWire | null
}

const toResult = (
  line: number,
  questions: readonly RowQuestion[],
  item: { readonly result?: AppraisalWire } | null,
): RowResult => ({ line, questions, appraisal: item?.result ?? null })

/** What the row says. Risks differ between runs, because checking an identifier again is a finding. */
const readingOf = ({ line, questions, appraisal }: RowResult) => ({
  line,
  questions,
  reference: appraisal?.reference,
  variant: appraisal?.identity.variant_id,
  device: appraisal?.identity.device_id,
  defects: appraisal?.defects,
  condition: appraisal?.offer.condition,
  value: appraisal?.value.map(({ condition, resale }) => ({ condition, amount: resale?.amount })),
  words: appraisal?.read_from_text,
  contradictions: appraisal?.contradictions,
})

/** Reads and appraises a file as the list page does. */
async function appraiseAsPage(bytes: Uint8Array, program: RunningProgram, key: string) {
  const { rows: lines } = await readTableFile(bytes, 'list')
  const layout = detectListLayout(lines)
  const { rows, skipped } = createLineReader(layout, layout.columns)(lines.slice(layout.firstRow))
  const send = async (method: string, path: string, body: unknown) => {
    const response = await fetch(`${program.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(200)
    return ((await response.json()) as { data: DeviceListWithRowsWire }).data
  }
  const { id } = await send('POST', '/api/lists', { name: 'Supplier', header: layout.header })
  const results: RowResult[] = []
  for (let from = 0; from < rows.length; from += BATCH_SIZE) {
    const sent = rows.slice(from, from + BATCH_SIZE).map(({ line, fields }) => ({ line, cells: fields }))
    const list = await send('PATCH', `/api/lists/${id}`, { rows: sent })
    results.push(
      ...list.rows.map(({ line, questions, appraisal }) =>
        toResult(line, questions, appraisal && { result: appraisal }),
      ),
    )
  }
  return { columns: layout.columns, rows, skipped, results }
}

describe('a list of 403 devices as a supplier sends it', () => {
  const dataDir = filledDataDir('full')
  const settings = { DATA_DIR: dataDir }
  let page: Awaited<ReturnType<typeof appraiseAsPage>>
  let program: RunningProgram
  let key = ''
  let xlsx: Uint8Array

  beforeAll(async () => {
    xlsx = await supplierXlsx()
    program = await startProgram(settings)
    key = shownKeys(program.stderr()).enterprise
    page = await appraiseAsPage(xlsx, program, key)
  }, 120_000)
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

  test('has its columns recognised below the title', () => {
    expect(page.columns).toEqual([
      ...(['reference', 'make', 'text', 'storage', 'color', 'identifier', 'condition', 'defects'] as const),
      ...(['battery', 'lock', 'quantity', 'asking_price', 'notes'] as const),
    ])
  })

  test('has 403 rows; titles, the sum and the terms are none', () => {
    expect(page.rows).toHaveLength(SUPPLIER_ROWS)
    expect(page.skipped.map(({ kind }) => kind)).toEqual([...Array(4).fill('title'), 'sum', 'title'])
  })

  test('gets an offer or a question for at least 97 % of the rows that name a device of the catalogue', () => {
    const known = page.results.filter((_, at) => isInCatalogue(at + 1))
    const settled = known.filter(({ questions, appraisal }) => {
      return questions.length > 0 || typeof appraisal?.offer.recommended_offer === 'number'
    })
    expect(settled.length / known.length).toBeGreaterThanOrEqual(0.97)
    expect(known.every(({ appraisal }) => appraisal !== null)).toBe(true)
    const identified = known.filter(({ appraisal }) => appraisal?.identity.device_id)
    expect(identified.length / known.length).toBeGreaterThanOrEqual(0.97)
  })

  test('gives the same rows as a CSV file in windows-1252', async () => {
    const csv = await appraiseAsPage(supplierCsv(), program, key)
    const rowsOf = ({ rows }: typeof page) => rows.map(({ fields: _, ...row }) => row)
    expect(rowsOf(csv)).toEqual(rowsOf(page))
  }, 60_000)

  test('gives the same results on the command line', async () => {
    const file = join(dataDir, 'supplier.xlsx')
    writeFileSync(file, xlsx)
    const { code, stdout, stderr } = await runProgram(['appraise', file, '--json'], settings)
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('of 403 devices appraised') })
    const results = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ line, questions, ...item }) => toResult(line, questions, item))
    expect(results.map(readingOf)).toEqual(page.results.map(readingOf))
  }, 120_000)
})
