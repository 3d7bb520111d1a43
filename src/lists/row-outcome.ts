/** What a row of a device list comes to. */
import { profitAtOffer } from '../appraisal/appraisal-sheet.ts'
import { mainReason } from '../appraisal/main-reason.ts'
import type { AppraisalWire } from '../contract/appraisal.ts'
import type { RowOutcome } from '../contract/device-lists.ts'
import type { RowQuestion } from './device-list-row.ts'

/** Outcomes that an open question calls into doubt. */
export const MAY_BE_BOUGHT: readonly RowOutcome[] = ['buy', 'buy_and_repair', 'unchecked']

type Row = {
  readonly appraisal: AppraisalWire | null
  readonly questions: readonly RowQuestion[]
  readonly is_settled: boolean
}

export function rowOutcome({ appraisal, questions, is_settled: isSettled }: Row): RowOutcome {
  const isAsked = !isSettled && questions.some(({ code }) => code !== 'unread_note')
  if (!appraisal) return isAsked ? 'question' : 'invalid'
  const { decision } = appraisal.offer
  const outcome = decision === 'inspect' && mainReason(appraisal)?.code === 'not_checked' ? 'unchecked' : decision
  return isAsked && MAY_BE_BOUGHT.includes(outcome) ? 'question' : outcome
}

/** Expected profit per device at the price of the supplier; null without one or without an offer. */
export function profitAtAsking(appraisal: AppraisalWire, askingAmount: number | null): number | null {
  const profit = profitAtOffer(appraisal)
  const offer = appraisal.offer.recommended_offer
  return profit === null || offer === null || askingAmount === null ? null : profit + offer - askingAmount
}
