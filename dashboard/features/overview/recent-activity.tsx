import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { deviceTitle } from '../../../src/appraisal/device-title.ts'
import type { AppraisalWire } from '../../../src/contract/appraisal.ts'
import type { LookupRecordWire } from '../../../src/contract/lookups.ts'
import { codeTexts } from '../../codes.ts'
import { formatRelativeTime } from '../../format.ts'
import { useApiQuery } from '../../queries.ts'
import { useHasTier } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { DECISION_TONES } from '../counter/decision-tones.ts'
import { RiskBadge } from '../lookups/risk-badge.tsx'

const MAX_ITEMS = 5

/** Latest appraisals and checks; hidden if there are none. */
export function RecentActivity() {
  const { t } = useTranslation('overview')
  const appraisals = useApiQuery<AppraisalWire[]>(
    useHasTier('paid') ? `/account/explore/appraisals?limit=${MAX_ITEMS}` : null,
  ).data?.data
  const lookups = useApiQuery<LookupRecordWire[]>(
    useHasTier('enterprise') ? `/account/explore/imei?limit=${MAX_ITEMS}` : null,
  ).data?.data
  return (
    <div className="columns">
      {appraisals?.length ? (
        <Card
          title={t('recent.appraisals')}
          action={<Link to="/dashboard/appraisals">{t('recent.allAppraisals')}</Link>}
        >
          <ul className="plain-list">
            {appraisals.map(({ appraisal_id: id, identity, offer, timestamp }) => (
              <li key={id}>
                <span>
                  <Badge tone={DECISION_TONES[offer.decision]}>{codeTexts().decision(offer.decision)}</Badge>{' '}
                  <Link to={`/dashboard/appraisals/${id}`}>{deviceTitle(identity)}</Link>
                </span>
                <span className="muted">{formatRelativeTime(timestamp)}</span>
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
      {lookups?.length ? (
        <Card title={t('recent.checks')} action={<Link to="/dashboard/lookups">{t('recent.allChecks')}</Link>}>
          <ul className="plain-list">
            {lookups.map((lookup) => (
              <li key={lookup.lookup_id}>
                <span>
                  <RiskBadge lookup={lookup} />{' '}
                  <Link to={`/dashboard/lookups/${lookup.lookup_id}`}>{lookup.identifier}</Link>
                </span>
                <span className="muted">{formatRelativeTime(lookup.timestamp)}</span>
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
    </div>
  )
}
