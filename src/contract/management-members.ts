import { z } from 'zod'
import { MEMBER_ROLES } from './account-limits.ts'
import { envelopeSchema } from './envelope.ts'
import { EXAMPLE_TIME } from './examples.ts'
import { bodyOf, DONE, defineManagementEndpoint, idParameter, managementQuery } from './management-shared.ts'
import { component, emailValue, instant } from './values.ts'

const memberSchema = component('Member', 'A member of an organization.', {
  id: z.string().describe('Account id.'),
  email: z.string().describe('E-mail address.'),
  name: z.string().describe('Name.'),
  role: z.enum(MEMBER_ROLES).describe('Role in the organization.'),
  joined_at: instant.describe('Time of joining.'),
  seen_at: instant.nullable().describe('Last use of a session; null if there is none.'),
  second_factor: z.boolean().describe('Whether the person has a second factor.'),
  may_reset: z.boolean().describe('Whether password, second factor and address can be reset: not those of the caller.'),
  you: z.boolean().describe('Whether this is the person who sent the request; false for API keys.'),
})
export type MemberWire = z.infer<typeof memberSchema>

const invitationSchema = component('Invitation', 'An open invitation.', {
  id: z.string().describe('Invitation id.'),
  email: z.string().describe('E-mail address.'),
  role: z.enum(MEMBER_ROLES).describe('Role after joining.'),
  invited_by: z.string().describe('Who invited them.'),
  created_at: instant.describe('Time of the invitation.'),
  expires_at: instant.describe('Time at which its link stops working.'),
})

export type InvitationWire = z.infer<typeof invitationSchema>

const newLinkSchema = z.strictObject({
  link: z.string().optional().describe('Link for the person. It is shown once: absent in a repeated response.'),
  expires_at: instant.describe('Time at which the link stops working.'),
  mailed: z.boolean().describe('Whether it was sent to the person by e-mail.'),
})

const emailField = emailValue.describe('E-mail address.')
const roleField = z.enum(MEMBER_ROLES).describe('Role in the organization.')

const memberChangeSchema = z
  .strictObject({
    role: roleField.optional(),
    email: emailField.optional(),
    second_factor: z.literal(false).optional().describe('Removes the second factor.'),
  })
  .refine((change) => Object.keys(change).length > 0, { path: ['role'], error: 'role, email or second_factor' })

const PERSON_ID = 'acc_0f246810c52148df3'
const INVITATION_ID = 'lnk_0f246810c52148df3'
const ofMember = idParameter('Account id.')
const ofInvitation = idParameter('Invitation id.')
const exampleMember: MemberWire = {
  id: PERSON_ID,
  email: 'owner@shop.example',
  name: 'Ada',
  role: 'owner',
  joined_at: EXAMPLE_TIME,
  seen_at: null,
  second_factor: true,
  may_reset: true,
  you: false,
}
const exampleInvitation: InvitationWire = {
  id: INVITATION_ID,
  email: 'clerk@shop.example',
  role: 'clerk',
  invited_by: 'owner@shop.example',
  created_at: EXAMPLE_TIME,
  expires_at: EXAMPLE_TIME,
}
const exampleLink = { link: '{base_url}/dashboard/join#…', expires_at: EXAMPLE_TIME, mailed: false }

export const listMembers = defineManagementEndpoint('GET /api/manage/members', {
  id: 'listMembers',
  permission: 'members:read',
  summary: 'List members',
  description: 'All members of the organization.',
  response: envelopeSchema(z.array(memberSchema)),
  examples: [{ summary: 'One owner', data: [exampleMember] }],
})

export const getMember = defineManagementEndpoint('GET /api/manage/members/{id}', {
  id: 'getMember',
  permission: 'members:read',
  params: ofMember,
  summary: 'Get a member',
  description: 'One member of the organization.',
  response: envelopeSchema(memberSchema),
  examples: [{ summary: 'An owner', params: { id: PERSON_ID }, data: exampleMember }],
})

export const exportMember = defineManagementEndpoint('GET /api/manage/members/{id}/personal-data', {
  id: 'exportMember',
  permission: 'members:write',
  params: ofMember,
  summary: 'Export what is stored about a member',
  description: 'Everything stored about a member, without secrets.',
  response: envelopeSchema(z.record(z.string(), z.unknown()).describe('Tables and their rows.')),
  examples: [{ summary: 'An owner', params: { id: PERSON_ID }, data: { account: { email: exampleMember.email } } }],
})

export const listInvitations = defineManagementEndpoint('GET /api/manage/invitations', {
  id: 'listInvitations',
  permission: 'members:write',
  summary: 'List open invitations',
  description: 'Invitations whose link still works.',
  response: envelopeSchema(z.array(invitationSchema)),
  examples: [{ summary: 'One invitation', data: [exampleInvitation] }],
})

export const createInvitation = defineManagementEndpoint('POST /api/manage/invitations', {
  id: 'createInvitation',
  permission: 'members:write',
  summary: 'Invite a person',
  description:
    'The link lets the person choose a password and join the organization. It works once. A second invitation of the same address replaces the first.',
  body: bodyOf(z.object({ email: emailField, role: z.enum(MEMBER_ROLES).describe('Role after joining.') })),
  response: envelopeSchema(newLinkSchema.extend({ id: z.string().describe('Invitation id.') })),
  secretFields: ['link'],
  examples: [
    {
      summary: 'A first owner',
      body: { email: 'owner@shop.example', role: 'owner' },
      data: { id: INVITATION_ID, ...exampleLink },
    },
  ],
})

export const withdrawInvitation = defineManagementEndpoint('DELETE /api/manage/invitations/{id}', {
  id: 'withdrawInvitation',
  permission: 'members:write',
  params: ofInvitation,
  summary: 'Withdraw an invitation',
  description: 'Its link stops working.',
  examples: [{ summary: 'A wrong address', params: { id: INVITATION_ID }, data: DONE }],
})

export const changeMember = defineManagementEndpoint('PATCH /api/manage/members/{id}', {
  id: 'changeMember',
  permission: 'members:write',
  params: ofMember,
  summary: "Change a member's role or e-mail address, or remove the second factor",
  description:
    'An organization keeps at least one owner. A new address ends the issuer identities, open links and sessions of the account; a mail to the old address reports it. `second_factor: false` removes authenticator app, passkeys, recovery codes and issuer identities and ends all sessions of the account.',
  body: bodyOf(memberChangeSchema),
  examples: [
    { summary: 'A second owner', params: { id: PERSON_ID }, body: { role: 'owner' }, data: DONE },
    { summary: 'A lost phone', params: { id: PERSON_ID }, body: { second_factor: false }, data: DONE },
  ],
})

export const removeMember = defineManagementEndpoint('DELETE /api/manage/members/{id}', {
  id: 'removeMember',
  permission: 'members:write',
  params: ofMember,
  query: managementQuery.extend({
    erase: z
      .enum(['true', 'false'], { error: 'true or false' })
      .optional()
      .describe('`true`: name and address are also replaced by the id in the audit trail and in records.'),
  }),
  summary: 'Remove a member',
  description: 'The account is deleted and its sessions end at once. An organization keeps at least one owner.',
  examples: [{ summary: 'A person who left', params: { id: PERSON_ID }, data: DONE }],
})

export const createMemberLink = defineManagementEndpoint('POST /api/manage/members/{id}/link', {
  id: 'createMemberLink',
  permission: 'members:write',
  params: ofMember,
  summary: "Reset a member's password",
  description:
    'The link lets the person choose a new password. It works once. Using it ends all sessions and issuer identities of the account.',
  response: envelopeSchema(newLinkSchema),
  secretFields: ['link'],
  examples: [{ summary: 'A forgotten password', params: { id: PERSON_ID }, data: exampleLink }],
})

export const memberEndpoints = [
  listMembers,
  getMember,
  exportMember,
  changeMember,
  removeMember,
  createMemberLink,
  listInvitations,
  createInvitation,
  withdrawInvitation,
] as const
