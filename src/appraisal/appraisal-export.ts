import type { AppraisalWire } from '../contract/appraisal.ts'

type Cell = string | number | boolean | null

/** The columns of an appraisal as a table; the reasons as one cell. Amounts are minor units of the currency beside them. */
const COLUMNS: readonly (readonly [string, (appraisal: AppraisalWire) => Cell])[] = [
  ['appraisal_id', (one) => one.appraisal_id],
  ['timestamp', (one) => one.timestamp],
  ['reference', (one) => one.reference],
  ['device_id', (one) => one.identity.device_id],
  ['device_name', (one) => one.identity.device_name],
  ['variant_id', (one) => one.identity.variant_id],
  ['identity_confidence', (one) => one.identity.confidence],
  ['unresolved_attributes', (one) => one.identity.unresolved_attributes.map(({ name }) => name).join('; ')],
  ['contradictions', (one) => one.identity.contradictions.map(({ code }) => code).join('; ')],
  ['candidates', (one) => one.identity.candidates.map(({ device_id }) => device_id).join('; ')],
  ['identifier', (one) => one.risk?.identifier ?? null],
  ['blacklist_status', (one) => one.risk?.blacklist_status ?? null],
  ['risk_score', (one) => one.risk?.risk_score ?? null],
  ['risk_level', (one) => one.risk?.risk_level ?? null],
  ['condition', (one) => one.offer.condition],
  ['defects', (one) => one.defects.join('; ')],
  ['decision', (one) => one.offer.decision],
  ['plan', (one) => one.offer.plan],
  ['max_offer', (one) => one.offer.max_offer],
  ['recommended_offer', (one) => one.offer.recommended_offer],
  ['resale_price', (one) => valueFor(one)?.resale?.amount ?? null],
  ['buyback_price', (one) => valueFor(one)?.buyback?.amount ?? null],
  ['expected_profit', (one) => planOf(one)?.expected_profit ?? null],
  ['loss_probability', (one) => planOf(one)?.loss_probability ?? null],
  ['currency', (one) => one.currency],
  ['outcome', (one) => one.outcome?.status ?? null],
  ['bought_price', (one) => one.outcome?.bought?.price ?? null],
  ['bought_currency', (one) => one.outcome?.bought?.currency ?? null],
  ['bought_on', (one) => one.outcome?.bought?.date ?? null],
  ['sold_price', (one) => one.outcome?.sold?.price ?? null],
  ['sold_currency', (one) => one.outcome?.sold?.currency ?? null],
  ['sold_on', (one) => one.outcome?.sold?.date ?? null],
  ['declined_by', (one) => one.outcome?.declined?.by ?? null],
  ['declined_on', (one) => one.outcome?.declined?.date ?? null],
  ['outcome_note', (one) => one.outcome?.note ?? null],
  ['source', (one) => one.offer.source],
  ['market_confidence', (one) => one.offer.market_confidence],
  ['reasons', (one) => one.offer.reasons.map(({ code, amount }) => `${code} ${amount}`).join('; ')],
]

/** Of the grade that the offer is for. */
const valueFor = ({ value, offer }: AppraisalWire) => value.find(({ condition }) => condition === offer.condition)
const planOf = ({ plans, offer }: AppraisalWire) => plans.find(({ plan }) => plan === offer.plan)

export const APPRAISAL_HEADER: readonly string[] = COLUMNS.map(([name]) => name)

/** The cells of one appraisal, in the order of the header. */
const appraisalRow = (appraisal: AppraisalWire): readonly string[] =>
  COLUMNS.map(([, read]) => String(read(appraisal) ?? ''))

export const appraisalRowFromJson = (answer: string) => appraisalRow(JSON.parse(answer) as AppraisalWire)
