import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import type { ActivityWire } from '../../../src/contract/dashboard.ts'
import { formatAmount, formatTime, humanize } from '../../format.ts'
import { useApiQuery } from '../../queries.ts'
import { useFilters } from '../../search-params.ts'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { EmptyState } from '../../ui/states.tsx'

type Detail = ActivityWire['detail']

const byVariant = ({ variant }: Detail) => variant && 'price'
const byYes = (answer: string | undefined) => (answer === 'yes' ? 'yes' : undefined)

/** Actions with more than one text: which one, by the detail. */
const VARIANTS: Readonly<Record<string, (detail: Detail) => string | undefined>> = {
  'organization.runs_service': ({ runs }) => byYes(runs),
  'organization.deals_changed': ({ included }) => byYes(included),
  'organization.second_factor_changed': ({ required }) => byYes(required),
  'list.imported': ({ clears }) => clears && 'clears',
  'observations.contributed': ({ quarantined }) => (Number(quarantined) > 0 ? 'far' : undefined),
  'appraisal.outcome_recorded': ({ price, before }) =>
    price ? (before ? 'priceBefore' : 'price') : before && 'before',
  'webhook.replayed': ({ events }) => events && 'events',
  'watch.created': byVariant,
  'watch.ended': byVariant,
  'member.joined': ({ by }) => by && 'first',
}

/** Details that the text counts. */
const COUNTED: Readonly<Record<string, string>> = {
  'list.imported': 'entries',
  'list.import_stopped': 'added',
  'observations.forgotten': 'observations',
  'observations.contributed': 'rows',
  'webhook.replayed': 'events',
}

/** Details in the language of the page. */
function valuesOf({ action, subject, detail }: ActivityWire) {
  const { t } = i18next
  const word = (group: 'kind' | 'outcome', code: string) =>
    t(`activity:${group}.${code}` as 'activity:kind.stolen', { defaultValue: humanize(code).toLowerCase() })
  const counted = COUNTED[action]
  return {
    ...detail,
    subject,
    name: detail.name ?? subject,
    ...(counted && detail[counted] ? { count: Number(detail[counted]) } : {}),
    ...(detail.kind ? { kind: word('kind', detail.kind) } : {}),
    ...(action.startsWith('member.') ? { role: roleName(detail.role) } : {}),
    ...(action === 'organization.policy_changed' ? { changes: pairsOf(detail) } : {}),
    ...(action === 'appraisal.outcome_recorded'
      ? {
          status: word('outcome', detail.status ?? ''),
          price: formatAmount(Number(detail.price ?? 0), detail.currency ?? 'USD'),
          before: word('outcome', detail.before?.split(' ')[0] ?? ''),
        }
      : {}),
    ...(action === 'key.changed'
      ? {
          limit: detail.limit_per_minute
            ? t('activity:perMinute', { count: Number(detail.limit_per_minute) })
            : t('activity:tierLimit'),
          addresses: detail.allowed_addresses ?? t('activity:anyAddress'),
        }
      : {}),
  }
}

const pairsOf = (detail: Detail) =>
  Object.entries(detail)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

const roleName = (role: string | undefined) =>
  role ? i18next.t(`role.${role}` as 'role.owner', { defaultValue: role }) : i18next.t('activity:member')

export function describeActivity(entry: ActivityWire): string {
  const { action, subject, detail } = entry
  const [area, what] = action.split('.')
  const key = `activity:did.${area}.${what}`
  const options = { ...valuesOf(entry), context: VARIANTS[action]?.(detail) }
  return i18next.exists(key, options)
    ? (i18next.t(key as never, options as never) as unknown as string)
    : `${action} ${subject}`
}

export function ActivityPage() {
  const { t } = useTranslation('activity')
  const [query, change] = useFilters()
  const result = useApiQuery<ActivityWire[]>(`/account/activity?page=${Number(query.get('page') ?? 1) || 1}`)
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <Card>
        <QueryView query={result}>
          {(entries, { meta }) =>
            entries.length === 0 ? (
              <EmptyState title={t('none')} />
            ) : (
              <>
                <DataTable label={t('title')} head={[t('time'), t('user'), t('action')]}>
                  {entries.map((entry) => (
                    <tr key={entry.id}>
                      <td data-label={t('time')} className="nowrap">
                        {formatTime(entry.at)}
                      </td>
                      <td data-label={t('user')}>{entry.who}</td>
                      <td data-label={t('action')}>{describeActivity(entry)}</td>
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
