import type { ActivityWire } from '../../../src/contract/dashboard.ts'
import { formatTime, humanize, pluralize } from '../../format.ts'
import { useApiQuery } from '../../queries.ts'
import { useFilters } from '../../search-params.ts'
import { Card, EmptyState, PageHeader, Pagination, QueryView } from '../../ui/basics.tsx'
import { DataTable } from '../../ui/data-table.tsx'

const ACTIVITY_TEXTS: Readonly<Record<string, (entry: ActivityWire) => string>> = {
  'organization.created': (entry) => `made the organization “${entry.detail.name ?? entry.subject}”`,
  'organization.renamed': (entry) => `renamed the organization from “${entry.detail.before}” to “${entry.detail.name}”`,
  'organization.limit_changed': (entry) => `set the requests per minute of a key to ${entry.detail.limit_per_minute}`,
  'organization.tier_changed': (entry) => `let the organization use tiers up to ${entry.detail.tier}`,
  'organization.policy_changed': (entry) =>
    `changed the terms of appraisals: ${Object.entries(entry.detail)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')}`,
  'organization.runs_service': (entry) =>
    entry.detail.runs === 'yes'
      ? 'let this organization run the service and import its lists'
      : 'took from this organization that it runs the service',
  'list.imported': (entry) =>
    `imported the ${humanize(entry.detail.kind ?? '').toLowerCase()} list “${entry.subject}”: ${pluralize(Number(entry.detail.entries), 'entry', 'entries')}${
      entry.detail.clears ? `, clears ${entry.detail.clears}` : ''
    }`,
  'list.import_stopped': (entry) =>
    `stopped importing the list “${entry.subject}” after ${pluralize(Number(entry.detail.added), 'entry', 'entries')}`,
  'observations.forgotten': (entry) =>
    `deleted ${pluralize(Number(entry.detail.observations), 'price observation')} of the ${entry.detail.kind} “${entry.subject}”`,
  'import.started': (entry) => `began to import “${entry.detail.file}” (${entry.detail.format})`,
  'observations.contributed': (entry) =>
    `contributed ${pluralize(Number(entry.detail.rows), 'price', 'prices')}${
      Number(entry.detail.quarantined) > 0 ? `, ${entry.detail.quarantined} far outside the price range` : ''
    }`,
  'appraisal.shared': (entry) => `made a code that shows ${entry.detail.shown} of appraisal ${entry.subject}`,
  'appraisal.share_withdrawn': (entry) => `withdrew a code of appraisal ${entry.subject}`,
  'webhook.created': (entry) => `had events sent to ${entry.detail.url}`,
  'webhook.rotated': (entry) => `made a new secret for ${entry.detail.url}`,
  'webhook.removed': (entry) => `had no more events sent to ${entry.detail.url}`,
  'webhook.enabled': (entry) => `used ${entry.detail.url} again`,
  'webhook.disabled': (entry) => `took ${entry.detail.url} out of use: ${entry.detail.reason}`,
  'webhook.replayed': (entry) => `had an event sent to ${entry.detail.url} again`,
  'key.created': (entry) => `made the ${entry.detail.tier ?? ''} key “${entry.detail.name ?? entry.subject}”`,
  'key.changed': (entry) =>
    `changed the key “${entry.detail.name}”: ${entry.detail.limit_per_minute ? `${entry.detail.limit_per_minute} requests a minute` : "its tier's limit"}, from ${entry.detail.allowed_addresses ?? 'everywhere'}`,
  'key.rotated': (entry) => `rotated the key “${entry.detail.name ?? entry.subject}”`,
  'key.revoked': (entry) => `revoked the key “${entry.detail.name ?? entry.subject}”`,
  'member.added': (entry) => `let ${entry.subject} in as ${entry.detail.role ?? 'member'}`,
  'member.invited': (entry) => `invited ${entry.subject} as ${entry.detail.role ?? 'member'}`,
  'member.joined': (entry) => (entry.detail.by ? 'became the first owner' : 'accepted an invitation'),
  'person.removed': (entry) => `removed ${entry.subject} from the service`,
  'member.removed': (entry) => `removed ${entry.subject}`,
  'member.role_changed': (entry) => `made ${entry.subject} ${entry.detail.role ?? 'member'}`,
  'invitation.withdrawn': (entry) => `withdrew the invitation of ${entry.subject}`,
  'person.signed_in_by_link': () => 'signed in by a one-time link',
  'organization.second_factor_changed': (entry) =>
    entry.detail.required === 'yes' ? 'asked everybody for a second factor' : 'no longer asks for a second factor',
  'person.renamed': (entry) => `is now called ${entry.detail.name}`,
  'person.email_changed': (entry) => `changed their address to ${entry.detail.email}`,
  'person.totp_added': () => 'added an authenticator app',
  'person.totp_removed': () => 'removed their authenticator app',
  'person.passkey_added': (entry) => `added the passkey “${entry.detail.name}”`,
  'person.passkey_removed': (entry) => `removed the passkey “${entry.detail.name}”`,
  'person.recovery_codes_made': () => 'made new recovery codes',
  'person.recovery_code_used': () => 'signed in with a recovery code',
  'person.second_factor_removed': (entry) => `took away the second factor of ${entry.subject}`,
  'person.password_changed': () => 'chose a new password',
}

export const describeActivity = (entry: ActivityWire) =>
  ACTIVITY_TEXTS[entry.action]?.(entry) ?? `${entry.action} ${entry.subject}`

export function ActivityPage() {
  const [query, change] = useFilters()
  const asked = useApiQuery<ActivityWire[]>(`/account/activity?page=${Number(query.get('page') ?? 1) || 1}`)
  return (
    <>
      <PageHeader
        title="Activity"
        lead="Who did what in this organization, and to the lists that all are answered from. Nothing here can be changed or deleted."
      />
      <Card>
        <QueryView asked={asked}>
          {(entries, { meta }) =>
            entries.length === 0 ? (
              <EmptyState title="Nothing has happened yet" />
            ) : (
              <>
                <DataTable label="Activity" head={['When', 'Who', 'What']}>
                  {entries.map((entry) => (
                    <tr key={entry.id}>
                      <td data-label="When" className="nowrap">
                        {formatTime(entry.at)}
                      </td>
                      <td data-label="Who">{entry.who}</td>
                      <td data-label="What">{describeActivity(entry)}</td>
                    </tr>
                  ))}
                </DataTable>
                {meta ? <Pagination meta={meta} to={(page) => change({ page: String(page) })} /> : null}
              </>
            )
          }
        </QueryView>
      </Card>
    </>
  )
}
