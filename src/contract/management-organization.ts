import { z } from 'zod'
import { type ActivityWire, activitySchema, auditFilters } from './audit.ts'
import { type organizationSettingsSchema, policyPageSchema } from './dashboard.ts'
import { dashboardBodies } from './dashboard-bodies.ts'
import { optionalText } from './endpoint.ts'
import { cursorPageSchema, envelopeSchema } from './envelope.ts'
import { EXAMPLE_TIME, exampleAppraisal } from './examples.ts'
import {
  bodyOf,
  DONE,
  defineManagementEndpoint,
  idParameter,
  managementQuery,
  type SharedEndpoint,
} from './management-shared.ts'
import { cursorLimitParameter } from './paging.ts'
import { type MembersWire, membersSchema, newLinkSchema } from './people.ts'
import { policySchema } from './policy.ts'
import { TIERS } from './tiers.ts'
import { getUsage, quotaSchema, usageExportQuery } from './usage.ts'
import { component, instant } from './values.ts'

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
}
const nameField = dashboardBodies.person.shape.name

const ORGANIZATION_ID = 'org_0f246810c52148df3'
const operated = { right: 'operate', query: z.object({}) } as const
const ofOrganization = idParameter('Organization id.')
const exampleOrganization: OrganizationWire = {
  id: ORGANIZATION_ID,
  name: 'Corner Shop',
  tier: 'paid',
  limit_per_minute: null,
  quota: null,
  market: 'de',
  common_source: false,
  created_at: EXAMPLE_TIME,
}

export const listOrganizations = defineManagementEndpoint('GET /api/manage/organizations', {
  ...operated,
  id: 'listOrganizations',
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
      meta: { limit: 50, has_next: false, next_after: ORGANIZATION_ID },
    },
  ],
})

export const createOrganization = defineManagementEndpoint('POST /api/manage/organizations', {
  ...operated,
  id: 'createOrganization',
  summary: 'Create an organization',
  description:
    'Absent fields get the defaults of the service; the currency is that of the market. Invite its first owner with `inviteMember`.',
  body: bodyOf(z.object({ name: nameField.describe('Name.'), ...organizationTerms })),
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
  params: ofOrganization,
  summary: 'Get one organization',
  description: 'Tier, limits, quota and market of an organization.',
  response: envelopeSchema(organizationSchema),
  examples: [{ summary: 'A customer', params: { id: ORGANIZATION_ID }, data: exampleOrganization }],
})

export const changeOrganization = defineManagementEndpoint('PATCH /api/manage/organizations/{id}', {
  ...operated,
  id: 'changeOrganization',
  params: ofOrganization,
  summary: 'Change an organization',
  description:
    'Changes the given fields. Keys, watches and webhook events above a lower tier pause until it is raised again.',
  body: bodyOf(z.object({ name: nameField.optional().describe('Name.'), ...organizationTerms })),
  response: envelopeSchema(organizationSchema),
  examples: [
    {
      summary: 'A higher tier and a limit',
      params: { id: ORGANIZATION_ID },
      body: { tier: 'enterprise', limit_per_minute: 600 },
      data: { ...exampleOrganization, tier: 'enterprise', limit_per_minute: 600 },
    },
  ],
})

export const removeOrganization = defineManagementEndpoint('DELETE /api/manage/organizations/{id}', {
  ...operated,
  id: 'removeOrganization',
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
      params: { id: ORGANIZATION_ID },
      query: { confirm: 'Corner Shop' },
      data: DONE,
    },
  ],
})

const PERSON_ID = 'per_0f246810c52148df3'
const INVITATION_ID = 'inv_0f246810c52148df3'
const exampleMembers: MembersWire = {
  members: [
    {
      id: PERSON_ID,
      email: 'owner@shop.example',
      name: 'Ada',
      role: 'owner',
      joined_at: EXAMPLE_TIME,
      seen_at: null,
      second_factor: true,
      may_reset: true,
      you: false,
    },
  ],
  invitations: [],
}

const listMembers = defineManagementEndpoint('GET /api/manage/members', {
  id: 'listMembers',
  summary: 'List members and invitations',
  description: 'Members of the organization and open invitations.',
  response: envelopeSchema(membersSchema),
  examples: [{ summary: 'One owner', data: exampleMembers }],
})

const inviteMember = defineManagementEndpoint('POST /api/manage/invitations', {
  id: 'inviteMember',
  summary: 'Invite a person',
  description: 'The link lets the person choose a password and join the organization. It works once.',
  body: bodyOf(dashboardBodies.invite),
  response: envelopeSchema(newLinkSchema),
  errors: ['LIMIT_REACHED'],
  examples: [
    {
      summary: 'A first owner',
      body: { email: 'owner@shop.example', role: 'owner' },
      data: { link: '{base_url}/dashboard/join#…', expires_at: EXAMPLE_TIME, mailed: false },
    },
  ],
})

const withdrawInvitation = defineManagementEndpoint('DELETE /api/manage/invitations/{id}', {
  id: 'withdrawInvitation',
  params: idParameter('Invitation id.'),
  summary: 'Withdraw an invitation',
  description: 'The link of the invitation stops working.',
  examples: [{ summary: 'A wrong address', params: { id: INVITATION_ID }, data: DONE }],
})

const changeMemberRole = defineManagementEndpoint('PATCH /api/manage/members/{id}', {
  id: 'changeMemberRole',
  params: idParameter('Person id.'),
  summary: "Change a member's role",
  description: 'An organization keeps at least one owner.',
  body: bodyOf(dashboardBodies.changeRole.omit({ id: true })),
  examples: [{ summary: 'A second owner', params: { id: PERSON_ID }, body: { role: 'owner' }, data: DONE }],
})

const removeMember = defineManagementEndpoint('DELETE /api/manage/members/{id}', {
  id: 'removeMember',
  params: idParameter('Person id.'),
  summary: 'Remove a member',
  description: 'The person loses access at once. An organization keeps at least one owner.',
  examples: [{ summary: 'A person who left', params: { id: PERSON_ID }, data: DONE }],
})

const resetMemberPassword = defineManagementEndpoint('POST /api/manage/members/{id}/reset-password', {
  id: 'resetMemberPassword',
  params: idParameter('Person id.'),
  summary: "Reset a member's password",
  description:
    'The link lets the person choose a new password. It works once. Only for people who belong to no other organization.',
  response: envelopeSchema(newLinkSchema),
  examples: [
    {
      summary: 'A forgotten password',
      params: { id: PERSON_ID },
      data: { link: '{base_url}/dashboard/join#…', expires_at: EXAMPLE_TIME, mailed: false },
    },
  ],
})

const resetMemberSecondFactor = defineManagementEndpoint('POST /api/manage/members/{id}/reset-second-factor', {
  id: 'resetMemberSecondFactor',
  params: idParameter('Person id.'),
  summary: "Remove a member's second factor",
  description:
    'Removes authenticator app, passkeys and recovery codes and ends all sessions of the person. Only for people who belong to no other organization.',
  isIdempotent: true,
  examples: [{ summary: 'A lost phone', params: { id: PERSON_ID }, data: DONE }],
})

const ownPolicySchema = z.strictObject({
  policy: policySchema,
  own: policyPageSchema.shape.own.describe('Fields that the organization set; the others have the default.'),
})
type OwnPolicyWire = z.infer<typeof ownPolicySchema>
const examplePolicy = {
  policy: { ...exampleAppraisal.policy, clerk_offer_limit: null, clerks_see_margins: false },
  own: ['target_margin_percent' as const],
}

/** Each field may also be null, which goes back to the default. */
const policyChangeSchema = z.strictObject(
  Object.fromEntries(Object.entries(policySchema.shape).map(([field, schema]) => [field, schema.nullish()])) as {
    [Field in keyof typeof policySchema.shape]: z.ZodOptional<z.ZodNullable<(typeof policySchema.shape)[Field]>>
  },
)

const getPolicy = defineManagementEndpoint('GET /api/manage/policy', {
  id: 'getPolicy',
  summary: 'Get the buying policy',
  description: 'The policy that appraisals of the organization use.',
  response: envelopeSchema(ownPolicySchema),
  examples: [{ summary: 'A policy with a margin of its own', data: examplePolicy }],
})

const changePolicy = defineManagementEndpoint('PATCH /api/manage/policy', {
  id: 'changePolicy',
  summary: 'Change the buying policy',
  description:
    'Changes the given fields; null goes back to the default. Amounts are converted if the currency changes.',
  body: bodyOf(policyChangeSchema),
  response: envelopeSchema(ownPolicySchema),
  examples: [
    {
      summary: 'Another margin',
      body: { target_margin_percent: examplePolicy.policy.target_margin_percent },
      data: examplePolicy,
    },
  ],
})

const settingsSchema = z.strictObject({
  name: z.string().describe('Name of the organization.'),
  market: z.string().nullable().describe('Country whose prices it gets; null for the market of the service.'),
  currency: z.string().describe('Currency of its policy and its dashboard.'),
  service_market: z.string().describe('Market of the service.'),
})
const SETTINGS_FIELDS = Object.keys(settingsSchema.shape) as readonly (keyof z.infer<typeof settingsSchema>)[]
type SettingsWire = Pick<z.infer<typeof organizationSettingsSchema>, (typeof SETTINGS_FIELDS)[number]>
const exampleSettings = { name: 'Corner Shop', market: 'de', currency: 'EUR', service_market: 'us' }

const getSettings = defineManagementEndpoint('GET /api/manage/settings', {
  id: 'getSettings',
  summary: 'Get name, market and currency',
  description: 'Settings of the organization.',
  response: envelopeSchema(settingsSchema),
  examples: [{ summary: 'A shop in Germany', data: exampleSettings }],
})

const changeSettings = defineManagementEndpoint('PATCH /api/manage/settings', {
  id: 'changeSettings',
  summary: 'Change name, market or currency',
  description: 'Changes the given fields. A new market also sets its currency, unless `currency` is given.',
  body: bodyOf(dashboardBodies.changeSettings),
  response: envelopeSchema(settingsSchema),
  examples: [{ summary: 'Another market', body: { market: 'de' }, data: exampleSettings }],
})

export const getOrganizationUsage = defineManagementEndpoint('GET /api/manage/usage', {
  id: 'getOrganizationUsage',
  query: managementQuery.extend(getUsage.query.shape),
  summary: 'Get the usage of an organization',
  description: 'Like `getUsage`, for the organization in `organization_id`.',
  response: getUsage.response,
  examples: getUsage.examples,
})

const exportUsage = defineManagementEndpoint('GET /api/manage/usage.csv', {
  id: 'exportUsage',
  query: managementQuery.extend(usageExportQuery.shape),
  summary: 'Export the usage of an organization as CSV',
  description:
    'Requests by day, API key, endpoint and status. Requests of the dashboard have the key id `dashboard` and count against no quota.',
  mediaType: 'text/csv',
  response: z.string(),
  examples: [
    {
      summary: 'One day',
      query: { from: '2026-03-02', to: '2026-03-02' },
      data: 'day,key_id,endpoint,status,requests\n2026-03-02,key_0f246810c52148df1,/api/pricing,200,1210\n',
    },
  ],
})

const exampleAuditEntry: ActivityWire = {
  id: 'act_0f246810c52148df3',
  at: EXAMPLE_TIME,
  who: 'API key Back office (key_0f246810c52148df1)',
  who_name: null,
  action: 'key.created',
  subject: 'key_0f246810c52148df3',
  subject_name: null,
  detail: { name: 'Web shop', tier: 'paid' },
}

const listAuditEntries = defineManagementEndpoint('GET /api/manage/audit', {
  id: 'listAuditEntries',
  query: managementQuery.extend({ ...auditFilters, limit: cursorLimitParameter('Entries') }),
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

export const memberEndpoints: readonly SharedEndpoint[] = [
  { endpoint: listMembers, dashboard: 'GET /account/members' },
  { endpoint: inviteMember, dashboard: 'POST /account/invitations' },
  { endpoint: withdrawInvitation, dashboard: 'POST /account/invitations/withdraw' },
  { endpoint: changeMemberRole, dashboard: 'POST /account/members/role' },
  { endpoint: removeMember, dashboard: 'POST /account/members/remove' },
  { endpoint: resetMemberPassword, dashboard: 'POST /account/members/reset-password' },
  { endpoint: resetMemberSecondFactor, dashboard: 'POST /account/members/reset-second-factor' },
]

const toPolicy = ({ policy, own }: OwnPolicyWire): OwnPolicyWire => ({ policy, own })
const toSettings = (settings: SettingsWire) => Object.fromEntries(SETTINGS_FIELDS.map((name) => [name, settings[name]]))

export const policyEndpoints: readonly SharedEndpoint[] = [
  { endpoint: getPolicy, dashboard: 'GET /account/policy', toPublic: toPolicy },
  {
    endpoint: changePolicy,
    dashboard: 'POST /account/policy',
    toDashboard: (terms) => ({ terms }),
    toPublic: toPolicy,
  },
  { endpoint: getSettings, dashboard: 'GET /account/settings', toPublic: toSettings },
  { endpoint: changeSettings, dashboard: 'POST /account/settings', toPublic: toSettings },
]

export const usageEndpoints: readonly SharedEndpoint[] = [
  { endpoint: exportUsage, dashboard: 'GET /account/usage.csv' },
]
export const auditEndpoints: readonly SharedEndpoint[] = [
  { endpoint: listAuditEntries, dashboard: 'GET /account/activity' },
]
