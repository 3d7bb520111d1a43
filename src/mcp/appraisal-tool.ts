import { z } from 'zod'
import { type AppraisalWire, appraisalSchema } from '../contract/appraisal.ts'
import { appraiseDevice as endpoint } from '../contract/appraisal-endpoints.ts'
import { appraisalRequestSchema } from '../contract/appraisal-request.ts'
import { lookupResultSchema } from '../contract/lookups.ts'
import { defineTool, pickFields } from './tool-definition.ts'

/** Without the kind of an identifier, which is recognised, and what only a person decides. */
const inputFields = pickFields(
  appraisalRequestSchema.shape,
  'identifier',
  'variant_id',
  'device_id',
  'text',
  'attributes',
  'condition',
  'defects',
  'reference',
  'agreed_offer',
  'declined',
  'market',
  'lock',
  'currency',
)
const resultFields = appraisalSchema.shape
const offer = resultFields.offer.shape
const identity = resultFields.identity.shape
const risk = lookupResultSchema.shape
const repair = resultFields.repairs.element.shape

export const appraiseDeviceTool = defineTool({
  name: 'appraise_device',
  title: 'Appraise a device',
  description:
    "A decision and the highest offer that still earns the organization's margin. Name the device by variant_id, device_id, text or identifier (Enterprise tier); give condition and defects if known (resources grades and defects). If the decision is identify, ask the person for a candidate or the missing attributes. Stored in the history.",
  tier: endpoint.tier,
  input: z.object(inputFields),
  output: z.object({
    appraisal_id: resultFields.appraisal_id,
    ...pickFields(offer, 'decision', 'max_offer', 'recommended_offer'),
    currency: resultFields.currency,
    ...pickFields(offer, 'condition', 'plan', 'reasons', 'by_condition'),
    identity: z.object(identity),
    defects: resultFields.defects,
    repairs: z.array(z.object(pickFields(repair, 'name', 'parts_max', 'labour_max', 'value_added'))),
    risk: z
      .object({
        ...pickFields(risk, 'risk_score', 'risk_level', 'recommendation', 'blacklist_status'),
        reasons: z.array(z.string()).describe('Every reason for the score.'),
      })
      .nullable()
      .describe('Risk of the identifier; null when none was given.'),
    ...pickFields(offer, 'source', 'market_confidence'),
    ...pickFields(resultFields, 'market', 'lock', 'sample'),
  }),
  createsRecord: true,
  toApiCall: (body) => ({ endpoint, body }),
  summarize: ({ offer, risk, ...appraisal }: AppraisalWire) => ({
    ...appraisal,
    ...offer,
    risk: risk && { ...risk, reasons: risk.risk_factors.map(({ message }) => message) },
  }),
})
