import i18next from 'i18next'
import { profitAtOffer } from '../../../src/appraisal/appraisal-sheet.ts'
import { deviceTitle } from '../../../src/appraisal/device-title.ts'
import { type MainReason, mainReason } from '../../../src/appraisal/main-reason.ts'
import type { AppraisalWire } from '../../../src/contract/appraisal.ts'
import type { Condition } from '../../../src/contract/condition-grades.ts'
import type { DeviceKind } from '../../../src/contract/device-kinds.ts'
import type { DeviceListRowWire, DeviceListWire, RowOutcome } from '../../../src/contract/device-lists.ts'
import type { LookupResultWire } from '../../../src/contract/lookups.ts'
import { SHEET_NAMESPACES, type SheetTexts } from '../../../src/lib/sheet-texts.ts'
import type { RowQuestion } from '../../../src/lists/device-list-row.ts'
import { questionText, rowErrorText } from '../../../src/lists/list-sheet.ts'
import { MAY_BE_BOUGHT, profitAtAsking } from '../../../src/lists/row-outcome.ts'
import { codeTexts } from '../../codes.ts'
import { currentLanguage } from '../../i18n.ts'

/** An appraised row. Thousands are held in memory, so it has only what is shown. */
export type AppraisedRow = {
  readonly line: number
  readonly id: string | null
  readonly name: string
  readonly deviceId: string | null
  /** Devices that the row may mean if none was identified. */
  readonly candidates: readonly { readonly id: string; readonly name: string }[]
  readonly storage: string
  /** Storage sizes that are still possible. */
  readonly storages: readonly string[]
  readonly defects: readonly string[]
  readonly deviceKind: DeviceKind | null
  readonly reference: string
  /** IMEI or serial number; empty if there is none. */
  readonly identifier: string
  readonly grade: Condition | null
  /** Nobody gave a grade, so the worst is assumed. */
  readonly isGradeAssumed: boolean
  readonly outcome: RowOutcome
  readonly reason: { readonly code: MainReason; readonly detail: string } | null
  readonly risk: Pick<
    LookupResultWire,
    'identifier' | 'risk_level' | 'risk_score' | 'recommendation' | 'blacklist_status' | 'reported_lost_stolen'
  > | null
  /** Null if unknown, which is not the same as zero. */
  readonly worth: number | null
  readonly offer: number | null
  /** The highest price at which the policy's margin is earned. */
  readonly maxOffer: number | null
  readonly plan: AppraisalWire['offer']['plan']
  readonly profit: number
  /** Per device, in the currency of the row; null if the list names none. */
  readonly asking: number | null
  /** The same as the list has it, in its own currency. */
  readonly askingPrice: DeviceListRowWire['asking_price']
  /** Expected profit per device at the asking price; null without one or without an offer. */
  readonly profitAtAsking: number | null
  readonly currency: string
  readonly error: string
  /** What a person has to decide, in the language of the page. */
  readonly questions: readonly string[]
  readonly words: readonly RowQuestion[]
  readonly change: DeviceListRowWire['change']
  readonly quantity: number
  readonly inLists: DeviceListRowWire['in_lists']
  /** The cells of the list, as they were. */
  readonly own: readonly string[]
}

/** Texts of the language of the page. */
const sheetTexts = (): SheetTexts => i18next.getFixedT(currentLanguage(), SHEET_NAMESPACES) as unknown as SheetTexts

/** `columns` tell which cell names the device. */
export function toAppraisedRow(row: DeviceListRowWire, columns: DeviceListWire['columns']): AppraisedRow {
  const { appraisal, questions, is_settled: isSettled, cells, change, outcome } = row
  const notAppraised: AppraisedRow = {
    line: row.line,
    own: cells,
    quantity: row.quantity,
    name: wordsOfRow(cells, columns),
    deviceId: change?.device_id ?? null,
    candidates: [],
    storage: change?.storage ?? cells[columns.indexOf('storage')] ?? '',
    storages: [],
    defects: change?.defects ?? [],
    deviceKind: null,
    questions: isSettled ? [] : questions.map((question) => questionText(sheetTexts(), question)),
    words: isSettled ? [] : questions,
    change,
    inLists: row.in_lists,
    id: null,
    reference: '',
    identifier: change?.identifier ?? (cells[columns.indexOf('identifier')]?.trim() || ''),
    grade: change?.condition ?? null,
    isGradeAssumed: false,
    outcome,
    reason: null,
    risk: null,
    worth: null,
    offer: null,
    maxOffer: null,
    plan: null,
    profit: 0,
    asking: row.asking_amount,
    askingPrice: row.asking_price,
    profitAtAsking: null,
    currency: 'USD',
    error:
      rowErrorText(sheetTexts(), currentLanguage(), row) ??
      (outcome === 'question' ? '' : i18next.t('appraise-list:noResult')),
  }
  if (!appraisal) return notAppraised
  const { offer, identity, risk } = appraisal
  const reason = mainReason(appraisal)
  const detail = reason && codeTexts().reasonDetail(reason.detail, appraisal)
  return {
    ...notAppraised,
    id: appraisal.appraisal_id,
    name: identity.device_id ? deviceTitle(identity) : notAppraised.name,
    deviceId: identity.device_id,
    candidates: identity.candidates.map(({ device_id: id, device_name: name }) => ({ id, name })),
    storage: storageOf(identity.attributes) ?? notAppraised.storage,
    storages: identity.unresolved_attributes.find(({ name }) => name === 'storage')?.values ?? [],
    defects: appraisal.defects,
    deviceKind: identity.device_kind,
    reference: appraisal.reference ?? '',
    identifier: risk?.identifier ?? notAppraised.identifier,
    grade: offer.condition,
    isGradeAssumed: offer.reasons.some(({ code }) => code === 'condition_missing'),
    reason: reason && { code: reason.code, detail: detail ?? '' },
    risk,
    worth: appraisal.value.find(({ condition }) => condition === offer.condition)?.resale?.amount ?? null,
    offer: offer.recommended_offer,
    maxOffer: offer.max_offer,
    plan: offer.plan,
    profit: profitAtOffer(appraisal) ?? 0,
    profitAtAsking: profitAtAsking(appraisal, row.asking_amount),
    currency: appraisal.currency,
    error: '',
  }
}

/** The device in the words of the supplier; a row without any is shown as it was written. */
function wordsOfRow(cells: readonly string[], columns: DeviceListWire['columns']): string {
  const wordsOf = (names: DeviceListWire['columns']) =>
    names.map((name) => cells[columns.indexOf(name)]?.trim() ?? '').filter(Boolean)
  const device = wordsOf(['text', 'variant_id', 'device_id'])
  if (device.length === 0)
    return cells
      .map((cell) => cell.trim())
      .filter(Boolean)
      .join(' · ')
  return [...wordsOf(['make']), device[0], ...wordsOf(['storage', 'color'])].join(' ')
}

const storageOf = (attributes: AppraisalWire['identity']['attributes']) =>
  attributes.find(({ attribute_name: name }) => name === 'storage')?.attribute_value

/** Whether the supplier's price is at most the highest one that pays, and nothing speaks against the purchase. */
export const isWorthAsking = ({ outcome, asking, maxOffer }: AppraisedRow) =>
  MAY_BE_BOUGHT.includes(outcome) && asking !== null && maxOffer !== null && asking <= maxOffer

/** What the row brings: at the supplier's price, else at the offer; null if that is not known. */
const profitOf = ({ asking, profitAtAsking, offer, profit }: AppraisedRow): number | null =>
  asking !== null ? profitAtAsking : offer === null ? null : profit

/** Best profit first; rows that cannot be bought come last. */
export function sortByProfit(rows: readonly AppraisedRow[]): AppraisedRow[] {
  const isLast = ({ outcome }: AppraisedRow) => Number(outcome === 'reject' || outcome === 'invalid')
  return rows.toSorted(
    (a, b) => isLast(a) - isLast(b) || (profitOf(b) ?? -Infinity) - (profitOf(a) ?? -Infinity) || a.line - b.line,
  )
}

export function sumRows(rows: readonly AppraisedRow[]) {
  const sum = (read: (row: AppraisedRow) => number) => rows.reduce((total, row) => total + row.quantity * read(row), 0)
  // Rejected devices count as worth nothing.
  return {
    devices: sum(() => 1),
    worth: sum((row) => (row.outcome === 'reject' ? 0 : (row.worth ?? 0))),
    offers: sum((row) => row.offer ?? 0),
    profit: sum((row) => row.profit),
  }
}
