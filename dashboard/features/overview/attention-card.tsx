import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { AttentionWire } from '../../../src/contract/management-organization.ts'
import { formatDay, formatRelativeTime, formatTime } from '../../format.ts'
import { useOperation } from '../../queries.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Card } from '../../ui/page.tsx'

const ATTENTION: Readonly<Record<AttentionWire['kind'], { readonly tone: Tone; readonly to: string }>> = {
  clock_jumped: { tone: 'bad', to: '/dashboard/activity' },
  source_down: { tone: 'bad', to: '/dashboard/lookups' },
  list_stale: { tone: 'bad', to: '/dashboard/imports' },
  feed_failing: { tone: 'bad', to: '/dashboard/imports' },
  import_failed: { tone: 'warn', to: '/dashboard/imports' },
  key_expiring: { tone: 'warn', to: '/dashboard/keys' },
}

/** Open problems; hidden if there are none. */
export function AttentionCard() {
  const { t } = useTranslation('overview')
  const items = useOperation('GET /api/manage/attention', {}).data?.data ?? []
  if (items.length === 0) return null
  return (
    <Card title={t('attention.title')}>
      <ul className="plain-list">
        {items.map((item) => {
          const { tone, to } = ATTENTION[item.kind]
          const { subject, at } = item
          const values = { subject, time: formatTime(at), when: formatRelativeTime(at), day: formatDay(at) }
          return (
            <li key={`${item.kind} ${item.subject}`}>
              <span>
                <Badge tone={tone}>{t(tone === 'bad' ? 'attention.now' : 'attention.soon')}</Badge>{' '}
                {t(`attention.${item.kind}`, values)}
              </span>
              <Link to={to}>{t('attention.view')}</Link>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
