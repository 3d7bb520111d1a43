import type en from '../../dashboard/locales/en.json'
import type { AppraisalWire } from '../contract/appraisal.ts'
import { DEFECTS } from '../contract/device-kinds.ts'
import type { Language } from '../contract/languages.ts'
import { minorUnitDigits } from '../currency/minor-units.ts'
import type { SheetCell, SheetTexts } from '../lib/sheet-texts.ts'
import { deviceTitle } from './device-title.ts'
import { mainReason } from './main-reason.ts'
import { createReasonTexts } from './reason-texts.ts'

type ReadCell = (appraisal: AppraisalWire, t: SheetTexts, language: Language) => SheetCell

/** Columns of an appraisal for a spreadsheet. Amounts are in units of the currency in their own column. */
const COLUMNS: readonly (readonly [keyof typeof en.sheet.column, ReadCell])[] = [
  ['device', ({ identity }) => deviceTitle(identity)],
  ['confidence', ({ identity }) => identity.confidence],
  ['grade', gradeUsed],
  ['defects', ({ defects }, t) => defects.map((code) => defectName(code, t)).join('; ')],
  ['decision', ({ offer, declined }, t) => (declined ? t('sheet:declined') : t(`codes:decision.${offer.decision}`))],
  ['reason', reasonLabel],
  ['reasonDetail', (appraisal, t, language) => createReasonTexts(t as never, language).mainReason(appraisal)],
  ['offer', (appraisal) => inUnits(appraisal.offer.recommended_offer, appraisal)],
  ['maxOffer', (appraisal) => inUnits(appraisal.offer.max_offer, appraisal)],
  ['agreedPrice', (appraisal) => inUnits(appraisal.agreed_offer ?? null, appraisal)],
  ['outcome', ({ outcome }, t) => outcome && t(`outcomes:status.${outcome.status}`)],
  ['boughtFor', (appraisal) => dealPrice(appraisal.outcome?.bought, appraisal)],
  ['boughtOn', ({ outcome }) => outcome?.bought?.date ?? null],
  ['soldFor', (appraisal) => dealPrice(appraisal.outcome?.sold, appraisal)],
  ['soldOn', ({ outcome }) => outcome?.sold?.date ?? null],
  ['resaleValue', (appraisal) => inUnits(selectedPrices(appraisal)?.resale?.amount ?? null, appraisal)],
  ['tradeInPrice', (appraisal) => inUnits(selectedPrices(appraisal)?.buyback?.amount ?? null, appraisal)],
  ['expectedProfit', (appraisal) => inUnits(profitAtOffer(appraisal), appraisal)],
  ['currency', ({ currency }) => currency],
  ['lossChance', (appraisal) => percent(selectedPlan(appraisal)?.loss_probability)],
  ['plan', ({ offer }, t) => offer.plan && t(`codes:plan.${offer.plan}`)],
  ['identifier', ({ risk }) => risk?.identifier ?? null],
  ['blacklist', ({ risk }, t) => risk && t(`sheet:blacklist.${risk.blacklist_status}`)],
  ['riskScore', ({ risk }) => (risk && risk.recommendation !== 'recheck_identifier' ? risk.risk_score : null)],
  ['priceSource', ({ offer }, t) => offer.source && t(`codes:priceSource.${offer.source}`)],
  ['reference', ({ reference }) => reference],
  ['time', ({ timestamp }) => timestamp],
  ['appraisal', ({ appraisal_id: id }) => id],
]

export const sheetHeader = (t: SheetTexts): string[] => COLUMNS.map(([column]) => t(`sheet:column.${column}`))

export const sheetRow = (appraisal: AppraisalWire, t: SheetTexts, language: Language): SheetCell[] =>
  COLUMNS.map(([, read]) => read(appraisal, t, language))

export const sheetCells = (appraisal: AppraisalWire, t: SheetTexts, language: Language): (string | number)[] =>
  sheetRow(appraisal, t, language).map((cell) => cell ?? '')

/** Without a grade the worst is assumed; it is marked, so that it does not look like a stated grade. */
function gradeUsed({ offer }: AppraisalWire, t: SheetTexts): string | null {
  if (!offer.condition) return null
  const grade = t(`codes:grade.${offer.condition}`)
  return offer.reasons.some(({ code }) => code === 'condition_missing') ? t('sheet:assumed', { grade }) : grade
}

/** Expected profit at the price that is agreed or offered; null without an offer. The plan is evaluated at the maximum. */
export function profitAtOffer(appraisal: AppraisalWire): number | null {
  const { offer, agreed_offer: agreedOffer } = appraisal
  const price = agreedOffer ?? offer.recommended_offer
  const plan = selectedPlan(appraisal)
  return plan && offer.max_offer && price !== null ? plan.expected_profit + offer.max_offer - price : null
}

function reasonLabel(appraisal: AppraisalWire, t: SheetTexts): string | null {
  const reason = mainReason(appraisal)
  return reason && t(`appraise-list:reason.${reason.code}`)
}

const defectName = (code: string, t: SheetTexts): string =>
  DEFECTS.some((defect) => defect.code === code) ? t(`codes:defect.${code}` as 'codes:defect.camera') : code
/** Prices of the grade that the offer is for. */
export const selectedPrices = ({ value, offer }: AppraisalWire) =>
  value.find(({ condition }) => condition === offer.condition)
export const selectedPlan = ({ plans, offer }: AppraisalWire) => plans?.find(({ plan }) => plan === offer.plan)
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
