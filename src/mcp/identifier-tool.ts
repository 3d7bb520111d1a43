import { z } from 'zod'
import { assessIdentifier } from '../contract/lookup-endpoints.ts'
import { type LookupResultWire, lookupRequestSchema, lookupResultSchema } from '../contract/lookups.ts'
import { defineTool } from './tool-definition.ts'

export const checkIdentifierTool = defineTool({
  name: 'check_identifier',
  title: 'Check an IMEI or serial number',
  description:
    'Is a device safe to buy? Blacklist status, locks, a risk score from 0 to 100 with its reasons, and a recommendation. Unknown is not clean: call a device clean only if blacklist_status is clean, and name cleared_by. If the recommendation is recheck_identifier, ask for the number again and offer suggested_identifiers. Stored in the history.',
  tier: assessIdentifier.tier,
  // Two IMEIs are sent as one text.
  input: z.object(lookupRequestSchema.shape).omit({ second_identifier: true }),
  output: z
    .object(lookupResultSchema.shape)
    .omit({ identifier: true, timestamp: true, carrier_name: true, cache_age_minutes: true }),
  createsRecord: true,
  toApiCall: (body) => ({ endpoint: assessIdentifier, body }),
  summarize: (result: LookupResultWire) => result,
})
