import type { ActivityWire } from '../../../src/contract/dashboard.ts'
import { formatAmount, formatTime, humanize, pluralize } from '../../format.ts'
import { useApiQuery } from '../../queries.ts'
import { useFilters } from '../../search-params.ts'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { EmptyState } from '../../ui/states.tsx'

const ACTIVITY_TEXTS: Readonly<Record<string, (entry: ActivityWire) => string>> = {
  'organization.created': (entry) => `created the organization “${entry.detail.name ?? entry.subject}”`,
  'organization.renamed': (entry) => `renamed the organization from “${entry.detail.before}” to “${entry.detail.name}”`,
  'organization.quota_changed': (entry) => `set the monthly quota to ${entry.detail.quota}`,
  'organization.limit_changed': (entry) =>
    `set the rate limit to ${entry.detail.limit_per_minute} requests per minute and key`,
  'organization.tier_changed': (entry) => `changed the tier to ${entry.detail.tier}`,
  'organization.policy_changed': (entry) =>
    `changed the buying policy: ${Object.entries(entry.detail)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')}`,
  'organization.receipt_changed': () => 'changed what is printed on receipts',
  'organization.runs_service': (entry) =>
    entry.detail.runs === 'yes'
      ? 'made this organization the operator of the service'
      : 'removed the operator role from this organization',
  'setting.changed': (entry) => `changed ${entry.subject} from ${entry.detail.before} to ${entry.detail.value}`,
  'source.changed': (entry) => `saved the identifier source “${entry.subject}” (${entry.detail.host})`,
  'source.removed': (entry) => `removed the identifier source “${entry.subject}”`,
  'source.tested': (entry) => `tested the identifier source “${entry.subject}”`,
  'feed.changed': (entry) => `saved the feed “${entry.subject}” (${entry.detail.address})`,
  'feed.paused': (entry) => `paused the feed “${entry.subject}”`,
  'feed.resumed': (entry) => `resumed the feed “${entry.subject}”`,
  'feed.started': (entry) => `ran the feed “${entry.subject}”`,
  'feed.removed': (entry) => `removed the feed “${entry.subject}”`,
  'backup.started': (entry) => `started the backup ${entry.subject}`,
  'list.imported': (entry) =>
    `imported the ${humanize(entry.detail.kind ?? '').toLowerCase()} list “${entry.subject}”: ${pluralize(Number(entry.detail.entries), 'entry', 'entries')}${
      entry.detail.clears ? `, clears ${entry.detail.clears}` : ''
    }`,
  'list.import_stopped': (entry) =>
    `stopped importing the list “${entry.subject}” after ${pluralize(Number(entry.detail.added), 'entry', 'entries')}`,
  'observations.forgotten': (entry) =>
    `deleted ${pluralize(Number(entry.detail.observations), 'price observation')} of the ${entry.detail.kind} “${entry.subject}”`,
  'tac.forgotten': (entry) => `deleted the confirmed model ${entry.detail.device_id} of TAC ${entry.subject}`,
  'import.started': (entry) => `started importing “${entry.detail.file}” (${entry.detail.format})`,
  'observations.contributed': (entry) =>
    `contributed ${pluralize(Number(entry.detail.rows), 'price', 'prices')}${
      Number(entry.detail.quarantined) > 0 ? `, ${entry.detail.quarantined} far outside the price range` : ''
    }`,
  'appraisal.shared': (entry) => `created a verification code for appraisal ${entry.subject}: ${entry.detail.shown}`,
  'appraisal.outcome_recorded': ({ subject, detail }) =>
    `recorded appraisal ${subject} as ${detail.status}${detail.price ? ` for ${formatAmount(Number(detail.price), detail.currency ?? 'USD')}` : ''}${detail.before ? ` (before: ${detail.before.split(' ')[0]})` : ''}`,
  'appraisal.outcome_removed': (entry) => `removed the outcome of appraisal ${entry.subject}`,
  'organization.deals_changed': (entry) =>
    entry.detail.included === 'yes' ? 'counts its deals in its prices' : 'left its deals out of its prices',
  'appraisal.share_withdrawn': (entry) => `revoked a verification code of appraisal ${entry.subject}`,
  'webhook.created': (entry) => `added the webhook ${entry.detail.url}`,
  'webhook.rotated': (entry) => `rotated the secret of ${entry.detail.url}`,
  'webhook.removed': (entry) => `removed the webhook ${entry.detail.url}`,
  'webhook.enabled': (entry) => `enabled the webhook ${entry.detail.url}`,
  'webhook.disabled': (entry) => `disabled the webhook ${entry.detail.url}: ${entry.detail.reason}`,
  'webhook.replayed': (entry) =>
    `replayed ${entry.detail.events ? `${entry.detail.events} events` : 'an event'} to ${entry.detail.url}`,
  'appraisal.approved': (entry) => `approved an offer of ${entry.detail.for}`,
  'watch.created': (entry) =>
    `watches ${entry.detail.variant ? `the price of ${entry.detail.variant}` : 'an identifier'}`,
  'watch.ended': (entry) =>
    `stopped watching ${entry.detail.variant ? `the price of ${entry.detail.variant}` : 'an identifier'}`,
  'webhook.tested': (entry) => `sent a test event to ${entry.detail.url}`,
  'key.created': (entry) => `created the ${entry.detail.tier ?? ''} key “${entry.detail.name ?? entry.subject}”`,
  'key.changed': (entry) =>
    `changed the key “${entry.detail.name}”: ${entry.detail.limit_per_minute ? `${entry.detail.limit_per_minute} requests per minute` : 'tier limit'}, IP addresses: ${entry.detail.allowed_addresses ?? 'any'}`,
  'key.rotated': (entry) => `rotated the key “${entry.detail.name ?? entry.subject}”`,
  'key.revoked': (entry) => `revoked the key “${entry.detail.name ?? entry.subject}”`,
  'member.added': (entry) => `added ${entry.subject} as ${entry.detail.role ?? 'a member'}`,
  'member.invited': (entry) => `invited ${entry.subject} as ${entry.detail.role ?? 'a member'}`,
  'member.joined': (entry) => (entry.detail.by ? 'became the first owner' : 'accepted an invitation'),
  'organization.removed': (entry) => `removed the organization ${entry.detail.name} (${entry.subject})`,
  'person.removed': (entry) => `removed ${entry.subject} from the service`,
  'member.removed': (entry) => `removed ${entry.subject}`,
  'member.role_changed': (entry) => `made ${entry.subject} ${entry.detail.role ?? 'a member'}`,
  'invitation.withdrawn': (entry) => `cancelled the invitation of ${entry.subject}`,
  'person.signed_in_by_link': () => 'signed in with a one-time link',
  'organization.second_factor_changed': (entry) =>
    entry.detail.required === 'yes'
      ? 'required two-factor authentication'
      : 'stopped requiring two-factor authentication',
  'person.renamed': (entry) => `changed their name to ${entry.detail.name}`,
  'person.email_changed': (entry) => `changed their email to ${entry.detail.email}`,
  'person.totp_added': () => 'added an authenticator app',
  'person.totp_removed': () => 'removed their authenticator app',
  'person.passkey_added': (entry) => `added the passkey “${entry.detail.name}”`,
  'person.passkey_removed': (entry) => `removed the passkey “${entry.detail.name}”`,
  'person.recovery_codes_made': () => 'created new recovery codes',
  'person.recovery_code_used': () => 'signed in with a recovery code',
  'person.second_factor_removed': (entry) => `reset the second factor of ${entry.subject}`,
  'person.password_changed': () => 'changed their password',
  'person.password_reset_started': (entry) => `created a password reset link for ${entry.subject}`,
}

export const describeActivity = (entry: ActivityWire) =>
  ACTIVITY_TEXTS[entry.action]?.(entry) ?? `${entry.action} ${entry.subject}`

export function ActivityPage() {
  const [query, change] = useFilters()
  const result = useApiQuery<ActivityWire[]>(`/account/activity?page=${Number(query.get('page') ?? 1) || 1}`)
  return (
    <>
      <PageHeader
        title="Activity"
        lead="Audit log of your organization and of shared lists. Entries cannot be changed or deleted."
      />
      <Card>
        <QueryView query={result}>
          {(entries, { meta }) =>
            entries.length === 0 ? (
              <EmptyState title="No activity yet" />
            ) : (
              <>
                <DataTable label="Activity" head={['Time', 'User', 'Action']}>
                  {entries.map((entry) => (
                    <tr key={entry.id}>
                      <td data-label="Time" className="nowrap">
                        {formatTime(entry.at)}
                      </td>
                      <td data-label="User">{entry.who}</td>
                      <td data-label="Action">{describeActivity(entry)}</td>
                    </tr>
                  ))}
                </DataTable>
                {meta ? <Pagination meta={meta} onChange={change} /> : null}
              </>
            )
          }
        </QueryView>
      </Card>
    </>
  )
}
