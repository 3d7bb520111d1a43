import { z } from 'zod'
import { type ActivityWire, activitySchema, auditFilters } from './audit.ts'
import { optionalText } from './endpoint.ts'
import { cursorPageSchema, envelopeSchema } from './envelope.ts'
import { EXAMPLE_TIME } from './examples.ts'
import {
  bodyOf,
  DONE,
  defineManagementEndpoint,
  EXAMPLE_ORGANIZATION_ID,
  idParameter,
  managementQuery,
} from './management-shared.ts'
import { cursorLimitParameter } from './paging.ts'
import { TIERS } from './tiers.ts'
import { quotaSchema } from './usage.ts'
import { component, instant, nameValue } from './values.ts'

const MAX_LIMIT = 9_999_999
const MAX_QUOTA = 999_999_999_999

export const organizationSchema = component('Organization', 'An organization.', {
  id: z.string().describe('Organization id.'),
  name: z.string().describe('Name.'),
  tier: z.enum(TIERS).describe('Highest tier of its keys and its dashboard.'),
  limit_per_minute: z
    .int()
    .nullable()
    .describe('Requests per minute that all its keys share; null: each key has the limit of its tier.'),
  quota: quotaSchema.nullable().describe('Monthly quota; null if there is none.'),
  market: z.string().nullable().describe('Country whose prices it gets; null for the market of the service.'),
  common_source: z.boolean().describe('Whether its own prices also count in the common market.'),
  runs_service: z
    .boolean()
    .describe('Whether it runs the service: its owners may change what all organizations share.'),
  being_removed: z
    .boolean()
    .describe('Whether its removal was requested: access has ended, its data are deleted within minutes.'),
  created_at: instant.describe('Time of creation.'),
})
export type OrganizationWire = z.infer<typeof organizationSchema>

const organizationTerms = {
  tier: z.enum(TIERS).optional().describe('Highest tier of its keys and its dashboard.'),
  limit_per_minute: z
    .int()
    .min(1)
    .max(MAX_LIMIT)
    .nullish()
    .describe('Requests per minute that all its keys share; null: each key has the limit of its tier.'),
  quota: z
    .strictObject({
      monthly_requests: z.int().min(1).max(MAX_QUOTA).describe('Requests per calendar month (UTC).'),
      is_hard: z.boolean().default(false).describe('Whether requests beyond it are rejected with 429.'),
    })
    .nullish()
    .describe('Monthly quota; null for none.'),
  market: z.string().nullish().describe('Country whose prices it gets, such as `de`; null for that of the service.'),
  common_source: z.boolean().optional().describe('Whether its own prices also count in the common market.'),
  runs_service: z
    .literal(true, { error: 'true; another organization takes it over' })
    .optional()
    .describe('Makes it the organization that runs the service, instead of the one that does now.'),
}

const operated = { query: z.object({}) } as const
const ofOrganization = idParameter('Organization id.')
const exampleOrganization: OrganizationWire = {
  id: EXAMPLE_ORGANIZATION_ID,
  name: 'Corner Shop',
  tier: 'paid',
  limit_per_minute: null,
  quota: null,
  market: 'de',
  common_source: false,
  runs_service: false,
  being_removed: false,
  created_at: EXAMPLE_TIME,
}

export const listOrganizations = defineManagementEndpoint('GET /api/manage/organizations', {
  ...operated,
  id: 'listOrganizations',
  permission: 'service:operate',
  query: z.object({
    after: optionalText().describe('Id of the last organization of the previous response.'),
    limit: cursorLimitParameter('Organizations'),
  }),
  summary: 'List organizations',
  description: 'All organizations of the service, oldest first.',
  response: cursorPageSchema(organizationSchema),
  examples: [
    {
      summary: 'One customer',
      data: [exampleOrganization],
      meta: { limit: 50, has_next: false, next_after: EXAMPLE_ORGANIZATION_ID },
    },
  ],
})

export const createOrganization = defineManagementEndpoint('POST /api/manage/organizations', {
  ...operated,
  id: 'createOrganization',
  permission: 'service:operate',
  summary: 'Create an organization',
  description:
    'Absent fields get the defaults of the service; the currency is that of the market. Invite its first owner with `createInvitation`.',
  body: bodyOf(z.object({ name: nameValue.describe('Name.'), ...organizationTerms })),
  response: envelopeSchema(organizationSchema),
  examples: [
    {
      summary: 'A customer with paid endpoints',
      body: { name: 'Corner Shop', tier: 'paid', market: 'de' },
      data: exampleOrganization,
    },
  ],
})

export const getOrganization = defineManagementEndpoint('GET /api/manage/organizations/{id}', {
  ...operated,
  id: 'getOrganization',
  permission: 'service:operate',
  params: ofOrganization,
  summary: 'Get one organization',
  description: 'Tier, limits, quota and market of an organization.',
  response: envelopeSchema(organizationSchema),
  examples: [{ summary: 'A customer', params: { id: EXAMPLE_ORGANIZATION_ID }, data: exampleOrganization }],
})

export const changeOrganization = defineManagementEndpoint('PATCH /api/manage/organizations/{id}', {
  ...operated,
  id: 'changeOrganization',
  permission: 'service:operate',
  params: ofOrganization,
  summary: 'Change an organization',
  description:
    'Changes the given fields. Keys, watches and webhook events above a lower tier pause until it is raised again.',
  body: bodyOf(z.object({ name: nameValue.optional().describe('Name.'), ...organizationTerms })),
  response: envelopeSchema(organizationSchema),
  examples: [
    {
      summary: 'A higher tier and a limit',
      params: { id: EXAMPLE_ORGANIZATION_ID },
      body: { tier: 'enterprise', limit_per_minute: 600 },
      data: { ...exampleOrganization, tier: 'enterprise', limit_per_minute: 600 },
    },
  ],
})

export const removeOrganization = defineManagementEndpoint('DELETE /api/manage/organizations/{id}', {
  ...operated,
  id: 'removeOrganization',
  permission: 'service:operate',
  params: ofOrganization,
  query: z.object({
    confirm: z.string({ error: 'the exact name of the organization' }).describe('Exact name of the organization.'),
  }),
  summary: 'Remove an organization',
  description:
    'Ends all access at once, then deletes everything stored of the organization within minutes; until then it is still listed. Cannot be undone. The organization that runs the service cannot be removed.',
  examples: [
    {
      summary: 'A customer who left',
      params: { id: EXAMPLE_ORGANIZATION_ID },
      query: { confirm: 'Corner Shop' },
      data: DONE,
    },
  ],
})

const exampleAuditEntry: ActivityWire = {
  id: 'act_0f246810c52148df3',
  at: EXAMPLE_TIME,
  who: 'API key Back office (key_0f246810c52148df1)',
  who_name: null,
  organization_id: EXAMPLE_ORGANIZATION_ID,
  organization_name: 'Corner Shop',
  action: 'key.created',
  subject: 'key_0f246810c52148df3',
  subject_name: null,
  detail: { name: 'Web shop', tier: 'paid' },
}

export const listAuditEntries = defineManagementEndpoint('GET /api/manage/audit', {
  id: 'listAuditEntries',
  permission: 'audit:read',
  query: managementQuery.extend({
    ...auditFilters,
    scope: z
      .enum(['own', 'all'])
      .default('own')
      .describe(
        '`own`: the organization. `all`: every organization of the service, which needs the right to `operate`.',
      ),
    limit: cursorLimitParameter('Entries'),
  }),
  summary: 'List the audit trail',
  description: 'Changes of the organization and changes that concern all organizations, newest first.',
  response: cursorPageSchema(activitySchema),
  examples: [
    {
      summary: 'A key that another key created',
      data: [exampleAuditEntry],
      meta: { limit: 50, has_next: false, next_after: null },
    },
  ],
})

const attentionSchema = component('AttentionItem', 'Something that an owner should look at.', {
  kind: z
    .enum(['clock_jumped', 'source_down', 'list_stale', 'feed_failing', 'import_failed', 'key_expiring'])
    .describe('What is wrong.'),
  subject: z.string().describe('Name of the source, key, feed or list, or the format of the import.'),
  at: instant
    .nullable()
    .describe('When it expires, failed or was last renewed, or since when it does not respond; null if unknown.'),
})
export type AttentionWire = z.infer<typeof attentionSchema>

const exampleAttention: AttentionWire = { kind: 'key_expiring', subject: 'Web shop', at: EXAMPLE_TIME }

export const listAttention = defineManagementEndpoint('GET /api/manage/attention', {
  id: 'listAttention',
  permission: 'settings:read',
  summary: 'List problems that need attention',
  description:
    'Worst first: keys that expire soon and, for owners, stale lists, sources that do not respond, and failed imports and feeds.',
  response: envelopeSchema(z.array(attentionSchema)),
  examples: [{ summary: 'A key that expires', data: [exampleAttention] }],
})

export const organizationEndpoints = [
  listOrganizations,
  createOrganization,
  getOrganization,
  changeOrganization,
  removeOrganization,
  listAuditEntries,
  listAttention,
] as const
