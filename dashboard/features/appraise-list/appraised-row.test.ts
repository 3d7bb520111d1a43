import { describe, expect, test } from 'bun:test'
import { exampleAppraisal, exampleRejectedAppraisal } from '../../../src/contract/examples.ts'
import { failedRow, sortByRisk, sumRows, toAppraisedRow, toCsv, toSheet, toXlsx } from './appraised-row.ts'

const plan = exampleAppraisal.plans.find((each) => each.plan === exampleAppraisal.offer.plan)
const offerInUnits = (exampleAppraisal.offer.recommended_offer ?? 0) / 100
const row = (line: number, name = 'x', own: string[] = []) => ({ line, name, own })
const bought = toAppraisedRow(row(2, 'x', ['S-1', 'Müller']), { index: 0, success: true, result: exampleAppraisal })
const listed = toAppraisedRow(row(3), { index: 1, success: true, result: exampleRejectedAppraisal })
const invalid = toAppraisedRow(row(4, 'a toaster'), {
  index: 2,
  success: false,
  error: { code: 'VALIDATION_ERROR', message: 'items[2].identifier was "12".' },
})

describe('a list', () => {
  test('has risky devices first, then rows that need attention', () => {
    expect(sortByRisk([bought, invalid, listed]).map(({ line }) => line)).toEqual([3, 4, 2])
  })

  test('has totals without devices that must not be bought', () => {
    // The profit is calculated at the offers, which may be below the maximum.
    const { recommended_offer: offers, max_offer: most } = exampleAppraisal.offer
    const profit = (plan?.expected_profit ?? 0) + (most ?? 0) - (offers ?? 0)
    expect(sumRows([bought, listed, invalid])).toEqual({ worth: 26_500, offers: offers ?? 0, profit })
  })

  test('names the error of a row without its position in the batch', () => {
    expect(invalid.error).toBe('identifier was "12".')
  })

  test('gives the reason of every row that is not simply bought', () => {
    expect(bought.reason).toBeNull()
    expect(listed.reason).toMatchObject({ code: 'blacklisted' })
  })

  test('does not warn about every row if no source is connected', () => {
    const unchecked = {
      ...exampleAppraisal,
      risk: {
        ...(exampleRejectedAppraisal.risk as NonNullable<typeof exampleRejectedAppraisal.risk>),
        blacklist_status: 'unknown' as const,
        risk_factors: [
          { code: 'blacklist_unverified', points: 25, message: 'Not checked.', source: 'registry', observed_at: null },
          { code: 'baseline', points: 5, message: 'Base risk.', source: 'registry', observed_at: null },
        ],
      },
      offer: {
        ...exampleAppraisal.offer,
        decision: 'inspect' as const,
        reasons: [{ code: 'risk_medium', message: 'Risk is medium (30 of 100).', amount: 0, running_total: 0 }],
      },
    }
    expect(toAppraisedRow(row(2), { index: 0, success: true, result: unchecked })).toMatchObject({
      outcome: 'unchecked',
      reason: { code: 'not_checked' },
    })
  })
})

describe('the download of a list', () => {
  const sheet = toSheet(['Stock', 'Customer'], [failedRow(row(9, 'x', ['=1+1']), 'Not a device.'), bought])
  const [header = [], first = []] = sheet
  const cell = (title: string) => first[header.indexOf(title)]

  test('keeps the original columns and the order of the list', () => {
    expect(header.slice(0, 4)).toEqual(['Stock', 'Customer', 'Line', 'Error'])
    expect(first.slice(0, 3)).toEqual(['S-1', 'Müller', 2])
  })

  test('has amounts in units with their currency', () => {
    expect([cell('Offer'), cell('Resale value'), cell('Currency')]).toEqual([offerInUnits, 265, 'USD'])
  })

  test('is UTF-8 with a byte order mark, and formulas stay text', () => {
    const csv = toCsv(sheet, 'en')
    expect(csv).toStartWith('\uFEFFStock,Customer,Line,')
    expect(csv).toContain("\n'=1+1,,9,Not a device.,")
  })

  test('has semicolons and decimal commas where spreadsheets expect them', () => {
    expect(
      toCsv(
        [
          ['Preis', 'Notiz'],
          [1.5, 'a;b'],
        ],
        'de',
      ),
    ).toBe('\uFEFFPreis;Notiz\n1,5;"a;b"\n')
  })

  test('as XLSX can be read again with numbers as numbers', async () => {
    const { readXlsx } = await import('hucre/xlsx')
    const [table] = (await readXlsx(await toXlsx(sheet))).sheets
    expect(table?.rows[1]?.[header.indexOf('Offer')]).toBe(offerInUnits)
    expect(table?.rows[2]?.[0]).toBe('=1+1')
  })
})
