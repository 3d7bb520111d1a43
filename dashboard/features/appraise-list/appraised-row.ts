import i18next from 'i18next'
import { profitAtOffer, type SheetCell, sheetHeader, sheetRow } from '../../../src/appraisal/appraisal-sheet.ts'
import { deviceTitle } from '../../../src/appraisal/device-title.ts'
import { type MainReason, mainReason } from '../../../src/appraisal/main-reason.ts'
import type { AppraisalDecision, AppraisalWire } from '../../../src/contract/appraisal.ts'
import type { Condition } from '../../../src/contract/condition-grades.ts'
import type { LookupResultWire } from '../../../src/contract/lookups.ts'
import type { AppraisedListRow } from '../../../src/import/device-lists/appraise-rows.ts'
import type { AskingPrice, RowQuestion } from '../../../src/import/device-lists/device-list-row.ts'
import { BYTE_ORDER_MARK, csvStyleOf, formatCsvLine } from '../../../src/lib/csv-writer.ts'
import { SHEET_NAMESPACES, type SheetTexts } from '../../../src/lib/sheet-texts.ts'
import { codeTexts } from '../../codes.ts'
import { currentLanguage } from '../../i18n.ts'
import type { ListRow } from './parsed-list.ts'

/**
 * `unchecked`: the only doubt is that no source was asked about the identifier. `question`: something in the row was not read;
 * an offer holds only if it does not matter. `invalid`: the row was not appraised.
 */
export type RowOutcome = AppraisalDecision | 'unchecked' | 'question' | 'invalid'

/** An appraised row. Thousands are held in memory, so it has only what is shown or downloaded. */
export type AppraisedRow = {
  readonly line: number
  readonly id: string | null
  readonly name: string
  readonly reference: string
  readonly grade: Condition | null
  /** Nobody gave a grade, so the worst is assumed. */
  readonly isGradeAssumed: boolean
  readonly outcome: RowOutcome
  readonly reason: { readonly code: MainReason; readonly detail: string } | null
  readonly risk: Pick<
    LookupResultWire,
    'risk_level' | 'risk_score' | 'recommendation' | 'blacklist_status' | 'reported_lost_stolen'
  > | null
  /** Null if unknown, which is not the same as zero. */
  readonly worth: number | null
  readonly offer: number | null
  readonly plan: AppraisalWire['offer']['plan']
  readonly profit: number
  readonly currency: string
  readonly error: string
  /** What a person has to decide, in the language of the page. */
  readonly questions: readonly string[]
  readonly quantity: number
  readonly askingPrice: AskingPrice | null
  /** The cells of the list, as they were. */
  readonly own: readonly string[]
  readonly cells: readonly SheetCell[]
}

const questionText = ({ code, column, words }: RowQuestion) =>
  i18next.t(`appraise-list:question.${code}`, { words, field: i18next.t(`appraise-list:field.${column}`) })

export function toAppraisedRow(listRow: AppraisedListRow<ListRow>): AppraisedRow {
  const { item, request: _, questions, ...row } = listRow
  const isAsked = questions.some(({ code }) => code !== 'unread_note')
  const notAppraised: AppraisedRow = {
    ...row,
    questions: questions.map(questionText),
    id: null,
    reference: '',
    grade: null,
    isGradeAssumed: false,
    outcome: isAsked ? 'question' : 'invalid',
    reason: null,
    risk: null,
    worth: null,
    offer: null,
    plan: null,
    profit: 0,
    currency: 'USD',
    error: isAsked ? '' : i18next.t('appraise-list:noResult'),
    cells: [],
  }
  if (!item) return notAppraised
  // Drops the index within the batch from the message.
  if (!item.success) return { ...notAppraised, error: item.error.message.replace(/^items\[\d+\]\.?/, '') }
  const { result } = item
  const { offer, identity, risk } = result
  const reason = mainReason(result)
  const decided = offer.decision === 'inspect' && reason?.code === 'not_checked' ? 'unchecked' : offer.decision
  return {
    ...notAppraised,
    id: result.appraisal_id,
    name: identity.device_id ? deviceTitle(identity) : row.name,
    reference: result.reference ?? '',
    grade: offer.condition,
    isGradeAssumed: offer.reasons.some(({ code }) => code === 'condition_missing'),
    outcome: isAsked && MAY_BE_BOUGHT.includes(decided) ? 'question' : decided,
    reason: reason && { code: reason.code, detail: codeTexts().reasonDetail(reason.detail, result) },
    risk,
    worth: result.value.find(({ condition }) => condition === offer.condition)?.resale?.amount ?? null,
    offer: offer.recommended_offer,
    plan: offer.plan,
    profit: profitAtOffer(result) ?? 0,
    currency: result.currency,
    error: '',
    cells: sheetRow(result, sheetTexts()),
  }
}

/** Outcomes that an open question calls into doubt. */
const MAY_BE_BOUGHT: readonly RowOutcome[] = ['buy', 'buy_and_repair', 'unchecked']

const SORT_RANK: Readonly<Record<RowOutcome, number>> = {
  reject: 0,
  inspect: 1,
  invalid: 2,
  question: 2,
  identify: 3,
  unchecked: 4,
  buy_and_repair: 4,
  buy: 4,
}

/** Rejects and inspections first, then rows that need attention, then by value. */
export function sortByRisk(rows: readonly AppraisedRow[]): AppraisedRow[] {
  return rows.toSorted(
    (a, b) =>
      SORT_RANK[a.outcome] - SORT_RANK[b.outcome] ||
      (b.risk?.risk_score ?? 0) - (a.risk?.risk_score ?? 0) ||
      (b.worth ?? 0) - (a.worth ?? 0) ||
      a.line - b.line,
  )
}

export function sumRows(rows: readonly AppraisedRow[]) {
  const sum = (read: (row: AppraisedRow) => number) => rows.reduce((total, row) => total + row.quantity * read(row), 0)
  // Rejected devices count as worth nothing.
  return {
    worth: sum((row) => (row.outcome === 'reject' ? 0 : (row.worth ?? 0))),
    offers: sum((row) => row.offer ?? 0),
    profit: sum((row) => row.profit),
  }
}

/** Texts of a download in the language of the page. */
const sheetTexts = (): SheetTexts => i18next.getFixedT(currentLanguage(), SHEET_NAMESPACES) as unknown as SheetTexts

/** The columns of the list, then the results, in the order of the list. */
export function toSheet(ownHeader: readonly string[], rows: readonly AppraisedRow[]): SheetCell[][] {
  const t = sheetTexts()
  const header = sheetHeader(t)
  const blank = header.map(() => null)
  const lines = rows
    .toSorted((a, b) => a.line - b.line)
    .map((row) => [
      ...ownHeader.map((_, at) => row.own[at] ?? ''),
      row.line,
      row.error || null,
      row.questions.join('; ') || null,
      ...(row.cells.length > 0 ? row.cells : blank),
    ])
  return [
    [...ownHeader, t('sheet:column.line'), t('sheet:column.error'), t('sheet:column.questions'), ...header],
    ...lines,
  ]
}

/** In the form that spreadsheets of the language expect, with a byte order mark, so that they read it as UTF-8. */
export function toCsv(sheet: readonly (readonly SheetCell[])[], language = currentLanguage()): string {
  const style = csvStyleOf(language)
  return (
    BYTE_ORDER_MARK +
    sheet
      .map((cells) =>
        formatCsvLine(
          cells.map((cell) => cell ?? ''),
          style,
        ),
      )
      .join('')
  )
}

const SHEET_NAME = 'Appraised'

/** The library is loaded when it is first needed. */
export async function toXlsx(sheet: readonly (readonly SheetCell[])[]): Promise<Uint8Array<ArrayBuffer>> {
  const { writeXlsx } = await import('hucre/xlsx')
  const columns = (sheet[0] ?? []).map((title, at) => {
    const longest = Math.max(...sheet.slice(0, 200).map((cells) => String(cells[at] ?? '').length))
    return { header: String(title), width: Math.min(60, Math.max(8, longest + 2)) }
  })
  const bytes = await writeXlsx({
    sheets: [
      {
        name: SHEET_NAME,
        columns: columns.map(({ width }) => ({ width })),
        rows: sheet.map((cells) => [...cells]),
        freezePane: { rows: 1 },
      },
    ],
  })
  return new Uint8Array(bytes)
}
