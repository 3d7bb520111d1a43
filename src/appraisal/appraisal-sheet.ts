import type { AppraisalDecision, AppraisalWire, PlanName } from '../contract/appraisal.ts'
import { DEFECTS } from '../contract/device-kinds.ts'
import type { OutcomeStatus } from '../contract/outcome.ts'
import { minorUnitDigits } from '../currency/minor-units.ts'
import { deviceTitle } from './device-title.ts'
import { MAIN_REASONS, mainReason } from './main-reason.ts'

export type SheetCell = string | number | null

const DECISION_WORDS: Readonly<Record<AppraisalDecision, string>> = {
  buy: 'Buy',
  buy_and_repair: 'Buy and repair',
  inspect: 'Inspect first',
  reject: 'Do not buy',
  identify: 'Identify first',
}
const PLAN_WORDS: Readonly<Record<PlanName, string>> = {
  sell_as_is: 'Sell as is',
  repair_and_sell: 'Repair and sell',
  sell_for_parts: 'Sell for parts',
}

const OUTCOME_WORDS: Readonly<Record<OutcomeStatus, string>> = {
  bought: 'Bought',
  declined: 'Declined',
  sold: 'Sold',
}

/** Columns of an appraisal for a spreadsheet. Amounts are in units of the currency in their own column. */
const COLUMNS: readonly (readonly [string, (appraisal: AppraisalWire) => SheetCell])[] = [
  ['Device', ({ identity }) => deviceTitle(identity)],
  ['Match confidence %', ({ identity }) => identity.confidence],
  ['Grade used', gradeUsed],
  ['Faults', ({ defects }) => defects.map(defectName).join('; ')],
  ['Decision', ({ offer, declined }) => (declined ? 'Declined' : DECISION_WORDS[offer.decision])],
  ['Reason', (appraisal) => reasonLabel(appraisal)],
  ['Reason in full', (appraisal) => mainReason(appraisal)?.detail ?? null],
  ['Offer', (appraisal) => inUnits(appraisal.offer.recommended_offer, appraisal)],
  ['Maximum offer', (appraisal) => inUnits(appraisal.offer.max_offer, appraisal)],
  ['Agreed price', (appraisal) => inUnits(appraisal.agreed_offer ?? null, appraisal)],
  ['Outcome', ({ outcome }) => outcome && OUTCOME_WORDS[outcome.status]],
  ['Bought for', (appraisal) => dealPrice(appraisal.outcome?.bought, appraisal)],
  ['Bought on', ({ outcome }) => outcome?.bought?.date ?? null],
  ['Sold for', (appraisal) => dealPrice(appraisal.outcome?.sold, appraisal)],
  ['Sold on', ({ outcome }) => outcome?.sold?.date ?? null],
  ['Resale value', (appraisal) => inUnits(selectedPrices(appraisal)?.resale?.amount ?? null, appraisal)],
  ['Trade-in price', (appraisal) => inUnits(selectedPrices(appraisal)?.buyback?.amount ?? null, appraisal)],
  ['Expected profit', (appraisal) => inUnits(profitAtOffer(appraisal), appraisal)],
  ['Currency', ({ currency }) => currency],
  ['Chance of a loss %', (appraisal) => percent(selectedPlan(appraisal)?.loss_probability)],
  ['Best plan', ({ offer }) => (offer.plan ? PLAN_WORDS[offer.plan] : null)],
  ['Identifier checked', ({ risk }) => risk?.identifier ?? null],
  [
    'Blacklist',
    ({ risk }) => (risk ? (risk.blacklist_status === 'unknown' ? 'not checked' : risk.blacklist_status) : null),
  ],
  ['Risk score', ({ risk }) => (risk && risk.recommendation !== 'recheck_identifier' ? risk.risk_score : null)],
  ['Prices from', ({ offer }) => offer.source],
  ['Reference', ({ reference }) => reference],
  ['Time', ({ timestamp }) => timestamp],
  ['Appraisal', ({ appraisal_id: id }) => id],
]

export const SHEET_HEADER: readonly string[] = COLUMNS.map(([title]) => title)

export const sheetRow = (appraisal: AppraisalWire): SheetCell[] => COLUMNS.map(([, read]) => read(appraisal))

export const sheetRowFromJson = (json: string): (string | number)[] =>
  sheetRow(JSON.parse(json) as AppraisalWire).map((cell) => cell ?? '')

/** Without a grade the worst is assumed; it is marked, so that it does not look like a stated grade. */
function gradeUsed({ offer }: Pick<AppraisalWire, 'offer'>): string | null {
  const isAssumed = offer.reasons.some(({ code }) => code === 'condition_missing')
  return offer.condition && isAssumed ? `${offer.condition} (assumed)` : offer.condition
}

/** Expected profit at the price that is agreed or offered; null without an offer. The plan is evaluated at the maximum. */
export function profitAtOffer(appraisal: AppraisalWire): number | null {
  const { offer, agreed_offer: agreedOffer } = appraisal
  const price = agreedOffer ?? offer.recommended_offer
  const plan = selectedPlan(appraisal)
  return plan && offer.max_offer && price !== null ? plan.expected_profit + offer.max_offer - price : null
}

function reasonLabel(appraisal: AppraisalWire): string | null {
  const reason = mainReason(appraisal)
  return reason && MAIN_REASONS[reason.code]
}

const defectName = (code: string) => DEFECTS.find((defect) => defect.code === code)?.name ?? code
const selectedPrices = ({ value, offer }: AppraisalWire) => value.find(({ condition }) => condition === offer.condition)
const selectedPlan = ({ plans, offer }: AppraisalWire) => plans.find(({ plan }) => plan === offer.plan)
const percent = (share: number | undefined) => (share === undefined ? null : Math.round(1_000 * share) / 10)

const inUnits = (minor: number | null, { currency }: Pick<AppraisalWire, 'currency'>): number | null =>
  minor === null ? null : minor / 10 ** minorUnitDigits(currency)

/** A price in another currency than the rest of the row names it. */
function dealPrice(
  deal: { price: number; currency: string } | null | undefined,
  { currency }: AppraisalWire,
): SheetCell {
  if (!deal) return null
  const units = inUnits(deal.price, deal)
  return deal.currency === currency ? units : `${units} ${deal.currency}`
}
