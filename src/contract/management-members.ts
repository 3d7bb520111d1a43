import { dashboardBodies } from './dashboard-bodies.ts'
import { envelopeSchema } from './envelope.ts'
import { EXAMPLE_TIME } from './examples.ts'
import { bodyOf, DONE, defineSharedEndpoint, idParameter, type SharedEndpoint } from './management-shared.ts'
import { type MembersWire, membersSchema, newLinkSchema } from './people.ts'

const PERSON_ID = 'per_0f246810c52148df3'
const ofMember = idParameter('Account id.')
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
const exampleLink = { link: '{base_url}/dashboard/join#…', expires_at: EXAMPLE_TIME, mailed: false }

export const memberEndpoints: readonly SharedEndpoint[] = [
  defineSharedEndpoint('GET /api/manage/members', {
    dashboard: 'GET /account/members',
    id: 'listMembers',
    permission: 'members:read',
    summary: 'List members and invitations',
    description: 'Members of the organization and open invitations.',
    response: envelopeSchema(membersSchema),
    examples: [{ summary: 'One owner', data: exampleMembers }],
  }),
  defineSharedEndpoint('POST /api/manage/invitations', {
    dashboard: 'POST /account/invitations',
    id: 'inviteMember',
    permission: 'members:write',
    summary: 'Invite a person',
    description: 'The link lets the person choose a password and join the organization. It works once.',
    body: bodyOf(dashboardBodies.invite),
    response: envelopeSchema(newLinkSchema),
    errors: ['LIMIT_REACHED'],
    examples: [
      {
        summary: 'A first owner',
        body: { email: 'owner@shop.example', role: 'owner' },
        data: exampleLink,
      },
    ],
  }),
  defineSharedEndpoint('DELETE /api/manage/invitations/{id}', {
    dashboard: 'POST /account/invitations/withdraw',
    id: 'withdrawInvitation',
    permission: 'members:write',
    params: idParameter('Invitation id.'),
    summary: 'Withdraw an invitation',
    description: 'The link of the invitation stops working.',
    examples: [{ summary: 'A wrong address', params: { id: INVITATION_ID }, data: DONE }],
  }),
  defineSharedEndpoint('PATCH /api/manage/members/{id}', {
    dashboard: 'POST /account/members/role',
    id: 'changeMemberRole',
    permission: 'members:write',
    params: ofMember,
    summary: "Change a member's role",
    description: 'An organization keeps at least one owner.',
    body: bodyOf(dashboardBodies.changeRole.omit({ id: true })),
    examples: [{ summary: 'A second owner', params: { id: PERSON_ID }, body: { role: 'owner' }, data: DONE }],
  }),
  defineSharedEndpoint('DELETE /api/manage/members/{id}', {
    dashboard: 'POST /account/members/remove',
    id: 'removeMember',
    permission: 'members:write',
    params: ofMember,
    summary: 'Remove a member',
    description: 'The account is deleted and its sessions end at once. An organization keeps at least one owner.',
    examples: [{ summary: 'A person who left', params: { id: PERSON_ID }, data: DONE }],
  }),
  defineSharedEndpoint('POST /api/manage/members/{id}/reset-password', {
    dashboard: 'POST /account/members/reset-password',
    id: 'resetMemberPassword',
    permission: 'members:write',
    params: ofMember,
    summary: "Reset a member's password",
    description:
      'The link lets the person choose a new password. It works once. Using it ends all sessions and issuer identities of the account.',
    response: envelopeSchema(newLinkSchema),
    examples: [
      {
        summary: 'A forgotten password',
        params: { id: PERSON_ID },
        data: exampleLink,
      },
    ],
  }),
  defineSharedEndpoint('POST /api/manage/members/{id}/email', {
    dashboard: 'POST /account/members/email',
    id: 'changeMemberEmail',
    permission: 'members:write',
    params: ofMember,
    summary: "Change a member's e-mail address",
    description:
      'Ends the issuer identities, open links and sessions of the account. A mail to the old address reports the change.',
    body: bodyOf(dashboardBodies.changeMemberEmail.omit({ id: true })),
    isIdempotent: true,
    examples: [{ summary: 'A new domain', params: { id: PERSON_ID }, body: { email: 'ada@new.example' }, data: DONE }],
  }),
  defineSharedEndpoint('POST /api/manage/members/{id}/reset-second-factor', {
    dashboard: 'POST /account/members/reset-second-factor',
    id: 'resetMemberSecondFactor',
    permission: 'members:write',
    params: ofMember,
    summary: "Remove a member's second factor",
    description:
      'Removes authenticator app, passkeys, recovery codes and issuer identities and ends all sessions of the account.',
    isIdempotent: true,
    examples: [{ summary: 'A lost phone', params: { id: PERSON_ID }, data: DONE }],
  }),
]
