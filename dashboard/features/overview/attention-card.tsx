import { Link } from 'wouter'
import type { AttentionWire } from '../../../src/contract/dashboard.ts'
import { formatDay, formatRelativeTime, formatTime } from '../../format.ts'
import { useApiQuery } from '../../queries.ts'
import { Badge, Card, type Tone } from '../../ui/basics.tsx'

type AttentionText = { readonly tone: Tone; readonly to: string; readonly text: (item: AttentionWire) => string }

const ATTENTION_TEXTS: Readonly<Record<AttentionWire['kind'], AttentionText>> = {
  source_down: {
    tone: 'bad',
    to: '/dashboard/lookups',
    text: ({ subject, at }) =>
      `The source “${subject}” has not answered since ${formatTime(at)}. Until it does, lookups say unknown where it would have known; whoever runs the service checks its address and key.`,
  },
  list_stale: {
    tone: 'bad',
    to: '/dashboard/imports',
    text: ({ subject, at }) =>
      `The list “${subject}” is too old to clear a device; it was imported ${formatRelativeTime(at)}.`,
  },
  feed_failing: {
    tone: 'bad',
    to: '/dashboard/imports',
    text: ({ subject, at }) => `The feed “${subject}” fails, last ${formatRelativeTime(at)}.`,
  },
  import_failed: {
    tone: 'warn',
    to: '/dashboard/imports',
    text: ({ subject, at }) => `An import of ${subject} failed ${formatRelativeTime(at)}.`,
  },
  key_expiring: {
    tone: 'warn',
    to: '/dashboard/keys',
    text: ({ subject, at }) => `The key “${subject}” ends on ${formatDay(at)}.`,
  },
}

/** What somebody should look at; nothing is shown while there is nothing. */
export function AttentionCard() {
  const items = useApiQuery<AttentionWire[]>('/account/attention').data?.data ?? []
  if (items.length === 0) return null
  return (
    <Card title="Needs attention">
      <ul className="plain-list">
        {items.map((item) => {
          const { tone, to, text } = ATTENTION_TEXTS[item.kind]
          return (
            <li key={`${item.kind} ${item.subject}`}>
              <span>
                <Badge tone={tone}>{tone === 'bad' ? 'now' : 'soon'}</Badge> {text(item)}
              </span>
              <Link to={to}>Look</Link>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
