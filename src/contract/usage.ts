import { z } from 'zod'
import { csvFormatParameters } from './csv-format.ts'
import { defineEndpoint } from './endpoint.ts'
import { envelopeSchema } from './envelope.ts'
import { EXAMPLE_TIME } from './examples.ts'
import { RISK_LEVELS } from './lookups.ts'
import { storageSchema } from './storage.ts'
import { TIERS } from './tiers.ts'
import { component, dateValue, dayParameter, idValue, instant } from './values.ts'

/** Key id of the requests that people make in pages; they count against no quota. */
export const DASHBOARD_KEY = 'dashboard'

const optionalDay = (description: string) =>
  dayParameter.optional().meta({ description, override: { type: 'string', format: 'date' } })
const organizationParameter = {
  organization_id: idValue
    .optional()
    .describe('Organization to read; default: your own. Another one needs the right to `operate`.'),
}
const day = dateValue
const requests = z.int().min(0)

export const quotaSchema = component('UsageQuota', 'Monthly quota of the organization.', {
  monthly_requests: requests.describe('Requests per calendar month (UTC).'),
  is_hard: z.boolean().describe('Whether requests beyond the quota are rejected with 429.'),
  used: requests.describe('Requests of the current month.'),
  remaining: requests.describe('Requests left in the current month.'),
  resets_at: instant.describe('Start of the next month.'),
})

const usageByKeySchema = component('UsageByKey', 'Requests by API key, including those of the dashboard.', {
  from: day.describe('First day in the rows; later than asked for if there are too many rows. The CSV file has all.'),
  rows: z
    .array(
      z.strictObject({
        day: day.describe('Day (UTC).'),
        key_id: z.string().describe('Key id; `dashboard` for requests of people, which count against no quota.'),
        endpoint: z.string().describe('Path of the endpoint.'),
        status: z.int().describe('HTTP status.'),
        requests: requests.describe('Number of requests.'),
      }),
    )
    .describe('Requests by day, key, endpoint and status.'),
  peaks: z
    .array(
      z.strictObject({
        day: day.describe('Day (UTC).'),
        key_id: z.string().describe('Key id.'),
        peak_per_minute: requests.describe('Most requests in one minute of the day.'),
      }),
    )
    .describe('Busiest minute by day and key.'),
  keys: z
    .array(
      z.strictObject({
        id: z.string().describe('Key id.'),
        name: z.string().describe('Name.'),
        tier: z.enum(TIERS).describe('Tier.'),
        limit_per_minute: z.int().describe('Requests per minute that it may send.'),
      }),
    )
    .describe('All keys of the organization.'),
  lookups: z
    .array(
      z.strictObject({
        day: day.describe('Day (UTC).'),
        risk_level: z.enum(RISK_LEVELS).describe('Risk level.'),
        count: requests.describe('Number of lookups.'),
      }),
    )
    .describe('Lookups by day and risk level.'),
})
export type UsageByKeyWire = z.infer<typeof usageByKeySchema>

const usageHoursSchema = component('UsageHours', 'Requests of the last two weeks by the hour.', {
  from: z.int().describe('First hour: hours since 1970, UTC.'),
  to: z.int().describe('Last hour.'),
  latency_classes: z
    .array(z.number())
    .describe('Upper ends of the latency classes in milliseconds; the last class has none.'),
  rows: z
    .array(
      z.strictObject({
        hour: z.int().describe('Hours since 1970, UTC.'),
        key_id: z.string().describe('Key id; `dashboard` for requests of people.'),
        endpoint: z.string().describe('Path of the endpoint.'),
        status: z.int().describe('HTTP status.'),
        latency: z.int().describe('Index of the latency class.'),
        requests: requests.describe('Number of requests.'),
      }),
    )
    .describe('Requests by hour, key, endpoint, status and latency class.'),
})
export type UsageHoursWire = z.infer<typeof usageHoursSchema>

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
  storage: z.array(storageSchema).describe('What the organization stores, with the bounds.'),
  by_key: usageByKeySchema.nullable().describe('Requests by API key; null unless `include=keys`.'),
  hours: usageHoursSchema
    .nullable()
    .describe('Requests of the last two weeks by the hour; null unless `include=hours`.'),
})

export type ApiUsageWire = z.infer<typeof usageSchema>
export type QuotaWire = z.infer<typeof quotaSchema>

export const getUsage = defineEndpoint('GET /api/usage', {
  id: 'getUsage',
  permission: 'usage:read',
  tag: 'Usage',
  actsForOrganization: true,
  csvPermission: 'settings:read',
  summary: "Get your organization's usage",
  description:
    "Requests of all API keys of the caller's organization by day, endpoint and status, its monthly quota, and what it stores. Counts are up to a minute old and kept for 90 days. Available after a hard quota is used up. `include` and `format=csv` need the right to manage; the file has one row per day, key, endpoint and status.",
  query: z.object({
    ...organizationParameter,
    from: optionalDay('First day (UTC); default: the first of the current month.'),
    to: optionalDay('Last day (UTC); default: today.'),
    include: z
      .enum(['keys', 'hours'])
      .optional()
      .describe(
        '`keys` adds the requests by API key, `hours` those of the last two weeks by the hour, with their latency.',
      ),
    ...csvFormatParameters,
  }),
  response: envelopeSchema(usageSchema),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
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
        storage: [{ kind: 'keys', unit: 'records', used: 3, limit: 100 }],
        by_key: null,
        hours: null,
      } satisfies ApiUsageWire,
    },
  ],
})

const requestLogEntrySchema = component('LoggedRequest', 'A request, without parameters and body.', {
  id: z.string().describe('Entry id.'),
  at: instant.describe('Time of the request.'),
  key_id: z.string().describe('Key id; `dashboard` for requests of people.'),
  method: z.string().describe('HTTP method.'),
  endpoint: z.string().describe('Path of the endpoint.'),
  status: z.int().describe('HTTP status.'),
  ms: z.number().describe('Duration in milliseconds.'),
  request_id: z.string().describe('Value of `X-Request-Id`.'),
})
export type RequestLogEntryWire = z.infer<typeof requestLogEntrySchema>

export const listRequests = defineEndpoint('GET /api/usage/requests', {
  id: 'listRequests',
  permission: 'settings:read',
  tag: 'Usage',
  actsForOrganization: true,
  summary: "List your organization's requests",
  description: 'The newest 100 requests of the last three days that match, newest first.',
  query: z.object({
    ...organizationParameter,
    key: idValue.optional().describe('Only requests of this key; `dashboard` for those of people.'),
    endpoint: z.string().max(100).optional().describe('Only requests of this endpoint, such as `/api/pricing`.'),
    status: z.enum(['1', '2', '3', '4', '5']).optional().describe('Only responses of this class: 4 for 400 to 499.'),
    before: idValue.optional().describe('Only requests before this one.'),
  }),
  response: envelopeSchema(z.array(requestLogEntrySchema)),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  examples: [
    {
      summary: 'One request',
      data: [
        {
          id: 'req_0f246810c52148df3',
          at: EXAMPLE_TIME,
          key_id: 'key_0f246810c52148df1',
          method: 'GET',
          endpoint: '/api/pricing',
          status: 200,
          ms: 1.4,
          request_id: '0c1d2f58-6a1c-4f2e-9a53-0d5d8a4f1e11',
        },
      ] satisfies RequestLogEntryWire[],
    },
  ],
})
