import { Link } from 'wouter'
import type { AttentionWire } from '../../../src/contract/dashboard.ts'
import { formatDay, formatRelativeTime, formatTime } from '../../format.ts'
import { useApiQuery } from '../../queries.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'

type AttentionText = { readonly tone: Tone; readonly to: string; readonly text: (item: AttentionWire) => string }

const ATTENTION_TEXTS: Readonly<Record<AttentionWire['kind'], AttentionText>> = {
  clock_jumped: {
    tone: 'bad',
    to: '/dashboard/activity',
    text: () =>
      'The system clock jumped by more than a day. Old data is not deleted until the clock is corrected or has run evenly for a day. The operator should check the time of the server.',
  },
  source_down: {
    tone: 'bad',
    to: '/dashboard/lookups',
    text: ({ subject, at }) =>
      `The source “${subject}” has not responded since ${formatTime(at)}. Its checks show as unknown until it recovers. The operator should check its URL and key.`,
  },
  list_stale: {
    tone: 'bad',
    to: '/dashboard/imports',
    text: ({ subject, at }) =>
      `The list “${subject}” is out of date and no longer clears devices. It was imported ${formatRelativeTime(at)}.`,
  },
  feed_failing: {
    tone: 'bad',
    to: '/dashboard/imports',
    text: ({ subject, at }) => `The feed “${subject}” is failing. Last failure: ${formatRelativeTime(at)}.`,
  },
  import_failed: {
    tone: 'warn',
    to: '/dashboard/imports',
    text: ({ subject, at }) => `Import of ${subject} failed ${formatRelativeTime(at)}.`,
  },
  key_expiring: {
    tone: 'warn',
    to: '/dashboard/keys',
    text: ({ subject, at }) => `The key “${subject}” expires on ${formatDay(at)}.`,
  },
}

/** Open problems; hidden if there are none. */
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
                <Badge tone={tone}>{tone === 'bad' ? 'Now' : 'Soon'}</Badge> {text(item)}
              </span>
              <Link to={to}>View</Link>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
