import { Link } from 'wouter'
import type { AppraisalWire } from '../../src/contract/appraisal.ts'
import type { LookupRecordWire } from '../../src/contract/imei.ts'
import { useAnswer } from '../answers.ts'
import { DECISION_WORDS } from '../counter/decisions.ts'
import { LEVEL_TONES } from '../pages/lookup.tsx'
import { useMayUse } from '../session.tsx'
import { ago } from '../words.ts'
import { Badge, Card } from './basics.tsx'

const SHOWN = 5

/** What was appraised and checked last; nothing is shown while there is nothing. */
export function Latest() {
  const appraisals = useAnswer<AppraisalWire[]>(useMayUse('paid') ? `/account/explore/appraisals?limit=${SHOWN}` : null)
    .data?.data
  const lookups = useAnswer<LookupRecordWire[]>(useMayUse('enterprise') ? `/account/explore/imei?limit=${SHOWN}` : null)
    .data?.data
  return (
    <div className="columns">
      {appraisals?.length ? (
        <Card title="Latest appraisals" action={<Link to="/dashboard/appraisals">All appraisals</Link>}>
          <ul className="plain-list">
            {appraisals.map(({ appraisal_id: id, identity, offer, timestamp }) => (
              <li key={id}>
                <span>
                  <Badge tone={DECISION_WORDS[offer.decision].tone}>{DECISION_WORDS[offer.decision].word}</Badge>{' '}
                  <Link to={`/dashboard/appraisals/${id}`}>
                    {identity.variant_name ?? identity.device_name ?? 'not identified'}
                  </Link>
                </span>
                <span className="soft">{ago(timestamp)}</span>
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
                  <Badge tone={LEVEL_TONES[level]}>
                    {score} {level}
                  </Badge>{' '}
                  <Link to={`/dashboard/lookups/${id}`}>{identifier}</Link>
                </span>
                <span className="soft">{ago(timestamp)}</span>
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
    </div>
  )
}
