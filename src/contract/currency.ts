import { z } from 'zod'
import { dateValue } from './values.ts'

export const BASE_CURRENCY = 'USD'

const EXPECTED_CODE = 'a currency code of three letters such as EUR'

const code = z
  .string({ error: EXPECTED_CODE })
  .toUpperCase()
  .regex(/^[A-Z]{3}$/, EXPECTED_CODE)

/** The currency that a caller wants amounts in; whether there is a rate for it is known to the service alone. */
const description =
  'ISO 4217 code: amounts are given in its minor units, by the newest imported exchange rate, and `exchange_rate` says which. Absent: US cents. A currency without a rate is refused with 400, naming those there are.'
const parameterMeta = { description, override: { type: 'string' as const, pattern: '^[A-Za-z]{3}$' } }

export const currencyParameter = code.optional().meta(parameterMeta)

/** In a body null counts as absent. */
export const currencyField = z
  .preprocess((sent) => (sent === null ? undefined : sent), code.optional())
  .meta(parameterMeta)

export const currencyCode = z.string().regex(/^[A-Z]{3}$/)

export const exchangeRateSchema = z
  .strictObject({
    rate: z.number().positive().describe('Units of the currency for one US dollar.'),
    date: dateValue.describe('Day of the rate: the newest that was imported.'),
  })
  .describe('How US dollars became the currency of the answer.')
  .meta({ id: 'ExchangeRate' })

export type ExchangeRateWire = z.infer<typeof exchangeRateSchema>
