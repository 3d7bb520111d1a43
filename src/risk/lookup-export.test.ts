import { expect, test } from 'bun:test'
import { exampleListedLookup } from '../contract/examples.ts'
import { csvLine } from '../text/csv-line.ts'
import { EXPORT_HEADER, exportCells } from './lookup-export.ts'

test('every column has a cell, nulls are empty and reasons stand in one', () => {
  const lookup = { ...exampleListedLookup, identifier: '35-693803-564380-9', carrier_name: null }
  const cells = exportCells(JSON.stringify(lookup))
  const row = Object.fromEntries(EXPORT_HEADER.map((name, at) => [name, cells[at]]))
  expect(cells).toHaveLength(EXPORT_HEADER.length)
  expect(row).toMatchObject({
    identifier: '35-693803-564380-9',
    blacklist_status: 'blacklisted',
    carrier_name: '',
    reported_lost_stolen: 'true',
    risk_factors: 'reported_lost_stolen 90; baseline 5',
  })
})

test('what a spreadsheet would run is guarded', () => {
  const cells = exportCells(JSON.stringify({ ...exampleListedLookup, carrier_name: '=HYPERLINK("x")' }))
  expect(csvLine(cells)).toContain("'=HYPERLINK(")
})
