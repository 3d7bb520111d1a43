import { z } from 'zod'
import { type AppraisalWire, appraisalSchema } from '../contract/appraisal.ts'
import { appraiseDevice as endpoint } from '../contract/appraisal-endpoints.ts'
import { appraisalRequestSchema } from '../contract/appraisal-request.ts'
import { lookupResultSchema } from '../contract/lookups.ts'
import { defineTool } from './tool-definition.ts'

const { policy: _, ...inputFields } = appraisalRequestSchema.shape
const resultFields = appraisalSchema.shape
const offer = resultFields.offer.shape
const identity = resultFields.identity.shape
const risk = lookupResultSchema.shape
const repair = resultFields.repairs.element.shape

export const appraiseDeviceTool = defineTool({
  name: 'appraise_device',
  title: 'Appraise what is in hand',
  description:
    "From what is in hand to a decision: what it is, whether it is safe to buy, and the greatest offer that still earns the organization's margin, in minor units of currency. Name the device by variant_id, device_id, text or identifier; give condition and defects as far as they are known (resources grades and defects explain the words). With decision identify ask the person to choose from candidates or for the open attributes. An identifier needs the Enterprise tier. Leaves a record in the history of the organization.",
  tier: endpoint.tier,
  input: z.object(inputFields),
  output: z.object({
    appraisal_id: resultFields.appraisal_id,
    decision: offer.decision,
    max_offer: offer.max_offer,
    recommended_offer: offer.recommended_offer,
    currency: resultFields.currency,
    condition: offer.condition,
    plan: offer.plan,
    reasons: offer.reasons,
    by_condition: offer.by_condition,
    identity: z.object(identity),
    defects: resultFields.defects,
    repairs: z.array(
      z.object({
        name: repair.name,
        parts_max: repair.parts_max,
        labour_max: repair.labour_max,
        value_added: repair.value_added,
      }),
    ),
    risk: z
      .object({
        risk_score: risk.risk_score,
        risk_level: risk.risk_level,
        recommendation: risk.recommendation,
        blacklist_status: risk.blacklist_status,
        reasons: z.array(z.string()).describe('Every reason for the score.'),
      })
      .nullable()
      .describe('What the identifier says; null when none was given.'),
    source: offer.source,
    market_confidence: offer.market_confidence,
    market: resultFields.market,
    lock: resultFields.lock,
    sample: resultFields.sample,
  }),
  createsRecord: true,
  toApiCall: (body) => ({ endpoint, body }),
  summarize: ({ offer, risk, ...appraisal }: AppraisalWire) => ({
    ...appraisal,
    ...offer,
    risk: risk && { ...risk, reasons: risk.risk_factors.map(({ message }) => message) },
  }),
})
