import type { DeviceWire } from './device.ts'
import type { DeviceMatchWire, LookupBatchItemWire, LookupResultWire, RiskFactorWire } from './lookups.ts'
import type { MatchWire } from './match.ts'
import type { VariantPricingWire } from './pricing.ts'
import type { RepairWire } from './repair.ts'
import type { VariantInContextWire, VariantWire } from './variant.ts'

/**
 * Example answers of the documentation. The device is real; amounts, costs and lookups are illustrations and say so
 * the way a real answer would (`source: "sample"`, sandbox identifiers).
 */

export const EXAMPLE_TIME = '2026-03-02T09:30:00.000Z'

const deviceImage = '{base_url}/thumbnails/devices/apple-iphone-13.svg'
export const exampleCategory = { name: 'Smartphone', thumbnail: '{base_url}/thumbnails/categories/smartphone.svg' }
export const exampleMake = { name: 'Apple', thumbnail: '{base_url}/thumbnails/makes/apple.svg' }

const variant: VariantWire = {
  id: 'apple-iphone-13-128gb-midnight',
  sku: 'APPLE-IPHONE-13-128GB-MIDNIGHT',
  price: 79900,
  name: 'iPhone 13 128GB Midnight',
  part_numbers: ['MLPF3', 'MLML3', 'MLDU3'],
  model_numbers: ['A2482', 'A2631', 'A2633', 'A2634', 'A2635'],
  thumbnail: '{base_url}/thumbnails/variants/apple-iphone-13-128gb-midnight.svg',
  attributes: [
    { attribute_name: 'storage', attribute_value: '128GB' },
    { attribute_name: 'color', attribute_value: 'Midnight' },
  ],
  disabled: false,
}

export const exampleDevice: DeviceWire = {
  id: 'apple-iphone-13',
  name: 'iPhone 13',
  slug: 'apple-iphone-13',
  category: exampleCategory,
  make: exampleMake,
  model_numbers: ['A2482', 'A2631', 'A2633', 'A2634', 'A2635'],
  technical_specifications: {
    display: '6.1-inch OLED, 2532 x 1170',
    chip: 'Apple A15 Bionic',
    memory: '4GB',
    battery: '3227 mAh',
    rear_camera: '12 MP wide + 12 MP ultrawide',
    front_camera: '12 MP',
    weight: '173 g',
    dimensions: '146.7 x 71.5 x 7.65 mm',
    os_at_launch: 'iOS 15',
    storage: '128GB, 256GB, 512GB',
    colors: '(PRODUCT)RED, Blue, Midnight, Pink, Starlight, Green',
  },
  release_date: '2021-09-24',
  release_date_precision: 'day',
  thumbnail: deviceImage,
  status: 'discontinued',
  model_identifiers: ['iPhone14,5'],
  variants: [variant],
}

export const exampleVariant: VariantInContextWire = {
  ...variant,
  device: {
    id: exampleDevice.id,
    name: exampleDevice.name,
    slug: exampleDevice.slug,
    make: exampleMake,
    category: exampleCategory,
  },
}

const weeks = ['2026-02-09', '2026-02-16', '2026-02-23']
const point = (date: string, value: number) => ({ date, value, currency: 'USD' as const, condition: 'Good' as const })

export const examplePricing: VariantPricingWire = {
  variant_id: variant.id,
  device_name: exampleDevice.name,
  variant_name: variant.name,
  buyback: {
    current: { Excellent: 20400, Good: 18800, Fair: 16500, Poor: 9200 },
    interval: {
      Excellent: { low: 18100, high: 22900 },
      Good: { low: 16700, high: 21200 },
      Fair: { low: 14300, high: 19000 },
      Poor: { low: 7400, high: 11400 },
    },
    historical: weeks.map((date, i) => point(date, [19300, 19000, 18900][i] ?? 0)),
    last_updated: '2026-03-01T17:12:45.000Z',
    source: 'sample',
  },
  resale: {
    current: { Excellent: 28900, Good: 26500, Fair: 23800, Poor: 16900 },
    interval: {
      Excellent: { low: 26200, high: 31800 },
      Good: { low: 24000, high: 29300 },
      Fair: { low: 21100, high: 26800 },
      Poor: { low: 13900, high: 20500 },
    },
    historical: weeks.map((date, i) => point(date, [27200, 26900, 26600][i] ?? 0)),
    last_updated: '2026-03-01T17:12:45.000Z',
    source: 'sample',
    trend: 'falling',
    liquidity_score: 78,
  },
  market_confidence: 74,
  data_points: 143,
  currency: 'USD',
  method: 'pooled-ladder/6',
}

export const exampleRepair: RepairWire = {
  device_id: exampleDevice.id,
  device_name: exampleDevice.name,
  variant_id: null,
  repairsite_score: null,
  repairability_rating: 'unknown',
  common_repairs: [
    {
      name: 'Display replacement',
      difficulty: 'moderate',
      estimated_time_minutes: 75,
      parts: [{ name: 'Display assembly', cost_min: 5600, cost_max: 19400, currency: 'USD', availability: 'in_stock' }],
      labour_min: 5000,
      labour_max: 10000,
      repairsite_guide_url: null,
    },
    {
      name: 'Battery replacement',
      difficulty: 'moderate',
      estimated_time_minutes: 75,
      parts: [{ name: 'Battery', cost_min: 1800, cost_max: 5100, currency: 'USD', availability: 'in_stock' }],
      labour_min: 5000,
      labour_max: 10000,
      repairsite_guide_url: null,
    },
  ],
  common_failure_points: ['Cracked OLED display', 'Worn battery', 'Lightning connector clogged or worn'],
  average_repair_cost: { min: 9457, max: 24782, currency: 'USD' },
  repair_roi_indicator: 'low',
  technical_notes: [
    'Part costs are reference ranges by family and age, not quotations.',
    'The average repair cost is parts and labour, at $60 an hour for two thirds to four thirds of the documented time.',
    'The return on repair takes its lower end: a good aftermarket part and a practised hand.',
  ],
  proprietary_parts: [
    'Display (configuration needed after replacement)',
    'Battery (configuration needed after replacement)',
  ],
  special_tools_required: ['P2 pentalobe screwdriver', 'Y000 tri-point screwdriver'],
  last_updated: '2026-11-01T00:00:00.000Z',
  source: 'repairsite',
  data_completeness: 75,
}

const noMatch: DeviceMatchWire = {
  confidence: 0,
  matched_device_id: null,
  matched_device_name: null,
  matched_variant_id: null,
  matched_variant_name: null,
}

const exampleBaselineFactor: RiskFactorWire = {
  code: 'baseline',
  points: 5,
  message: 'Every used device carries some risk.',
  source: 'identifier',
  observed_at: null,
}

export const exampleLookup: LookupResultWire = {
  lookup_id: 'lkp_01M7EPF89JZJ6QG57WBHCQA9PC',
  identifier: '01-355400-629701-5',
  identifier_type: 'imei',
  timestamp: EXAMPLE_TIME,
  device_match: noMatch,
  blacklist_status: 'unknown',
  carrier_lock: 'unknown',
  carrier_name: null,
  risk_score: 40,
  risk_level: 'medium',
  gsma_status: 'unknown',
  ctia_status: 'unknown',
  reported_lost_stolen: false,
  activation_lock: false,
  source: 'none',
  freshness: 'real-time',
  cache_age_minutes: null,
  risk_factors: [
    {
      code: 'blacklist_unverified',
      points: 25,
      message: 'No source that covers a blacklist could clear it. Unknown is not clean.',
      source: 'identifier',
      observed_at: null,
    },
    {
      code: 'tac_not_listed',
      points: 10,
      message: 'Its type allocation code is not in the data at hand.',
      source: 'identifier',
      observed_at: null,
    },
    exampleBaselineFactor,
  ],
  cleared_by: [],
  recommendation: 'inspect',
  suggested_identifiers: [],
}

/** A sandbox identifier: it belongs to no device and always gives this answer. */
export const exampleBlacklistedLookup: LookupResultWire = {
  ...exampleLookup,
  lookup_id: 'lkp_01M7EPF8BB6HH79K681XY3W0WJ',
  identifier: '100000010000023',
  blacklist_status: 'blacklisted',
  risk_score: 95,
  risk_level: 'critical',
  gsma_status: 'blacklisted',
  ctia_status: 'lost_stolen',
  reported_lost_stolen: true,
  source: 'sandbox',
  risk_factors: [
    {
      code: 'reported_lost_stolen',
      points: 90,
      message: 'It was reported lost or stolen.',
      source: 'sandbox',
      observed_at: null,
    },
    exampleBaselineFactor,
  ],
  recommendation: 'reject',
}

/** One digit of the device above mistyped. */
export const exampleMistypedLookup: LookupResultWire = {
  ...exampleLookup,
  lookup_id: 'lkp_01M7EPF8D4S6Q1Y2B7W9K3J5TH',
  identifier: '01-355400-629701-6',
  risk_score: 85,
  risk_level: 'critical',
  risk_factors: [
    {
      code: 'check_digit_mismatch',
      points: 45,
      message: 'The check digit is 6 and should be 5. Probably meant: 013554006297015 (last digit mistyped).',
      source: 'identifier',
      observed_at: null,
    },
    ...exampleLookup.risk_factors,
  ],
  recommendation: 'recheck_identifier',
  suggested_identifiers: ['013554006297015'],
}

/** A sandbox identifier that every list cleared. */
export const exampleCleanLookup: LookupResultWire = {
  ...exampleLookup,
  lookup_id: 'lkp_01M7EPF8F0A2C4E6G8J1M3P5R7',
  identifier: '100000010000015',
  blacklist_status: 'clean',
  carrier_lock: 'unlocked',
  risk_score: 5,
  risk_level: 'low',
  gsma_status: 'clean',
  ctia_status: 'clean',
  source: 'sandbox',
  risk_factors: [exampleBaselineFactor],
  cleared_by: [{ source: 'sandbox', list: null, area: null, entries: null, updated_at: EXAMPLE_TIME }],
  recommendation: 'buy',
}

const exampleItemError = 'items[1].identifier was "12345"; expected a serial number of 8 to 20 letters A–Z and digits.'

export const exampleBatch: LookupBatchItemWire[] = [
  { index: 0, success: true, result: exampleLookup },
  {
    index: 1,
    success: false,
    error: {
      code: 'VALIDATION_ERROR',
      message: exampleItemError,
      details: [{ field: 'items[1].identifier', message: exampleItemError }],
    },
  },
]

export const exampleMatch: MatchWire = {
  text: 'iphone 13 128gb midnight unlocked',
  decision: 'matched',
  reason: null,
  device_id: 'apple-iphone-13',
  device_name: 'iPhone 13',
  variant_id: 'apple-iphone-13-128gb-midnight',
  variant_name: 'iPhone 13 128GB Midnight',
  confidence: 96,
  attributes: [
    { attribute_name: 'storage', attribute_value: '128GB' },
    { attribute_name: 'color', attribute_value: 'midnight' },
    { attribute_name: 'lock', attribute_value: 'unlocked' },
  ],
  condition: null,
  unmatched_words: [],
  candidates: [
    {
      device_id: 'apple-iphone-13',
      device_name: 'iPhone 13',
      variant_id: 'apple-iphone-13-128gb-midnight',
      confidence: 96,
    },
  ],
}

export const exampleNoMatch: MatchWire = {
  text: 'case for iphone 13',
  decision: 'unknown',
  reason: 'accessory',
  device_id: null,
  device_name: null,
  variant_id: null,
  variant_name: null,
  confidence: 0,
  attributes: [],
  condition: null,
  unmatched_words: [],
  candidates: [],
}
