import { Link } from 'wouter'
import type { ActivityWire, KeyWire, UsageWire } from '../../src/contract/account.ts'
import { useAnswer } from '../answers.ts'
import { DayBars } from '../charts/lazy.tsx'
import { Home } from '../counter/home.tsx'
import { Attention } from '../parts/attention.tsx'
import { Card, Empty, Shown, TierBadge } from '../parts/basics.tsx'
import { Latest } from '../parts/latest.tsx'
import { QuickStart } from '../parts/quick-start.tsx'
import { useSession } from '../session.tsx'
import { ago, count, plural } from '../words.ts'
import { told } from './activity.tsx'
import { daysUpTo, isOfKey, seriesBy } from './usage-series.ts'

export function OverviewPage() {
  const session = useSession()
  const usage = useAnswer<UsageWire>('/account/usage')
  const keys = useAnswer<KeyWire[]>('/account/keys')
  const activity = useAnswer<ActivityWire[]>('/account/activity')
  const { organization } = session
  if (!organization) return null
  return (
    <>
      <Home />
      <Attention />
      <Latest />
      <div className="section-head">
        <h2>{organization.name}</h2>
        <p className="soft">
          Tier <TierBadge tier={organization.tier} /> with up to{' '}
          {plural(organization.limits[organization.tier], 'request')} a minute per key.
        </p>
      </div>
      <Card title="Requests with keys, last 30 days" action={<Link to="/dashboard/usage">All usage</Link>}>
        <Shown asked={usage} lines={6}>
          {(data) => {
            const days = daysUpTo(data.to, 30)
            const byKeys = seriesBy(data.rows.filter(isOfKey), days, (row) => row.route)
            return byKeys.length === 0 ? (
              <>
                <p className="soft">No requests with a key yet. From a key to the first answer:</p>
                <QuickStart />
              </>
            ) : (
              <DayBars label="Requests per day" days={days} series={byKeys} />
            )
          }}
        </Shown>
      </Card>
      <div className="columns">
        <Card title="Keys" action={<Link to="/dashboard/keys">All keys</Link>}>
          <Shown asked={keys}>
            {(all) => {
              const live = all.filter((key) => key.state === 'active' || key.state === 'ending')
              return live.length === 0 ? (
                <Empty title="No keys that work" />
              ) : (
                <ul className="plain-list">
                  {live.slice(0, 6).map((key) => (
                    <li key={key.id}>
                      <span>
                        <strong>{key.name}</strong>{' '}
                        <code>
                          {key.prefix}…{key.last_four}
                        </code>
                      </span>
                      <span className="soft">used {ago(key.last_used_at)}</span>
                    </li>
                  ))}
                  {live.length > 6 ? <li className="soft">and {count(live.length - 6)} more</li> : null}
                </ul>
              )
            }}
          </Shown>
        </Card>
        <Card title="Latest activity" action={<Link to="/dashboard/activity">All activity</Link>}>
          <Shown asked={activity}>
            {(entries) => (
              <ul className="plain-list">
                {entries.slice(0, 6).map((entry) => (
                  <li key={entry.id}>
                    <span>
                      <strong>{entry.who}</strong> {told(entry)}
                    </span>
                    <span className="soft">{ago(entry.at)}</span>
                  </li>
                ))}
                {entries.length === 0 ? <li className="soft">Nothing has happened yet.</li> : null}
              </ul>
            )}
          </Shown>
        </Card>
      </div>
    </>
  )
}
