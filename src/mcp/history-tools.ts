import { z } from 'zod'
import { type AppraisalWire, appraisalSchema } from '../contract/appraisal.ts'
import { listAppraisals } from '../contract/appraisal-endpoints.ts'
import { listLookups } from '../contract/lookup-endpoints.ts'
import { type LookupResultWire, lookupResultSchema } from '../contract/lookups.ts'
import { type HistoryMeta, historyMetaSchema } from '../contract/paging.ts'
import { count, defineTool, pickFields, type Tool } from './tool-definition.ts'

const MAX_RECORDS = 20
const page = {
  limit: count('Default 10.', MAX_RECORDS),
  after: z.string().optional().describe('next_after of the previous page.'),
}
const position = pickFields(historyMetaSchema.shape, 'total', 'has_next', 'next_after')

const appraisal = appraisalSchema.shape
const offer = appraisal.offer.shape

const listAppraisalsTool = defineTool({
  name: 'list_appraisals',
  title: 'List appraisals',
  description: 'Earlier appraisals, newest first, as returned at the time, with outcome (null while open).',
  tier: listAppraisals.tier,
  input: z.object({
    ...pickFields(listAppraisals.query.shape, 'reference', 'decision', 'outcome'),
    ...page,
  }),
  output: z.object({
    appraisals: z.array(
      z.object({
        ...pickFields(appraisal, 'appraisal_id', 'timestamp', 'reference'),
        device_name: z.string().nullable(),
        variant_id: z.string().nullable(),
        ...pickFields(offer, 'decision', 'recommended_offer', 'max_offer'),
        ...pickFields(appraisal, 'currency', 'sample', 'outcome'),
      }),
    ),
    ...position,
  }),
  createsRecord: false,
  toApiCall: ({ limit = 10, ...query }) => ({ endpoint: listAppraisals, query: { ...query, limit } }),
  summarize: (appraisals: AppraisalWire[], meta: HistoryMeta) => ({
    appraisals: appraisals.map(({ identity, offer, ...record }) => ({ ...identity, ...offer, ...record })),
    ...meta,
  }),
})

const lookup = lookupResultSchema.shape

const listLookupsTool = defineTool({
  name: 'list_lookups',
  title: 'List identifier checks',
  description:
    'Earlier identifier checks, newest first, as returned at the time. For the current status call check_identifier.',
  tier: listLookups.tier,
  input: z.object({ identifier: listLookups.query.shape.identifier, ...page }),
  output: z.object({
    lookups: z.array(
      z.object(
        pickFields(lookup, 'lookup_id', 'timestamp', 'identifier', 'risk_score', 'risk_level', 'blacklist_status'),
      ),
    ),
    ...position,
  }),
  createsRecord: false,
  toApiCall: ({ limit = 10, ...query }) => ({ endpoint: listLookups, query: { ...query, limit } }),
  summarize: (lookups: LookupResultWire[], meta: HistoryMeta) => ({ lookups, ...meta }),
})

export const historyTools: readonly Tool[] = [listAppraisalsTool, listLookupsTool]
