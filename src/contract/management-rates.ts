import { z } from 'zod'
import { RATE_SOURCES } from './currency.ts'
import { envelopeSchema } from './envelope.ts'
import { defineManagementEndpoint } from './management-shared.ts'
import { component, dateValue } from './values.ts'

const currencyRateSchema = component('CurrencyRate', 'The exchange rate of a currency that the service uses.', {
  currency: z.string().describe('ISO 4217 code.'),
  rate: z.number().positive().describe('Units of the currency for one US dollar.'),
  date: dateValue.describe('Day of the rate.'),
  stale: z.boolean().describe('Whether the rate is more than 45 days old.'),
  source: z.enum(RATE_SOURCES).describe('Where the rate comes from, as in `exchange_rate`.'),
})
export type CurrencyRateWire = z.infer<typeof currencyRateSchema>

const ratesResponse = envelopeSchema(z.array(currencyRateSchema))
const exampleRate: CurrencyRateWire = {
  currency: 'EUR',
  rate: 0.86,
  date: '2026-07-01',
  stale: false,
  source: 'ecb',
}

export const listRates = defineManagementEndpoint('GET /api/manage/rates', {
  id: 'listRates',
  permission: 'settings:read',
  query: z.object({}),
  summary: 'List exchange rates',
  description: 'The newest exchange rate of every currency. All organizations share them.',
  response: ratesResponse,
  examples: [{ summary: 'One currency', data: [exampleRate] }],
})

export const updateRates = defineManagementEndpoint('POST /api/manage/rates/update', {
  id: 'updateRates',
  permission: 'service:operate',
  query: z.object({}),
  summary: 'Update the exchange rates',
  description: 'Imports the newest reference rates of the European Central Bank and returns the rates in use.',
  isIdempotent: true,
  response: ratesResponse,
  examples: [{ summary: 'One currency', data: [exampleRate] }],
})
