import type { AppraisalWire } from '../contract/appraisal.ts'
import { selectedPlan, selectedPrices } from './appraisal-sheet.ts'

type Cell = string | number | boolean | null

/** The columns of an appraisal as a table; the reasons as one cell. Amounts are minor units of the currency beside them. */
const COLUMNS: readonly (readonly [string, (appraisal: AppraisalWire) => Cell])[] = [
  ['appraisal_id', (appraisal) => appraisal.appraisal_id],
  ['timestamp', (appraisal) => appraisal.timestamp],
  ['reference', (appraisal) => appraisal.reference],
  ['device_id', (appraisal) => appraisal.identity.device_id],
  ['device_name', (appraisal) => appraisal.identity.device_name],
  ['variant_id', (appraisal) => appraisal.identity.variant_id],
  ['identity_confidence', (appraisal) => appraisal.identity.confidence],
  ['unresolved_attributes', (appraisal) => appraisal.identity.unresolved_attributes.map(({ name }) => name).join('; ')],
  ['contradictions', (appraisal) => appraisal.identity.contradictions.map(({ code }) => code).join('; ')],
  ['candidates', (appraisal) => appraisal.identity.candidates.map(({ device_id }) => device_id).join('; ')],
  ['identifier', (appraisal) => appraisal.risk?.identifier ?? null],
  ['blacklist_status', (appraisal) => appraisal.risk?.blacklist_status ?? null],
  ['risk_score', (appraisal) => appraisal.risk?.risk_score ?? null],
  ['risk_level', (appraisal) => appraisal.risk?.risk_level ?? null],
  ['condition', (appraisal) => appraisal.offer.condition],
  ['defects', (appraisal) => appraisal.defects.join('; ')],
  ['decision', (appraisal) => appraisal.offer.decision],
  ['plan', (appraisal) => appraisal.offer.plan],
  ['max_offer', (appraisal) => appraisal.offer.max_offer],
  ['recommended_offer', (appraisal) => appraisal.offer.recommended_offer],
  ['resale_price', (appraisal) => selectedPrices(appraisal)?.resale?.amount ?? null],
  ['buyback_price', (appraisal) => selectedPrices(appraisal)?.buyback?.amount ?? null],
  ['expected_profit', (appraisal) => selectedPlan(appraisal)?.expected_profit ?? null],
  ['loss_probability', (appraisal) => selectedPlan(appraisal)?.loss_probability ?? null],
  ['currency', (appraisal) => appraisal.currency],
  ['outcome', (appraisal) => appraisal.outcome?.status ?? null],
  ['bought_price', (appraisal) => appraisal.outcome?.bought?.price ?? null],
  ['bought_currency', (appraisal) => appraisal.outcome?.bought?.currency ?? null],
  ['bought_on', (appraisal) => appraisal.outcome?.bought?.date ?? null],
  ['sold_price', (appraisal) => appraisal.outcome?.sold?.price ?? null],
  ['sold_currency', (appraisal) => appraisal.outcome?.sold?.currency ?? null],
  ['sold_on', (appraisal) => appraisal.outcome?.sold?.date ?? null],
  ['declined_by', (appraisal) => appraisal.outcome?.declined?.by ?? null],
  ['declined_on', (appraisal) => appraisal.outcome?.declined?.date ?? null],
  ['outcome_note', (appraisal) => appraisal.outcome?.note ?? null],
  ['source', (appraisal) => appraisal.offer.source],
  ['market_confidence', (appraisal) => appraisal.offer.market_confidence],
  ['reasons', (appraisal) => appraisal.offer.reasons.map(({ code, amount }) => `${code} ${amount}`).join('; ')],
]

export const APPRAISAL_HEADER: readonly string[] = COLUMNS.map(([name]) => name)

/** The cells of one appraisal, in the order of the header. */
export const appraisalExportCells = (appraisal: AppraisalWire): readonly string[] =>
  COLUMNS.map(([, read]) => String(read(appraisal) ?? ''))
