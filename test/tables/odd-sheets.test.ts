import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeXlsx } from 'hucre/xlsx'
import { bundledCatalogueVersion, bundledDevices } from '../../src/catalog/bundled-catalogue-service.ts'
import { createRateLookup } from '../../src/currency/rate-lookup.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { seedCatalogue } from '../../src/import/catalogue/seed-catalogue-service.ts'
import { findImporter } from '../../src/import/importers.ts'
import type { PricePreview } from '../../src/import/prices/price-preview.ts'
import { openQuestions } from '../../src/import/prices/price-questions.ts'
import { type ByteSource, createTextSource, openByteSource } from '../../src/import/read/byte-source-service.ts'
import { withUnpackedSource } from '../../src/import/read/unpack-service.ts'
import { createRowReport } from '../../src/import/row-report-service.ts'
import { DomainError } from '../../src/lib/errors.ts'
import { OPERATOR } from '../support/service.ts'
import { MORE_ODD_SHEETS } from './more-odd-sheets.ts'
import { ODD_SHEETS, ODD_SHEETS_NOW, type OddSheet, type RightRow } from './odd-sheets.ts'

const rates = createRateLookup([])
const names = new Map(bundledDevices().map(({ id, make, name }) => [id, name.replace(`${make} `, '').toLowerCase()]))
let folder: string
let db: Database
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'odd-sheets-'))
  db = await openDatabase({ url: '', dataDir: folder })
  await seedCatalogue(db, { version: bundledCatalogueVersion(), devices: bundledDevices })
})
afterAll(async () => {
  await db.close()
  await rm(folder, { recursive: true })
})

async function workbook(sheets: NonNullable<OddSheet['sheets']>, file: string): Promise<ByteSource> {
  const bytes = await writeXlsx({
    sheets: sheets.map(({ name, rows, merges = [] }) => ({
      name,
      rows,
      merges: merges.map(([startRow, startCol, endRow, endCol]) => ({ startRow, startCol, endRow, endCol })),
    })),
  })
  const path = join(folder, file)
  await Bun.write(path, bytes)
  return { ...(await openByteSource(path)), name: file }
}

type Read = { readonly preview: PricePreview | undefined; readonly asked: readonly string[] }

async function check(
  { text = '', sheets, file, market = 'us' }: OddSheet,
  options: Readonly<Record<string, string>>,
): Promise<Read> {
  let preview: PricePreview | undefined
  try {
    const source = sheets ? await workbook(sheets, file) : createTextSource(text, file)
    const run = (list: ByteSource) =>
      findImporter('observations')?.run(list, {
        ...{ db, options, dryRun: true, organizationId: '', defaultMarket: market, acceptShrink: false },
        acceptsGuesses: true,
        report: createRowReport({ path: null, show: () => {} }),
        progress: { at: () => {}, clear: () => {} },
        onPreview: (built) => {
          preview = built
        },
        ...{ notify: () => {}, actor: OPERATOR, signal: new AbortController().signal, runId: 'run' },
        now: () => ODD_SHEETS_NOW,
        open: async () => createTextSource('[]'),
      })
    await withUnpackedSource(source, { allSheets: true }, async (list) => run(list))
    return { preview, asked: [] }
  } catch (error) {
    const asked = error instanceof DomainError ? openQuestions(error) : []
    if (asked.length === 0) throw error
    return { preview, asked }
  }
}

/** The right row in the units of the preview. */
function inCents(row: RightRow, day: string) {
  const usd = row.currency === 'USD' ? 1 : (rates.find(row.currency, day)?.usd ?? Number.NaN)
  return Math.round(row.amount * usd * 100)
}

/** Rows of a preview. */
const SHOWN_ROWS = 10

test.each([...ODD_SHEETS, ...MORE_ODD_SHEETS].map((sheet) => [sheet.name, sheet] as const))(
  '%s: the right columns and rows, or a question',
  async (_name, sheet) => {
    let { preview, asked } = await check(sheet, sheet.options ?? {})
    for (let round = 0; asked.length > 0 && round < 2; round++) {
      expect(Object.keys(sheet.answers)).toEqual(expect.arrayContaining([...asked]))
      const answers = Object.entries(sheet.answers).filter(([name]) => asked.includes(name))
      ;({ preview, asked } = await check(sheet, { ...sheet.options, ...Object.fromEntries(answers) }))
    }
    const fields: Readonly<Record<string, string | null>> = Object.fromEntries(
      (preview?.columns ?? []).map(({ name, field }) => [name, field]),
    )
    expect(Object.fromEntries(Object.keys(sheet.columns).map((title) => [title, fields[title] ?? null]))).toEqual({
      ...sheet.columns,
    })
    const read = (preview?.rows ?? []).map(
      ({ price }) => price && { ...price, device: names.get(price.deviceId) ?? price.deviceId },
    )
    expect(read).toHaveLength(Math.min(SHOWN_ROWS, sheet.rows.length))
    for (const [at, right] of sheet.rows.slice(0, SHOWN_ROWS).entries()) {
      const row = read[at]
      if (!right || !row) {
        expect({ at, row }).toEqual({ at, row: right ? expect.anything() : null })
        continue
      }
      const { device, grade, side, day } = right
      const stated = Object.entries({ device: device.toLowerCase(), grade, side, day }).filter(([, value]) => value)
      expect(row).toMatchObject(Object.fromEntries(stated))
      expect(Math.abs(row.cents / inCents(right, row.day) - 1)).toBeLessThan(0.01)
    }
  },
)
