import { expect, test } from 'bun:test'
import type { RejectionCode } from '../../lib/rejections.ts'
import { EMPTY_CELLS, type PriceCells } from './price-columns.ts'
import { createPreviewBuilder } from './price-preview.ts'

const cells = (values: Partial<PriceCells>): PriceCells => ({ ...EMPTY_CELLS, ...values })
const rejection = (problem: RejectionCode) => ({ problem, detail: '' })

function seen(grades: ReadonlyMap<string, string> = new Map()) {
  const preview = createPreviewBuilder(grades)
  preview.setColumns([
    { name: 'title', examples: ['iPhone 13'] },
    { name: 'grade', examples: [] },
    { name: 'colour of the box', examples: [] },
  ])
  preview.setLayout({ names: { model: 'title', condition: 'grade' } })
  return preview
}

test('every column is shown with its meaning, or null if it is not used', () => {
  expect(
    seen()
      .build()
      .columns.map(({ name, field }) => [name, field]),
  ).toEqual([
    ['title', 'model'],
    ['grade', 'condition'],
    ['colour of the box', null],
  ])
})

test('unknown condition words are counted even in rows with other problems, most frequent first', () => {
  const preview = seen(new Map([['mint-ish', 'Good']]))
  const words = ['Top', 'sahne', 'top', 'mint-ish', 'Good', 'for parts', '']
  for (const condition of words) preview.addRow(1, cells({ condition }), rejection('currency_missing'))
  expect(preview.build().unknownConditions).toEqual([
    { word: 'top', rows: 2 },
    { word: 'sahne', rows: 1 },
  ])
})

test('the preview shows the first ten rows and up to three rows per rejection reason', () => {
  const preview = seen()
  for (let line = 1; line <= 40; line++)
    preview.addRow(line, cells({ model: `row ${line}` }), rejection('unknown_model'))
  for (let line = 41; line <= 45; line++) preview.addRow(line, cells({ model: 'x' }), rejection('date_missing'))
  const { rows, rejected: reasons } = preview.build()
  expect(rows.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(rows[0]).toEqual({ line: 1, original: 'row 1', price: null, problem: 'unknown_model' })
  expect(reasons.map(({ reason, rows: some }) => [reason, some.map(({ line }) => line)])).toEqual([
    ['unknown_model', [1, 2, 3]],
    ['date_missing', [41, 42, 43]],
  ])
})
