import { Link } from 'wouter'
import type { AttentionWire } from '../../src/contract/account.ts'
import { useAnswer } from '../answers.ts'
import { ago, day, time } from '../words.ts'
import { Badge, Card, type Tone } from './basics.tsx'

type Told = { readonly tone: Tone; readonly to: string; readonly text: (item: AttentionWire) => string }

const TOLD: Readonly<Record<AttentionWire['kind'], Told>> = {
  source_down: {
    tone: 'bad',
    to: '/dashboard/lookups',
    text: ({ subject, at }) =>
      `The source “${subject}” has not answered since ${time(at)}. Until it does, lookups say unknown where it would have known; whoever runs the service checks its address and key.`,
  },
  list_stale: {
    tone: 'bad',
    to: '/dashboard/imports',
    text: ({ subject, at }) => `The list “${subject}” is too old to clear a device; it was imported ${ago(at)}.`,
  },
  feed_failing: {
    tone: 'bad',
    to: '/dashboard/imports',
    text: ({ subject, at }) => `The feed “${subject}” fails, last ${ago(at)}.`,
  },
  import_failed: {
    tone: 'warn',
    to: '/dashboard/imports',
    text: ({ subject, at }) => `An import of ${subject} failed ${ago(at)}.`,
  },
  key_expiring: {
    tone: 'warn',
    to: '/dashboard/keys',
    text: ({ subject, at }) => `The key “${subject}” ends on ${day(at)}.`,
  },
}

/** What somebody should look at; nothing is shown while there is nothing. */
export function Attention() {
  const items = useAnswer<AttentionWire[]>('/account/attention').data?.data ?? []
  if (items.length === 0) return null
  return (
    <Card title="Needs attention">
      <ul className="plain-list">
        {items.map((item) => {
          const { tone, to, text } = TOLD[item.kind]
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
