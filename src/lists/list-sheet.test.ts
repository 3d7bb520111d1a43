import { describe, expect, test } from 'bun:test'
import { sheet as GERMAN } from '../../dashboard/locales/de.json'
import type { DeviceListRowWire } from '../contract/device-lists.ts'
import { exampleAppraisal } from '../contract/examples.ts'
import { SHEET_NAMESPACES } from '../lib/sheet-texts.ts'
import { translator } from '../lib/translations.ts'
import { createListSheet } from './list-sheet.ts'

const QUESTION = { code: 'unread_words', column: 'defects', words: 'Kratzer' } as const
const ROW: DeviceListRowWire = {
  line: 4,
  cells: ['S-1', 'Müller'],
  change: null,
  questions: [],
  is_settled: false,
  quantity: 1,
  asking_price: null,
  asking_amount: null,
  outcome: 'buy',
  appraisal: exampleAppraisal,
  error: null,
  in_lists: [],
}
const OFFER = exampleAppraisal.offer.recommended_offer ?? 0

describe('the download of a list', () => {
  const sheetOf = (columns: readonly ('asking_price' | null)[] = [null, null], language: 'en' | 'de' = 'en') =>
    createListSheet({ header: ['Stock', 'Customer'], columns }, translator(language, SHEET_NAMESPACES), language)
  const cellOf = ({ header, rowOf }: ReturnType<typeof sheetOf>, row: DeviceListRowWire, title: string) =>
    rowOf(row)[header.indexOf(title)]

  test('keeps the columns of the supplier before the results', () => {
    const { header, rowOf } = sheetOf()
    expect(header.slice(0, 5)).toEqual(['Stock', 'Customer', 'Line', 'Error', 'Questions'])
    expect(rowOf(ROW).slice(0, 3)).toEqual(['S-1', 'Müller', 4])
    expect(rowOf(ROW)).toHaveLength(header.length)
    expect(rowOf({ ...ROW, appraisal: null, error: 'Not a device.' })).toHaveLength(header.length)
  })

  test('has amounts in units with their currency', () => {
    const cells = ['Offer', 'Resale value', 'Currency'].map((title) => cellOf(sheetOf(), ROW, title))
    expect(cells).toEqual([OFFER / 100, 265, 'USD'])
  })

  test('says what the prices of the supplier bring', () => {
    const sheet = sheetOf(['asking_price', null])
    const asked = { ...ROW, asking_amount: OFFER }
    expect(cellOf(sheet, asked, 'Asking price')).toBe(OFFER / 100)
    expect(cellOf(sheet, asked, 'Profit at asking price')).toBe(cellOf(sheet, ROW, 'Expected profit') as number)
    expect(cellOf(sheet, { ...ROW, appraisal: null }, 'Asking price')).toBe(null)
  })

  test('asks its questions in the language of the reader, unless a person decided them', () => {
    const asked = { ...ROW, questions: [QUESTION] }
    expect(cellOf(sheetOf(), asked, 'Questions')).toBe('Does it change the price: “Kratzer”?')
    expect(cellOf(sheetOf(undefined, 'de'), asked, 'Fragen')).toContain('Kratzer')
    expect(cellOf(sheetOf(), { ...asked, is_settled: true }, 'Questions')).toBe(null)
  })

  test('says in the language of the reader why a row was not appraised', () => {
    const rejected = { ...ROW, appraisal: null, error: 'There is no device "x-1".' }
    const unknown = { ...rejected, reason_code: 'unknown_device', params: { device: 'x-1' } }
    expect(cellOf(sheetOf(undefined, 'de'), unknown, 'Fehler')).toBe('Es gibt kein Gerät „x-1“.')
    expect(cellOf(sheetOf(undefined, 'de'), rejected, 'Fehler')).toBe('Bitte prüfen Sie diesen Wert.')
    expect(cellOf(sheetOf(), rejected, 'Error')).toBe(rejected.error)
    expect(cellOf(sheetOf(undefined, 'de'), ROW, 'Fehler')).toBe(null)
  })

  const offerWith = (code: string, message: string, parameters?: Record<string, string>): DeviceListRowWire => {
    const reasons = [{ code, message, ...(parameters && { parameters }), amount: 0, running_total: 0 }]
    return { ...ROW, appraisal: { ...exampleAppraisal, offer: { ...exampleAppraisal.offer, reasons } } }
  }
  test.each([
    ['device_not_identified', {}, 'The device could not be identified.', 'Das Gerät konnte nicht bestimmt werden.'],
    [
      'unread_words',
      { words: 'bent' },
      'The text says "bent", which may change the price but fits no field: inspect the device.',
      'Der Text sagt „bent“. Das kann den Preis ändern, passt aber in kein Feld: Gerät prüfen.',
    ],
    [
      'conflicting_input',
      { words: '128GB', field: 'attributes.storage', value: '128GB', stated: '256GB' },
      'The text says "128GB" (attributes.storage: 128GB), the request states 256GB; the stated value counts.',
      'Der Text sagt „128GB“, die Angabe etwas anderes; die Angabe gilt.',
    ],
  ])('has the reason %s in full in the language of the reader', (code, parameters, english, german) => {
    const row = offerWith(code, english, parameters)
    expect(cellOf(sheetOf(), row, 'Reason in full')).toBe(english)
    expect(cellOf(sheetOf(undefined, 'de'), row, GERMAN.column.reasonDetail)).toBe(german)
  })

  test('has the English text of a reason that was recorded before reasons had parameters', () => {
    const row = offerWith('unread_words', 'The text says "bent".')
    expect(cellOf(sheetOf(undefined, 'de'), row, GERMAN.column.reasonDetail)).toBe('The text says "bent".')
  })
})
