import { expect, test } from 'bun:test'
import { exampleBlacklistedLookup } from '../contract/examples.ts'
import { formatCsvLine } from '../lib/csv-writer.ts'
import { LOOKUP_EXPORT_HEADER, lookupExportCells } from './lookup-export.ts'

test('every column has a cell, nulls are empty and all reasons are in one cell', () => {
  const lookup = { ...exampleBlacklistedLookup, identifier: '35-693803-564380-9', carrier_name: null }
  const cells = lookupExportCells(lookup)
  const row = Object.fromEntries(LOOKUP_EXPORT_HEADER.map((name, at) => [name, cells[at]]))
  expect(cells).toHaveLength(LOOKUP_EXPORT_HEADER.length)
  expect(row).toMatchObject({
    identifier: '35-693803-564380-9',
    blacklist_status: 'blacklisted',
    carrier_name: '',
    reported_lost_stolen: 'true',
    risk_factors: 'reported_lost_stolen 90; baseline 5',
  })
})

test('cells that a spreadsheet would run as a formula are escaped', () => {
  const cells = lookupExportCells({ ...exampleBlacklistedLookup, carrier_name: '=HYPERLINK("x")' })
  expect(formatCsvLine(cells)).toContain("'=HYPERLINK(")
})
