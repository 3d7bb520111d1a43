import { APPRAISAL_HEADER, appraisalRow } from '../../../src/appraisal/appraisal-export.ts'
import type { AppraisalDecision, AppraisalItemWire, AppraisalWire } from '../../../src/contract/appraisal.ts'
import type { RiskLevel } from '../../../src/contract/lookups.ts'
import { formatCsvLine } from '../../../src/lib/csv-writer.ts'

/** An appraised row. Thousands are held in memory, so it has only what is shown or downloaded. */
export type AppraisedRow = {
  readonly line: number
  readonly id: string | null
  readonly name: string
  readonly reference: string
  readonly grade: string
  readonly decision: AppraisalDecision | 'refused'
  readonly riskLevel: RiskLevel | null
  readonly riskScore: number
  /** Null if unknown, which is not the same as zero. */
  readonly worth: number | null
  readonly offer: number | null
  readonly plan: AppraisalWire['offer']['plan']
  readonly profit: number
  readonly currency: string
  readonly error: string
  readonly cells: readonly string[]
}

export function failedRow(line: number, name: string, error: string): AppraisedRow {
  const nothing = {
    id: null,
    reference: '',
    grade: '',
    riskLevel: null,
    riskScore: 0,
    worth: null,
    offer: null,
    plan: null,
  }
  return { ...nothing, line, name, decision: 'refused', profit: 0, currency: 'USD', error, cells: [] }
}

export function toAppraisedRow(line: number, name: string, item: AppraisalItemWire): AppraisedRow {
  // Drops the index within the batch from the message.
  if (!item.success) return failedRow(line, name, item.error.message.replace(/^items\[\d+\]\.?/, ''))
  const { result } = item
  const { offer, identity, risk } = result
  const best = result.plans.find(({ plan }) => plan === offer.plan)
  return {
    line,
    id: result.appraisal_id,
    name: identity.variant_name ?? identity.device_name ?? name,
    reference: result.reference ?? '',
    grade: offer.condition ?? '',
    decision: offer.decision,
    riskLevel: risk?.risk_level ?? null,
    riskScore: risk?.risk_score ?? 0,
    worth: result.value.find(({ condition }) => condition === offer.condition)?.resale?.amount ?? null,
    offer: offer.recommended_offer,
    plan: offer.plan,
    profit: offer.decision === 'reject' ? 0 : (best?.expected_profit ?? 0),
    currency: result.currency,
    error: '',
    cells: appraisalRow(result),
  }
}

const SORT_RANK: Readonly<Record<AppraisedRow['decision'], number>> = {
  reject: 0,
  inspect: 1,
  refused: 2,
  identify: 3,
  buy_and_repair: 4,
  buy: 4,
}

/** Rejects and inspections first, then rows that need attention, then by value. */
export function sortByRisk(rows: readonly AppraisedRow[]): AppraisedRow[] {
  return rows.toSorted(
    (a, b) =>
      SORT_RANK[a.decision] - SORT_RANK[b.decision] ||
      b.riskScore - a.riskScore ||
      (b.worth ?? 0) - (a.worth ?? 0) ||
      a.line - b.line,
  )
}

export function sumRows(rows: readonly AppraisedRow[]) {
  const sum = (read: (row: AppraisedRow) => number) => rows.reduce((total, row) => total + read(row), 0)
  // Rejected devices count as worth nothing.
  return {
    worth: sum((row) => (row.decision === 'reject' ? 0 : (row.worth ?? 0))),
    offers: sum((row) => row.offer ?? 0),
    profit: sum((row) => row.profit),
  }
}

/** CSV with the same columns as the command line. */
export function toCsv(rows: readonly AppraisedRow[]): string {
  const blank = APPRAISAL_HEADER.map(() => '')
  const lines = rows.map((row) =>
    formatCsvLine([String(row.line), row.error, ...(row.cells.length > 0 ? row.cells : blank)]),
  )
  return formatCsvLine(['line', 'error', ...APPRAISAL_HEADER]) + lines.join('')
}
