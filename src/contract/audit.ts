import { z } from 'zod'
import { optionalText } from './endpoint.ts'
import { component, dayParameter, instant, timeZoneValue } from './values.ts'

/** Actions of the audit trail, by area. */
const AUDIT_ACTIONS = {
  appraisal: [
    'created',
    'batch_created',
    'offer_above_maximum',
    'approved',
    'shared',
    'share_revoked',
    'outcome_recorded',
    'outcome_removed',
    'purchase_created',
    'stock_changed',
    'list_added',
    'list_changed',
    'list_removed',
    'seller_recorded',
    'seller_replaced',
    'seller_withdrawn',
    'seller_read',
    'sellers_exported',
    'seller_erased',
  ],
  backup: ['started'],
  feed: ['changed', 'paused', 'resumed', 'started', 'removed'],
  import: ['started', 'finished', 'failed'],
  invitation: ['withdrawn'],
  key: ['created', 'changed', 'rotated', 'revoked'],
  list: ['imported', 'import_stopped'],
  mail: ['tested'],
  member: ['added', 'invited', 'joined', 'role_changed', 'removed'],
  observations: ['contributed', 'forgotten'],
  organization: [
    'created',
    'removed',
    'renamed',
    'second_factor_changed',
    'sign_on_changed',
    'limit_changed',
    'quota_changed',
    'tier_changed',
    'policy_changed',
    'price_rules_changed',
    'seller_record_changed',
    'receipt_changed',
    'trade_in_changed',
    'developer_pages_changed',
    'till_changed',
    'sessions_changed',
    'market_changed',
    'common_source_changed',
    'runs_service',
    'deals_changed',
  ],
  person: [
    'signed_in_by_link',
    'signed_in_by_oidc',
    'shop_device_ended',
    'device_code_made',
    'oidc_linked',
    'password_changed',
    'password_reset_started',
    'removed',
    'renamed',
    'email_changed',
    'totp_added',
    'totp_removed',
    'passkey_added',
    'passkey_removed',
    'recovery_codes_made',
    'recovery_code_used',
    'second_factor_removed',
  ],
  quote: ['created', 'changed', 'erased'],
  setting: ['changed'],
  source: ['changed', 'removed', 'tested'],
  tac: ['confirmed', 'forgotten'],
  watch: ['created', 'ended'],
  webhook: ['created', 'changed', 'rotated', 'removed', 'enabled', 'disabled', 'switched_off', 'replayed', 'tested'],
} as const

type AuditArea = keyof typeof AUDIT_ACTIONS
export type AuditAction = { [Area in AuditArea]: `${Area}.${(typeof AUDIT_ACTIONS)[Area][number]}` }[AuditArea]
export const AUDIT_AREAS = Object.keys(AUDIT_ACTIONS) as readonly AuditArea[]

/** Filters of the audit trail, for the dashboard and the management API. */
export const auditFilters = {
  after: optionalText().describe('Id of the last entry of the previous response.'),
  who: optionalText().describe(
    'Only changes by this person (e-mail address), by `command line`, by `API key` or by `feed`; the start of `who` is enough.',
  ),
  kind: z.enum(AUDIT_AREAS).optional().describe('Only actions of this area, such as `key` for `key.created`.'),
  from: dayParameter.optional().describe('First day, in `time_zone`.'),
  to: dayParameter.optional().describe('Last day, in `time_zone`.'),
  time_zone: timeZoneValue.optional().describe('Time zone of `from` and `to`, such as `Europe/Vilnius`. Default: UTC.'),
}

export const activitySchema = component('AuditEntry', 'An entry of the audit trail.', {
  id: z.string().describe('Entry id.'),
  at: instant.describe('Time of the change.'),
  who: z
    .string()
    .describe('E-mail address of the person, name and id of the API key, or the program that made the change.'),
  who_name: z.string().nullable().describe('Name of the person; null if not a current member.'),
  organization_id: z.string().nullable().describe('Organization it belongs to; null if it concerns all of them.'),
  organization_name: z
    .string()
    .nullable()
    .describe('Name of the organization; null if the entry concerns all or the organization was removed.'),
  action: z.string().describe('What was done, such as `key.created`.'),
  subject: z.string().describe('What was changed: an id or an e-mail address.'),
  subject_name: z
    .string()
    .nullable()
    .describe('Name of what was changed: the device of an appraisal or the name of a member; null if unknown.'),
  detail: z.record(z.string(), z.string()).describe('Further facts by name.'),
})
export type ActivityWire = z.infer<typeof activitySchema>
