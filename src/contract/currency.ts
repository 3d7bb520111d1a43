import { z } from 'zod'
import { component, dateValue, optionalField } from './values.ts'

export const BASE_CURRENCY = 'USD'

/** Euro reference rates of the last 90 days, about 200 kB: enough to catch up after a pause. */
export const ECB_RATES_URL = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.xml'

export const RATE_SOURCES = ['imported', 'ecb', 'federal_reserve', 'world_bank', 'peg'] as const

const EXPECTED_CODE = 'a currency code of three letters such as EUR'

const code = z
  .string({ error: EXPECTED_CODE })
  .toUpperCase()
  .regex(/^[A-Z]{3}$/, EXPECTED_CODE)

const description =
  'ISO 4217 code. Amounts are returned in minor units of this currency, converted by the newest exchange rate (see `exchange_rate`). Default: US cents. A currency without a rate is rejected with 400.'
const parameterMeta = { description, override: { type: 'string' as const, pattern: '^[A-Za-z]{3}$' } }

export const currencyParameter = code.optional().meta(parameterMeta)

export const currencyField = optionalField(code).meta(parameterMeta)

export const currencyCode = z.string({ error: EXPECTED_CODE }).regex(/^[A-Z]{3}$/, EXPECTED_CODE)

export const exchangeRateSchema = component('ExchangeRate', 'Rate by which US dollars were converted.', {
  rate: z.number().positive().describe('Units of the currency for one US dollar.'),
  date: dateValue.describe('Day of the rate.'),
  stale: z.boolean().optional().describe('Whether the rate is more than 45 days old. Absent in old appraisals.'),
  source: z
    .enum(RATE_SOURCES)
    .optional()
    .describe(
      '`imported`: by the operator. `ecb`: bundled reference rate of the European Central Bank. `federal_reserve`: bundled monthly average. `world_bank`: bundled yearly average. `peg`: derived from a fixed official rate.',
    ),
})

export type RateSource = (typeof RATE_SOURCES)[number]
export type ExchangeRateWire = z.infer<typeof exchangeRateSchema>
