import type { AppraisalWire } from './appraisal.ts'
import type { DealReportWire } from './deal-report.ts'
import type { DeviceWire } from './device.ts'
import appraisal from './examples/appraisal.json'
import rejectedAppraisal from './examples/appraisal-rejected.json'
import dealReport from './examples/deal-report.json'
import device from './examples/device.json'
import lookup from './examples/lookup.json'
import blacklistedLookup from './examples/lookup-blacklisted.json'
import cleanLookup from './examples/lookup-clean.json'
import mistypedLookup from './examples/lookup-mistyped.json'
import match from './examples/match.json'
import accessoryMatch from './examples/match-accessory.json'
import pricing from './examples/pricing.json'
import repair from './examples/repair.json'
import type { LookupResultWire } from './lookups.ts'
import type { MatchWire } from './match.ts'
import type { VariantPricingWire } from './pricing.ts'
import type { RepairWire } from './repair.ts'
import type { VariantInContextWire } from './variant.ts'

/**
 * Example responses of the documentation; a test validates them against the schemas. The device is real; prices, costs and
 * lookups are illustrations and marked as such (`source: "sample"`, sandbox identifiers).
 */

export const EXAMPLE_TIME = '2026-03-02T09:30:00.000Z'
/** Time of a response, to the second. */
export const EXAMPLE_RESPONSE_TIME = '2026-03-02T09:30:00Z'

export const exampleDevice = device as DeviceWire
const { id, name, slug, make, category, variants } = exampleDevice
export const exampleVariant = { ...variants[0], device: { id, name, slug, make, category } } as VariantInContextWire
export const examplePricing = pricing as VariantPricingWire
export const exampleRepair = repair as RepairWire
export const exampleMatch = match as MatchWire
export const exampleAccessoryMatch = accessoryMatch as MatchWire

export const exampleLookup = lookup as LookupResultWire
/** A sandbox identifier that is always reported stolen. */
export const exampleBlacklistedLookup = blacklistedLookup as LookupResultWire
/** A sandbox identifier that is always clean. */
export const exampleCleanLookup = cleanLookup as LookupResultWire
/** The identifier of `exampleLookup` with one digit mistyped. */
export const exampleMistypedLookup = mistypedLookup as LookupResultWire

export const exampleAppraisalRequest = {
  variant_id: 'apple-iphone-13-128gb-midnight',
  condition: 'Good',
  defects: ['cracked_back'],
  policy: { labour_per_hour: 3_000 },
  reference: 'SHELF-0042',
} as const
/** `worked-example.test.ts` calculates both appraisals from the example prices. */
export const exampleAppraisal = appraisal as AppraisalWire
export const exampleRejectedAppraisal = rejectedAppraisal as AppraisalWire
export const exampleDealReport = dealReport as DealReportWire
