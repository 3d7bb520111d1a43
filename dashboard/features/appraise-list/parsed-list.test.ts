import { expect, test } from 'bun:test'
import { createLineReader } from '../../../src/lists/read-device-list.ts'
import { type ParsedList, parseList, parseListFile, selectRows } from './parsed-list.ts'

/** The rows as the service reads them. */
const readRows = ({ layout, columns }: ParsedList, lines: ParsedList['lines']) =>
  createLineReader(layout, columns)(lines).rows

test('columns are recognised by common names, with any separator', async () => {
  for (const sign of [',', ';', '\t']) {
    const list = await parseList(
      ['Stock No,IMEI,Model,Grade,Colour', 'A1,356938035643809,iPhone 13,B,Blue'].join('\n').replaceAll(',', sign),
    )
    expect(list.columns).toEqual(['reference', 'identifier', 'text', 'condition', 'color'])
    expect(readRows(list, list.lines)).toMatchObject([
      {
        line: 2,
        fields: ['A1', '356938035643809', 'iPhone 13', 'B', 'Blue'],
        request: {
          reference: 'A1',
          identifier: '356938035643809',
          text: 'iPhone 13',
          condition: 'Good',
          attributes: { color: 'Blue' },
        },
      },
    ])
  }
})

test('rows without a header start with the first line, and their columns are guessed', async () => {
  const list = await parseList('35 693803 564380 9\tiPhone 13 128GB\n35 693803 564381 7\tGalaxy S23\n')
  expect(list).toMatchObject({ layout: { hasHeader: false }, columns: ['identifier', 'text'] })
  expect(selectRows(list).rows.map(({ line }) => line)).toEqual([1, 2])
  expect((await parseList('iPhone 13 128GB\nGalaxy S23')).columns).toEqual(['text'])
})

test('a column of words is read as notes, which can be corrected, and an unknown grade is a question', async () => {
  const list = await parseList('Model,What\niPhone 13,mit Rechnung')
  expect(list.columns).toEqual(['text', 'notes'])
  expect(readRows(list, list.lines)).toMatchObject([{ request: { text: 'iPhone 13' }, questions: [] }])
  expect(readRows({ ...list, columns: ['text', 'condition'] }, list.lines)).toMatchObject([
    {
      request: { text: 'iPhone 13' },
      questions: [{ code: 'unknown_grade', column: 'condition', words: 'mit Rechnung' }],
    },
  ])
})

test('an empty text is an empty list', async () => {
  expect(await parseList('')).toMatchObject({ lines: [], columns: [] })
})

test('an Excel file is read like text, with long numbers in full', async () => {
  const { writeXlsx } = await import('hucre/xlsx')
  const rows = [
    ['Stock list', null, null],
    ['IMEI', 'Model', 'Grade'],
    [356938035643809, 'iPhone 13', null],
    ['Total', null, 1],
  ]
  const list = await parseListFile(new Uint8Array(await writeXlsx({ sheets: [{ name: 'Stock', rows }] })))
  expect(list.columns).toEqual(['identifier', 'text', 'condition'])
  expect(selectRows(list)).toEqual({
    rows: [{ line: 3, fields: ['356938035643809', 'iPhone 13', ''] }],
    skipped: 1,
  })
})

test('sheets of different tables: the first table is read, or the chosen one', async () => {
  const { writeXlsx } = await import('hucre/xlsx')
  const bytes = new Uint8Array(
    await writeXlsx({
      sheets: [
        { name: 'Deckblatt', rows: [['Lieferant GmbH'], ['Juni']] },
        {
          name: 'Handys',
          rows: [
            ['Modell', 'Zustand'],
            ['iPhone 13 128GB', 'gut'],
          ],
        },
        {
          name: 'Tablets',
          rows: [
            ['Modell', 'Farbe'],
            ['iPad Air', 'gut'],
            ['iPad mini', 'gut'],
          ],
        },
      ],
    }),
  )
  const first = await parseListFile(bytes)
  expect(first.workbook).toMatchObject({ sheets: ['Deckblatt', 'Handys', 'Tablets'], sheet: 1 })
  expect(first.lines).toHaveLength(1)
  expect((await parseListFile(bytes, { sheet: 2 })).lines).toHaveLength(2)
})

test('sheets with the same titles are one list, and each can be read alone', async () => {
  const { writeXlsx } = await import('hucre/xlsx')
  const titles = ['Model', 'Grade', 'IMEI']
  const bytes = new Uint8Array(
    await writeXlsx({
      sheets: [
        { name: 'Notes', rows: [['Call us before Friday', null, null]] },
        {
          name: 'Apple',
          rows: [['Stock list', null, null], titles, ['iPhone 13', 'A', null], ['iPhone 12', 'B', null]],
        },
        { name: 'Samsung', rows: [titles, ['Galaxy S23', 'A', null]] },
        {
          name: 'Parts',
          rows: [
            ['Part', 'Price'],
            ['Screen', 40],
            ['Battery', 9],
          ],
        },
      ],
    }),
  )
  const all = await parseListFile(bytes)
  expect(all.workbook).toMatchObject({ sheet: 'all', alike: 2 })
  const { rows } = selectRows(all)
  expect(rows.map(({ fields }) => fields[0])).toEqual(['iPhone 13', 'iPhone 12', 'Galaxy S23'])
  expect(new Set(rows.map(({ line }) => line)).size).toBe(3)
  const one = await parseListFile(bytes, { sheet: 2 })
  expect(one.workbook).toMatchObject({ sheet: 2 })
  expect(selectRows(one).rows.map(({ fields }) => fields[0])).toEqual(['Galaxy S23'])
})
