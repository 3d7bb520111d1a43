import { Link } from 'wouter'
import type { AppraisalWire } from '../../../src/contract/appraisal.ts'
import type { LookupRecordWire } from '../../../src/contract/lookups.ts'
import { formatRelativeTime } from '../../format.ts'
import { useApiQuery } from '../../queries.ts'
import { useHasTier } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { DECISION_LABELS } from '../counter/decision-labels.ts'
import { RISK_LEVEL_TONES } from '../lookups/lookup-page.tsx'

const MAX_ITEMS = 5

/** Latest appraisals and checks; hidden if there are none. */
export function RecentActivity() {
  const appraisals = useApiQuery<AppraisalWire[]>(
    useHasTier('paid') ? `/account/explore/appraisals?limit=${MAX_ITEMS}` : null,
  ).data?.data
  const lookups = useApiQuery<LookupRecordWire[]>(
    useHasTier('enterprise') ? `/account/explore/imei?limit=${MAX_ITEMS}` : null,
  ).data?.data
  return (
    <div className="columns">
      {appraisals?.length ? (
        <Card title="Latest appraisals" action={<Link to="/dashboard/appraisals">All appraisals</Link>}>
          <ul className="plain-list">
            {appraisals.map(({ appraisal_id: id, identity, offer, timestamp }) => (
              <li key={id}>
                <span>
                  <Badge tone={DECISION_LABELS[offer.decision].tone}>{DECISION_LABELS[offer.decision].word}</Badge>{' '}
                  <Link to={`/dashboard/appraisals/${id}`}>
                    {identity.variant_name ?? identity.device_name ?? 'Unknown device'}
                  </Link>
                </span>
                <span className="muted">{formatRelativeTime(timestamp)}</span>
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
      {lookups?.length ? (
        <Card title="Latest checks" action={<Link to="/dashboard/lookups">All checks</Link>}>
          <ul className="plain-list">
            {lookups.map(({ lookup_id: id, identifier, risk_level: level, risk_score: score, timestamp }) => (
              <li key={id}>
                <span>
                  <Badge tone={RISK_LEVEL_TONES[level]}>
                    {score} {level}
                  </Badge>{' '}
                  <Link to={`/dashboard/lookups/${id}`}>{identifier}</Link>
                </span>
                <span className="muted">{formatRelativeTime(timestamp)}</span>
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
    </div>
  )
}
