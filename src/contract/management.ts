import type { DashboardEndpointName } from './dashboard-endpoints.ts'
import type { Endpoint } from './endpoint.ts'
import * as access from './management-access.ts'
import * as imports from './management-imports.ts'
import * as organization from './management-organization.ts'

/** Endpoints for keys with the request of the dashboard that does the same: one handler serves both. */
export const sharedEndpoints: readonly { readonly endpoint: Endpoint; readonly dashboard: DashboardEndpointName }[] = [
  { endpoint: organization.listMembers, dashboard: 'GET /account/members' },
  { endpoint: organization.inviteMember, dashboard: 'POST /account/invitations' },
  { endpoint: organization.withdrawInvitation, dashboard: 'POST /account/invitations/withdraw' },
  { endpoint: organization.changeMemberRole, dashboard: 'POST /account/members/role' },
  { endpoint: organization.removeMember, dashboard: 'POST /account/members/remove' },
  { endpoint: organization.resetMemberPassword, dashboard: 'POST /account/members/reset-password' },
  { endpoint: organization.resetMemberSecondFactor, dashboard: 'POST /account/members/reset-second-factor' },
  { endpoint: access.listKeys, dashboard: 'GET /account/keys' },
  { endpoint: access.createKey, dashboard: 'POST /account/keys' },
  { endpoint: access.changeKey, dashboard: 'POST /account/keys/change' },
  { endpoint: access.rotateKey, dashboard: 'POST /account/keys/rotate' },
  { endpoint: access.revokeKey, dashboard: 'POST /account/keys/revoke' },
  { endpoint: organization.getPolicy, dashboard: 'GET /account/policy' },
  { endpoint: organization.changePolicy, dashboard: 'POST /account/policy' },
  { endpoint: organization.getSettings, dashboard: 'GET /account/settings' },
  { endpoint: organization.changeSettings, dashboard: 'POST /account/settings' },
  { endpoint: access.listWebhooks, dashboard: 'GET /account/webhooks' },
  { endpoint: access.createWebhook, dashboard: 'POST /account/webhooks' },
  { endpoint: access.removeWebhook, dashboard: 'POST /account/webhooks/remove' },
  { endpoint: access.rotateWebhookSecret, dashboard: 'POST /account/webhooks/rotate' },
  { endpoint: access.enableWebhook, dashboard: 'POST /account/webhooks/enable' },
  { endpoint: access.testWebhook, dashboard: 'POST /account/webhooks/test' },
  { endpoint: access.listWebhookDeliveries, dashboard: 'GET /account/webhooks/deliveries' },
  { endpoint: access.replayWebhookDelivery, dashboard: 'POST /account/webhooks/replay' },
  { endpoint: access.replayWebhookDeliveries, dashboard: 'POST /account/webhooks/replay-range' },
  { endpoint: imports.createUpload, dashboard: 'POST /account/uploads' },
  { endpoint: imports.sendUploadPart, dashboard: 'POST /account/uploads/piece' },
  { endpoint: imports.getUpload, dashboard: 'GET /account/uploads/one' },
  { endpoint: imports.checkUpload, dashboard: 'POST /account/uploads/check' },
  { endpoint: imports.runUpload, dashboard: 'POST /account/uploads/run' },
  { endpoint: imports.stopUpload, dashboard: 'POST /account/uploads/stop' },
  { endpoint: imports.discardUpload, dashboard: 'POST /account/uploads/discard' },
  { endpoint: imports.listImports, dashboard: 'GET /account/imports' },
  { endpoint: imports.undoImport, dashboard: 'POST /account/imports/undo' },
  { endpoint: imports.listFeeds, dashboard: 'GET /account/feeds' },
  { endpoint: imports.runFeed, dashboard: 'POST /account/service/feeds/run' },
  { endpoint: organization.exportUsage, dashboard: 'GET /account/usage.csv' },
  { endpoint: access.listAuditEntries, dashboard: 'GET /account/activity' },
]

/** Endpoints for keys with the right to manage or operate. */
export const managementEndpoints: readonly Endpoint[] = [
  organization.listOrganizations,
  organization.createOrganization,
  organization.getOrganization,
  organization.changeOrganization,
  organization.removeOrganization,
  organization.getOrganizationUsage,
  ...sharedEndpoints.map(({ endpoint }) => endpoint),
]
