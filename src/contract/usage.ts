import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { envelopeSchema } from './envelope.ts'
import { component, instant } from './values.ts'

/** Key id of the requests that people make in pages; they count against no quota. */
export const DASHBOARD_KEY = 'dashboard'

const DAY = 'a day such as 2026-11-01'
const dayParameter = (description: string) =>
  z.iso
    .date(DAY)
    .optional()
    .meta({ description, override: { type: 'string', format: 'date' } })
const day = z.iso.date()
const requests = z.int().min(0)

export const quotaSchema = component('UsageQuota', 'Monthly quota of the organization.', {
  monthly_requests: requests.describe('Requests per calendar month (UTC).'),
  is_hard: z.boolean().describe('Whether requests beyond the quota are rejected with 429.'),
  used: requests.describe('Requests of the current month.'),
  remaining: requests.describe('Requests left in the current month.'),
  resets_at: instant.describe('Start of the next month.'),
})

export const usageSchema = component('Usage', "Requests of the organization's API keys.", {
  from: day.describe('First day.'),
  to: day.describe('Last day.'),
  total_requests: requests.describe(
    'Requests that count against a quota: all but those rejected with 401, 429 or 5xx.',
  ),
  quota: quotaSchema.nullable().describe('Monthly quota; null if there is none.'),
  rows: z
    .array(
      z.strictObject({
        day: day.describe('Day (UTC).'),
        endpoint: z.string().describe('Path of the endpoint.'),
        status: z.int().describe('HTTP status.'),
        requests: requests.describe('Number of requests.'),
      }),
    )
    .describe('Requests by day, endpoint and status.'),
})

export type ApiUsageWire = z.infer<typeof usageSchema>
export type QuotaWire = z.infer<typeof quotaSchema>

export const usageExportQuery = z.object({
  from: dayParameter('First day (UTC); default: 90 days ago.'),
  to: dayParameter('Last day (UTC); default: today.'),
})

export const getUsage = defineEndpoint('GET /api/usage', {
  id: 'getUsage',
  permission: 'usage:read',
  tag: 'Usage',
  summary: "Get your organization's usage",
  description:
    "Requests of all API keys of the caller's organization by day, endpoint and status, and its monthly quota. Counts are up to a minute old and kept for 90 days. Available after a hard quota is used up.",
  query: z.object({
    from: dayParameter('First day (UTC); default: the first of the current month.'),
    to: dayParameter('Last day (UTC); default: today.'),
  }),
  response: envelopeSchema(usageSchema),
  errors: ['VALIDATION_ERROR'],
  examples: [
    {
      summary: 'One day',
      query: { from: '2026-03-02', to: '2026-03-02' },
      data: {
        from: '2026-03-02',
        to: '2026-03-02',
        total_requests: 1210,
        quota: {
          monthly_requests: 100_000,
          is_hard: false,
          used: 2402,
          remaining: 97_598,
          resets_at: '2026-04-01T00:00:00.000Z',
        },
        rows: [{ day: '2026-03-02', endpoint: '/api/pricing', status: 200, requests: 1210 }],
      } satisfies ApiUsageWire,
    },
  ],
})
