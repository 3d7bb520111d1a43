import { describe, expect, test } from 'bun:test'
import i18next from 'i18next'
import type { AppraisalWire } from '../../../src/contract/appraisal.ts'
import type { DeviceListRowWire } from '../../../src/contract/device-lists.ts'
import { exampleAppraisal, exampleRejectedAppraisal } from '../../../src/contract/examples.ts'
import { rowOutcome } from '../../../src/lists/row-outcome.ts'
import { loadLanguage } from '../../i18n.ts'
import { isWorthAsking, sortByProfit, sumRows, toAppraisedRow } from './appraised-row.ts'
import { unreadWords } from './teach-card.tsx'

const plan = exampleAppraisal.plans?.find((each) => each.plan === exampleAppraisal.offer.plan)
const row = (line: number, appraisal: AppraisalWire | null, changed: Partial<DeviceListRowWire> = {}) => {
  const wire = {
    line,
    cells: [],
    change: null,
    questions: [],
    is_settled: false,
    quantity: 1,
    asking_price: null,
    asking_amount: null,
    appraisal,
    error: null,
    in_lists: [],
    ...changed,
  }
  return toAppraisedRow({ ...wire, outcome: rowOutcome(wire) }, [])
}
const example = exampleAppraisal
const bought = row(2, example, { cells: ['S-1', 'Müller'] })
const listed = row(3, exampleRejectedAppraisal)
const invalid = row(4, null, { error: 'identifier was "12".' })
const QUESTION = { code: 'unread_words', column: 'defects', words: 'Kratzer' } as const
const asked = row(5, example, { questions: [QUESTION], quantity: 2 })

describe('a list', () => {
  test('has the best profit first, at the price of the supplier if there is one, and what is not bought last', () => {
    const dear = row(7, example, { asking_amount: (example.offer.recommended_offer ?? 0) + 5_000 })
    const cheap = row(8, example, { asking_amount: 100 })
    const unknown = row(9, null, { questions: [QUESTION] })
    const sorted = sortByProfit([invalid, unknown, dear, listed, bought, cheap])
    expect(sorted.map(({ line }) => line)).toEqual([8, 2, 7, 9, 3, 4])
  })

  test('has totals without devices that must not be bought', () => {
    // The profit is calculated at the offers, which may be below the maximum.
    const { recommended_offer: offers, max_offer: most } = exampleAppraisal.offer
    const profit = (plan?.expected_profit ?? 0) + (most ?? 0) - (offers ?? 0)
    expect(sumRows([bought, listed, invalid])).toEqual({ devices: 3, worth: 26_500, offers: offers ?? 0, profit })
  })

  test('shows what the supplier wrote if the device was not found', () => {
    const written = (cells: string[], columns: Parameters<typeof toAppraisedRow>[1]) => {
      const wire = { line: 2, cells, change: null, questions: [], is_settled: false, quantity: 1 }
      const rest = { asking_price: null, asking_amount: null, appraisal: null, error: 'was not found', in_lists: [] }
      return toAppraisedRow({ ...wire, ...rest, outcome: 'invalid' }, columns).name
    }
    expect(written(['1', 'Acme', 'Fone 9', '64GB'], [null, 'make', 'text', 'storage'])).toBe('Acme Fone 9 64GB')
    expect(written(['1', 'acme-fone-9-64gb'], [null, 'variant_id'])).toBe('acme-fone-9-64gb')
    expect(written(['7', '', 'Fone nine'], [null, null, null])).toBe('7 · Fone nine')
  })

  test('counts a row as often as its quantity says', () => {
    const { offers } = sumRows([bought])
    expect(sumRows([bought, asked])).toMatchObject({ devices: 3, offers: 3 * offers })
  })

  test('does not call a device bought while its row has a question', () => {
    expect(bought.outcome).toBe(exampleAppraisal.offer.decision)
    expect(asked).toMatchObject({ outcome: 'question', offer: bought.offer })
    expect(asked.questions[0]).toContain('Kratzer')
    expect(row(8, example, { questions: [{ ...QUESTION, code: 'unread_note' }] })).toMatchObject({
      outcome: bought.outcome,
    })
    expect(row(6, null, { questions: [QUESTION] })).toMatchObject({ outcome: 'question', offer: null, error: '' })
    expect(row(7, exampleRejectedAppraisal, { questions: [QUESTION] })).toMatchObject({ outcome: 'reject' })
  })

  test('names the error of a row', () => {
    expect(invalid.error).toBe('identifier was "12".')
  })

  test('names the error and the reason of a row in the language of the page', async () => {
    await loadLanguage('de')
    await i18next.changeLanguage('de')
    try {
      const reason = { reason_code: 'check_digit_wrong', params: { digit: 7 } }
      const rejected = row(4, null, { error: 'The check digit is 7.', ...reason })
      expect(rejected.error).toBe('Die letzte Ziffer dieser IMEI müsste 7 sein. Prüfen Sie die Eingabe.')
      expect(row(3, exampleRejectedAppraisal).reason?.detail).toContain('gemeldet')
    } finally {
      await i18next.changeLanguage('en')
    }
  })

  test('gives the reason of every row that is not simply bought', () => {
    expect(bought.reason).toBeNull()
    expect(listed.reason).toMatchObject({ code: 'blacklisted' })
  })

  test('with prices of the supplier says what they bring, and which are worth it', () => {
    const { max_offer: most, recommended_offer: offer } = exampleAppraisal.offer
    const asked = row(2, exampleAppraisal, { asking_amount: (offer ?? 0) + 100 })
    expect(asked.profitAtAsking).toBe(bought.profit - 100)
    expect(isWorthAsking(row(2, exampleAppraisal, { asking_amount: most }))).toBe(true)
    expect(isWorthAsking(row(2, exampleAppraisal, { asking_amount: (most ?? 0) + 1 }))).toBe(false)
    expect(isWorthAsking(row(2, exampleRejectedAppraisal, { asking_amount: 1 }))).toBe(false)
  })

  test('has no questions after a person decided them', () => {
    expect(row(2, example, { questions: [QUESTION], is_settled: true })).toMatchObject({
      outcome: bought.outcome,
      questions: [],
    })
  })

  test('asks for a word once, with all its rows', () => {
    const rows = [row(2, example, { questions: [{ ...QUESTION, words: 'Kratzer, Delle' }] }), asked]
    expect(unreadWords(rows)).toEqual([
      { word: 'Kratzer', lines: [2, 5] },
      { word: 'Delle', lines: [2] },
    ])
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
    expect(row(2, unchecked)).toMatchObject({
      outcome: 'unchecked',
      reason: { code: 'not_checked' },
    })
  })
})
