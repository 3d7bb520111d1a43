import { expect, test } from 'bun:test'
import { exampleAppraisal, exampleRejectedAppraisal } from '../../../src/contract/examples.ts'
import { failedRow, sortByRisk, sumRows, toAppraisedRow, toCsv } from './appraised-row.ts'

const bought = toAppraisedRow(2, 'x', { index: 0, success: true, result: exampleAppraisal })
const listed = toAppraisedRow(3, 'x', { index: 1, success: true, result: exampleRejectedAppraisal })
const refused = toAppraisedRow(4, 'a toaster', {
  index: 2,
  success: false,
  error: { code: 'VALIDATION_ERROR', message: 'items[2].identifier was "12".' },
})

test('risky ones come first, then those that somebody must look at', () => {
  expect(sortByRisk([bought, refused, listed]).map(({ line }) => line)).toEqual([3, 4, 2])
})

test('totals leave out what must not be bought', () => {
  expect(sumRows([bought, listed, refused])).toEqual({ worth: 26_500, offers: 9_200, profit: 3_187 })
})

test('a refusal is told without the place in the batch', () => {
  expect(refused.error).toBe('identifier was "12".')
})

test('the file has one line for each row, and cells that a spreadsheet would run stay text', () => {
  const lines = toCsv([bought, failedRow(9, 'x', '=1+1')])
    .trim()
    .split('\n')
  expect(lines).toHaveLength(3)
  expect(lines[1]).toStartWith('2,,apr_01M7EPF8D9K3V5RTA2X6W0YHBN,')
  expect(lines[2]).toStartWith("9,'=1+1,")
})
