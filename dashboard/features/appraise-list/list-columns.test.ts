import { expect, test } from 'bun:test'
import { toXlsx } from './appraised-row.ts'
import { parseList, parseListFile, toRowRequest } from './list-columns.ts'

test('columns are recognised by common names, with any separator', () => {
  for (const sign of [',', ';', '\t']) {
    const list = parseList(
      ['Stock No,IMEI,Model,Grade,Price', 'A1,356938035643809,iPhone 13,B,10'].join('\n').replaceAll(',', sign),
    )
    expect(list.columns).toEqual(['reference', 'identifier', 'text', 'condition', null])
    expect(list).toMatchObject({ firstLine: 2, rows: [['A1', '356938035643809', 'iPhone 13', 'B', '10']] })
    expect(toRowRequest(list.rows[0] ?? [], list.columns)).toEqual({
      reference: 'A1',
      identifier: '356938035643809',
      text: 'iPhone 13',
      condition: 'Good',
    })
  }
})

test('rows without a header start with the first line, and their columns are guessed', () => {
  const list = parseList('35 693803 564380 9\tiPhone 13 128GB\n35 693803 564381 7\tGalaxy S23\n')
  expect(list).toMatchObject({ firstLine: 1, columns: ['identifier', 'text'] })
  expect(list.rows).toHaveLength(2)
  expect(parseList('iPhone 13 128GB\nGalaxy S23').columns).toEqual(['text'])
})

test('a wrongly recognised column can be corrected, and an invalid cell is named', () => {
  const { rows } = parseList('Model,Notes\niPhone 13,rust')
  expect(toRowRequest(rows[0] ?? [], ['text', null])).toEqual({ text: 'iPhone 13' })
  expect(toRowRequest(rows[0] ?? [], ['text', 'defects'])).toContain('defects was "rust"')
})

test('an empty text is an empty list', () => {
  expect(parseList('')).toMatchObject({ rows: [], columns: [] })
})

test('an Excel file is read like text, with long numbers in full', async () => {
  const bytes = await toXlsx([
    ['IMEI', 'Model', 'Grade'],
    [356938035643809, 'iPhone 13', null],
  ])
  const list = await parseListFile(new Blob([bytes]))
  expect(list.columns).toEqual(['identifier', 'text', 'condition'])
  expect(list.rows).toEqual([['356938035643809', 'iPhone 13', '']])
})
