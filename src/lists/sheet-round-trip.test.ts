import { describe, expect, test } from 'bun:test'
import { SHEET_WORDS_FILE, sheetWordsJson } from '../../scripts/generate-sheet-words.ts'
import { sheetCells, sheetHeader } from '../appraisal/appraisal-sheet.ts'
import type { ReportedDeal } from '../appraisal/deal-report.ts'
import { dealSheetHeader, dealSheetRow } from '../appraisal/deal-sheet.ts'
import type { Outcome } from '../appraisal/outcome.ts'
import { withEnglishTitles } from '../appraisal/sheet-words.ts'
import type { AppraisalWire } from '../contract/appraisal.ts'
import { exampleAppraisal, exampleRejectedAppraisal } from '../contract/examples.ts'
import { LANGUAGES } from '../contract/languages.ts'
import { parseCsv } from '../import/read/csv-reader.ts'
import { parseHeader } from '../import/read/header.ts'
import { formatCsvLine } from '../lib/csv-writer.ts'
import { SHEET_NAMESPACES } from '../lib/sheet-texts.ts'
import { translator } from '../lib/translations.ts'
import { readDeviceListRow } from './device-list-row.ts'
import { createCellGetter, detectListLayout } from './list-columns.ts'
import { outcomeFromRow } from './outcome-row.ts'

/** The cells of the only row of a downloaded file, as an import looks them up. */
function reread(header: readonly string[], row: readonly (string | number)[]) {
  const [titles = [], cells = []] = parseCsv(formatCsvLine(header) + formatCsvLine(row), ',')
  const { find } = parseHeader(withEnglishTitles(titles))
  return (...names: readonly string[]) => cells[find(...names)]?.trim() ?? ''
}

/** The same row as one of a list of devices. */
function rereadDevice(header: readonly string[], row: readonly (string | number)[]) {
  const lines = parseCsv(formatCsvLine(header) + formatCsvLine(row), ',')
  const { columns } = detectListLayout(lines.map((fields, at) => ({ line: at + 1, fields })))
  const cellOf = createCellGetter(columns)
  const { request, questions } = readDeviceListRow((column) => cellOf(lines[1] ?? [], column))
  expect(questions).toEqual([])
  return request
}

const BOUGHT = { price: 12_050, currency: 'EUR', date: '2026-03-02' }
const SOLD = { price: 215, currency: 'JPY', date: '2026-03-20' }
const createdBy = { kind: 'key', id: 'key_1', name: 'Shop' } as const
const open = { bought: null, sold: null, declined: null, note: 'für Müller', purchaseId: null, createdBy, updatedAt: 0 }
const OUTCOMES: readonly (readonly [Outcome, object])[] = [
  [
    { ...open, status: 'bought', bought: BOUGHT },
    { status: 'bought', ...BOUGHT },
  ],
  [
    { ...open, status: 'sold', bought: BOUGHT, sold: { ...SOLD, channel: null } },
    { status: 'sold', ...SOLD },
  ],
  [
    { ...open, status: 'declined', declined: { by: 'customer', date: '2026-03-02' } },
    { status: 'declined', declined_by: 'customer', date: '2026-03-02' },
  ],
]

test('the words of downloaded files are those of the texts (run scripts/generate-sheet-words.ts)', async () => {
  expect(await Bun.file(SHEET_WORDS_FILE).text()).toBe(sheetWordsJson())
})

describe.each([...LANGUAGES])('a file downloaded in %s', (language) => {
  const t = translator(language, SHEET_NAMESPACES)

  test('has different titles for different columns', () => {
    for (const header of [sheetHeader(t), dealSheetHeader(t)]) expect(new Set(header).size).toBe(header.length)
  })

  test('of deals can be imported as outcomes without a change', () => {
    for (const [outcome, expected] of OUTCOMES) {
      const forecast = { currency: 'EUR', offer: 1, sale: 2, saleRange: null, costs: 3, isSample: false }
      const deal = { appraisalId: 'apr_1', deviceId: null, outcome, forecast } as unknown as ReportedDeal
      const cell = reread(
        dealSheetHeader(t),
        dealSheetRow(deal, t, () => null),
      )
      expect(outcomeFromRow(cell, 'USD')).toEqual({ appraisal_id: 'apr_1', note: open.note, ...expected })
    }
  })

  test('of appraisals can be imported as outcomes and as a list of devices', () => {
    const outcome = { status: 'bought', bought: BOUGHT, sold: null, declined: null, note: null, updated_at: '' }
    const reasons = exampleAppraisal.offer.reasons.filter(({ code }) => code !== 'condition_missing')
    const appraisal = {
      ...exampleRejectedAppraisal,
      outcome,
      currency: 'EUR',
      defects: ['cracked_screen', 'weak_battery', 'speaker_or_microphone'],
      reference: 'S-1',
      offer: { ...exampleAppraisal.offer, condition: 'Fair', reasons },
    }
    const rowOf = (changed: object) => sheetCells({ ...appraisal, ...changed } as AppraisalWire, t, language)
    expect(outcomeFromRow(reread(sheetHeader(t), rowOf({})), 'USD')).toMatchObject({ status: 'bought', ...BOUGHT })
    const { text, ...request } = rereadDevice(sheetHeader(t), rowOf({})) ?? {}
    expect(text).toBeTruthy()
    expect(request).toMatchObject({
      reference: 'S-1',
      identifier: exampleRejectedAppraisal.risk?.identifier ?? '',
      condition: 'Fair',
      defects: appraisal.defects,
    })
    const assumed = { code: 'condition_missing', message: '', amount: 0, running_total: 0 }
    const assumedRow = rowOf({ offer: { ...appraisal.offer, reasons: [assumed] } })
    expect(rereadDevice(sheetHeader(t), assumedRow)).not.toHaveProperty('condition')
  })
})
